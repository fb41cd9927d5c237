// What is full first, and is it a bound or an estimate? Closed forms; simulations are in
// tests/cli/bounds_test.

#include "verify/throughput_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/zero_load.h"
#include "verify/limits_support.h"

namespace noctule {
namespace {

using limits_test::Cube;
using limits_test::relation;

Cube cube(std::vector<unsigned> radix, bool wrap) {
  const std::vector<bool> wraps(radix.size(), wrap);
  return std::make_shared<CubeNetwork>(std::move(radix), wraps);
}

/// Nothing but links limits it.
NodeDescription wide_node() {
  NodeDescription node;
  node.input_depth = 8;
  node.output_depth = 2;
  node.injection_channels = 8;
  node.consumption_channels = 16;
  node.consumption_depth = 2;
  return node;
}

ThroughputLimits limits_of(const FabricPlan& plan, const TrafficPattern& pattern,
                           OfferedMessages messages = {}, double stall = 0,
                           std::uint64_t states = 10'000'000) {
  messages.pattern = &pattern;
  return throughput_limits(plan, ChannelIndex(plan), messages, {.stall = stall}, states);
}

const ThroughputLimit& of(const ThroughputLimits& limits, const std::string& what) {
  static const ThroughputLimit kNone;
  const auto it = std::find_if(limits.bounds.begin(), limits.bounds.end(),
                               [&](const auto& limit) { return limit.what == what; });
  EXPECT_NE(it, limits.bounds.end()) << what;
  return it == limits.bounds.end() ? kNone : *it;
}
bool has(const ThroughputLimits& limits, const std::string& what) {
  return std::any_of(limits.bounds.begin(), limits.bounds.end(),
                     [&](const auto& limit) { return limit.what == what; });
}

TEST(ThroughputLimits, OfOneChoiceAreThoseOfTheBusiestLink) {
  const auto mesh = cube({8, 8}, false);
  const auto plan = plan_fabric({mesh, relation("dimension_order", mesh), wide_node()});
  const auto limits = limits_of(plan, *limits_test::pattern("transpose", mesh));
  EXPECT_EQ(limits.bounds.front().what, "links");
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 1.0 / 7, 1e-12);
  EXPECT_FALSE(limits.estimate.has_value());
}

TEST(ThroughputLimits, OfAdaptiveRelationsAreNoBoundByLinks) {
  const auto mesh = cube({8, 8}, false);
  const auto plan = plan_fabric({mesh, relation("turn_table", mesh), wide_node()});
  const auto limits = limits_of(plan, *limits_test::pattern("transpose", mesh));
  EXPECT_FALSE(has(limits, "links"));
  ASSERT_TRUE(limits.estimate.has_value());
  EXPECT_LT(limits.estimate->flits_per_node_cycle, of(limits, "distance").flits_per_node_cycle);
  EXPECT_NEAR(of(limits, "distance").flits_per_node_cycle, 224 / (56 * 6.0), 1e-9) << "links over hops";
}

// A choice among VC classes of one link is none among links.
TEST(ThroughputLimits, AreBoundsWhereOnlyClassesAreChosen) {
  const auto line = cube({6}, false);
  const auto plan = plan_fabric({line, relation("turn_table", line, {{"classes", 2}}), wide_node()});
  const auto limits = limits_of(plan, *limits_test::pattern("uniform", line));
  EXPECT_NEAR(of(limits, "links").flits_per_node_cycle, 1 / (3 * 3 / 5.0), 1e-12);
  EXPECT_FALSE(limits.estimate.has_value());
}

TEST(ThroughputLimits, KnowWhatBuffersOfOneFlitLetThrough) {
  const auto mesh = cube({2, 2}, false);
  NodeDescription node = wide_node();
  node.injection_channels = 1;
  node.input_depth = 1;
  auto limits = limits_of(plan_fabric({mesh, relation("dimension_order", mesh), node}),
                          *limits_test::pattern("uniform", mesh));
  EXPECT_NEAR(of(limits, "injection").flits_per_node_cycle, 0.5, 1e-12) << "a flit in every second cycle";
  EXPECT_NEAR(of(limits, "links").flits_per_node_cycle, 0.5 / (2 / 3.0), 1e-12)
      << "one place per credit round trip of 2 cycles";
  node.refill_same_cycle = true;
  limits = limits_of(plan_fabric({mesh, relation("dimension_order", mesh), node}),
                     *limits_test::pattern("uniform", mesh));
  EXPECT_NEAR(of(limits, "injection").flits_per_node_cycle, 1, 1e-12);
}

TEST(ThroughputLimits, OfAHotSpotAreItsConsumptionChannels) {
  const auto mesh = cube({4, 4}, false);
  NodeDescription node = wide_node();
  const auto pattern =
      limits_test::pattern("hotspot", mesh, {{"fraction", 1.0}, {"nodes", Json::array({5})}});
  for (const unsigned channels : {1U, 2U}) {
    node.consumption_channels = channels;
    node.consumption_depth = 2;
    const auto limits = limits_of(plan_fabric({mesh, relation("dimension_order", mesh), node}), *pattern);
    // 15 terminals send all to terminal 5, which sends a 15th of its own to each of the others.
    EXPECT_NEAR(of(limits, "consumption").flits_per_node_cycle, channels / 15.0, 1e-12);
    EXPECT_EQ(of(limits, "consumption").where, "terminal 5");
  }
  node.consumption_channels = 1;
  const auto plan = plan_fabric({mesh, relation("dimension_order", mesh), node});
  EXPECT_NEAR(of(limits_of(plan, *pattern, {}, 0.75), "consumption").flits_per_node_cycle, 0.25 / 15, 1e-12)
      << "a terminal that stalls";
}

TEST(ThroughputLimits, OfFixedSlotsAreTheShareOfAClass) {
  const auto ring = cube({5}, true);
  NodeDescription node = wide_node();
  node.output_depth = 0;
  node.link_sharing = LinkSharing::kFixedSlot;
  const auto plan = plan_fabric({ring, relation("dimension_order", ring), node});
  const auto limits = limits_of(plan, *limits_test::pattern("tornado", ring));
  const auto one = limits_of(plan_fabric({ring, relation("dimension_order", ring), wide_node()}),
                             *limits_test::pattern("tornado", ring));
  EXPECT_LE(of(limits, "links").flits_per_node_cycle, of(one, "links").flits_per_node_cycle);
  EXPECT_DOUBLE_EQ(LinkRates(node, {}, node.input_depth, 2).virtual_channel(), 0.5)
      << "half of a link of two VCs";
}

TEST(ThroughputLimits, RemainWhereHeadersAreNotFollowed) {
  const auto mesh = cube({4, 4}, false);
  const auto plan = plan_fabric({mesh, relation("negative_hop", mesh), wide_node()});
  const auto limits = limits_of(plan, *limits_test::pattern("uniform", mesh), {}, 0, 5);
  EXPECT_FALSE(limits.links.has_value());
  EXPECT_FALSE(has(limits, "links"));
  EXPECT_NEAR(of(limits, "distance").flits_per_node_cycle, 48 / (16 * mesh->mean_distance()), 1e-9);
}

// --- multicasts -------------------------------------------------------------------------------------------

FabricPlan multicast_plan(const Cube& mesh, const std::string& planner, unsigned channels) {
  NodeDescription node = wide_node();
  node.output_depth = 0;
  node.consumption_channels = channels;
  const auto& entry = PlannerRegistry::instance().at(planner);
  std::shared_ptr<const MulticastPlanner> made =
      entry.make.make(mesh, Parameters::defaults(entry.parameters));
  const std::string routing = entry.make.routing.empty() ? "dimension_order" : entry.make.routing;
  return plan_fabric({mesh, relation(routing, mesh), node, {}, made});
}

TEST(ThroughputLimitsOfMulticasts, AreNotThoseOfUnicasts) {
  const auto mesh = cube({4, 4}, false);
  const auto pattern = limits_test::pattern("uniform", mesh);
  const auto plan = multicast_plan(mesh, "column_path", 4);
  const auto limits = limits_of(plan, *pattern, {nullptr, 1, 5, 5});
  EXPECT_TRUE(limits.sampled);
  EXPECT_FALSE(has(limits, "links")) << "sampled messages give an estimate";
  ASSERT_TRUE(limits.estimate.has_value());
  const auto unicasts =
      limits_of(plan_fabric({mesh, relation("dimension_order", mesh), plan.common_node()}), *pattern);
  EXPECT_GT(limits.estimate->flits_per_node_cycle, of(unicasts, "links").flits_per_node_cycle)
      << "one worm serves several destinations";
  EXPECT_NEAR(of(limits, "consumption").flits_per_node_cycle, 4, 1e-9);
  EXPECT_NEAR(of(limits, "distance").flits_per_node_cycle, 48 / 16.0, 1e-9)
      << "a link per destination at least";
}

// A copy for each destination is a unicast for each: the loads of links are those of unicasts.
TEST(ThroughputLimitsOfMulticasts, OfSeparateCopiesAreThoseOfUnicasts) {
  const auto mesh = cube({4, 4}, false);
  const auto pattern = limits_test::pattern("uniform", mesh);
  const auto limits = limits_of(multicast_plan(mesh, "individual", 4), *pattern, {nullptr, 1, 3, 3});
  const auto unicasts = limits_of(multicast_plan(mesh, "individual", 4), *pattern);
  EXPECT_FALSE(unicasts.sampled);
  ASSERT_TRUE(limits.estimate.has_value());
  const double exact = of(unicasts, "links").flits_per_node_cycle;
  EXPECT_NEAR(limits.estimate->flits_per_node_cycle, exact, 0.03 * exact) << "up to the sample";
}

TEST(ThroughputLimitsOfMulticasts, FollowThePathOfThePlannerWhereItCarriesUnicasts) {
  const auto mesh = cube({4, 4}, false);
  const auto pattern = limits_test::pattern("uniform", mesh);
  const auto limits = limits_of(multicast_plan(mesh, "dual_path", 2), *pattern);
  EXPECT_FALSE(limits.sampled);
  ASSERT_TRUE(limits.links.has_value());
  EXPECT_GE(limits.links->mean_hops, mesh->mean_distance() - 1e-9);
}

// --- rates ------------------------------------------------------------------------------------------------

TEST(RatesOfALink, FollowTheCreditRoundTripOfTheLatencyFormula) {
  const auto mesh = cube({4, 4}, false);
  for (const unsigned output_depth : {0U, 2U})
    for (const unsigned delay : {1U, 2U, 3U}) {
      NodeDescription node;
      node.input_depth = 2;
      node.output_depth = output_depth;
      node.pipeline.switch_allocation = output_depth == 0 ? 1 : 0;
      const LinkDescription link{delay, 1};
      const auto plan = plan_fabric({mesh, relation("dimension_order", mesh), node, link});
      const double cycles = static_cast<double>(ZeroLoad(plan).credit_round_trip(LinkId{0}));
      EXPECT_NEAR(LinkRates(node, link, node.input_depth, 1).virtual_channel(), std::min(1.0, 2 / cycles),
                  1e-12);
    }
}

}  // namespace
}  // namespace noctule
