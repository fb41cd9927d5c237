// Are drawn ways those that the relation allows, and is it known where there is no other?

#include "analytic/lone_paths.h"

#include <gtest/gtest.h>

#include <array>
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

TEST(ZeroLoad, OfAWayDoesNotDependOnTheWaysBefore) {
  const auto topology = topology_of("mesh", {{"radix", Json::array({40})}});
  std::array<NodeDescription, 3> nodes;
  for (NodeDescription& node : nodes) {
    node.output_depth = 0;
    node.input_depth = 4;
  }
  nodes[1].pipeline = {1, 2, 1, 3, false, false, false};
  nodes[2].input_depth = 1;
  nodes[2].consumption_delay = 3;
  const std::array<LinkDescription, 3> links{LinkDescription{1, 1, 1}, {4, 1, 1}, {1, 2, 3}};
  Rng rng(9);
  std::set<std::uint64_t> found;
  for (int network = 0; network < 2; ++network) {
    FabricPlan plan = plan_fabric({topology, relation_on(topology, "dimension_order"), nodes[0], links[0]});
    for (std::uint32_t r = 0; r < topology->routers(); ++r)
      plan.nodes.set(RouterId{r}, nodes[rng.below(nodes.size())], topology->routers(), "nodes");
    for (const Link& link : topology->links())
      plan.links.set(link.id, links[rng.below(links.size())], topology->links().size(), "links");
    const ZeroLoad often(plan);
    for (int n = 0; n < 1500; ++n) {
      const auto source = RouterId(rng.below(topology->routers()));
      const auto path = draw_path(plan, source, RouterId(rng.below(topology->routers())), 0, rng);
      ASSERT_TRUE(path);
      const std::uint64_t length = 1 + rng.below(9);
      const std::uint64_t latency = ZeroLoad(plan).latency(source, path->links, length);
      EXPECT_EQ(often.latency(source, path->links, length), latency);
      EXPECT_EQ(often.latency(source, path->links, length), latency) << "asked for once more";
      found.insert(latency);
    }
  }
  EXPECT_GT(found.size(), 40U);
}

}  // namespace
}  // namespace noctule
