// Routers that differ: buffers of other depths, other lanes, pipelines, with and without output buffers, side
// by side. A lone worm takes what its path says, nothing is lost, the order of evaluation does not matter,
// and a proof asks every router.

#include <gtest/gtest.h>

#include "fabric_support.h"
#include "uneven_support.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {
namespace {

/// Those of variants() that may stand side by side.
std::vector<Variant> neighbours(bool speculative) {
  std::vector<Variant> all;
  for (const Variant& variant : variants())
    if (variant.credit_delay > 0 && (speculative || !variant.set.contains("speculative")))
      all.push_back(variant);
  all.push_back({"three_lanes", {{"lanes", 3}, {"input_depth", 2}, {"output_depth", 2}}});
  all.push_back({"parallel", {{"lanes", 2}, {"parallel_links", 2}, {"input_depth", 7}}});
  return all;
}

/// A node drawn for every router, and where it is asked for a kind of link for every link.
FabricPlan mixed(const Network& network, std::uint64_t seed, bool links) {
  const auto kinds = neighbours(network.algorithm == "dimension_order");
  Rng rng(seed, "nodes");
  NodeDescriptions nodes;
  const std::size_t n = network.topology->routers();
  for (std::uint32_t r = 0; r < n; ++r)
    nodes.set(RouterId{r}, node_of("generic", kinds[rng.below(kinds.size())].set), n, "nodes");
  const auto described =
      links ? drawn_links(*network.topology, {{1, 1, 1}, {3, 2, 1}, {1, 1, 3}, {9, 1, 2}}, seed)
            : LinkDescriptions{};
  return plan_fabric({network.topology, relation_on(network.topology, network.algorithm), nodes, described});
}

TEST(ALoneWormThroughUnevenRouters, TakesWhatTheFormulaSaysOfItsPath) {
  LoneWormsByPath worms;
  for (const Network& network : networks())
    for (std::uint64_t seed = 0; seed < 12; ++seed)
      worms.add(network.name + " " + std::to_string(seed), mixed(network, seed, seed % 2 == 1));
  worms.run_and_check();
}

TEST(UnevenRouters, LoseNothingAndKeepTheDigestInWhateverOrderTheyAreEvaluated) {
  InAnyOrder fabrics;
  for (const Network& network : networks())
    for (std::uint64_t seed = 20; seed < 32; ++seed)
      fabrics.add(network.name + " " + std::to_string(seed), mixed(network, seed, seed % 2 == 1));
  fabrics.run_and_check();
}

TEST(APlanOfUnevenRouters, GivesTheReceiverTheLanesOfTheSenderAndTheSenderTheDepthBehind) {
  const auto topology = mesh({3});
  NodeDescriptions nodes = node_of("generic", {{"lanes", 2}, {"input_depth", 4}});
  nodes.set(RouterId{1}, node_of("generic", {{"lanes", 5}, {"parallel_links", 5}, {"input_depth", 9}}), 3,
            "nodes");
  const auto plan = plan_fabric({topology, relation_on(topology, "dimension_order"), nodes});
  const auto ends = [&](std::size_t router, bool out) {
    std::vector<std::tuple<unsigned, unsigned, unsigned>> all;  // port, VCs, depth
    for (const auto& channel : out ? plan.routers[router]->outbound : plan.routers[router]->inbound)
      all.emplace_back(index(channel.port), channel.count, channel.depth);
    return all;
  };
  using List = std::vector<std::tuple<unsigned, unsigned, unsigned>>;
  EXPECT_EQ(ends(0, true), (List{{0, 2, 9}}));
  EXPECT_EQ(ends(1, false), (List{{0, 2, 9}, {1, 2, 9}}));
  EXPECT_EQ(ends(1, true).size(), 10U) << "five links each way";
  EXPECT_EQ(ends(2, false), (List(5, {0, 1, 4})));
  EXPECT_EQ(ends(2, true), (List{{1, 2, 9}}));
  EXPECT_EQ(plan.routers[0]->outputs[0].name, "x_plus.class0.0");
}

TEST(AProofOfUnevenRouters, AsksTheReleaseOfEachOfThem) {
  const auto topology = torus({4, 4});
  const auto relation = relation_on(topology, "star_channels");
  const auto verdict = [&](const NodeDescriptions& nodes) {
    return verify(std::make_shared<const FabricPlan>(plan_fabric({topology, relation, nodes})));
  };
  NodeDescriptions nodes = node_of("star_channels");
  ASSERT_TRUE(verdict(nodes).proved());
  nodes.set(RouterId{5}, node_of("star_channels", {{"input_depth", 3}}), 16, "nodes");
  EXPECT_TRUE(verdict(nodes).proved()) << "a deeper buffer does no harm";
  nodes.set(RouterId{6}, node_of("star_channels", {{"release", "tail_crossed"}}), 16, "nodes");
  const auto one = verdict(nodes);
  EXPECT_FALSE(one.proved());
  EXPECT_NE(one.reason.find("next_buffer_empty"), std::string::npos) << one.reason;
}

TEST(UnevenRouters, AreRefusedWhereTheyHaveToBeAlike) {
  const auto topology = mesh({3, 3});
  const auto key_of = [&](const FabricParts& parts) -> std::string {
    try {
      plan_fabric(parts);
    } catch (const ConfigError& error) {
      return error.diagnostics()[0].key;
    }
    return "";
  };
  NodeDescriptions slots = node_of("fixed_slot");
  slots.set(RouterId{1}, node_of("fixed_slot", {{"input_depth", 3}}), 9, "nodes");
  const auto relation = relation_on(topology, "dimension_order");
  EXPECT_EQ(key_of({topology, relation, slots, LinkDescription{1, 0}}), "link.credit_delay");
  EXPECT_EQ(key_of({topology, relation, slots, LinkDescription{1, 1}}), "");
}

}  // namespace
}  // namespace noctule::fabric_test
