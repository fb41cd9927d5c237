// Is no lone packet faster than is said, and is what is said reached where there is one way?

#include "analytic/fastest_ways.h"

#include <gtest/gtest.h>

#include <array>

#include "analytic/lone_paths.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule {
namespace {

TEST(FastestWays, AreThoseOfAlikeLinksByHops) {
  const auto topology = topology_of("mesh", {{"radix", {4, 3}}});
  NodeDescription node;
  node.output_depth = 0;
  node.input_depth = 8;
  node.pipeline = {1, 1, 1, 1, false, false, false};
  const FabricPlan plan = plan_fabric({topology, relation_on(topology, "dimension_order"), node});
  const ZeroLoad zero_load(plan);
  FastestWays ways(plan, zero_load);
  for (std::uint32_t s = 0; s < 12; ++s)
    for (std::uint32_t d = 0; d < 12; ++d)
      EXPECT_EQ(ways(RouterId{s}, RouterId{d}, 5),
                zero_load.latency(topology->distance(RouterId{s}, RouterId{d}), 5));
}

TEST(FastestWays, AreNoLongerThanThoseThatPacketsTake) {
  const auto topology = topology_of("mesh", {{"radix", {4, 4}}});
  FabricPlan plan = plan_fabric({topology, relation_on(topology, "negative_hop")});
  const std::array<LinkDescription, 4> kinds{LinkDescription{1, 1, 1}, {3, 2, 1}, {1, 1, 3}, {9, 2, 1}};
  Rng rng(7);
  for (const Link& link : topology->links())
    plan.links.set(link.id, kinds[rng.below(kinds.size())], topology->links().size(), "links");
  const ZeroLoad zero_load(plan);
  FastestWays ways(plan, zero_load);
  std::uint64_t reached = 0;
  for (int n = 0; n < 400; ++n) {
    const auto from = RouterId(rng.below(16));
    const auto to = RouterId(rng.below(16));
    const auto path = draw_path(plan, from, to, 0, rng);
    ASSERT_TRUE(path);
    const std::uint64_t taken = zero_load.latency(from, path->links, 1);
    EXPECT_LE(ways(from, to, 1), taken);
    EXPECT_LE(ways(from, to, 4), zero_load.latency(from, path->links, 4));
    reached += ways(from, to, 1) == taken ? 1 : 0;
  }
  EXPECT_GT(reached, 100U);
}

}  // namespace
}  // namespace noctule
