#pragma once
// In place of the bus of SystemC's TLM-2.0 example systems: a Noctule fabric, with checkers of the base
// protocol on both sides. The file that NOCTULE_TLM_CONFIG names describes it; of its initiators and targets
// the first are used, and address bits 31 to 28 choose the target, as with that bus.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tlm/checker.h"
#include "tlm/network.h"

template <int kInitiators, int kTargets>
class FabricBus : public sc_core::sc_module {
 public:
  struct TargetSockets {
    FabricBus* bus;
    tlm::tlm_target_socket<32>& operator[](int n) { return bus->near_[n]->target_socket; }
  };
  struct InitiatorSockets {
    FabricBus* bus;
    tlm::tlm_initiator_socket<32>& operator[](int n) { return bus->far_[n]->initiator_socket; }
  };
  TargetSockets target_socket{this};
  InitiatorSockets initiator_socket{this};

  explicit FabricBus(sc_core::sc_module_name name) : sc_module(name), network_("network", parts()) {
    for (int i = 0; i < kInitiators; ++i) {
      near_.push_back(std::make_unique<Checker>(("near_" + std::to_string(i)).c_str(), kCollect));
      near_[i]->initiator_socket.bind(network_.template target_socket<32>(i));
    }
    for (int t = 0; t < kTargets; ++t) {
      far_.push_back(std::make_unique<Checker>(("far_" + std::to_string(t)).c_str(), kCollect));
      network_.template initiator_socket<32>(t).bind(far_[t]->target_socket);
    }
    alive() = this;
    std::atexit([] {
      if (alive() != nullptr) alive()->report();
    });
  }
  ~FabricBus() override {
    report();
    alive() = nullptr;
  }

 private:
  using Checker = noctule::tlm::Checker<32>;
  static constexpr auto kCollect = noctule::tlm::Reaction::kCollect;

  static noctule::tlm::NetworkParts parts() {
    const char* const file = std::getenv("NOCTULE_TLM_CONFIG");
    if (file == nullptr) throw noctule::ConfigError("NOCTULE_TLM_CONFIG", "name the file of the fabric");
    const char* const level = std::getenv("NOCTULE_TLM_LEVEL");
    std::vector<std::string> set;
    if (level != nullptr) set = {std::string("tlm.level=") + level};
    if (level != nullptr && level == std::string("approximate")) set.push_back("tlm.dmi=denied");
    noctule::tlm::NetworkParts parts = noctule::tlm::configured_network(file, set);
    parts.settings.initiators.resize(kInitiators);
    parts.settings.targets.resize(kTargets);
    parts.settings.regions.clear();
    for (unsigned t = 0; t < kTargets; ++t)
      parts.settings.regions.push_back({std::uint64_t{t} << 28, 1U << 28, {noctule::TargetId{t}}});
    // Every transaction may be answered when it is done: an id of its own.
    parts.id_of = [](const noctule::tlm::Payload& payload) {
      return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&payload) >> 4);
    };
    return parts;
  }
  /// The examples end without sc_stop, and some never destroy their modules.
  static FabricBus*& alive() {
    static FabricBus* bus = nullptr;
    return bus;
  }
  void report() {
    const auto counters = network_.counters();
    std::fprintf(stderr, "noctule: %lu transactions, %lu packets, %zu open\n",
                 static_cast<unsigned long>(counters.begun), static_cast<unsigned long>(counters.packets),
                 network_.open());
    std::map<std::pair<std::string, std::string>, int> told;
    for (const auto* list : {&near_, &far_})
      for (const auto& checker : *list)
        for (const auto& v : checker->rules().violations())
          ++told[{v.clause, (v.by_initiator ? "initiator: " : "target: ") + v.rule}];
    for (const auto& [what, times] : told)
      std::fprintf(stderr, "noctule: violation %s, %s, %d times\n", what.first.c_str(), what.second.c_str(),
                   times);
  }

  noctule::tlm::TlmNetwork network_;
  std::vector<std::unique_ptr<Checker>> near_, far_;
};
