// Where may credits be immediate, and what do they ask of the order of evaluation?

#include "nodes/credit_order.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "support/networks.h"
#include "support/nodes.h"

namespace noctule {
namespace {

/// Immediate on the links that are chosen, else 1.
template <class Chosen>
LinkDescriptions immediate_where(const Topology& topology, Chosen chosen) {
  LinkDescriptions links;
  for (const Link& link : topology.links())
    links.set(link.id, {1, chosen(link) ? 0U : 1U}, topology.links().size(), "links");
  links.settle();
  return links;
}

std::string refusal(const Topology& topology, const NodeDescriptions& nodes, const LinkDescriptions& links,
                    const char* key) {
  try {
    static_cast<void>(credit_order(topology, nodes, links));
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics()[0].key, key);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

TEST(ImmediateCredits, LetWormsAdvanceAsTrainsWhereFlitsCompeteForNothing) {
  for (const auto& topology :
       {topology_of("torus", {{"radix", {4, 4}}}), topology_of("mesh", {{"radix", {3}}})}) {
    const CreditOrder order = credit_order(*topology, node_of("fixed_slot"), LinkDescription{1, 0});
    EXPECT_TRUE(order.trains);
    EXPECT_TRUE(order.ranks.empty());
  }
  const auto later =
      credit_order(*topology_of("mesh", {{"radix", {3}}}), node_of("fixed_slot"), LinkDescription{1, 1});
  EXPECT_FALSE(later.trains);
  EXPECT_TRUE(later.ranks.empty());
}

TEST(ImmediateCredits, GoRoundInNoCircleOfRoutersWhereFlitsCompete) {
  const auto mesh = topology_of("mesh", {{"radix", {4, 3}}});
  for (const auto& node :
       {node_of("generic"), node_of("input_queued"), node_of("generic", {{"output_depth", 0}}),
        node_of("generic", {{"link_sharing", "fixed_slot"}})}) {
    const auto message = refusal(*mesh, node, LinkDescription{1, 0}, "link.credit_delay");
    EXPECT_NE(message.find("in a circle: router_"), std::string::npos) << message;
    EXPECT_NE(message.find("credit_delay 1"), std::string::npos) << message;
  }
  // One link back closes the circle.
  const auto ring = topology_of("torus", {{"radix", {5}}});
  const auto plus = [&](const Link& link) { return ring->port_name(link.from, link.out) == "x_plus"; };
  const auto message = refusal(*ring, node_of("generic"), immediate_where(*ring, plus), "links");
  for (const char* router : {"router_0", "router_1", "router_2", "router_3", "router_4"})
    EXPECT_NE(message.find(router), std::string::npos) << message;
  EXPECT_NO_THROW(static_cast<void>(credit_order(
      *ring, node_of("generic"),
      immediate_where(*ring, [&](const Link& link) { return plus(link) && index(link.from) != 4; }))));
}

TEST(ImmediateCredits, RankTheReceiverBeforeTheSender) {
  const auto check = [](const Topology& topology, const LinkDescriptions& links) {
    const auto order = credit_order(topology, node_of("generic"), links);
    EXPECT_FALSE(order.trains);
    ASSERT_EQ(order.ranks.size(), topology.routers());
    for (const Link& link : topology.links())
      if (links[link.id].credit_delay == 0) {
        EXPECT_LT(order.ranks[index(link.to)], order.ranks[index(link.from)]) << topology.link_name(link);
      }
  };
  // Greenberg and Oh 1997: links up see the slot that the parent frees in this very step.
  const auto tree = topology_of("butterfly_fat_tree", {{"levels", 4}});
  check(*tree,
        immediate_where(*tree, [&](const Link& link) { return tree->kind(link.id) == LinkKind::kUp; }));
  check(*tree,
        immediate_where(*tree, [&](const Link& link) { return tree->kind(link.id) == LinkKind::kDown; }));
  // One-way stages have no circles at all.
  const auto butterfly = topology_of("butterfly", {{"arity", 2}, {"stages", 4}});
  check(*butterfly, LinkDescription{1, 0});
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    Rng rng(seed, "credits");
    const auto graph = random_graph(24, 30, rng);
    check(*graph, immediate_where(*graph, [&](const Link& link) {
      return index(link.to) < index(link.from) && rng.below(3) != 0;
    }));
  }
}

TEST(ALink, HoldsAFlitForACycleAtLeast) {
  const auto mesh = topology_of("mesh", {{"radix", {3}}});
  for (const LinkDescription& link : {LinkDescription{0, 1}, LinkDescription{1, 1, 0}})
    EXPECT_THROW(static_cast<void>(credit_order(*mesh, node_of("generic"), link)), ConfigError);
}

}  // namespace
}  // namespace noctule
