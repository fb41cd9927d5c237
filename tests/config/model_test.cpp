// Do the typed configuration and the objects built from it say what the file says?

#include "config/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "config/config_support.h"
#include "nodes/router_plan.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

ModelConfig model(const std::string& yaml) {
  return model_from_json(decode_text(yaml, "file").resolved);
}

OfferedLoad load(const std::string& yaml) {
  const auto m = model(yaml);
  const auto topology = make_topology(m);
  return offered_load(m, *topology, make_links(m, *topology));
}

TEST(OfferedLoads, AreConvertedBetweenUnits) {
  const std::string paper = "topology: {kind: torus, radix: [31, 31]}\nnode: star_channels\n";
  const auto b15 = load(paper + "traffic: {offered_load: 1, load_unit: normalized, packet_length: 15}");
  EXPECT_NEAR(b15.tau_max_packets_per_node_cycle, 0.0088988, 5e-8);
  EXPECT_DOUBLE_EQ(b15.packets_per_node_cycle, b15.tau_max_packets_per_node_cycle);
  EXPECT_DOUBLE_EQ(b15.flits_per_node_cycle, 15 * b15.packets_per_node_cycle);
  EXPECT_EQ(b15.normalized, 1.0);
  const auto b31 = load(paper + "traffic: {offered_load: 0.5, load_unit: normalized, packet_length: 31}");
  EXPECT_NEAR(b31.tau_max_packets_per_node_cycle, 0.0042306, 5e-8);
  const auto flits = load(paper + "traffic: {offered_load: 0.3, packet_length: 15}");
  EXPECT_DOUBLE_EQ(flits.packets_per_node_cycle, 0.02);
  EXPECT_NEAR(flits.normalized, 0.02 / 0.0088988, 1e-4);
  const auto packets =
      load(paper + "traffic: {offered_load: 0.02, load_unit: packets_per_node_cycle, packet_length: 15}");
  EXPECT_DOUBLE_EQ(packets.flits_per_node_cycle, 0.3);
  // Deeper buffers: the same unit, so that one load is one load for all routers.
  const auto deep =
      load("topology: {kind: torus, radix: [31, 31]}\nnode: {input_depth: 2}\ntraffic: {packet_length: 15}");
  EXPECT_EQ(deep.tau_max_packets_per_node_cycle, b15.tau_max_packets_per_node_cycle);
  // A mixture counts with its mean length: 1/3 of 3 and 2/3 of 9 flits are 7.
  const auto mixed =
      load(paper + "traffic: {offered_load: 0.07, packet_lengths: [{length: 3}, {length: 9, weight: 2}]}");
  EXPECT_NEAR(mixed.packets_per_node_cycle, 0.01, 1e-15);
  EXPECT_NEAR(mixed.tau_max_packets_per_node_cycle, 4.0 / (31 * 0.5 * 13), 1e-12);
}

TEST(OfferedLoads, OfMoreThanAPacketPerCycleAreRefused) {
  EXPECT_NO_THROW(
      load("topology: {kind: mesh, radix: [2, 2]}\ntraffic: {offered_load: 0.5, load_unit: normalized, "
           "packet_length: 1}"));
  EXPECT_THROW(load("topology: {kind: mesh, radix: [2, 2]}\ntraffic: {offered_load: 1.5, load_unit: "
                    "normalized, packet_length: 1}"),
               ConfigError);
}

TEST(Models, HoldWhatTheFileSays) {
  const auto m = model(
      "seed: 12\nlink: {flit_delay: 3, credit_delay: 2}\nmeasurement: {warm_up: 100, cycles: 5000, batches: "
      "50}\n"
      "trace: {vcd: true, scope: [router_1_1.*], from: 10, cycles: 20}\ntraffic: {source_queue: discard}\n"
      "node: {crossbars: [{lane: [0, 1]}, {lane: 2}], lanes: 3, selection: least_busy, prefer: [{class: 1}], "
      "injection_refill: same_cycle}\n");
  EXPECT_EQ(m.seed, 12U);
  EXPECT_EQ(m.link.flit_delay, 3U);
  EXPECT_EQ(m.link.credit_delay, 2U);
  EXPECT_EQ(m.measurement.settings.warm_up_cycles, 100U);
  EXPECT_EQ(m.measurement.settings.measure_cycles, 5000U);
  EXPECT_FALSE(m.measurement.settings.precision);
  EXPECT_EQ(m.measurement.settings.batches, 50U);
  EXPECT_TRUE(m.trace.vcd);
  EXPECT_EQ(m.trace.from, 10U);
  EXPECT_EQ(m.trace.cycles, 20U);
  EXPECT_TRUE(m.traffic.discard);
  ASSERT_EQ(m.node.crossbars.size(), 2U);
  EXPECT_EQ(m.node.crossbars[0].at("lane"), (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(m.node.selection, Selection::kLeastBusy);
  EXPECT_EQ(m.node.prefer[0].at("class"), std::vector<std::string>{"1"});
  EXPECT_TRUE(m.node.refill_same_cycle);
  EXPECT_EQ(m.node.connections_per_cycle, 0U);
  const auto automatic = model("measurement: {limit: 10000}");
  EXPECT_FALSE(automatic.measurement.settings.warm_up_cycles);
  EXPECT_EQ(automatic.measurement.settings.precision, 0.02);
  EXPECT_EQ(automatic.measurement.settings.measure_cycles, 10000U);
  EXPECT_FALSE(automatic.trace.cycles);
}

TEST(Models, AreBuilt) {
  const auto m =
      model("topology: {kind: torus, radix: [4, 4]}\ntraffic: {pattern: transpose, offered_load: 0.2}");
  const auto topology = make_topology(m);
  EXPECT_EQ(topology->routers(), 16U);
  const auto relation = make_routing(m, topology);
  EXPECT_GT(relation->classes(topology->links()[0]), 0U);
  const auto pattern = make_pattern(m, topology);
  const auto source = make_source(m, topology, pattern, offered_load(m, *topology, make_links(m, *topology)));
  const auto packet = source->next(TerminalId{1}, 0);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->destination, TerminalId{4});
  EXPECT_EQ(packet->length, 5U);
}

// Every row of the sensitivity study of Gravano's node models is a change of keys.
struct Row {
  const char* change;
  const char* yaml;
};
class Sensitivity : public ::testing::TestWithParam<Row> {};

TEST_P(Sensitivity, RowIsWrittenInKeysAndBuilds) {
  const std::string fabric = "topology: {kind: torus, radix: [7, 7]}\n";
  const auto point = expand(decode_text(fabric + GetParam().yaml, "file")).at(0);
  const auto m = model_from_json(point.resolved);
  const auto topology = make_topology(m);
  const auto plan = plan_fabric({topology, make_routing(m, topology), m.node});
  EXPECT_EQ(plan.routers.size(), 49U);
  EXPECT_NO_THROW(verify(std::make_shared<const FabricPlan>(plan)));
  EXPECT_NE(make_pattern(m, topology), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Sensitivity,
    ::testing::Values(
        Row{"star base", "node: star_channels"},
        Row{"extra rule off", "node: {model: star_channels, release: tail_crossed}"},
        Row{"lowest index", "node: {model: star_channels, selection: first}"},
        Row{"star first", "node: {model: star_channels, prefer: [{kind: star}]}"},
        Row{"least busy direction", "node: {model: star_channels, selection: least_busy}"},
        Row{"rotating", "node: {model: star_channels, selection: rotating}"},
        Row{"nonstar first", "node: {model: star_channels, prefer: [{kind: nonstar}]}"},
        Row{"star class by wrap ahead", "node: star_channels\nrouting: {star_class: wrap_ahead}"},
        Row{"all connections", "node: {model: star_channels, connections_per_cycle: all}"},
        Row{"2 connections", "node: {model: star_channels, connections_per_cycle: 2}"},
        Row{"pointer moves every cycle", "node: {model: star_channels, scan: rotating}"},
        Row{"refill in the same cycle", "node: {model: star_channels, injection_refill: same_cycle}"},
        Row{"self worms", "node: star_channels\ntraffic: {pattern: {kind: uniform, allow_self: true}}"},
        Row{"no lanes", "node: {model: star_channels, lanes: 1}"},
        Row{"3 VCs per direction on X too, no lanes",
            "node: {model: star_channels, lanes: 1}\nrouting: {nonstar_on_top: true}"},
        Row{"crossbar split", "node: {model: star_channels, crossbar_per: [lane]}"},
        Row{"4-Classes base", "node: four_classes"},
        Row{"4-Classes lowest index", "node: {model: four_classes, selection: first}"},
        Row{"4-Classes least busy", "node: {model: four_classes, selection: least_busy}"},
        Row{"4-Classes zero offset always +", "node: four_classes\nrouting: {zero_offset: positive}"},
        Row{"4-Classes output must be empty", "node: {model: four_classes, release: tail_left}"},
        Row{"4-Classes all connections", "node: {model: four_classes, connections_per_cycle: all}"},
        Row{"4-Classes one crossbar", "node: {model: four_classes, crossbar_per: []}"},
        Row{"Linder-Harden base", "node: linder_harden"},
        Row{"Linder-Harden zero offset always Y+", "node: linder_harden\nrouting: {zero_offset: positive}"},
        Row{"Linder-Harden all connections", "node: {model: linder_harden, connections_per_cycle: all}"},
        Row{"Linder-Harden single crossbar", "node: {model: linder_harden, crossbar_per: []}"},
        Row{"Linder-Harden least busy", "node: {model: linder_harden, selection: least_busy}"},
        Row{"Oblivious base", "node: oblivious"},
        Row{"Oblivious high/low subsets", "node: {model: oblivious, link_assignment: by_class}"},
        Row{"Oblivious one link", "node: {model: oblivious, parallel_links: 1}"},
        Row{"Oblivious one connection", "node: {model: oblivious, connections_per_cycle: 1}"},
        Row{"Oblivious output must be empty", "node: {model: oblivious, release: tail_left}"},
        Row{"Oblivious self worms", "node: oblivious\ntraffic: {pattern: {kind: uniform, allow_self: true}}"},
        Row{"fixed points inject",
            "node: oblivious\ntraffic: {pattern: {kind: bit_reversal, fixed_points: inject}}"}));

}  // namespace
}  // namespace noctule
