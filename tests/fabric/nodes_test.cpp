// Routers that differ: buffers of other depths, other lanes, pipelines, with and without output buffers, side
// by side. A lone worm takes what its path says, nothing is lost, the order of evaluation does not matter,
// and a proof asks every router.

#include <gtest/gtest.h>

#include <map>

#include "fabric/autopsy.h"
#include "fabric_support.h"
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

struct Network {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::string algorithm;
};
std::vector<Network> networks() {
  Rng rng(8);
  return {{"mesh", mesh({4, 3}), "dimension_order"},
          {"ring", torus({6}), "dimension_order"},
          {"graph", random_graph(10, 8, rng), "up_down"},
          {"tree", topology_of("butterfly_fat_tree", {{"levels", 2}}), "nearest_common_ancestor"}};
}

/// A node drawn for every router, and where it is asked for a kind of link for every link.
FabricPlan mixed(const Network& network, std::uint64_t seed, bool links) {
  const auto kinds = neighbours(network.algorithm == "dimension_order");
  Rng rng(seed, "nodes");
  NodeDescriptions nodes;
  const std::size_t n = network.topology->routers();
  for (std::uint32_t r = 0; r < n; ++r)
    nodes.set(RouterId{r}, node("generic", kinds[rng.below(kinds.size())].set), n, "nodes");
  LinkDescriptions described;
  const std::vector<LinkDescription> wires{{1, 1, 1}, {3, 2, 1}, {1, 1, 3}, {9, 1, 2}};
  for (const Link& link : network.topology->links())
    if (links)
      described.set(link.id, wires[rng.below(wires.size())], network.topology->links().size(), "links");
  return plan_fabric({network.topology, relation_on(network.topology, network.algorithm), nodes, described});
}

TEST(ALoneWormThroughUnevenRouters, TakesWhatTheFormulaSaysOfItsPath) {
  std::vector<std::pair<std::string, std::unique_ptr<Bench>>> runs;
  Cycle end = 0;
  for (const Network& network : networks())
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const std::size_t n = network.topology->terminals();
      auto bench = std::make_unique<Bench>(mixed(network, seed, seed % 2 == 1));
      Cycle birth = 3;
      for (std::size_t s = 0; s < n; s += 1 + n / 6)
        for (std::size_t d = 0; d < n; ++d) bench->source->add(s, d, 1 + (3 * s + d) % 9, birth += 700);
      end = std::max(end, birth + 700);
      runs.emplace_back(network.name + " " + std::to_string(seed), std::move(bench));
    }
  run_cycles(*runs[0].second->fabric, end);
  for (const auto& [name, bench] : runs) {
    SCOPED_TRACE(name);
    const Fabric& fabric = *bench->fabric;
    const Topology& topology = *fabric.plan().topology;
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<LinkId>> paths;
    for (const Event& e : bench->recorder.where(
             [](const Event& event) { return event.event == FlitEvent::kLink && event.flit == 0; })) {
      const auto& output = fabric.plan().routers[index(e.router)]->outputs[e.place];
      paths[{index(e.source), e.number}].push_back(topology.outgoing(e.router, output.port)->id);
    }
    ASSERT_TRUE(fabric.drained());
    for (const auto& d : bench->source->deliveries) {
      const auto& path = paths[{index(d.source), d.number}];
      ASSERT_EQ(path.size(), d.hops);
      ASSERT_EQ(d.consumed - d.birth,
                fabric.zero_load().latency(topology.injection_router(d.source), path, d.length))
          << d.length << " flits over " << d.hops << " hops from " << index(d.source) << " to "
          << index(d.destination);
    }
    const auto counters = fabric.counters();
    EXPECT_EQ(counters.zero_load, counters.total_latency.sum());
    EXPECT_NO_THROW(fabric.check_conservation());
  }
}

TEST(UnevenRouters, LoseNothingAndKeepTheDigestInWhateverOrderTheyAreEvaluated) {
  std::vector<std::pair<std::string, std::vector<std::unique_ptr<Fabric>>>> groups;
  for (const Network& network : networks())
    for (std::uint64_t seed = 20; seed < 32; ++seed) {
      auto& group = groups.emplace_back(network.name + " " + std::to_string(seed),
                                        std::vector<std::unique_ptr<Fabric>>{});
      const auto plan = mixed(network, seed, seed % 2 == 1);
      for (const std::uint64_t order : {0, 1, 2}) {
        FabricOptions options;
        options.order_seed = order;
        options.construction_seed = order;
        options.discard = true;
        options.observed = order == 2;
        group.second.push_back(make_fabric(plan, options));
        group.second.back()->attach(traffic(network.topology, "bernoulli", 900, 7, 9));
      }
    }
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const auto& [name, group] : groups) {
    recorders.push_back(std::make_unique<Recorder>());
    group[2]->observe(*recorders.back());
  }
  std::map<std::string, std::uint64_t> delivered;
  for (int block = 0; block < 3; ++block) {
    run_cycles(*groups[0].second[0], 400);
    for (const auto& [name, group] : groups) {
      SCOPED_TRACE(name);
      for (const auto& fabric : group) {
        EXPECT_NO_THROW(fabric->check_conservation());
        EXPECT_EQ(fabric->digest(), group[0]->digest());
      }
      EXPECT_FALSE(autopsy(*group[0]).deadlocked);
      EXPECT_GT(group[0]->counters().packets_delivered, delivered[name]) << "it flows on";
      delivered[name] = group[0]->counters().packets_delivered;
    }
  }
}

TEST(APlanOfUnevenRouters, GivesTheReceiverTheLanesOfTheSenderAndTheSenderTheDepthBehind) {
  const auto topology = mesh({3});
  NodeDescriptions nodes = node("generic", {{"lanes", 2}, {"input_depth", 4}});
  nodes.set(RouterId{1}, node("generic", {{"lanes", 5}, {"parallel_links", 5}, {"input_depth", 9}}), 3,
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
  NodeDescriptions nodes = node("star_channels");
  ASSERT_TRUE(verdict(nodes).proved());
  nodes.set(RouterId{5}, node("star_channels", {{"input_depth", 3}}), 16, "nodes");
  EXPECT_TRUE(verdict(nodes).proved()) << "a deeper buffer does no harm";
  nodes.set(RouterId{6}, node("star_channels", {{"release", "tail_crossed"}}), 16, "nodes");
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
  NodeDescriptions slots = node("fixed_slot");
  slots.set(RouterId{1}, node("fixed_slot", {{"input_depth", 3}}), 9, "nodes");
  const auto relation = relation_on(topology, "dimension_order");
  EXPECT_EQ(key_of({topology, relation, slots, LinkDescription{1, 0}}), "nodes");
  EXPECT_EQ(key_of({topology, relation, slots, LinkDescription{1, 1}}), "");
}

}  // namespace
}  // namespace noctule::fabric_test
