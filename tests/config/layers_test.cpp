// Do base, file, preset and options lie over each other as they should?

#include <gtest/gtest.h>

#include "config/config_support.h"
#include "core/json.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;
using testing::has;

Json resolved(const std::string& yaml, const DecodeOptions& options = {}) {
  return decode_text(yaml, "file", options).resolved;
}

TEST(Shorthands, NameTheEntryOfAVariant) {
  EXPECT_EQ(resolved("routing: oblivious")["routing"].dump(), R"({"algorithm":"oblivious"})");
  EXPECT_EQ(resolved("traffic: {pattern: hotspot}")["traffic"]["pattern"]["fraction"], 0.04);
  EXPECT_EQ(
      resolved("topology: torus")["topology"].dump(),
      R"({"kind":"torus","radix":[8,8],"directions":"both","terminals_per_router":1,"terminals_at":"*"})");
}

TEST(Presets, SetTheDefaultsOfNodeAndRouting) {
  const auto star = resolved("node: star_channels");
  EXPECT_EQ(star["node"]["lanes"], 2);
  EXPECT_EQ(star["node"]["release"], "next_buffer_empty");
  EXPECT_EQ(star["routing"]["algorithm"], "star_channels");
  const auto own = resolved("node: {model: star_channels, lanes: 3}\nrouting: dimension_order");
  EXPECT_EQ(own["node"]["lanes"], 3);
  EXPECT_EQ(own["node"]["release"], "next_buffer_empty");
  EXPECT_EQ(own["routing"].dump(), R"({"algorithm":"dimension_order","vc_rule":"dateline"})");
  EXPECT_EQ(resolved("seed: 1")["routing"]["algorithm"], "dimension_order");
}

TEST(Options, LieOverTheFile) {
  const auto c =
      resolved("traffic: {pattern: uniform, packet_length: 4}\n",
               {{"traffic.offered_load=0.25", "traffic.pattern=hotspot", "traffic.pattern.nodes=[3, 5]",
                 "topology.radix=[4,4]", "name=a b", "node.model=four_classes", "topology.kind=torus"},
                {},
                "9"});
  EXPECT_EQ(c["traffic"]["offered_load"], 0.25);
  EXPECT_EQ(c["traffic"]["packet_length"], 4);
  EXPECT_EQ(c["traffic"]["pattern"]["nodes"].dump(), "[3,5]");
  EXPECT_EQ(
      c["topology"].dump(),
      R"({"kind":"torus","radix":[4,4],"directions":"both","terminals_per_router":1,"terminals_at":"*"})");
  EXPECT_EQ(c["name"], "a b");
  EXPECT_EQ(c["seed"], 9);
  EXPECT_EQ(c["routing"]["algorithm"], "four_classes");
}

TEST(Options, AreNamedInMessages) {
  const auto one = [](const std::string& option, const std::string& key, const std::string& words) {
    const auto found = faults_of("seed: 1", {{option}, {}, {}});
    EXPECT_EQ(found.size(), 1U) << all_text(found);
    EXPECT_TRUE(has(found, "--set " + option, key, words)) << all_text(found);
  };
  one("traffic.offered_lod=0.5", "traffic.offered_lod", "did you mean 'offered_load'?");
  one("traffic.offered_load=x", "traffic.offered_load", "expected a number");
  one("traffic.offered_load=", "traffic.offered_load", "no value is given");
  one("traffic.offered_load", "", "expected KEY=VALUE");
  one("=5", "", "expected KEY=VALUE");
  one("a..b=5", "a..b", "single dots");
  one("seed=[1", "seed", "not valid YAML");
  one("seed.x=1", "seed", "got a section");
  one("base=other.yaml", "base", "a key of files");
  const auto seed = faults_of("name: x", {{}, {}, "abc"});
  EXPECT_TRUE(has(seed, "--seed abc", "seed", "expected an integer")) << all_text(seed);
}

TEST(Options, WithoutEffectAreRefused) {
  const auto found = faults_of("sweep:\n  seed: [1, 2]\n", {{"seed=5"}, {}, {}});
  EXPECT_TRUE(has(found, "--set seed=5", "seed", "file:2:3")) << all_text(found);
}

TEST(Variants, ForgetTheKeysOfTheEntryThatWasReplaced) {
  const std::string file =
      "topology: {kind: torus, radix: [5, 5]}\nrouting: {algorithm: dimension_order, vc_rule: wrapped_bit}\n";
  EXPECT_EQ(resolved(file, {{"routing=oblivious"}, {}, {}})["routing"].dump(),
            R"({"algorithm":"oblivious"})");
  EXPECT_EQ(resolved(file, {{"topology.kind=mesh"}, {}, {}})["topology"].dump(),
            R"({"kind":"mesh","radix":[5,5],"terminals_per_router":1,"terminals_at":"*"})");
  EXPECT_EQ(resolved(file, {{"topology.kind=ring"}, {}, {}})["topology"].dump(),
            R"({"kind":"ring","nodes":8,"directions":"both","terminals_per_router":1,"terminals_at":"*"})");
  // The algorithm may change with the node model, too.
  const std::string rule = "topology: torus\nrouting: {vc_rule: wrapped_bit}\n";
  EXPECT_EQ(resolved(rule)["routing"]["vc_rule"], "wrapped_bit");
  EXPECT_FALSE(resolved(rule, {{"node=star_channels"}, {}, {}})["routing"].contains("vc_rule"));
  EXPECT_EQ(resolved(rule, {{"routing=oblivious"}, {}, {}})["routing"].dump(),
            R"({"algorithm":"oblivious"})");
  // A key that neither entry knows stays a fault.
  const auto found = faults_of("topology: {kind: torus, radx: [5, 5]}\n", {{"topology.kind=ring"}, {}, {}});
  EXPECT_TRUE(has(found, "file:1:25", "topology.radx", "unknown key")) << all_text(found);
}

TEST(Resolved, DecodesToItself) {
  for (const char* yaml : {"seed: 1", "node: star_channels\ntopology: torus",
                           "node: {model: four_classes, crossbars: [{}, {prefix: 0, sign_x: [+, '-']}]}",
                           "traffic: {packet_lengths: [{length: 3}, {length: 9, weight: 0.5}]}\nplots: "
                           "[link_heat_map]\ntrace: {cycles: 10}",
                           "compare: [{label: a, set: {node: oblivious}}, {label: b, set: {node.lanes: "
                           "2}}]\nsweep: {seed: {from: 1, to: 9, step: 4}}"}) {
    const auto first = decode_text(yaml, "file");
    const auto again = decode_text(first.resolved.dump(2), "again");
    EXPECT_EQ(first.resolved, again.resolved) << yaml;
    const auto points = expand(first);
    const auto repeated = expand(again);
    ASSERT_EQ(points.size(), repeated.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].resolved, repeated[i].resolved) << yaml;
      EXPECT_EQ(points[i].set, repeated[i].set) << yaml;
      EXPECT_EQ(points[i].label, repeated[i].label) << yaml;
      EXPECT_EQ(decode_text(points[i].resolved.dump(), "point").resolved, points[i].resolved) << yaml;
    }
  }
}

TEST(Resolved, KeepsWhatSomebodyChangedInIt) {
  auto changed =
      resolved("node: star_channels\ntopology: torus\ncompare: [{label: x, set: {node: oblivious}}]");
  changed["node"]["lanes"] = 6;
  const auto points = expand(decode_text(changed.dump(), "again"));
  EXPECT_EQ(points[0].resolved["node"]["lanes"], 6);
  EXPECT_EQ(points[0].resolved["node"]["parallel_links"], 2);
  EXPECT_EQ(points[0].resolved["routing"]["algorithm"], "oblivious");
}

TEST(Annotation, GivesThePlaceOfTheKeyOrOfItsSection) {
  const auto c = decode_text("topology:\n  radix: [4, 4]\ntraffic:\n  pattern: transpose\n", "file");
  const auto e = c.annotate(ConfigError({{"topology.radix", "a", {}},
                                         {"traffic.pattern", "b", {}},
                                         {"topology.kind", "c", {}},
                                         {"node.crossbars[2]", "d", {}},
                                         {"node.lanes", "e", "elsewhere"}}));
  ASSERT_EQ(e.diagnostics().size(), 5U);
  EXPECT_EQ(e.diagnostics()[0].place, "file:2:3");
  EXPECT_EQ(e.diagnostics()[1].place, "file:4:3");
  EXPECT_EQ(e.diagnostics()[2].place, "file:1:1");
  EXPECT_EQ(e.diagnostics()[3].place, "file");
  EXPECT_EQ(e.diagnostics()[4].place, "elsewhere");
}

}  // namespace
}  // namespace noctule
