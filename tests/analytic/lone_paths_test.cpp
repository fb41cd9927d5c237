// Are drawn ways those that the relation allows, and is it known where there is no other?

#include "analytic/lone_paths.h"

#include <gtest/gtest.h>

#include <set>

#include "analytic/zero_load.h"
#include "core/json.h"
#include "support/networks.h"

namespace noctule {
namespace {

TEST(ADrawnPath, IsTheOnlyOneInDimensionOrder) {
  const auto topology = topology_of("mesh", {{"radix", {4, 3}}});
  const FabricPlan plan = plan_fabric({topology, relation_on(topology, "dimension_order")});
  Rng rng(3);
  for (std::uint32_t s = 0; s < 12; ++s)
    for (std::uint32_t d = 0; d < 12; ++d) {
      const auto path = draw_path(plan, RouterId{s}, RouterId{d}, 0, rng);
      ASSERT_TRUE(path);
      EXPECT_TRUE(path->only);
      ASSERT_EQ(path->links.size(), topology->distance(RouterId{s}, RouterId{d}));
      RouterId here{s};
      for (const LinkId link : path->links) {
        ASSERT_EQ(topology->links()[index(link)].from, here);
        here = topology->links()[index(link)].to;
      }
      EXPECT_EQ(here, RouterId{d});
    }
}

TEST(ADrawnPath, IsOneOfSeveralOfAnAdaptiveRelation) {
  const auto topology = topology_of("mesh", {{"radix", {3, 3}}});
  const FabricPlan plan = plan_fabric({topology, relation_on(topology, "negative_hop")});
  Rng rng(5);
  std::set<std::vector<LinkId>> found;
  for (int i = 0; i < 100; ++i) {
    const auto path = draw_path(plan, RouterId{0}, RouterId{8}, 0, rng);
    ASSERT_TRUE(path);
    EXPECT_FALSE(path->only);
    EXPECT_EQ(path->links.size(), 4U);
    found.insert(path->links);
  }
  EXPECT_EQ(found.size(), 6U) << "all shortest ones";
}

TEST(ZeroLoad, IsTheSumOfItsParts) {
  const auto topology = topology_of("mesh", {{"radix", Json::array({4})}});
  for (const bool lookahead : {false, true})
    for (const unsigned wire : {1U, 4U}) {
      NodeDescription node;
      node.output_depth = 0;
      node.input_depth = 16;
      node.pipeline = {1, 2, 1, 3, false, lookahead, false};
      LinkDescription link;
      link.flit_delay = wire;
      const FabricPlan plan = plan_fabric({topology, relation_on(topology, "dimension_order"), node, link});
      const ZeroLoad zero_load(plan);
      const auto hop = zero_load.hop(LinkId{0});
      EXPECT_EQ(hop.routing, lookahead ? 0U : 1U);
      EXPECT_EQ(hop.wire, wire);
      EXPECT_EQ(hop.sum(), zero_load.per_hop());
      EXPECT_EQ(hop.sum(), (lookahead ? 6U : 7U) + wire);
      EXPECT_EQ(zero_load.ends(RouterId{0}, RouterId{3}).sum() + 3 * hop.sum(), zero_load.latency(3, 1));
    }
}

}  // namespace
}  // namespace noctule
