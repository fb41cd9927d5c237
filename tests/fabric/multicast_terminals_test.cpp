// Worms that serve several terminals of one router, and worms that are led by places where nobody is served.

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// Test only: one copy to the right, one to the left, terminals of a router one after the other. `led`: both
/// are led to the end of the row first, so that they visit their destinations on the way back.
class AlongTheRow final : public MulticastPlanner {
 public:
  AlongTheRow(std::size_t routers, bool led) : routers_(routers), led_(led) {}
  [[nodiscard]] std::span<const std::string> groups() const override { return groups_; }
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    for (const std::uint8_t group : {0, 1}) {
      const bool right = group == 0;
      std::vector<std::size_t> list;
      for (const TerminalId t : destinations)
        if ((index(t) / 2 > index(source) / 2) == right) list.push_back(index(t));
      if (list.empty()) continue;
      std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        return a / 2 == b / 2 ? a < b : (a / 2 < b / 2) == (right != led_);
      });
      PlannedWorm worm{{}, group};
      if (led_) worm.stops.push_back({RouterId(right ? routers_ - 1 : 0), kNoTerminal});
      for (const std::size_t t : list) worm.stops.push_back({RouterId(t / 2), TerminalId(t)});
      worms.push_back(std::move(worm));
    }
  }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    return {{0, {{"group", {"right", "unicast"}}}}, {1, {}}};
  }

 private:
  std::size_t routers_;
  bool led_;
  std::vector<std::string> groups_{"right", "left"};
};

FabricPlan row(unsigned routers, const Json& node_set, bool led = false) {
  const auto cube = mesh({routers});
  const auto topology = std::make_shared<const Topology>(make_cube({routers}, {false}, 2));
  return plan_fabric({topology,
                      std::make_shared<const Reckless>(cube, false),
                      node_of("generic", node_set),
                      {},
                      std::make_shared<const AlongTheRow>(routers, led)});
}
/// From generation to the tail d hops away (see multicast_latency_test.cpp).
Cycle alone(Cycle d, Cycle length) {
  return 4 * d + length + 3;
}

std::map<std::size_t, Cycle> consumed(const Scenario& run) {
  std::map<std::size_t, Cycle> cycles;
  for (const auto& d : run.listener->deliveries) cycles[index(d.destination)] = d.consumed;
  return cycles;
}

TEST(TerminalsOfOneRouter, GetTheSameFlitInTheSameCycle) {
  std::vector<Scenario> runs;
  for (const char* acquisition : {"consumption_first", "output_first"})
    for (const unsigned channels : {2, 4})
      for (const std::uint32_t length : {1U, 2U, 20U}) {
        const Json set = paper_node(1, channels, {{"acquisition", acquisition}});
        runs.emplace_back(acquisition, row(4, set));
        runs.back().source->add(0, {2, 3, 5, 6, 7}, length, 0);
        runs.emplace_back(acquisition, row(4, set));
        runs.back().source->add(7, {4, 5, 2}, length, 0);  // the last router serves one
      }
  run_cycles(*runs[0].fabric, 200);
  for (const auto& run : runs) {
    expect_delivered(run);
    const Cycle length = run.listener->deliveries[0].length;
    for (const auto& d : run.listener->deliveries) {
      const auto distance = run.fabric->plan().topology->distance(RouterId(index(d.source) / 2),
                                                                  RouterId(index(d.destination) / 2));
      EXPECT_EQ(d.consumed, alone(distance, length)) << index(d.destination);
    }
    const auto c = run.fabric->counters();
    EXPECT_EQ(c.flits_copied, (run.source->expected() - 1) * length);
    EXPECT_EQ(c.total_latency.count(), 1U);
  }
}

TEST(TerminalsOfOneRouter, AbsorbAMessageOneAfterTheOther) {
  std::vector<Scenario> runs;
  for (const std::uint32_t length : {1U, 20U}) {
    runs.emplace_back("", row(4, paper_node(1, 2, {{"retransmission_buffers", 1}})));
    runs.back().source->add(0, {2, 3, 6, 7}, length, 0);
  }
  run_cycles(*runs[0].fabric, 400);
  for (const auto& run : runs) {
    expect_delivered(run);
    const Cycle length = run.listener->deliveries[0].length;
    auto cycles = consumed(run);
    EXPECT_EQ(cycles[2], alone(1, length));
    EXPECT_EQ(cycles[3], cycles[2] + alone(0, length)) << "from the one to the other without a link";
    EXPECT_EQ(cycles[6], cycles[3] + alone(2, length));
    EXPECT_EQ(cycles[7], cycles[6] + alone(0, length));
    EXPECT_EQ(run.fabric->counters().flits_copied, 0U);
  }
}

TEST(AWorm, IsLedByPlacesWhereNobodyIsServed) {
  // One VC per direction and no worm waits for itself: to the end of the row and back.
  std::vector<Scenario> runs;
  for (const std::uint32_t length : {1U, 20U}) {
    runs.emplace_back("", row(5, paper_node(1, 2), true));
    runs.back().source->add(2, {5, 6, 9}, length, 0);
  }
  run_cycles(*runs[0].fabric, 200);
  for (const auto& run : runs) {
    expect_delivered(run);
    const Cycle length = run.listener->deliveries[0].length;
    const auto cycles = consumed(run);
    // From router 1 to router 4, where terminal 9 is, and back to 3 and 2.
    EXPECT_EQ(cycles, (std::map<std::size_t, Cycle>{
                          {9, alone(3, length)}, {6, alone(4, length)}, {5, alone(5, length)}}));
    EXPECT_EQ(run.fabric->counters().hops, 5U);
  }
}

TEST(TerminalsOfOneRouter, LoseNothingInTraffic) {
  std::vector<Scenario> runs;
  for (const Json& set :
       {paper_node(1, 2), paper_node(2, 4), paper_node(2, 2, {{"acquisition", "output_first"}}),
        paper_node(2, 4, {{"scan", "random_start"}, {"connections_per_cycle", 1}})}) {
    runs.emplace_back(set.dump(), row(5, set));
    Rng rng(3, "messages");
    for (std::size_t t = 0; t < 10; ++t)
      for (Cycle n = 0; n < 30; ++n) {
        Destinations to;
        for (std::size_t d = 0; d < 10; ++d)
          if (d / 2 != t / 2 && rng.below(3) == 0) to.push_back(d);
        if (to.empty()) to.push_back(rng.below(10));  // also to the terminal beside it
        runs.back().source->add(t, to, 1 + static_cast<std::uint32_t>(rng.below(20)), 25 * n + rng.below(25));
      }
  }
  for (int n = 0; n < 10; ++n) {
    run_cycles(*runs[0].fabric, n < 8 ? 113 : 10000);
    for (const auto& run : runs) EXPECT_NO_THROW(run.fabric->check_conservation());
  }
  for (const auto& run : runs) expect_delivered(run);
}

TEST(DrawnMulticasts, HaveNoMoreDestinationsThanOtherRoutersHaveTerminals) {
  // 10 terminals, of which each shares its router with another one: 8 are left.
  const auto topology = std::make_shared<const Topology>(make_cube({5}, {false}, 2));
  Mixture mixture;
  mixture.least = mixture.most = 8;
  const auto source = mixed_traffic(topology, mixture);
  for (std::size_t t = 0; t < 10; ++t) {
    const auto packet = source->next(TerminalId(t), 0);
    ASSERT_TRUE(packet);
    std::set<TerminalId> list(packet->destinations.begin(), packet->destinations.end());
    EXPECT_EQ(list.size(), 8U);
    EXPECT_FALSE(list.contains(TerminalId(t)));
    EXPECT_FALSE(list.contains(TerminalId(t ^ 1U)));
  }
  mixture.most = 9;
  EXPECT_THROW(mixed_traffic(topology, mixture), ConfigError);
}

}  // namespace
}  // namespace noctule::fabric_test
