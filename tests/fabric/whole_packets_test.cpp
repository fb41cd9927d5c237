// Packets enter an injection buffer with room for all of their flits as a whole (InjectionChannel), where
// nobody observes them. Does nothing else tell it from flits that enter one by one?

#include <gtest/gtest.h>

#include <set>

#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

/// Fabrics that differ in nothing but that the second one is observed.
struct Pair {
  std::string name;
  std::unique_ptr<Fabric> whole;
  std::unique_ptr<Fabric> one_by_one;
  Recorder recorder;
};

std::vector<std::unique_ptr<Pair>> pairs_of(const std::shared_ptr<const Topology>& network, bool discard) {
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const auto& variant : variants())
    for (const std::uint32_t length : {1U, 3U, 5U, 20U})
      for (const unsigned load : {20U, 400U}) {
        const auto plan = plan_of(shipped_models()[0], network, variant.set);
        FabricOptions options;
        options.discard = discard;
        auto& pair = *pairs.emplace_back(std::make_unique<Pair>());
        pair.name = variant.name + " " + std::to_string(length) + " " + std::to_string(load);
        pair.whole = make_fabric(plan, options);
        options.observed = true;
        pair.one_by_one = make_fabric(plan, options);
        pair.one_by_one->observe(pair.recorder);
        for (Fabric* fabric : {pair.whole.get(), pair.one_by_one.get()})
          fabric->attach(traffic(network, "bernoulli", load, length, 3));
      }
  return pairs;
}
/// As their numbers say, which are modulo 4 where nobody observes.
std::vector<std::vector<unsigned>> flits_in_inputs(const Fabric& fabric) {
  std::vector<std::vector<unsigned>> all;
  std::vector<Flit> flits;
  for (std::uint32_t r = 0; r < fabric.plan().topology->routers(); ++r)
    for (std::size_t i = 0; i < fabric.router(RouterId{r}).plan().inputs.size(); ++i) {
      fabric.router(RouterId{r}).input_flits(i, flits);
      auto& numbers = all.emplace_back();
      for (const Flit flit : flits) numbers.push_back(flit.number() % 4);
    }
  return all;
}
/// Flits that have entered before their cycle.
std::uint64_t flits_ahead(const Fabric& fabric) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < fabric.plan().topology->routers(); ++r)
    sum += fabric.router(RouterId{r}).flits_ahead();
  return sum;
}
/// Of the pair, after every cycle. Returns how many flits are in flight.
std::size_t compare(const Pair& pair) {
  const FabricCounters one = pair.whole->counters();
  const FabricCounters other = pair.one_by_one->counters();
  EXPECT_EQ(pair.whole->digest(), pair.one_by_one->digest());
  EXPECT_EQ(one.flits_injected, other.flits_injected);
  EXPECT_EQ(one.packets_injected, other.packets_injected);
  EXPECT_EQ(one.packets_discarded, other.packets_discarded);
  EXPECT_EQ(one.queued_packet_cycles, other.queued_packet_cycles);
  EXPECT_EQ(one.flits_in_flight(), other.flits_in_flight());
  EXPECT_NO_THROW(pair.whole->check_conservation());
  EXPECT_EQ(flits_in_inputs(*pair.whole), flits_in_inputs(*pair.one_by_one));
  EXPECT_EQ(pair.whole->moves(), pair.one_by_one->moves());
  EXPECT_EQ(flits_ahead(*pair.one_by_one), 0U);
  return one.flits_in_flight();
}

TEST(WholePackets, AreToldFromFlitsOneByOneByNothing) {
  const auto pairs = pairs_of(torus({3, 3}), false);
  std::size_t in_flight = 0;
  std::set<const Pair*> entered;  // as a whole
  for (int cycle = 0; cycle < 120; ++cycle) {
    run_cycles(*pairs[0]->whole, 1);
    for (const auto& pair : pairs) {
      SCOPED_TRACE(pair->name + " cycle " + std::to_string(cycle));
      in_flight += compare(*pair);
      if (flits_ahead(*pair->whole) > 0) entered.insert(pair.get());
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(in_flight, 100 * pairs.size()) << "else it says nothing";
  EXPECT_GE(entered.size(), 12U) << "else it says nothing";
}

TEST(WholePackets, ChangeNothingWhereSourcesDiscard) {
  const auto pairs = pairs_of(torus({3, 3}), true);
  for (int cycle = 0; cycle < 60; ++cycle) {
    run_cycles(*pairs[0]->whole, 1);
    for (const auto& pair : pairs) {
      SCOPED_TRACE(pair->name + " cycle " + std::to_string(cycle));
      compare(*pair);
      EXPECT_EQ(flits_ahead(*pair->whole), 0U);
      if (HasFailure()) return;
    }
  }
}

TEST(WholePackets, LeaveTheirFlitsUncountedThatAResetFindsBeforeTheirTime) {
  const auto network = torus({3, 3});
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  std::vector<std::unique_ptr<Pair>> pairs = pairs_of(network, false);
  for (const auto& pair : pairs)
    for (Fabric* fabric : {pair->whole.get(), pair->one_by_one.get()}) fabric->rst_ni.bind(rst_n);
  std::size_t in_flight = 0;
  std::uint64_t ahead = 0;
  for (int round = 0; round < 6; ++round) {
    rst_n.write(true);
    run_cycles(*pairs[0]->whole, 7);
    for (const auto& pair : pairs) {
      in_flight += compare(*pair);
      ahead += flits_ahead(*pair->whole);
    }
    rst_n.write(false);
    run_cycles(*pairs[0]->whole, 2);
    for (const auto& pair : pairs) {
      SCOPED_TRACE(pair->name + " round " + std::to_string(round));
      ASSERT_EQ(compare(*pair), 0U);
      ASSERT_EQ(pair->whole->counters().flits_dropped, pair->one_by_one->counters().flits_dropped);
    }
  }
  EXPECT_GT(in_flight, 0U) << "else it says nothing";
  EXPECT_GT(ahead, 0U) << "else it says nothing";
}

}  // namespace
}  // namespace noctule::fabric_test
