// Virtual consumption channels (Boppana et al. 1998, 3.2: "physical or virtual"): do worms share a channel
// flit by flit, lose no cycle, and wait for each other no more than for channels of their own?

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// One consumption channel of `vcs` VCs; every worm is of one class unless `set` says otherwise.
Json shared(unsigned lanes, unsigned vcs, const Json& set = Json::object()) {
  return paper_node(lanes, 1, with({{"consumption_vcs", vcs}}, set));
}

struct Watched {
  explicit Watched(const FabricPlan& plan) {
    FabricOptions options;
    options.observed = true;
    fabric = make_fabric(plan, options);
    fabric->attach(source);
    fabric->observe(recorder);
  }
  /// Flits consumed at a router, in the order of time: (cycle, source).
  [[nodiscard]] std::vector<std::pair<Cycle, std::size_t>> consumed(std::size_t router) const {
    std::vector<std::pair<Cycle, std::size_t>> flits;
    for (const auto& e : recorder.of(FlitEvent::kConsume, router)) flits.emplace_back(e.t, index(e.source));
    return flits;
  }
  std::shared_ptr<MessageList> source = std::make_shared<MessageList>();
  std::unique_ptr<Fabric> fabric;
  Recorder recorder;
};

TEST(WormsThatShareAChannel, TakeTurnsAndLoseNoCycle) {
  // To the middle of a 3x3 mesh from two, three or four sides.
  std::vector<std::unique_ptr<Watched>> all;
  const std::vector<std::size_t> sides{3, 1, 5, 7};
  constexpr std::uint32_t kLength = 60;
  for (std::size_t worms = 2; worms <= 4; ++worms) {
    all.push_back(std::make_unique<Watched>(multicast_plan(mesh({3, 3}), "individual", shared(1, 4))));
    for (std::size_t w = 0; w < worms; ++w) all.back()->source->add(sides[w], {4}, kLength, 0);
  }
  run_cycles(*all[0]->fabric, 500);
  for (std::size_t worms = 2; worms <= 4; ++worms) {
    const auto flits = all[worms - 2]->consumed(4);
    ASSERT_EQ(flits.size(), worms * kLength);
    std::map<std::size_t, int> had;  // halfway
    for (std::size_t n = 0; n < flits.size(); ++n) {
      EXPECT_EQ(flits[n].first, flits[0].first + n) << "one flit in every cycle";
      if (n < flits.size() / 2) ++had[flits[n].second];
    }
    for (const auto& [who, count] : had) EXPECT_NEAR(count, kLength / 2.0, 4) << who << " of " << worms;
    EXPECT_TRUE(all[worms - 2]->fabric->drained());
  }
}

TEST(AWormThatGoesOn, MovesOnlyWhenBothItsPortsAreItsOwn) {
  // It passes router 1, whose consumption channel it shares with a worm from the other side: both arrive
  // later than alone, and what leaves on the link is what is consumed, flit for flit.
  Watched run(multicast_plan(mesh({3}), "dual_path", shared(1, 2)));
  run.source->add(2, {1}, 60, 0);
  run.source->add(0, {1, 2}, 60, 0);
  run_cycles(*run.fabric, 500);
  ASSERT_TRUE(run.fabric->drained());
  const auto flits = run.consumed(1);
  ASSERT_EQ(flits.size(), 120U);
  for (std::size_t n = 1; n < flits.size(); ++n) EXPECT_EQ(flits[n].first, flits[0].first + n);
  std::vector<Cycle> here;
  for (const auto& [t, source] : flits)
    if (source == 0) here.push_back(t);
  const auto sent = times(run.recorder.where([](const Event& e) {
    return e.event == FlitEvent::kLink && index(e.router) == 1 && index(e.source) == 0;
  }));
  ASSERT_EQ(sent.size(), here.size());
  for (std::size_t f = 0; f < sent.size(); ++f) EXPECT_EQ(here[f], sent[f] + 2) << "through the switch";
}

TEST(VirtualChannels, FreeWormsFromDeadlockLikePhysicalOnes) {
  std::vector<Scenario> runs;
  const auto row = mesh({4});
  const auto add = [&](const Json& set, std::uint32_t length) {
    runs.emplace_back(set.dump(), multicast_plan(row, "dual_path", set));
    runs.back().source->add(0, {1, 2}, length, 0);
    runs.back().source->add(3, {1, 2}, length, 0);
  };
  add(with(shared(1, 1), one_class()), 60);
  add(shared(1, 2), 60);
  add(with(shared(1, 2), one_class()), 60);
  run_cycles(*runs[0].fabric, 500);
  EXPECT_TRUE(autopsy(*runs[0].fabric).deadlocked);
  expect_delivered(runs[1]);
  expect_delivered(runs[2]);
  // 2 hops; at both destinations two worms share one flit per cycle.
  for (std::size_t n = 1; n < 3; ++n) {
    EXPECT_GE(runs[n].fabric->last_delivery(), 120U);
    EXPECT_LE(runs[n].fabric->last_delivery(), 140U);
  }
}

TEST(VirtualChannels, KeepOverloadedNetworksGoing) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  const auto topology = mesh({8, 8});
  for (const char* planner : {"dual_path", "multipath", "column_path", "e_mcast"})
    for (const bool classes : {true, false}) {
      const unsigned vcs = planner == std::string("e_mcast") ? 4 : 2;
      const Json set = classes ? shared(2, vcs) : with(shared(2, 1), one_class());
      fabrics.push_back(make_fabric(multicast_plan(topology, planner, set)));
      Mixture mixture;
      mixture.load = 150;
      fabrics.back()->attach(mixed_traffic(topology, mixture));
    }
  std::vector<std::uint64_t> before(fabrics.size());
  for (int n = 0; n < 4; ++n) {
    run_cycles(*fabrics[0], 1000);
    for (std::size_t f = 0; f < fabrics.size(); ++f) {
      const bool classes = f % 2 == 0;
      EXPECT_NE(autopsy(*fabrics[f]).deadlocked, classes) << f;
      const auto flits = fabrics[f]->counters().flits_delivered;
      if (classes) {
        EXPECT_GT(flits, before[f] + 5000) << f;
        EXPECT_LT(flits, before[f] + 64000);
      }
      before[f] = flits;
      EXPECT_NO_THROW(fabrics[f]->check_conservation());
    }
  }
}

TEST(ASharedChannel, CarriesOneFlitPerCycleOrIsRefused) {
  // Where a node has nothing that shares it out, individual copies must not take it all the same.
  const std::vector<Json> nodes{
      {{"output_depth", 0}, {"input_depth", 4}, {"consumption_vcs", 2}},
      {{"output_depth", 0}, {"input_depth", 4}, {"consumption_vcs", 2}, {"switch_allocator", "islip"}},
      {{"output_depth", 0}, {"input_depth", 4}, {"consumption_vcs", 2}, {"vc_allocator", "islip"}},
      {{"output_depth", 0}, {"input_depth", 6}, {"consumption_vcs", 2}, {"link_sharing", "fixed_slot"}}};
  std::vector<Scenario> runs;
  for (const Json& set : nodes) try {
      runs.emplace_back(set.dump(), multicast_plan(mesh({3}), "individual", set));
      runs.back().source->add(0, {1}, 100, 0);
      runs.back().source->add(2, {1}, 100, 0);
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics()[0].key, "node.consumption_vcs") << e.what();
    }
  ASSERT_GE(runs.size(), 2U);
  run_cycles(*runs[0].fabric, 500);
  for (const auto& run : runs) {
    expect_delivered(run);
    EXPECT_GE(run.fabric->last_delivery(), 200U) << run.name;
  }
  EXPECT_THROW(plan_of(shipped_models()[0], mesh({3}), nodes[0]), ConfigError) << "without a planner";
}

}  // namespace
}  // namespace noctule::fabric_test
