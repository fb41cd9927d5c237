#pragma once
// A network with checkers of the base protocol on both sides.

#include "tlm/checker.h"
#include "tlm/tlm_support.h"

namespace noctule::tlm::tlm_test {

struct CheckedSystem {
  explicit CheckedSystem(const Platform& platform, const std::function<void(NetworkParts&)>& change = {},
                         Reaction reaction = Reaction::kWarn)
      : network(platform.build(change)) {
    for (std::size_t i = 0; i < platform.initiators.size(); ++i) {
      initiators.push_back(std::make_unique<Initiator>(unique("initiator").c_str()));
      initiator_checkers.push_back(std::make_unique<Checker<32>>(unique("checker").c_str(), reaction));
      initiators[i]->socket.bind(initiator_checkers[i]->target_socket);
      initiator_checkers[i]->initiator_socket.bind(network->target_socket<32>(i));
    }
    for (std::size_t t = 0; t < platform.targets.size(); ++t) {
      memories.push_back(std::make_unique<Memory>(unique("memory").c_str()));
      target_checkers.push_back(std::make_unique<Checker<32>>(unique("checker").c_str(), reaction));
      network->initiator_socket<32>(t).bind(target_checkers[t]->target_socket);
      target_checkers[t]->initiator_socket.bind(memories[t]->socket);
    }
  }
  /// Nothing is open, held or complained of.
  void expect_clean(const Payloads& payloads) const {
    EXPECT_EQ(network->open(), 0U);
    EXPECT_EQ(network->counters().begun, network->counters().ended);
    EXPECT_EQ(network->counters().complaints, 0U);
    EXPECT_EQ(payloads.in_use, 0);
    EXPECT_TRUE(network->fabric().drained());
    network->fabric().check_conservation();
    for (const auto* list : {&initiator_checkers, &target_checkers})
      for (const auto& checker : *list) {
        EXPECT_EQ(checker->rules().count(), 0U);
        EXPECT_EQ(checker->rules().open(), 0U);
      }
    EXPECT_GT(initiator_checkers[0]->rules().calls(), 0U);
  }
  std::unique_ptr<TlmNetwork> network;
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<Checker<32>>> initiator_checkers;
  std::vector<std::unique_ptr<Checker<32>>> target_checkers;
};

}  // namespace noctule::tlm::tlm_test
