// The bound on latency under stated rates: no run exceeds it, and some come near it.

#include "analytic/latency_bound.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "closed_loop_support.h"
#include "support/networks.h"

namespace noctule::fabric_test {
namespace {

struct Case {
  std::string name;
  std::function<FabricPlan()> plan;
  std::vector<RegulatedFlow> flows;
};

RegulatedFlow flow(std::uint32_t from, std::uint32_t to, std::uint32_t length, std::uint64_t period,
                   std::uint64_t burst = 1) {
  return {TerminalId{from}, TerminalId{to}, 0, length, period, burst};
}
/// All of `n` terminals but `to` send there.
std::vector<RegulatedFlow> all_to(std::uint32_t to, std::uint32_t n, std::uint32_t length,
                                  std::uint64_t period, std::uint64_t burst = 1) {
  std::vector<RegulatedFlow> flows;
  for (std::uint32_t from = 0; from < n; ++from)
    if (from != to) flows.push_back(flow(from, to, length, period, burst));
  return flows;
}
std::function<FabricPlan()> on_mesh(std::vector<unsigned> radix, const Json& set = Json::object(),
                                    const std::string& model = "generic") {
  return [=] { return plan_with({}, mesh(radix), "dimension_order", set, model); };
}

std::vector<Case> cases() {
  const Json aged = {{"arbiter", "age"}};
  const Json lone = {{"lanes", 1}, {"injection_vcs", 1}, {"consumption_vcs", 1}};
  Json lone_aged = lone;
  lone_aged.update(aged);
  const Json deep = {{"input_depth", 4}, {"output_depth", 2}, {"consumption_depth", 2}};
  const Json lanes = {{"lanes", 2}, {"input_depth", 4}};
  return {
      {"alone", on_mesh({4}), {flow(0, 3, 8, 40)}},
      {"alone_in_bursts", on_mesh({4}), {flow(0, 3, 8, 400, 6)}},
      {"row", on_mesh({8}), all_to(7, 8, 16, 300)},
      {"row_by_age", on_mesh({8}, aged), all_to(7, 8, 16, 300)},
      {"row_in_bursts", on_mesh({8}), all_to(7, 8, 16, 900, 3)},
      {"row_deep", on_mesh({8}, deep), all_to(7, 8, 16, 300)},
      {"row_input_queued", on_mesh({8}, lone, "input_queued"), all_to(7, 8, 24, 600)},
      {"row_input_queued_by_age", on_mesh({8}, lone_aged, "input_queued"), all_to(7, 8, 24, 600)},
      {"hot_corner", on_mesh({4, 4}), all_to(15, 16, 32, 2000)},
      {"hot_centre_by_age", on_mesh({4, 4}, aged), all_to(5, 16, 32, 2000)},
      {"two_lanes", on_mesh({3}, lanes), {flow(0, 2, 32, 300), flow(1, 2, 32, 300)}},
      {"two_lanes_by_age",
       on_mesh({3}, {{"lanes", 2}, {"input_depth", 4}, {"arbiter", "age"}}),
       {flow(0, 2, 32, 300), flow(1, 2, 32, 300)}},
      {"two_groups",
       on_mesh({8}),
       {flow(0, 3, 20, 100), flow(1, 3, 20, 100), flow(4, 7, 10, 200), flow(6, 7, 30, 200)}},
      {"one_source", on_mesh({4}), {flow(0, 1, 10, 60), flow(0, 2, 20, 200), flow(0, 3, 10, 200)}},
      {"torus",
       [] {
         return plan_fabric({torus({6, 6}),
                             relation_on(torus({6, 6}), "dimension_order", {{"vc_rule", "dateline"}}),
                             node_of("generic", {{"input_depth", 4}})});
       },
       {flow(0, 2, 40, 600), flow(1, 2, 40, 600), flow(14, 2, 40, 600)}},
  };
}

class Bounded : public testing::TestWithParam<Case> {};

/// All flows at their phases: together, one after the other, drawn, and such that all come to one place at
/// once.
TEST_P(Bounded, NoPacketTakesLongerAndSomeTakeAThirdOfIt) {
  const Case& c = GetParam();
  const LatencyBounds bounds = bound_latencies(c.plan(), c.flows, true, false);
  ASSERT_EQ(bounds.none, "");
  ASSERT_EQ(bounds.group_of.size(), c.flows.size());
  struct Run {
    std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
    std::unique_ptr<Fabric> fabric;
  };
  std::vector<Run> runs(12);
  Rng rng(11);
  constexpr Cycle kCycles = 6000;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    LinkedOptions options;
    options.seed = 1 + r;
    runs[r].fabric = make_fabric(c.plan(), options);
    runs[r].fabric->attach(runs[r].source);
    std::map<std::uint32_t, std::vector<GeneratedPacket>> of;
    for (std::size_t f = 0; f < c.flows.size(); ++f) {
      const RegulatedFlow& one = c.flows[f];
      Cycle phase = r == 0   ? 0
                    : r == 1 ? f
                    : r == 2 ? c.flows.size() - f
                             : rng.below(r < 8 ? 20 : one.period.at(1));
      for (std::uint64_t n = 0; phase < kCycles; ++n) {
        of[index(one.source)].push_back({phase, one.destination, one.length});
        if (n + 1 >= one.burst) phase += one.period.at(1) + (r == 11 ? rng.below(30) : 0);
      }
    }
    for (auto& [source, packets] : of) {
      std::ranges::stable_sort(packets, {}, &GeneratedPacket::birth);
      for (const GeneratedPacket& packet : packets) runs[r].source->add(source, packet);
    }
  }
  run_cycles(*runs[0].fabric, kCycles + 2000);
  std::vector<Cycle> worst(bounds.groups.size());
  for (const Run& run : runs) {
    EXPECT_TRUE(run.fabric->drained());
    EXPECT_GT(run.source->deliveries.size(), 10U);
    for (const Delivery& d : run.source->deliveries)
      for (std::size_t f = 0; f < c.flows.size(); ++f)
        if (c.flows[f].source == d.source && c.flows[f].destination == d.destination)
          worst[bounds.group_of[f]] = std::max(worst[bounds.group_of[f]], d.consumed - d.birth);
  }
  for (std::size_t g = 0; g < worst.size(); ++g) {
    const auto& group = bounds.groups[g];
    ASSERT_TRUE(group.cycles) << group.none;
    RecordProperty("worst", static_cast<int>(worst[g]));
    RecordProperty("bound", static_cast<int>(*group.cycles));
    std::cout << c.name << ": worst " << worst[g] << ", bound " << *group.cycles << '\n';  // a listed figure
    EXPECT_LE(worst[g], *group.cycles);
    EXPECT_LE(*group.cycles, 3 * worst[g]);
  }
}

INSTANTIATE_TEST_SUITE_P(Latency, Bounded, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

/// Drawn flows over every kind of router: no packet takes longer than the bound of its group.
TEST(LatencyBound, HoldsForDrawnFlowsOverEveryKindOfRouter) {
  struct Run {
    std::vector<RegulatedFlow> flows;
    LatencyBounds bounds;
    std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
    std::unique_ptr<Fabric> fabric;
  };
  std::vector<Run> runs;
  Rng rng(17);
  constexpr Cycle kCycles = 4000;
  for (const Variant& variant : variants())
    for (int draw = 0; draw < 12; ++draw) {
      Run run;
      Json set = variant.set;
      if (draw % 3 == 0) set["lanes"] = 1;
      if (draw % 3 == 2) set["lanes"] = 3;
      const auto plan = [&] {
        FabricPlan made = plan_with({}, mesh({4, 3}), "dimension_order", set, "generic");
        made.links = LinkDescription{1, static_cast<unsigned>(variant.credit_delay)};
        return made;
      };
      std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (std::size_t f = 2 + rng.below(5); f > 0; --f) {
        const auto from = static_cast<std::uint32_t>(rng.below(12));
        // Half of them to one of two terminals, so that they meet.
        const auto to = static_cast<std::uint32_t>(rng.below(2) == 0 ? 5 + rng.below(2) : rng.below(12));
        if (from == to || !pairs.insert({from, to}).second) continue;
        run.flows.push_back(flow(from, to, static_cast<std::uint32_t>(1 + rng.below(20)),
                                 150 + rng.below(600), 1 + rng.below(2)));
      }
      run.bounds = bound_latencies(plan(), run.flows, true, false);
      if (!run.bounds.none.empty() || run.flows.empty()) continue;
      run.fabric = make_fabric(plan());
      run.fabric->attach(run.source);
      std::map<std::uint32_t, std::vector<GeneratedPacket>> of;
      for (const RegulatedFlow& one : run.flows) {
        Cycle phase = rng.below(40);
        for (std::uint64_t n = 0; phase < kCycles; ++n) {
          of[index(one.source)].push_back({phase, one.destination, one.length});
          if (n + 1 >= one.burst) phase += one.period.at(1) + (rng.below(2) == 0 ? rng.below(60) : 0);
        }
      }
      for (auto& [source, packets] : of) {
        std::ranges::stable_sort(packets, {}, &GeneratedPacket::birth);
        for (const GeneratedPacket& packet : packets) run.source->add(source, packet);
      }
      runs.push_back(std::move(run));
    }
  ASSERT_GT(runs.size(), 80U);
  run_cycles(*runs[0].fabric, kCycles + 3000);
  std::size_t bounded = 0;
  double nearest = 0;
  for (const Run& run : runs)
    for (const Delivery& d : run.source->deliveries)
      for (std::size_t f = 0; f < run.flows.size(); ++f) {
        if (run.flows[f].source != d.source || run.flows[f].destination != d.destination) continue;
        const auto& bound = run.bounds.groups[run.bounds.group_of[f]].cycles;
        if (!bound) continue;
        ++bounded;
        nearest = std::max(nearest, static_cast<double>(d.consumed - d.birth) / static_cast<double>(*bound));
        EXPECT_LE(d.consumed - d.birth, *bound) << run.fabric->plan().common_node().switch_allocator;
      }
  EXPECT_GT(bounded, 3000U);
  EXPECT_GT(nearest, 0.6);
}

std::string why_none(const FabricPlan& plan, const std::vector<RegulatedFlow>& flows, bool proved = true,
                     bool refuses = false) {
  const LatencyBounds bounds = bound_latencies(plan, flows, proved, refuses);
  return bounds.none.empty() ? bounds.groups.at(0).none : bounds.none;
}

TEST(LatencyBound, SaysWhyThereIsNone) {
  const auto plan = on_mesh({8});
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(why_none(plan(), {flow(0, 2, 10, 8)}), "injection at terminal 0 has 1.25 flits per cycle");
  says(why_none(plan(), {flow(0, 2, 10, 15), flow(1, 2, 10, 15)}), "has 1.333 flits per cycle");
  says(why_none(plan(), {flow(1, 2, 10, 15), flow(3, 2, 10, 15)}), "consumption at terminal 2");
  says(why_none(plan(), {flow(0, 2, 10, 22), flow(1, 2, 10, 22)}), "busy period has no end");
  says(why_none(plan(), {flow(0, 2, 10, 100)}, false), "not proved free of deadlock");
  says(why_none(plan(), {flow(0, 2, 10, 100)}, true, true), "refuse");
  says(why_none(on_mesh({8}, {{"link_sharing", "fixed_slot"}})(), {flow(0, 2, 10, 100)}), "fixed_slot");
  const auto adaptive = plan_with({}, mesh({4, 4}), "positive_hop", Json::object(), "generic");
  says(why_none(adaptive, {flow(0, 15, 10, 100)}), "choice of links");
  EXPECT_EQ(why_none(adaptive, {flow(0, 3, 10, 100)}), "");
}

TEST(LatencyBound, OfFlowsApartIsThatOfEachAlone) {
  const auto plan = on_mesh({8});
  const std::vector<RegulatedFlow> both{flow(0, 3, 20, 100), flow(1, 3, 20, 100), flow(4, 7, 10, 60)};
  const auto together = bound_latencies(plan(), both, true, false);
  ASSERT_EQ(together.groups.size(), 2U);
  const auto first = bound_latencies(plan(), {both[0], both[1]}, true, false);
  const auto second = bound_latencies(plan(), {both[2]}, true, false);
  EXPECT_EQ(together.groups[0].cycles, first.groups[0].cycles);
  EXPECT_EQ(together.groups[1].cycles, second.groups[0].cycles);
  // Few connections per cycle join what meets at a router.
  const auto limited = on_mesh({8}, {{"connections_per_cycle", 1}});
  EXPECT_EQ(bound_latencies(limited(), {flow(0, 3, 20, 100), flow(6, 2, 20, 100)}, true, false).groups.size(),
            1U);
  EXPECT_EQ(bound_latencies(plan(), {flow(0, 3, 20, 100), flow(6, 2, 20, 100)}, true, false).groups.size(),
            2U);
}

}  // namespace
}  // namespace noctule::fabric_test
