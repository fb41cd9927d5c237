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

/// What a header carries is whether its last link led down, at hubs of many ports as well; then it is offered
/// no link up.
TEST(UpDown, CarriesWhetherTheLastLinkLedDown) {
  Rng rng(1997);
  std::size_t went_down = 0;
  for (const std::uint32_t routers : {12U, 80U}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t r = 0; r < routers; ++r) pairs.emplace_back(r, (r + 1) % routers);
    for (std::uint32_t r = 2; r + 1 < routers; ++r) pairs.emplace_back(0, r);
    const auto graph = graph_of(routers, pairs);
    const auto relation = relation_on(graph, "up_down");  // the root is router 0, next to all others
    for (std::uint32_t a = 0; a < routers; ++a)
      for (std::uint32_t b = 0; b < routers; ++b) {
        if (a == b) continue;
        RouterId here{a};
        const RouterId to{b};
        RouteState state = relation->initial_state(here, to, 0);
        EXPECT_EQ(state, 0U);
        while (here != to) {
          CandidateList list;
          relation->fetch(here, to, state);
          relation->candidates(here, to, state, list);
          ASSERT_FALSE(list.empty());
          const auto leads_down = [&](const Candidate& offer) {
            return graph->outgoing(here, offer.port)->to > here;
          };
          for (const Candidate& offer : list) EXPECT_TRUE(state == 0 || leads_down(offer));
          const Candidate taken = *(list.begin() + static_cast<std::ptrdiff_t>(rng.below(list.size())));
          state = relation->next_state(here, to, state, taken);
          EXPECT_EQ(state, leads_down(taken) ? 1U : 0U);
          went_down += leads_down(taken) && index(taken.port) >= 64 ? 1 : 0;
          here = graph->outgoing(here, taken.port)->to;
        }
      }
  }
  EXPECT_GT(went_down, 100U);
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
