// Up*/down* on random connected networks: proved on each, and no worm longer than the shortest way of its
// form.

#include <gtest/gtest.h>

#include "support/networks.h"
#include "topology/without.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

TEST(UpDown, IsProvedOnRandomNetworks) {
  Rng rng(1991);
  for (int i = 0; i < 200; ++i) {
    const auto routers = static_cast<std::uint32_t>(i % 40 == 0 ? 200 : 8 + rng.below(30));
    auto graph = random_graph(routers, static_cast<std::uint32_t>(rng.below(2 * routers)), rng);
    const auto spare = static_cast<unsigned>(graph->links().size() / 2 - (routers - 1));
    if (i % 2 == 1 && spare > 0)
      graph = std::make_shared<const Topology>(
          take_away(*graph, {{}, {}, 1 + static_cast<unsigned>(rng.below(spare)), 1}));
    SCOPED_TRACE(testing::Message() << "network " << i << " of " << routers << " routers");
    const auto relation = relation_on(graph, "up_down");
    const Certificate certificate =
        verify(std::make_shared<const FabricPlan>(plan_fabric({graph, relation, careful_node()})));
    ASSERT_TRUE(certificate.proved()) << certificate.reason;
    EXPECT_EQ(certificate.method, "acyclic");
    EXPECT_TRUE(certificate.facts.always_arrives);
    EXPECT_TRUE(certificate.facts.hops_exact);
    EXPECT_EQ(certificate.facts.minimal, relation->claims().minimal);
  }
}

TEST(UpDown, TakesTheRootThatIsNamed) {
  Rng rng(5);
  const auto graph = random_graph(12, 10, rng);
  for (std::uint32_t root = 0; root < 12; ++root) {
    const auto relation = relation_on(graph, "up_down", {{"root", "router_" + std::to_string(root)}});
    EXPECT_EQ(relation->remark(), "up*/down* with the root router_" + std::to_string(root));
    EXPECT_TRUE(Surveyed(graph, *relation).facts.direct.acyclic());
  }
  EXPECT_THROW(relation_on(graph, "up_down", {{"root", "router_12"}}), ConfigError);
}

/// The same worms without the rule of the root: shortest ways, in one VC class.
TEST(UpDown, WouldNotBeWithoutItsRule) {
  Rng rng(1992);
  int cyclic = 0;
  for (int i = 0; i < 20; ++i) {
    const auto graph = random_graph(20, 20, rng);
    const auto relation = relation_on(graph, "turn_table");
    cyclic += Surveyed(graph, *relation).facts.direct.acyclic() ? 0 : 1;
  }
  EXPECT_GE(cyclic, 15);
}

}  // namespace
}  // namespace noctule::routing_test
