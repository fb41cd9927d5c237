// Is each value taken for what it is, and refused with what is allowed?

#include <gtest/gtest.h>

#include "config/config_support.h"
#include "config/decimal.h"
#include "config/spelling.h"
#include "core/json.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;
using testing::has;

Json value(const std::string& yaml, const std::string& section, const std::string& key) {
  return decode_text(yaml, "file").resolved[section][key];
}

TEST(IntegersAreExact, AcceptedForms) {
  const auto length = [](const std::string& text) {
    return value("traffic: {packet_length: " + text + "}", "traffic", "packet_length");
  };
  EXPECT_EQ(length("12"), 12);
  EXPECT_EQ(length("1e3"), 1000);
  EXPECT_EQ(length("1.2e1"), 12);
  EXPECT_EQ(length("7.0"), 7);
  EXPECT_EQ(length("+7"), 7);
  EXPECT_EQ(length("65535"), 65535);
  EXPECT_TRUE(length("1e3").is_number_integer());
  EXPECT_EQ(decode_text("seed: 9007199254740992", "file").resolved["seed"], std::int64_t{1} << 53);
}

TEST(IntegersAreExact, RefusedForms) {
  const auto refused = [](const std::string& text, const char* words) {
    EXPECT_ONE_FAULT("seed: 1\ntraffic:\n  packet_length: " + text + "\n", "file:3:18",
                     "traffic.packet_length", words);
  };
  refused("abc", "expected an integer, 1 to 65535 flits; got the text 'abc'");
  refused("1.5", "expected an integer, 1 to 65535 flits; got 1.5");
  refused("1.2345e3", "got 1.2345e3");
  refused("yes", "got the boolean yes");
  refused("true", "got the boolean true");
  refused("'5'", "got the text '5' (in quotes it is text)");
  refused("[5]", "got a list of 1");
  refused("{a: 5}", "got a section");
  refused("0x10", "got the text '0x10'");
  refused("010", "got the text '010'");
  refused(".inf", "got the text '.inf'");
  refused(".nan", "got the text '.nan'");
  refused("0", "0 is out of range; expected an integer, 1 to 65535 flits");
  refused("65536", "65536 is out of range");
  refused("-1", "-1 is out of range");
  refused("1e400", "1e400 is out of range");
  refused("123456789012345678901234567890123", "is out of range");
  EXPECT_ONE_FAULT("seed: 9007199254740993", "file:1:7", "seed", "out of range");
  EXPECT_ONE_FAULT("measurement: {warm_up: aut}", "file:1:24", "measurement.warm_up", "did you mean 'auto'?");
  EXPECT_ONE_FAULT("name: x\nseed:\n", "file:2:1", "seed", "no value is given");
}

TEST(RealsAreFinite, AcceptedAndRefused) {
  const auto load = [](const std::string& text) {
    return value("traffic: {offered_load: " + text + "}", "traffic", "offered_load");
  };
  EXPECT_EQ(load("0.25"), 0.25);
  EXPECT_EQ(load(".5"), 0.5);
  EXPECT_EQ(load("1"), 1.0);
  EXPECT_EQ(load("2.5e-1"), 0.25);
  EXPECT_TRUE(load("1").is_number_float());
  EXPECT_EQ(load("-0").dump(), "0.0");
  for (const char* bad : {".inf", ".nan", "nan", "inf", "'0.5'", "0,5", "yes", "[0.1]"})
    EXPECT_ONE_FAULT(std::string("traffic:\n  offered_load: ") + bad, "file:2:17", "traffic.offered_load",
                     "expected a number");
  for (const char* bad : {"-0.1", "1e400", "65535.5"})
    EXPECT_ONE_FAULT(std::string("traffic:\n  offered_load: ") + bad, "file:2:17", "traffic.offered_load",
                     "out of range");
  EXPECT_ONE_FAULT("measurement: {precision: 0}", "file:1:26", "measurement.precision", "above 0, at most 1");
}

TEST(BooleansAndTexts, AcceptedAndRefused) {
  for (const char* yes : {"true", "True", "yes", "YES", "on"})
    EXPECT_EQ(value(std::string("trace: {vcd: ") + yes + "}", "trace", "vcd"), true) << yes;
  for (const char* no : {"false", "no", "Off"})
    EXPECT_EQ(value(std::string("trace: {gtkw: ") + no + "}", "trace", "gtkw"), false) << no;
  EXPECT_ONE_FAULT("trace: {vcd: 1}", "file:1:14", "trace.vcd", "expected true or false; got 1");
  EXPECT_ONE_FAULT("trace: {vcd: 'true'}", "file:1:14", "trace.vcd", "in quotes it is text");
  EXPECT_EQ(decode_text("name: yes", "file").resolved["name"], "yes");
  EXPECT_EQ(decode_text("name: 31", "file").resolved["name"], "31");
}

TEST(ChoicesAndKeysSuggest, TheNearestSpelling) {
  EXPECT_ONE_FAULT("traffic:\n  load_unit: normalised\n", "file:2:14", "traffic.load_unit",
                   "did you mean 'normalized'?");
  EXPECT_ONE_FAULT("traffic:\n  offered_lod: 0.5\n", "file:2:3", "traffic.offered_lod",
                   "did you mean 'offered_load'?");
  EXPECT_ONE_FAULT("traffic:\n  pattern: unifrm\n", "file:2:12", "traffic.pattern.kind",
                   "did you mean 'uniform'?");
  EXPECT_ONE_FAULT("node:\n  model: star-channels\n", "file:2:10", "node.model",
                   "did you mean 'star_channels'?");
  EXPECT_ONE_FAULT("routing: dimension_ordr", "file:1:10", "routing.algorithm",
                   "did you mean 'dimension_order'?");
  EXPECT_ONE_FAULT("node:\n  lains: 4\n", "file:2:3", "node.lains", "did you mean 'lanes'?");
  EXPECT_ONE_FAULT("topology: {kind: ring, radix: [3]}", "file:1:24", "topology.radix",
                   "Allowed here: kind, nodes");
}

TEST(ChoicesAndKeysSuggest, WhatAMisspeltWordOfOthersStandsFor) {
  EXPECT_ONE_FAULT("node:\n  vrtual_channels: 4\n", "file:2:3", "node.vrtual_channels",
                   "did you mean 'lanes'?");
  EXPECT_ONE_FAULT("node: {buffer_dept: 4}\n", "file:1:8", "node.buffer_dept", "did you mean 'input_depth'?");
  EXPECT_ONE_FAULT("injecton_rate: 0.1\n", "file:1:1", "injecton_rate",
                   "did you mean 'traffic.offered_load'?");
  EXPECT_ONE_FAULT("traffic:\n  pattern: unifrm_random\n", "file:2:12", "traffic.pattern.kind",
                   "did you mean 'uniform'?");
  EXPECT_ONE_FAULT("topology: {injecton_rate: 0.1}\n", "file:1:12", "topology.injecton_rate",
                   "unknown key 'injecton_rate'. Allowed");
  EXPECT_ONE_FAULT("node: {bananas: 4}\n", "file:1:8", "node.bananas", "unknown key 'bananas'. Allowed");
}

TEST(EverythingAtOnce, InOrderOfTheFile) {
  const auto found =
      faults_of("traffic:\n  offered_load: x\n  pattern: 5\nsede: 1\ntrace: {vcd: 3, scop: 1}\n");
  ASSERT_EQ(found.size(), 5U) << all_text(found);
  EXPECT_EQ(found[0].place, "file:2:17");
  EXPECT_EQ(found[1].place, "file:3:12");
  EXPECT_EQ(found[2].place, "file:4:1");
  EXPECT_EQ(found[3].place, "file:5:14");
  EXPECT_EQ(found[4].place, "file:5:17");
}

TEST(MandatoryKeys, AreMissedWhereTheySouldStand) {
  EXPECT_ONE_FAULT("traffic:\n  packet_lengths: [{weight: 2}]\n", "file:2:20",
                   "traffic.packet_lengths[0].length", "is missing");
  EXPECT_ONE_FAULT("seed: 1\ntraffic:\n  pattern: {kind: permutation_file}\n", "file:3:12",
                   "traffic.pattern.file", "is missing");
}

TEST(AlternativeKeys, GivenBothAreNamedWithBothLines) {
  EXPECT_ONE_FAULT("traffic:\n  packet_length: 3\n  packet_lengths: [{length: 3}]\n", "file:3:3",
                   "traffic.packet_lengths", "file:2:3");
  EXPECT_ONE_FAULT("node:\n  crossbars: [{}]\n  crossbar_per: []\n", "file:2:3", "node.crossbars",
                   "file:3:3");
  const auto c = decode_text("node: {model: four_classes, crossbars: [{}]}", "file");
  EXPECT_FALSE(c.resolved["node"].contains("crossbar_per"));
}

TEST(Decimals, AreExact) {
  const auto range = [](const char* from, const char* to, const char* step) {
    std::string text;
    const auto values = decimal_range(*Decimal::parse(from), *Decimal::parse(to), *Decimal::parse(step), 100);
    if (!values) return std::string("none");
    for (const auto& d : *values) text += (text.empty() ? "" : " ") + d.text();
    return text;
  };
  EXPECT_EQ(range("0.1", "0.5", "0.1"), "0.1 0.2 0.3 0.4 0.5");
  EXPECT_EQ(range("0", "1e-3", "0.0005"), "0 0.0005 0.001");
  EXPECT_EQ(range("5", "1", "-2"), "5 3 1");
  EXPECT_EQ(range("1", "2", "0.4"), "1 1.4 1.8");
  EXPECT_EQ(range("3", "3", "1"), "3");
  EXPECT_EQ(range("1", "2", "0"), "none");
  EXPECT_EQ(range("1", "2", "-1"), "none");
  EXPECT_EQ(range("0", "1", "0.001"), "none");
  EXPECT_EQ(range("0", "1", "1e-900"), "none");
  EXPECT_EQ(Decimal::parse("1e20")->text(), "1e20");
  EXPECT_EQ(Decimal::parse("-12.50")->text(), "-12.5");
  EXPECT_FALSE(Decimal::parse("1e20")->integer());
  EXPECT_EQ(Decimal::parse("1e18")->integer(), 1'000'000'000'000'000'000);
  for (const char* bad : {"", "+", ".", "e1", "1e", "1.2.3", "01", "1 ", "--1", "0x1"})
    EXPECT_FALSE(looks_like_number(bad)) << bad;
}

TEST(RangesOfTerminals, AreTheNumbersOneByOne) {
  const auto nodes = [](const std::string& given) {
    return decode_text("traffic:\n  pattern:\n    kind: hotspot\n    nodes: " + given + "\n", "file")
        .resolved["traffic"]["pattern"]["nodes"];
  };
  const Json all{0, 1, 2, 3, 9};
  for (const char* given : {"[0, 1, 2, 3, 9]", "0-3,9", "'0-3, 9'", "[0-3, 9]", "[0, 1-3, 9-9]"})
    EXPECT_EQ(nodes(given), all) << given;
  EXPECT_EQ(nodes("7"), Json{7});
  const auto fault = [](const std::string& given, const char* key, const char* words) {
    const auto found = faults_of("traffic: {pattern: {kind: hotspot, nodes: " + given + "}}");
    ASSERT_EQ(found.size(), 1U) << given << ": " << all_text(found);
    EXPECT_EQ(found[0].key, key);
    EXPECT_NE(found[0].message.find(words), std::string::npos) << found[0].message;
  };
  fault("3-1", "traffic.pattern.nodes", "the range '3-1' ends before it begins; write 1-3");
  fault("0-4000000000", "traffic.pattern.nodes", "more than 65535 numbers");
  fault("[1, 2-x]", "traffic.pattern.nodes[1]", "an integer, 0 to 4294967294; got the text '2-x'");
  fault("1 2", "traffic.pattern.nodes", "or ranges, as in [0-11, 20]; got the text '1 2'");
  fault("{a: 1}", "traffic.pattern.nodes", "or ranges, as in [0-11, 20]; got a section");
  fault("[]", "traffic.pattern.nodes", "0 elements");
}

TEST(Spelling, IsNearOrNothing) {
  EXPECT_EQ(edit_distance("abcd", "abdc"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(nearest_spelling("offerd_laod", {"offered_load", "load_unit"}), "offered_load");
  EXPECT_EQ(nearest_spelling("Offered-Load", {"offered_load", "load_unit"}), "offered_load");
  EXPECT_EQ(nearest_spelling("hot", {"hotspot", "uniform"}), "hotspot");
  EXPECT_EQ(nearest_spelling("banana", {"hotspot", "uniform"}), "");
}

}  // namespace
}  // namespace noctule
