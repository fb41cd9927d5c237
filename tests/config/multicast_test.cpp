// Multicasts in the configuration: which routing comes with a planner, what the keys become, and what does
// not go together.

#include <gtest/gtest.h>

#include "config/config_support.h"
#include "config/model.h"
#include "core/json.h"
#include "nodes/router_plan.h"

namespace noctule {
namespace {

using testing::faults_of;
using testing::has;

Json resolved(const std::string& yaml) {
  return decode_text(yaml, "file").resolved;
}
ModelConfig model(const std::string& yaml) {
  return model_from_json(resolved(yaml));
}

TEST(APlanner, BringsTheRoutingOfItsWorms) {
  const auto routing = [](const std::string& yaml) { return resolved(yaml).at("routing"); };
  EXPECT_EQ(routing("multicast: individual").at("algorithm"), "dimension_order");
  EXPECT_EQ(routing("multicast: column_path").at("algorithm"), "dimension_order");
  EXPECT_EQ(routing("multicast: e_mcast").at("algorithm"), "dimension_order");
  EXPECT_EQ(routing("multicast: multipath").at("algorithm"), "hamiltonian");
  const auto columns = routing("multicast: {planner: dual_path, labelling: columns}");
  EXPECT_EQ(columns.at("algorithm"), "hamiltonian");
  EXPECT_EQ(columns.at("labelling"), "columns") << "both go along the same path";
  // What is given stays, and a planner without routing of its own keeps the node model's.
  EXPECT_EQ(routing("multicast: dual_path\nrouting: negative_hop").at("algorithm"), "negative_hop");
  EXPECT_EQ(routing("multicast: individual\nnode: star_channels\ntopology: torus").at("algorithm"),
            "star_channels");
  EXPECT_EQ(routing("node: star_channels\ntopology: torus").at("algorithm"), "star_channels");
}

TEST(APlanner, ChangesTheRoutingOfEverySeriesAndPoint) {
  const std::string node =
      "multicast: individual\nnode: {output_depth: 0, consumption_channels: 4}\ntraffic: {multicast: "
      "{fraction: 1, most: 9}}\n";
  const auto compared = expand(
      decode_text(node + "compare:\n  - {label: a, set: {multicast.planner: dual_path}}\n  - {label: b, "
                         "set: {multicast.planner: column_path}}\n",
                  "file"));
  ASSERT_EQ(compared.size(), 2U);
  EXPECT_EQ(compared[0].resolved["routing"]["algorithm"], "hamiltonian");
  EXPECT_EQ(compared[1].resolved["routing"]["algorithm"], "dimension_order");
  const auto swept = expand(decode_text(node + "sweep: {multicast.planner: [e_mcast, multipath]}\n", "file"));
  ASSERT_EQ(swept.size(), 2U);
  EXPECT_EQ(swept[0].resolved["routing"]["algorithm"], "dimension_order");
  EXPECT_EQ(swept[1].resolved["routing"]["algorithm"], "hamiltonian");
  // And they build.
  for (const auto& point : {compared[0], compared[1], swept[0], swept[1]}) {
    const auto m = model_from_json(point.resolved);
    const auto topology = make_topology(m);
    const auto plan = plan_fabric(
        {topology, make_routing(m, topology), m.node, {}, make_planner(m, topology), m.plans_unicasts});
    ASSERT_TRUE(plan.multicast);
    EXPECT_TRUE(plan.multicast->plans_unicasts);
  }
}

TEST(NoPlanner, IsTheDefault) {
  const auto m = model("topology: torus");
  EXPECT_EQ(m.multicast.name, "none");
  EXPECT_EQ(make_planner(m, make_topology(m)), nullptr);
  EXPECT_EQ(m.traffic.multicasts.share, 0U);
  EXPECT_EQ(m.traffic.mean_destinations, 1);
}

TEST(MulticastKeys, HoldWhatTheFileSays) {
  const auto m = model(
      "multicast: {planner: column_path, same_row: own_copy, unicasts: routing}\n"
      "node: {output_depth: 0, consumption_channels: 5, consumption_access: own, unicast_access: any, "
      "consumption_wait: committed, acquisition: output_first, retransmission_buffers: 2, injection_vcs: 3, "
      "injection_sharing: flit, consumption_classes: [{class: 1, incoming: [y_plus, y_minus], destinations: "
      "several}, {class: 0}]}\n"
      "traffic: {multicast: {fraction: 0.25, least: 2, most: 10, preparation_delay: 50, "
      "unicast_preparation_delay: 5}}\n");
  EXPECT_EQ(m.multicast.name, "column_path");
  EXPECT_EQ(m.multicast.keys.json().at("same_row"), "own_copy");
  EXPECT_FALSE(m.plans_unicasts);
  EXPECT_EQ(m.node.consumption_access, ConsumptionAccess::kOwn);
  EXPECT_EQ(m.node.unicast_access, ConsumptionAccess::kAny);
  EXPECT_EQ(m.node.consumption_wait, ConsumptionWait::kCommitted);
  EXPECT_EQ(m.node.acquisition, Acquisition::kOutputFirst);
  EXPECT_EQ(m.node.retransmission_buffers, 2U);
  EXPECT_TRUE(m.node.injection_interleaved);
  const std::vector<ConsumptionClassRule> rules{
      {1, {{"incoming", {"y_plus", "y_minus"}}, {"destinations", {"several"}}}}, {0, {}}};
  EXPECT_EQ(m.node.consumption_classes, rules);
  const auto& traffic = m.traffic.multicasts;
  EXPECT_EQ(traffic.share, std::uint64_t{1} << 30);
  EXPECT_EQ(traffic.least, 2U);
  EXPECT_EQ(traffic.most, 10U);
  EXPECT_EQ(traffic.preparation, 50U);
  EXPECT_EQ(traffic.unicast_preparation, 5U);
  EXPECT_DOUBLE_EQ(m.traffic.mean_destinations, 0.25 * 6 + 0.75);
  // Worms with one destination are treated like the others unless the file says otherwise.
  EXPECT_EQ(model("node: {consumption_access: any}").node.unicast_access, ConsumptionAccess::kAny);
  EXPECT_TRUE(model("node: generic").node.consumption_classes.empty());
}

TEST(OfferedLoads, CountTheFlitsOfEveryDestination) {
  // 10 destinations on average, 20 flits: 14 flits per cycle on 64 nodes.
  const std::string paper =
      "multicast: individual\ntraffic: {packet_length: 20, multicast: {fraction: 1, least: 1, most: 19}, ";
  const auto load = [](const std::string& yaml) {
    const auto m = model(yaml);
    const auto topology = make_topology(m);
    return offered_load(m, *topology, make_links(m, *topology));
  };
  const auto flits = load(paper + "offered_load: 0.21875}");
  EXPECT_DOUBLE_EQ(flits.packets_per_node_cycle, 0.21875 / 200);
  EXPECT_DOUBLE_EQ(flits.flits_per_node_cycle, 0.21875);
  const auto messages = load(paper + "offered_load: 0.001, load_unit: packets_per_node_cycle}");
  EXPECT_DOUBLE_EQ(messages.packets_per_node_cycle, 0.001);
  EXPECT_DOUBLE_EQ(messages.flits_per_node_cycle, 0.2);
  // More flits than a channel can inject are a legal load, more messages than cycles are none.
  EXPECT_NO_THROW(load(paper + "offered_load: 5}"));
  EXPECT_THROW(load(paper + "offered_load: 201}"), ConfigError);
}

TEST(MulticastKeys, ThatDoNotGoTogetherAreRefused) {
  EXPECT_ONE_FAULT("traffic: {multicast: {fraction: 0.5, most: 3}}", "file:1:23",
                   "traffic.multicast.fraction", "need a multicast.planner");
  EXPECT_ONE_FAULT("traffic: {multicast: {preparation_delay: 5}}", "file:1:23",
                   "traffic.multicast.preparation_delay", "node.injection_delay");
  EXPECT_ONE_FAULT("traffic: {multicast: {unicast_preparation_delay: 5}}", "file:1:23",
                   "traffic.multicast.unicast_preparation_delay", "node.injection_delay");
  EXPECT_ONE_FAULT("multicast: individual\ntraffic: {multicast: {fraction: 1, least: 4, most: 3}}",
                   "file:2:36", "traffic.multicast.least", "swap them");
  EXPECT_ONE_FAULT("multicast: individual\ntraffic: {source_queue: discard}", "file:2:11",
                   "traffic.source_queue", "source_queue infinite");
  EXPECT_ONE_FAULT("multicast: individual\ntraffic: {load_unit: normalized}", "file:2:11",
                   "traffic.load_unit", "flits_per_node_cycle");
  EXPECT_ONE_FAULT("node: {consumption_classes: [{class: 0}, {klass: 1}]}", "file:1:8",
                   "node.consumption_classes[1]", "names one class");
  EXPECT_TRUE(faults_of("multicast: individual\ntraffic: {multicast: {fraction: 1, most: 3}}").empty());
}

TEST(MulticastKeys, ThatARoutingTakesOverAreFaultyOnce) {
  EXPECT_ONE_FAULT("multicast: {planner: dual_path, labelling: diagonals}", "file:1:44",
                   "multicast.labelling", "rows, columns");
}

TEST(APlanner, IsRefusedOnTopologiesThatItDoesNotKnow) {
  for (const char* yaml : {"multicast: dual_path\ntopology: torus", "multicast: column_path\ntopology: torus",
                           "multicast: e_mcast\ntopology: {kind: mesh, radix: [4, 4, 4]}",
                           "multicast: multipath\ntopology: {kind: mesh, radix: [8]}"}) {
    const auto m = model(yaml);
    try {
      make_planner(m, make_topology(m));
      FAIL() << yaml;
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics()[0].key, "multicast.planner") << yaml << e.what();
    }
  }
}

}  // namespace
}  // namespace noctule
