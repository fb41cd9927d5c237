// Does a worm with a prescribed route go exactly there, and does the autopsy judge it by what the relation
// itself would offer?

#include "core/json.h"
#include "nodes/named_routes.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "fabric/autopsy.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

FabricPlan reckless(std::shared_ptr<const CubeNetwork> cube, const Json& set = Json::object()) {
  return plan_fabric({cube, std::make_shared<Reckless>(cube, true), node_of("generic", set)});
}

/// Packets with routes, by terminal, in the order of their births.
class RoutedSource final : public TrafficSource {
 public:
  void add(std::uint32_t source, std::uint32_t destination, std::uint32_t length, Cycle birth,
           std::vector<std::string> hops) {
    GeneratedPacket packet{birth, TerminalId{destination}, length};
    if (!hops.empty()) {
      routes_.push_back({RouterId{source}, RouterId{destination}, std::move(hops), ""});
      packet.route = static_cast<std::uint32_t>(routes_.size());
    }
    packets_[source].push_back(packet);
  }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const auto& list = packets_[index(source)];
    if (number >= list.size()) return std::nullopt;
    return list[number];
  }
  [[nodiscard]] bool listens() const override { return false; }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] const std::vector<NamedRoute>& named() const { return routes_; }
  [[nodiscard]] const GeneratedPacket& packet(std::size_t source, std::uint64_t number) const {
    return packets_.at(source).at(number);
  }

 private:
  std::map<std::size_t, std::vector<GeneratedPacket>> packets_;
  std::vector<NamedRoute> routes_;
};

/// A fabric, not observed, with the routes of its source laid over the relation.
std::unique_ptr<Fabric> routed(FabricPlan plan, const std::shared_ptr<RoutedSource>& source) {
  plan.relation = prescribe(plan, source->named());
  auto fabric = make_fabric(std::move(plan));
  fabric->attach(source);
  return fabric;
}

/// Names of the outputs that a worm was granted, in the order of its hops.
std::vector<std::string> path_of(const Recorder& recorder, const Fabric& fabric, std::size_t source,
                                 std::uint64_t number) {
  std::vector<std::string> names;
  for (const Event& e : recorder.events) {
    if (e.event != FlitEvent::kGrant || index(e.source) != source || e.number != number) continue;
    names.push_back(fabric.plan().routers[index(e.router)]->outputs[e.place].name);
  }
  return names;
}

/// Random hops, at most `most`, that the relation offers; every second one names its lane.
std::vector<std::string> random_hops(const FabricPlan& plan, RouterId from, RouterId to, std::size_t most,
                                     Rng& rng) {
  std::vector<std::string> hops;
  RouteState state =
      plan.relation->initial_state(from, to, rng.below(plan.relation->initial_states(from, to)));
  CandidateList list;
  for (RouterId here = from; here != to && hops.size() < most;) {
    list.clear();
    plan.relation->candidates(here, to, state, list);
    const Candidate hop = list[rng.below(list.size())];
    hops.push_back(CubeGeometry::direction_name(hop.port) + "." +
                   plan.relation->class_name(link_by(*plan.topology, hop.port), hop.vc_class));
    if (rng.below(2) == 0) hops.back() += "." + std::to_string(rng.below(plan.common_node().lanes));
    state = plan.relation->next_state(here, to, state, hop);
    here = plan.topology->outgoing(here, hop.port)->to;
  }
  return hops;
}

/// Every second packet has a route, whole or in part.
std::shared_ptr<RoutedSource> random_work(const FabricPlan& plan, std::uint64_t seed) {
  auto source = std::make_shared<RoutedSource>();
  Rng rng(seed);
  for (std::uint32_t t = 0; t < 25; ++t)
    for (Cycle n = 0; n < 12; ++n) {
      const auto to = static_cast<std::uint32_t>(rng.below(25));
      const std::size_t most = rng.below(2) == 0 ? 100 : 1 + rng.below(3);
      std::vector<std::string> hops;
      if (n % 2 == 0 && to != t) hops = random_hops(plan, RouterId{t}, RouterId{to}, most, rng);
      source->add(t, to, 1 + static_cast<std::uint32_t>(rng.below(9)), 40 * n, std::move(hops));
    }
  return source;
}

TEST(AWormWithARoute, TakesExactlyItsHopsAndLanes) {
  struct Run {
    std::shared_ptr<RoutedSource> source;
    std::unique_ptr<Fabric> fabric;
    Recorder recorder;
  };
  std::vector<std::unique_ptr<Run>> runs;
  for (const char* algorithm : {"star_channels", "four_classes", "linder_harden"})
    for (const char* selection : {"random", "first"}) {
      auto& run = *runs.emplace_back(std::make_unique<Run>());
      auto plan = plan_of({algorithm, algorithm}, torus({5, 5}), {{"lanes", 3}, {"selection", selection}});
      run.source = random_work(plan, runs.size());
      plan.relation = prescribe(plan, run.source->named());
      FabricOptions options;
      options.observed = true;
      run.fabric = make_fabric(std::move(plan), options);
      run.fabric->attach(run.source);
      run.fabric->observe(run.recorder);
    }
  run_cycles(*runs[0]->fabric, 3000);
  for (const auto& run : runs) {
    ASSERT_TRUE(run->fabric->drained());
    std::size_t whole = 0;
    std::size_t checked = 0;
    for (std::size_t t = 0; t < 25; ++t)
      for (std::uint64_t n = 0; n < 12; ++n) {
        const auto route = run->source->packet(t, n).route;
        if (route == 0) continue;
        const auto& hops = run->source->named()[route - 1].hops;
        const auto path = path_of(run->recorder, *run->fabric, t, n);
        ASSERT_GT(path.size(), hops.size());
        EXPECT_EQ(path.back(), "consumption");
        whole += path.size() == hops.size() + 1 ? 1 : 0;
        for (std::size_t h = 0; h < hops.size(); ++h) {
          // Without a lane in the name any of its lanes will do.
          const bool as_told = path[h] == hops[h] || path[h].substr(0, path[h].size() - 2) == hops[h];
          EXPECT_TRUE(as_told) << path[h] << " instead of " << hops[h];
        }
        ++checked;
      }
    EXPECT_GT(checked, 120U);
    EXPECT_GT(whole, 40U);
    EXPECT_LT(whole, checked - 20);
  }
}

TEST(AWormWithARoute, LeavesThoseWithoutAlone) {
  // The same packets, free, with the decorator and without: the same digest.
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const bool wrapped : {false, true}) {
    const auto topology = torus({5, 5});
    auto plan = plan_of({"four_classes", "four_classes"}, topology);
    if (wrapped)
      plan.relation = std::make_shared<const PrescribedRoutes>(topology, plan.relation,
                                                               std::vector<PrescribedRoutes::Route>{});
    fabrics.push_back(make_fabric(std::move(plan)));
    fabrics.back()->attach(traffic(topology, "bernoulli", 300, 9));
  }
  run_cycles(*fabrics[0], 3000);
  EXPECT_GT(fabrics[0]->counters().packets_delivered, 1000U);
  EXPECT_EQ(fabrics[0]->digest(), fabrics[1]->digest());
}

// --- autopsy ---

/// Each terminal of row 0 of a 5x5 torus sends to the second next column of row `row`; all hops that are
/// prescribed are the same.
std::shared_ptr<RoutedSource> ring_worms(std::size_t hops, const std::string& hop, std::uint32_t row = 0) {
  auto source = std::make_shared<RoutedSource>();
  for (std::uint32_t t = 0; t < 5; ++t)
    source->add(t, 5 * row + (t + 2) % 5, 30, 0, std::vector<std::string>(hops, hop));
  return source;
}
std::set<std::size_t> sources_of(const Autopsy& autopsy) {
  std::set<std::size_t> sources;
  for (const auto& worm : autopsy.worms) sources.insert(index(worm.source));
  return sources;
}

TEST(AReplayedDeadlock, IsReportedWhetherTheLastHopIsPrescribedOrFree) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const std::size_t hops : {1, 2})
    fabrics.push_back(routed(reckless(torus({5, 5})), ring_worms(hops, "x_plus.only")));
  run_cycles(*fabrics[0], 300);
  for (const auto& fabric : fabrics) {
    const Autopsy found = autopsy(*fabric);
    SCOPED_TRACE(to_text(found));
    ASSERT_EQ(found.worms.size(), 5U);
    EXPECT_EQ(found.circle.size(), 5U);
    for (const auto& worm : found.worms) {
      EXPECT_EQ(index(worm.router), (index(worm.source) + 1) % 5);
      ASSERT_EQ(worm.waits_for.size(), 1U);
      EXPECT_EQ(worm.waits_for[0].channel, worm.router_name + ".x_plus.only");
    }
  }
}

TEST(AHeaderHeldByItsPrescriptionAlone, IsNotReported) {
  struct Case {
    std::shared_ptr<RoutedSource> source;
    unsigned lanes;
    std::uint64_t delivered;
  };
  const std::vector<Case> cases{
      {ring_worms(2, "x_plus.only", 1), 1, 0},    // could turn into y_plus
      {ring_worms(1, "x_plus.only", 1), 1, 5},    // does
      {ring_worms(2, "x_plus.only.1", 0), 2, 0},  // could change the lane
      {ring_worms(1, "x_plus.only.1", 0), 2, 5},  // does
  };
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& c : cases)
    fabrics.push_back(routed(reckless(torus({5, 5}), {{"lanes", c.lanes}}), c.source));
  run_cycles(*fabrics[0], 300);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    EXPECT_EQ(fabrics[n]->counters().packets_delivered, cases[n].delivered) << n;
    EXPECT_FALSE(autopsy(*fabrics[n]).deadlocked) << n << "\n" << to_text(autopsy(*fabrics[n]));
  }
}

TEST(AHeaderHeldByItsPrescriptionAlone, IsToldFromVictimsOfARealDeadlock) {
  // Row 0 is locked up; these come to it from row 4.
  const auto source = ring_worms(1, "x_plus.only");
  source->add(23, 0, 30, 50, {"y_plus.only", "x_plus.only"});  // at (3,0) nothing else leads on
  source->add(21, 3, 30, 50, {"y_plus.only"});                 // neither at (1,0), where it is free
  source->add(22, 9, 30, 50, {"y_plus.only", "x_plus.only"});  // at (2,0) y_plus would do as well
  source->add(17, 2, 30, 120, {});                             // waits behind the one before
  const auto fabric = routed(reckless(torus({5, 5})), source);
  run_cycles(*fabric, 400);
  const Autopsy found = autopsy(*fabric);
  SCOPED_TRACE(to_text(found));
  EXPECT_EQ(fabric->counters().packets_delivered, 0U);
  EXPECT_EQ(sources_of(found), (std::set<std::size_t>{0, 1, 2, 3, 4, 21, 23}));
  EXPECT_EQ(found.circle.size(), 5U);
}

TEST(AHeaderHeldByItsPrescriptionAlone, IsToldFromVictimsAtTheirSourcesToo) {
  // The worm of (0,3) lies over (1,3) and (1,4) to (1,0), where row 0 is locked up.
  const auto source = ring_worms(1, "x_plus.only");
  source->add(15, 2, 30, 50, {"x_plus.only", "y_plus.only", "y_plus.only"});
  source->add(16, 22, 30, 120, {"y_plus.only"});  // at (1,3) x_plus is free
  source->add(21, 1, 30, 120, {"y_plus.only"});   // at (1,4) there is no other way
  const auto fabric = routed(reckless(torus({5, 5})), source);
  run_cycles(*fabric, 400);
  const Autopsy found = autopsy(*fabric);
  SCOPED_TRACE(to_text(found));
  EXPECT_EQ(fabric->counters().packets_delivered, 0U);
  EXPECT_EQ(sources_of(found), (std::set<std::size_t>{0, 1, 2, 3, 4, 15, 21}));
}

// --- bad input ---

/// What the kernel reports of an exception in its process.
std::string error_of_first_cycle(const Fabric& fabric) {
  try {
    run_cycles(fabric, 1);
  } catch (const sc_core::sc_report& report) {
    return report.what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(APacketThatNamesARoute, NeedsARelationThatKnowsIt) {
  const auto plan = reckless(torus({5, 5}));
  const auto source = ring_worms(1, "x_plus.only");
  auto plain = make_fabric(plan);
  plain->attach(source);
  const std::string error = error_of_first_cycle(*plain);
  EXPECT_NE(error.find("a route, but the relation of the fabric is no PrescribedRoutes"), std::string::npos)
      << error;
}

TEST(APacketThatNamesARoute, NeedsTheRightOne) {
  const auto plan = reckless(torus({5, 5}));
  const auto source = ring_worms(1, "x_plus.only");
  auto other = plan;
  other.relation = prescribe(plan, {{RouterId{1}, RouterId{2}, {"x_plus.only"}, ""}});
  auto fabric = make_fabric(std::move(other));
  fabric->attach(source);
  const std::string error = error_of_first_cycle(*fabric);
  EXPECT_NE(error.find(" names route "), std::string::npos) << error;
}

}  // namespace
}  // namespace noctule::fabric_test
