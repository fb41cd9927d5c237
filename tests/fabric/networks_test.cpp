// Fabrics off the cube: a lone worm takes what the formula says for every pair, what is proved survives
// overload, and nothing is lost.

#include <gtest/gtest.h>

#include <set>

#include "fabric/autopsy.h"
#include "fabric_support.h"
#include "support/drawn_networks.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {
namespace {

struct Case {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::string algorithm;
  Json set = Json::object();
};

/// Is it proved with any node, and are all ways between two terminals as long?
bool is_plain(const Topology& topology, const RoutingRelation& relation) {
  if (relation.claims().deadlock_free != "acyclic") return false;
  for (std::uint32_t s = 0; s < topology.terminals(); ++s)
    for (std::uint32_t d = 0; d < topology.terminals(); ++d)
      if (relation.hops(topology.injection_router(TerminalId{s}),
                        topology.consumption_router(TerminalId{d})) == kHopsVary)
        return false;
  return true;
}

/// Each registered relation on a network of a registered kind that it takes, and each kind with a relation.
void add_registered(std::vector<Case>& all) {
  Rng rng(33);
  const auto networks = drawn_networks(3, 30, rng);
  std::set<std::string> kinds;
  std::set<std::string> relations;
  for (const auto* relation : RoutingRegistry::instance().entries()) {
    if (!has_defaults(*relation)) continue;
    for (const auto& drawn : networks) {
      if (drawn.topology->terminals() > 40 ||
          (relations.contains(relation->name) && kinds.contains(drawn.kind)))
        continue;
      try {
        if (!is_plain(*drawn.topology, *relation_on(drawn.topology, relation->name))) continue;
      } catch (const ConfigError&) {
        continue;
      }
      relations.insert(relation->name);
      kinds.insert(drawn.kind);
      all.push_back({"registered_" + relation->name + "_" + std::to_string(all.size()), drawn.topology,
                     relation->name});
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* up : {"adaptive", "random", "fixed"})
    all.push_back({std::string("fat_tree_") + up,
                   topology_of("butterfly_fat_tree", {{"levels", 3}}),
                   "nearest_common_ancestor",
                   {{"up", up}}});
  all.push_back({"fat_tree_up_down", topology_of("butterfly_fat_tree", {{"levels", 3}}), "up_down"});
  all.push_back({"butterfly", topology_of("butterfly", {{"arity", 3}, {"stages", 3}}), "destination_tag"});
  all.push_back({"butterfly_turns", topology_of("butterfly", {{"arity", 2}, {"stages", 4}}), "turn_table"});
  all.push_back({"concentrated_mesh", topology_of("mesh", {{"radix", {3, 4}}, {"terminals_per_router", 3}}),
                 "dimension_order"});
  all.push_back({"concentrated_torus", topology_of("torus", {{"radix", {4, 4}}, {"terminals_per_router", 2}}),
                 "four_classes"});
  all.push_back(
      {"edge", topology_of("mesh", {{"radix", {4, 4}}, {"terminals_at", "router_*_0"}}), "dimension_order"});
  all.push_back(
      {"one_way_torus", topology_of("torus", {{"radix", {4, 4}}, {"directions", "minus"}}), "oblivious"});
  all.push_back(
      {"one_way_ring", topology_of("ring", {{"nodes", 6}, {"directions", "plus"}}), "dimension_order"});
  all.push_back({"balanced_torus",
                 topology_of("torus", {{"radix", {4, 5}}}),
                 "dimension_order",
                 {{"vc_rule", "dateline_balanced"}}});
  Rng rng(3);
  for (int i = 0; i < 4; ++i)
    all.push_back({"graph_" + std::to_string(i),
                   random_graph(static_cast<std::uint32_t>(8 + rng.below(25)),
                                static_cast<std::uint32_t>(rng.below(30)), rng),
                   "up_down"});
  add_registered(all);
  return all;
}

class Network : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] FabricPlan plan(const Json& node_set = Json::object()) const {
    const auto& c = GetParam();
    return plan_fabric(
        {c.topology, relation_on(c.topology, c.algorithm, c.set), node_of("generic", node_set)});
  }
};

TEST_P(Network, LetsALoneWormPassAsTheFormulaSays) {
  const auto fabric = make_fabric(plan(), {});
  auto source = std::make_shared<ListSource>();
  const auto& topology = *GetParam().topology;
  Cycle birth = 3;
  const std::size_t n = topology.terminals();
  for (std::size_t s = 0; s<n; s += n> 30 ? 5 : 1)
    for (std::size_t d = 0; d < n; ++d) {
      source->add(s, d, 1 + (s + d) % 4, birth);
      birth += 60;
    }
  fabric->attach(source);
  run_cycles(*fabric, birth);
  ASSERT_FALSE(source->deliveries.empty());
  for (const auto& delivery : source->deliveries) {
    const RouterId from = topology.injection_router(delivery.source);
    const RouterId to = topology.consumption_router(delivery.destination);
    const unsigned d = from == to ? 0 : fabric->plan().relation->hops(from, to);
    ASSERT_EQ(delivery.hops, d);
    ASSERT_EQ(delivery.consumed - delivery.birth, fabric->zero_load().latency(d, delivery.length))
        << index(delivery.source) << " to " << index(delivery.destination);
  }
  EXPECT_TRUE(fabric->drained());
  fabric->check_conservation();
}

TEST_P(Network, IsProvedAndSurvivesOverload) {
  const FabricPlan fabric_plan = plan();
  const Certificate certificate = verify(std::make_shared<const FabricPlan>(fabric_plan));
  ASSERT_TRUE(certificate.proved()) << certificate.reason;
  FabricOptions options;
  options.discard = true;
  const auto fabric = make_fabric(fabric_plan, options);
  SourceContext context;
  context.topology = fabric_plan.topology;
  const auto& uniform = PatternRegistry::instance().at("uniform");
  context.pattern = uniform.make(fabric_plan.topology, Parameters::defaults(uniform.parameters), 1);
  context.packet_rate = ~std::uint64_t{0} / 2;
  context.lengths = {{1, std::uint64_t{1} << 31}, {9, std::uint64_t{1} << 32}};
  context.seed = 1;
  const auto& bernoulli = SourceRegistry::instance().at("bernoulli");
  fabric->attach(bernoulli.make(context, Parameters::defaults(bernoulli.parameters)));
  std::uint64_t before = 0;
  for (int step = 0; step < 5; ++step) {
    run_cycles(*fabric, 600);
    const Autopsy found = autopsy(*fabric);
    ASSERT_FALSE(found.deadlocked) << to_text(found);
    const auto delivered = fabric->counters().packets_delivered;
    EXPECT_GT(delivered, before + fabric_plan.topology->terminals() / 4);
    before = delivered;
  }
  fabric->check_conservation();
}

INSTANTIATE_TEST_SUITE_P(OffTheCube, Network, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace noctule::fabric_test
