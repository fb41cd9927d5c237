// The most that a closed loop comes to, in closed form, and what is full then. Simulations are in
// tests/cli/bounds_test.

#include "verify/closed_loop_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/limits_support.h"

namespace noctule {
namespace {

using limits_test::Cube;
using limits_test::pattern;
using limits_test::relation;

constexpr double kLatency = 10;  ///< cycles that every packet takes at least, here
constexpr std::uint64_t kAll = 10'000'000;

Cube mesh() {
  return std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 4}, std::vector<bool>{false, false});
}

/// Ends that limit nothing.
NodeDescription wide_node() {
  NodeDescription node;
  node.input_depth = 8;
  node.output_depth = 2;
  node.injection_channels = 16;
  node.consumption_channels = 64;
  node.consumption_depth = 2;
  return node;
}

/// Requests of a flit and responses of five, by all terminals.
ClosedLoop loop_of(std::size_t terminals) {
  ClosedLoop loop;
  loop.chain = {{0, {{1, 1.0}}, {}}, {0, {{5, 1.0}}, {}}};
  loop.requesters.assign(terminals, true);
  loop.outstanding = 1000;
  return loop;
}

ThroughputLimits limits_of(const FabricPlan& plan, const ClosedLoop& loop, const TrafficPattern& pattern,
                           std::uint64_t states = kAll) {
  return closed_loop_limits(
      plan, ChannelIndex(plan), loop, pattern, {}, [](RouterId, RouterId, std::uint32_t) { return kLatency; },
      states);
}

TEST(LimitsOfAClosedLoop, AreWhatServersServe) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.service = 200;
  loop.servers = 1;
  auto limits = limits_of(plan, loop, *pattern("uniform", network));
  ASSERT_FALSE(limits.bounds.empty());
  EXPECT_EQ(limits.bounds.front().what, "service");
  EXPECT_EQ(limits.bounds.front().others, 15U) << "all servers are alike";
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 6.0 / 200, 1e-9);
  loop.servers = 2;
  limits = limits_of(plan, loop, *pattern("uniform", network));
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 2 * 6.0 / 200, 1e-9);
}

TEST(LimitsOfAClosedLoop, NameTheServerThatAllAsk) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.service = 20;
  loop.servers = 1;
  loop.requesters[5] = false;
  const auto limits =
      limits_of(plan, loop, *pattern("hotspot", network, {{"fraction", 1.0}, {"nodes", Json::array({5})}}));
  const auto& first = limits.bounds.front();
  EXPECT_EQ(text_of(first), "the service of terminal 5, 1 at a time for 20 cycles each");
  EXPECT_NEAR(first.flits_per_node_cycle, 6.0 / 20 / 16, 1e-9) << "per terminal that injects";
}

TEST(LimitsOfAClosedLoop, CountPlacesFromTheHeaderToTheNextMessage) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.service = 100;
  loop.chain[0].lengths = {{3, 0.5}, {7, 0.5}};
  loop.chain[0].places = 2;
  const auto limits = limits_of(plan, loop, *pattern("uniform", network));
  EXPECT_EQ(limits.bounds.front().what, "places");
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 10 * 2.0 / (5 - 1 + 100), 1e-9);
}

TEST(LimitsOfAClosedLoop, AreWhatIsOpenOverTheRoundTrip) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.outstanding = 2;
  loop.service = 30;
  loop.think = 70;
  const auto limits = limits_of(plan, loop, *pattern("uniform", network));
  EXPECT_EQ(limits.bounds.front().what, "outstanding");
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 6 * 2 / (70 + 30 + 2 * kLatency), 1e-9);
}

// Three messages: the one in between is served as well, and counted.
TEST(LimitsOfAClosedLoop, FollowChains) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.chain.insert(loop.chain.begin(), {0, {{2, 1.0}}, {}});
  loop.service = 200;
  loop.servers = 1;
  const auto limits = limits_of(plan, loop, *pattern("uniform", network));
  EXPECT_EQ(limits.bounds.front().what, "service");
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 8.0 / (2 * 200), 1e-9);
}

// Responses load the links the other way: a permutation and its inverse.
TEST(LimitsOfAClosedLoop, AreThoseOfTheBusiestLink) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  const auto limits = limits_of(plan, loop_of(16), *pattern("transpose", network));
  ASSERT_TRUE(limits.links.has_value());
  EXPECT_EQ(limits.bounds.front().what, "links");
  // Twelve terminals send; a link of the corner carries the messages of three sources, one way or the other.
  EXPECT_NEAR(limits.links->max, 3, 1e-9);
  EXPECT_LE(limits.estimate->flits_per_node_cycle, limits.bounds.front().flits_per_node_cycle * (1 + 1e-9));
  EXPECT_NEAR(limits.estimate->flits_per_node_cycle, 1 / limits.links->max, 1e-9);
  EXPECT_GE(limits.bounds.front().flits_per_node_cycle, 1.0 / 3);
  const auto adaptive = plan_fabric({network, relation("turn_table", network), wide_node()});
  for (const auto& limit : limits_of(adaptive, loop_of(16), *pattern("transpose", network)).bounds)
    EXPECT_NE(limit.what, "links") << "headers have a choice";
}

// A requester that asks where nobody else does goes on, while the others wait: the mean is above what equal
// rates give.
TEST(LimitsOfAClosedLoop, AllowRequestersToGoOnAtRatesOfTheirOwn) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  auto loop = loop_of(16);
  loop.service = 200;
  loop.servers = 1;
  const auto limits =
      limits_of(plan, loop, *pattern("hotspot", network, {{"fraction", 1.0}, {"nodes", Json::array({5})}}));
  EXPECT_NEAR(limits.estimate->flits_per_node_cycle, 6.0 / 200 / 15, 1e-9)
      << "15 requesters of 16 at the hot one";
  // Terminal 5 alone keeps its fifteen servers busy, and their requests one more.
  EXPECT_NEAR(limits.bounds.front().flits_per_node_cycle, 6.0 / 16 * (15 + 1) / 200, 1e-9);
}

TEST(LimitsOfAClosedLoop, RemainWhereHeadersAreNotFollowed) {
  const auto network = mesh();
  const auto plan = plan_fabric({network, relation("dimension_order", network), wide_node()});
  const auto limits = limits_of(plan, loop_of(16), *pattern("uniform", network), 5);
  EXPECT_FALSE(limits.links.has_value());
  EXPECT_FALSE(limits.bounds.empty());
}

}  // namespace
}  // namespace noctule
