// Are keys that count for nothing found, wherever they were given, and only those?

#include "config/effects.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/config_support.h"
#include "config/reference.h"
#include "config/schema.h"
#include "core/key_effect.h"

namespace noctule {
namespace {

std::vector<UselessKey> useless(const std::string& yaml, const DecodeOptions& options = {},
                                bool events = false) {
  const auto configuration = decode_text(yaml, "file", options);
  return useless_keys(configuration, expand(configuration), events);
}

std::string keys_of(const std::vector<UselessKey>& list) {
  std::string text;
  for (const auto& u : list) text += (text.empty() ? "" : " ") + u.key;
  return text;
}

/// Configurations, and the keys in them that count for nothing.
const std::vector<std::pair<std::string, std::string>> kCases{
    {"node: {arbiter: matrix}", "node.arbiter"},
    {"node: {arbiter: round_robin}", "node.arbiter"},
    {"node: {model: input_queued, arbiter: matrix}", ""},
    {"node: {model: input_queued, vc_allocator: maximum, switch_allocator: wavefront, arbiter: matrix}",
     "node.arbiter"},
    {"node: {allocator_iterations: 2}", "node.allocator_iterations"},
    {"node: {model: input_queued, allocator_iterations: 2}", ""},
    {"node: {model: input_queued, vc_allocator: wavefront, switch_allocator: wavefront, "
     "allocator_iterations: 2}",
     "node.allocator_iterations"},
    {"node: {lookahead: true}", "node.lookahead"},
    {"node: {lookahead: true, routing_delay: 2}", ""},
    {"node: {link_assignment: by_class}", "node.link_assignment"},
    {"node: {model: input_queued, consumption_depth: 4}", "node.consumption_depth"},
    {"node: {unicast_access: same}", "node.unicast_access"},
    {"multicast: {unicasts: routing}", "multicast.unicasts"},
    {"routing: {algorithm: dimension_order, vc_rule: wrapped_bit}", "routing.vc_rule"},
    {"topology: hypercube\nrouting: {vc_rule: wrapped_bit}", "routing.vc_rule"},
    {"topology: {kind: k_ary_n_cube, radix: [4, 4], wrap: [false]}\nrouting: {vc_rule: dateline}",
     "routing.vc_rule"},
    {"topology: {kind: k_ary_n_cube, radix: [4, 4], wrap: [false, true]}\nrouting: {vc_rule: dateline}", ""},
    {"topology: torus\nrouting: {vc_rule: wrapped_bit}", ""},
    {"routing: {algorithm: north_last, vc_rule: dateline}", "routing.vc_rule"},
    {"measurement: {cycles: 1000, precision: 0.1}", "measurement.precision"},
    {"measurement: {precision: 0.1}", ""},
    {"measurement: {cycles: 1000, limit: 2000}", "measurement.limit"},
    {"measurement: {warm_up: 10, warm_up_limit: 2000}", "measurement.warm_up_limit"},
    {"traffic: {source: static, offered_load: 0.2, load_unit: packets_per_node_cycle}",
     "traffic.load_unit traffic.offered_load"},
    {"traffic: {source: static}\nmeasurement: {warm_up: 10, cycles: 1000}",
     "measurement.cycles measurement.warm_up"},
    {"traffic: {source: {kind: trace_file, file: x}, pattern: tornado, packet_length: 3, offered_load: 0.1}",
     "traffic.offered_load traffic.packet_length traffic.pattern"},
    {"traffic: {source: {kind: trace_file, file: x}, packet_lengths: [{length: 2}], load_unit: normalized}",
     "traffic.load_unit traffic.packet_lengths"},
    {"traffic: {multicast: {least: 2, most: 3}}", "traffic.multicast.least traffic.multicast.most"},
    {"traffic: {source: {kind: request_reply, lengths: [1, 5]}, packet_length: 4}", "traffic.packet_length"},
    {"traffic: {source: {kind: request_reply, lengths: [1, 5]}, packet_lengths: [{length: 4}]}",
     "traffic.packet_lengths"},
    {"traffic: {source: request_reply, packet_length: 4}", ""},
    {"multicast: dual_path\nrouting: dimension_order\nnode: {output_depth: 0}", "routing"},
    {"multicast: multipath\nnode: {output_depth: 0}", ""},
    {"multicast: column_path\nrouting: dimension_order\nnode: {output_depth: 0}", ""},
    {"multicast: {planner: dual_path, unicasts: routing}\nrouting: dimension_order\nnode: {output_depth: 0}",
     ""},
    {"multicast: {planner: individual}\ntraffic: {source: request_reply, multicast: {fraction: 0.5, "
     "preparation_delay: 3, unicast_preparation_delay: 2}}",
     "traffic.multicast.fraction traffic.multicast.preparation_delay "
     "traffic.multicast.unicast_preparation_delay"},
    {"multicast: {planner: individual}\ntraffic: {multicast: {fraction: 0.5, preparation_delay: 3}}", ""},
    {"traffic: {source: static}\nmeasurement: {batches: 5}", "measurement.batches"},
    {"trace: {scope: ['*'], gtkw: true}", "trace.gtkw trace.scope"},
    {"trace: {from: 10, cycles: 20, points: all}", "trace.cycles trace.from trace.points"},
    {"trace: {vcd: true, from: 10, cycles: 20, points: all, gtkw: false}", ""},
    {"trace: {events: true, points: all}", ""},
    {"trace: {events: true, from: 5000}\nmeasurement: {warm_up: 1000, cycles: 4000}", "trace.from"},
    {"trace: {events: true, from: 4999}\nmeasurement: {warm_up: 1000, cycles: 4000}", ""},
    {"trace: {events: true, from: 5000}\nmeasurement: {warm_up: 1000}", ""},
    {"trace: {events: true, from: 2000000}\nmeasurement: {warm_up: 1000}", "trace.from"},
    {"tlm: {utilisation_window: 100, calibration: x.json}", "tlm.calibration tlm.utilisation_window"},
    {"tlm: {level: loose, utilisation_window: 100}", "tlm.utilisation_window"},
    {"tlm: {level: loose, contention: utilisation, utilisation_window: 100, calibration: x.json}", ""},
    {"tlm: {reorder: per_id, response_buffer: 3}", "tlm.response_buffer"},
    {"tlm: {reorder: buffer, response_buffer: 2}", "tlm.response_buffer"},
    {"tlm: {response_buffer: 3}", ""},
};

TEST(KeysWithoutEffect, AreFound) {
  for (const auto& [yaml, keys] : kCases) EXPECT_EQ(keys_of(useless(yaml)), keys) << yaml;
}

TEST(KeysWithoutEffect, AreThoseOfTheResultFolderBesideAnEventLogOfAllPoints) {
  const auto beside = [](const char* keys) {
    return keys_of(useless(std::string("trace: {") + keys + "}", {}, true));
  };
  EXPECT_EQ(beside("from: 10, cycles: 20"), "");
  EXPECT_EQ(beside("points: all"), "trace.points");
  EXPECT_EQ(beside("events: true, points: all"), "trace.events trace.points");
  EXPECT_EQ(beside("vcd: true, points: all"), "");
}

TEST(KeysWithoutEffect, SayWhereTheyWouldCount) {
  const auto list = useless("seed: 3\nnode:\n  arbiter: matrix\n");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].place.text(), "file:3:3");
  EXPECT_TRUE(list[0].own);
  EXPECT_NE(list[0].message.find("has no effect here: it counts only where"), std::string::npos)
      << list[0].message;
  EXPECT_NE(list[0].message.find("vc_allocator"), std::string::npos) << list[0].message;
}

TEST(KeysWithoutEffect, OfTheCommandLineAreFoundToo) {
  const auto list = useless("seed: 1", {{"node.arbiter=matrix"}, {}, {}});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_TRUE(list[0].own);
  EXPECT_EQ(list[0].place.text(), "--set node.arbiter=matrix");
  EXPECT_EQ(keys_of(useless("seed: 1", {{}, {"node.arbiter=matrix,round_robin"}, {}})), "node.arbiter");
  EXPECT_EQ(keys_of(useless("seed: 1", {{"trace.from=5"}, {}, {}}, true)), "") << "--events traces";
}

TEST(KeysWithoutEffect, OneThatCountsInSomePointIsFine) {
  EXPECT_EQ(keys_of(useless("node: {arbiter: matrix}\ncompare: [{label: a, set: {node.model: generic}}, "
                            "{label: b, set: {node.model: input_queued}}]")),
            "");
  EXPECT_EQ(keys_of(useless("compare: [{label: a, set: {node.arbiter: matrix}}, "
                            "{label: b, set: {node.model: input_queued, node.arbiter: matrix}}]")),
            "");
  EXPECT_EQ(keys_of(useless("routing: {vc_rule: dateline}\nsweep: {topology.kind: [mesh, torus]}")), "");
  EXPECT_EQ(keys_of(useless("compare: [{label: a, set: {node.arbiter: matrix}}, {label: b}]")),
            "node.arbiter");
}

TEST(KeysWithoutEffect, OfBasesAreNotTheUsersOwn) {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / ("noctule_effects_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "base.yaml") << "node: {arbiter: matrix}\n";
  std::ofstream(folder / "file.yaml") << "base: base.yaml\nnode: {lookahead: true}\n";
  const auto configuration = decode_file((folder / "file.yaml").string());
  const auto list = useless_keys(configuration, expand(configuration));
  std::filesystem::remove_all(folder);
  ASSERT_EQ(keys_of(list), "node.arbiter node.lookahead");
  EXPECT_FALSE(list[0].own);
  EXPECT_TRUE(list[1].own);
}

TEST(KeysWithoutEffect, AreNoneInResolvedConfigurations) {
  for (const auto& [yaml, keys] : kCases) {
    const auto resolved = decode_text(yaml, "file").resolved.dump();
    EXPECT_EQ(keys_of(useless(resolved)), "") << yaml;
    EXPECT_EQ(keys_of(useless(resolved, {{"cosim.cycles=5", "node.arbiter=matrix"}, {}, {}})),
              yaml.find("input_queued") == std::string::npos || yaml.find("wavefront") != std::string::npos
                  ? "node.arbiter"
                  : "")
        << yaml;
  }
}

TEST(KeysWithoutEffect, AreNoneInTheReference) {
  const auto reference = reference_yaml();
  EXPECT_EQ(keys_of(useless(reference)), "");
  EXPECT_NE(reference.find("# arbiter: round_robin"), std::string::npos);
  EXPECT_NE(reference.find("counts only where"), std::string::npos);
}

TEST(KeyEffects, AreOfKeysThatExist) {
  for (const auto& effect : KeyEffects::instance().all())
    for (const auto& key : effect.keys) {
      std::string nearest;
      EXPECT_FALSE(find_declarations(key, nearest).empty()) << key;
      EXPECT_FALSE(effect.where.empty()) << key;
    }
}

std::string said_of(const std::string& yaml, const DecodeOptions& options) {
  return testing::all_text(testing::faults_of(yaml, options));
}

TEST(OptionsWithoutEffect, AreRefused) {
  EXPECT_NE(
      said_of("sweep: {seed: [1, 2]}", {{"sweep={}"}, {}, {}}).find("a section without keys changes nothing"),
      std::string::npos);
  for (const char* nothing : {"node={}", "node=null", "node=", "sweep=null", "traffic.pattern=~"})
    EXPECT_NE(said_of("sweep: {seed: [1, 2]}", {{nothing}, {}, {}}).find("changes nothing"),
              std::string::npos)
        << nothing;
  EXPECT_NE(said_of("seed: 1", {{"node.lanes=2", "node.lanes=3"}, {}, {}}).find("is given twice"),
            std::string::npos);
  EXPECT_NE(said_of("seed: 1", {{"seed=2"}, {}, "3"}).find("is given twice"), std::string::npos);
  EXPECT_NE(said_of("seed: 1", {{}, {"seed=2,3", "seed=4"}, {}}).find("is given twice"), std::string::npos);
  EXPECT_NE(said_of("compare: [{label: a, set: {node.lanes: 1}}, {label: b, set: {node.lanes: 2}}]",
                    {{"node.lanes=3"}, {}, {}})
                .find("every series sets this key"),
            std::string::npos);
  EXPECT_EQ(said_of("compare: [{label: a, set: {node.lanes: 1}}, {label: b}]", {{"node.lanes=3"}, {}, {}}),
            "no fault");
}

TEST(OptionsWithoutEffect, AreFoundInMapsToo) {
  const auto expect = [](const std::string& yaml, const DecodeOptions& options, const char* words) {
    EXPECT_NE(said_of(yaml, options).find(words), std::string::npos) << said_of(yaml, options);
  };
  const char* const swept = "sweep: {traffic.offered_load: [0.1, 0.2]}";
  const char* const compared =
      "compare: [{label: a, set: {node: {lanes: 1}}}, {label: b, set: {node.lanes: 2}}]";
  expect(swept, {{"traffic={offered_load: 0.5}"}, {}, {}},
         "traffic.offered_load: has no effect: the sweep varies");
  expect("sweep: {traffic.multicast: [{fraction: 0.1}, {fraction: 0.2}]}",
         {{"traffic.multicast.fraction=0"}, {}, {}}, "the sweep varies this key");
  expect(compared, {{"node={lanes: 4}"}, {}, {}}, "node.lanes: has no effect: every series sets this key");
  expect("seed: 1", {{"node={model: four_classes}"}, {"node=generic,input_queued"}, {}},
         "node.model: has no effect: the sweep varies");
  // What another key displaces counts no more than what that key itself would be given.
  expect("sweep: {traffic.packet_lengths: [[{length: 1}], [{length: 9}]]}",
         {{"traffic.packet_length=7"}, {}, {}},
         "the sweep varies traffic.packet_lengths, which takes its place");
  expect("compare: [{label: a, set: {traffic.packet_lengths: [{length: 1}]}}]",
         {{"traffic.packet_length=7"}, {}, {}}, "every series sets traffic.packet_lengths in its place");
  expect("seed: 1", {{"node.lanes=2", "node={lanes: 4}"}, {}, {}}, "node.lanes: is given twice");
  expect("seed: 1", {{"node={lanes: 4}", "node.lanes=2"}, {}, {}}, "node.lanes: is given twice");
  expect("seed: 1", {{"sweep={seed: [1, 2]}"}, {"seed=3,4"}, {}}, "sweep.seed: is given twice");
  expect("seed: 1", {{"traffic={multicast: {}}"}, {}, {}},
         "traffic.multicast: has no effect: a section without");
  EXPECT_EQ(
      said_of("seed: 1", {{"node={lanes: 4}", "node.input_depth=2", "message_classes={a: {}}"}, {}, {}}),
      "no fault");
}

TEST(ElementsWithoutEffect, AreRefused) {
  const auto expect = [](const std::string& yaml, const DecodeOptions& options, const char* words) {
    EXPECT_NE(said_of(yaml, options).find(words), std::string::npos) << said_of(yaml, options);
  };
  expect("seed: 1", {{}, {"traffic.offered_load=0.1,0.2,0.10"}, {}},
         "--axis traffic.offered_load=0.1,0.2,0.10: "
         "sweep.traffic.offered_load: 0.1 is given twice");
  expect("sweep:\n  seed: [1, 2, 1]\n", {},
         "file:2:16: sweep.seed: 1 is given twice, which is one point twice; leave "
         "one out (the other: file:2:10)");
  expect("plots: [latency_load, link_heat_map, latency_load]", {}, "plots[2]: latency_load is given twice");
  expect("node: {prefer: [{lane: 0}, {}], lanes: 2}", {}, "node.prefer[1]: fits every VC");
  expect("node: {prefer: [{lane: 1}, {lane: 1}], lanes: 2}", {}, "node.prefer[1]: is the same as element 0");
  expect("node: {crossbar_per: [lane, lane], lanes: 2}", {}, "node.crossbar_per[1]: is the same");
  expect("node: {consumption_classes: [{class: 0}, {class: 0}]}", {},
         "node.consumption_classes[1]: is the same");
  expect("routing: {algorithm: order_of_class, orders: [xy, yx, xy]}\nmessage_classes: {a: {}, b: {}}", {},
         "routing.orders: 3 orders for 2 message classes");
  EXPECT_EQ(said_of("seed: 1", {{}, {"topology.radix=[3, 3],[3, 4]", "seed=1,2"}, {}}), "no fault");
  EXPECT_EQ(
      said_of("plots: [latency_load, link_heat_map]\nnode: {prefer: [{lane: 0}, {lane: 1}], lanes: 2}", {}),
      "no fault");
}

TEST(OptionsWithoutEffect, AreThoseThatALaterOneTakesAway) {
  const auto said = said_of(
      "seed: 1",
      {{"traffic.source=request_reply", "traffic.source.outstanding=2", "traffic.source=static"}, {}, {}});
  EXPECT_NE(said.find("traffic.source.kind: is given twice"), std::string::npos) << said;
  for (const DecodeOptions& options :
       {DecodeOptions{{"traffic.packet_length=4", "traffic.packet_lengths=[{length: 2, weight: 1}]"}, {}, {}},
        DecodeOptions{{"traffic.pattern.fraction=0.5", "traffic.pattern=uniform"}, {}, {}}})
    EXPECT_NE(said_of("traffic: {pattern: hotspot}", options).find("is given after it and takes it away"),
              std::string::npos)
        << said_of("traffic: {pattern: hotspot}", options);
}

}  // namespace
}  // namespace noctule
