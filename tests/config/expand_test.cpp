// Which points does a sweep or comparison make, and is each checked before any runs?

#include <gtest/gtest.h>

#include "config/config_support.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;
using testing::has;

std::vector<PointConfig> points(const std::string& yaml, const DecodeOptions& options = {}) {
  return expand(decode_text(yaml, "file", options));
}

TEST(Points, OneWithoutSweepAndComparison) {
  const auto list = points("node: oblivious\ntopology: torus");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].label, "oblivious");
  EXPECT_EQ(list[0].set.dump(), "{}");
}

TEST(Points, CartesianProductInOrder) {
  const auto list = points(
      "topology: torus\nseed: 4\nsweep:\n  traffic.pattern: [uniform, transpose]\n  traffic.offered_load: "
      "{from: 0.1, to: 0.3, step: 0.1}\n"
      "compare:\n  - {label: one, set: {node: star_channels}}\n  - {label: two, set: {node: {model: "
      "four_classes, input_depth: 2}}}\n");
  ASSERT_EQ(list.size(), 12U);
  EXPECT_EQ(list[0].label, "one");
  EXPECT_EQ(list[6].label, "two");
  EXPECT_EQ(list[2].set["traffic.offered_load"].dump(), "0.3");
  EXPECT_EQ(list[3].set["traffic.pattern.kind"], "transpose");
  EXPECT_EQ(list[3].resolved["traffic"]["pattern"]["kind"], "transpose");
  EXPECT_EQ(list[3].resolved["traffic"]["offered_load"], 0.1);
  EXPECT_EQ(list[11].resolved["node"]["input_depth"], 2);
  EXPECT_EQ(list[11].resolved["routing"]["algorithm"], "four_classes");
  EXPECT_EQ(list[5].resolved["routing"]["algorithm"], "star_channels");
  for (const auto& point : list) {
    EXPECT_EQ(point.seed, 4U);
    EXPECT_EQ(point.resolved["sweep"].size(), 0U);
    EXPECT_EQ(point.resolved["compare"].size(), 0U);
  }
}

TEST(Points, OnlyWhatDiffersIsSet) {
  const auto list = points("sweep: {seed: [7], node.lanes: [1, 2]}");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].set.dump(), R"({"node.lanes":1})");
  EXPECT_EQ(list[1].seed, 7U);
}

TEST(Points, EntriesAreChosenBeforeTheirKeys) {
  const auto list = points(
      "topology: torus\nsweep: {routing.vc_rule: [dateline, wrapped_bit], routing.algorithm: "
      "[dimension_order]}\nrouting: oblivious");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1].resolved["routing"]["vc_rule"], "wrapped_bit");
}

// A field of a selector of VCs varies, the others stay.
TEST(Points, VaryWhatLabelsChoose) {
  const std::string classes =
      "topology: torus\nrouting: dimension_order\nnode: {model: input_queued, lanes: 4}\nmessage_classes: "
      "{request: {vcs: {lane: 0, direction: [x_plus, x_minus, y_plus, y_minus]}}, response: {vcs: {lane: "
      "1}}}\n";
  const auto list = points(classes +
                           "sweep: {message_classes.request.vcs.lane: [0, [0, 2]]}\n"
                           "compare:\n  - {label: one, set: {}}\n  - {label: two, set: "
                           "{message_classes.response.vcs.lane: [1, 3], depends.request: response}}\n");
  ASSERT_EQ(list.size(), 4U);
  const auto vcs = [&](std::size_t point, const char* message_class) {
    return list[point].resolved["message_classes"][message_class]["vcs"].dump();
  };
  EXPECT_EQ(vcs(0, "request"), R"({"direction":["x_plus","x_minus","y_plus","y_minus"],"lane":["0"]})");
  EXPECT_EQ(vcs(1, "request"), R"({"direction":["x_plus","x_minus","y_plus","y_minus"],"lane":["0","2"]})");
  EXPECT_EQ(vcs(1, "response"), R"({"lane":["1"]})");
  EXPECT_EQ(vcs(3, "response"), R"({"lane":["1","3"]})");
  EXPECT_EQ(list[3].resolved["depends"].dump(), R"({"request":["response"]})");
  EXPECT_EQ(list[1].set["message_classes.request.vcs.lane"].dump(), R"(["0","2"])");
  EXPECT_TRUE(has(faults_of(classes + "sweep: {message_classes.request.vcs.lane.more: [0]}"), "file:5:9",
                  "sweep.message_classes.request.vcs.lane.more", "there is no key"));
}

TEST(Axes, OfTheCommandLine) {
  const auto values = [](const std::string& axis, const std::string& key) {
    std::string text;
    for (const auto& p : points("topology: torus\nsweep: {seed: [1]}", {{}, {axis}, {}}))
      text += (text.empty() ? "" : " ") + (p.set.contains(key) ? p.set[key].dump() : "-");
    return text;
  };
  EXPECT_EQ(values("traffic.offered_load=0.1:0.5:0.1", "traffic.offered_load"), "0.1 0.2 0.3 0.4 0.5");
  EXPECT_EQ(values("traffic.offered_load=0.1,0.25", "traffic.offered_load"), "0.1 0.25");
  EXPECT_EQ(values("traffic.offered_load=[0.1,0.25]", "traffic.offered_load"), "0.1 0.25");
  EXPECT_EQ(values("topology.radix=[4,4],[8,8]", "topology.radix"), "[4,4] [8,8]");
  EXPECT_EQ(values("node.model=generic,star_channels", "node.model"), "\"generic\" \"star_channels\"");
  EXPECT_EQ(values("node=generic,star_channels", "node.model"), "\"generic\" \"star_channels\"");
  EXPECT_EQ(values("seed=3,2", "seed"), "3 2");
  EXPECT_EQ(values("topology.radix=[4,4]", "topology.radix"), "-");
}

TEST(Axes, BadOnesAreRefused) {
  const auto one = [](const std::string& axis, const std::string& key, const std::string& words) {
    const auto found = faults_of("seed: 1", {{}, {axis}, {}});
    EXPECT_EQ(found.size(), 1U) << all_text(found);
    EXPECT_TRUE(has(found, "--axis " + axis, key, words)) << all_text(found);
  };
  one("traffic.offered_lod=1,2", "sweep.traffic.offered_lod", "did you mean 'traffic.offered_load'?");
  one("traffic.offered_load=", "sweep.traffic.offered_load", "without values");
  one("traffic.offered_load=1:0:0.1", "sweep.traffic.offered_load", "is no range");
  one("traffic.offered_load=0:1:0", "sweep.traffic.offered_load", "is no range");
  one("traffic.offered_load", "", "KEY=LIST");
  one("node.lanes=1,x", "sweep.node.lanes", "expected an integer");
  one("sweep=1", "sweep.sweep", "cannot differ");
  one("traffic=1", "sweep.traffic", "is a section");
}

TEST(BadAxesInTheFile, AreNamedWithTheirPlace) {
  EXPECT_ONE_FAULT("sweep:\n  traffic.ofered_load: [1]\n", "file:2:3", "sweep.traffic.ofered_load",
                   "did you mean 'traffic.offered_load'?");
  EXPECT_ONE_FAULT("sweep:\n  node.lanes: [1, 65]\n", "file:2:19", "sweep.node.lanes", "65 is out of range");
  EXPECT_ONE_FAULT("sweep:\n  node.lanes: {from: 1, to: 4}\n", "file:2:15", "sweep.node.lanes",
                   "three numbers");
  EXPECT_ONE_FAULT("sweep:\n  node.lanes: {from: 1, to: 4, stp: 1}\n", "file:2:32", "sweep.node.lanes.stp",
                   "did you mean 'step'?");
  EXPECT_ONE_FAULT("sweep:\n  node.lanes: []\n", "file:2:15", "sweep.node.lanes", "without values");
  EXPECT_ONE_FAULT("sweep:\n  node.lanes:\n", "file:2:3", "sweep.node.lanes", "no values");
  EXPECT_ONE_FAULT("compare:\n  - label: a\n    set: {node.lnes: 1}\n", "file:3:11",
                   "compare[0].set.node.lnes", "did you mean 'node.lanes'?");
  EXPECT_ONE_FAULT("compare:\n  - set: {node.lanes: 1}\n", "file:2:5", "compare[0].label", "is missing");
  EXPECT_ONE_FAULT("sweep: {node.lanes: {from: 1, to: 1000000, step: 1}}", "file:1:21", "sweep.node.lanes",
                   "is no range");
}

// Else results would be labelled with values that they were not made with.
TEST(EveryPoint, HasWhatItWasGiven) {
  const auto one = [](const std::string& text, const char* key) {
    const auto found = faults_of(text);
    EXPECT_NE(all_text(found).find(std::string(key) + ": has no effect: what the point is given behind it"),
              std::string::npos)
        << text << all_text(found);
  };
  one("sweep:\n  topology.radix: [[4, 4], [3, 3]]\n  topology.kind: [mesh, ring]\n", "topology.radix");
  one("compare:\n  - {label: a, set: {topology.radix: [6], topology.kind: ring}}\n", "topology.radix");
  one("compare:\n  - {label: a, set: {traffic.packet_length: 9, traffic.packet_lengths: [{length: 3}]}}\n",
      "traffic.packet_length");
  EXPECT_TRUE(faults_of("compare:\n  - {label: a, set: {topology.kind: ring, topology.nodes: 6}}\n").empty());
  EXPECT_TRUE(
      faults_of(
          "topology: torus\nmessage_classes: {x: {}, y: {}}\ncompare:\n  - label: planes\n    set:\n      "
          "planes.x.classes: [x]\n      planes.x.set: {topology.directions: plus}\n      "
          "planes.y.classes: [y]\n")
          .empty());
}

TEST(EveryPoint, IsCheckedBeforeAnyRuns) {
  // Legal keys whose combination contradicts itself in one point only.
  const auto found = faults_of("sweep:\n  node.parallel_links: [1, 2]\n  node.lanes: [1, 2]\n");
  ASSERT_EQ(found.size(), 1U) << all_text(found);
  EXPECT_EQ(found[0].key, "node.parallel_links");
  EXPECT_EQ(found[0].place, "file:2:28") << all_text(found);
  // A key that only another entry has.
  EXPECT_ONE_FAULT("routing: oblivious\nsweep:\n  routing.vc_rule: [dateline]\n", "file:3:21",
                   "routing.vc_rule", "unknown key");
}

TEST(EveryPoint, ButNotTooMany) {
  const auto found = faults_of(
      "sweep: {seed: {from: 1, to: 1000, step: 1}, node.lanes: {from: 1, to: 64, step: 1}, node.input_depth: "
      "[1, 2]}");
  EXPECT_NE(all_text(found).find("more than 100000 points"), std::string::npos) << all_text(found);
}

}  // namespace
}  // namespace noctule
