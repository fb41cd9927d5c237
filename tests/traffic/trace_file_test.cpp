// Packets from text files: what is read, and that every error names file and line.

#include <gtest/gtest.h>

#include "support/cube_network.h"
#include "support/text_file.h"
#include "traffic/holds_memory.h"
#include "traffic/source.h"

namespace noctule {
namespace {

/// The source of this trace on 8 terminals; neither pattern nor lengths are needed.
std::unique_ptr<TrafficSource> read(const std::string& text, SourceContext::Multicasts multicasts = {}) {
  const TextFile file("trace", text);
  const auto& entry = SourceRegistry::instance().at("trace_file");
  auto keys = Parameters::defaults(entry.parameters);
  keys.set("file", file.path());
  SourceContext c;
  c.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 2}, std::vector<bool>{true, true});
  c.multicasts = multicasts;
  return entry.make(c, keys);
}

TEST(TraceFileRuns, PacketsInTheOrderOfTheirCycles) {
  const auto source =
      read("# cycle source destination length\n10 1 2 15\n5 0 7 1\n3 1 0 4 # first\n10 1 3 2\n");
  EXPECT_TRUE(source->finite());
  const struct {
    std::uint64_t number;
    Cycle birth;
    std::uint32_t destination;
    std::uint32_t length;
  } expected[]{{0, 3, 0, 4}, {1, 10, 2, 15}, {2, 10, 3, 2}};
  for (const auto& e : expected) {
    const auto p = source->next(TerminalId{1}, e.number);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->birth, e.birth);
    EXPECT_EQ(p->destination, TerminalId{e.destination});
    EXPECT_EQ(p->length, e.length);
  }
  EXPECT_FALSE(source->next(TerminalId{1}, 3));
  EXPECT_TRUE(source->next(TerminalId{0}, 0));
  EXPECT_FALSE(source->next(TerminalId{2}, 0));
}

TEST(TraceFileRuns, HopsArePassedOnAsText) {
  // The second line is sent first: a packet keeps the route of its own line.
  const auto source =
      read("10 1 2 15 x_plus.X+Y-.1\t y_plus.class0.1 # two\n5 1 7 1\n3 1 0 4 4\n7 0 1 2 #x\n");
  const auto routes = source->routes();
  ASSERT_EQ(routes.size(), 2U);
  EXPECT_EQ(routes[0].source, TerminalId{1});
  EXPECT_EQ(routes[0].destination, TerminalId{2});
  EXPECT_EQ(routes[0].hops, (std::vector<std::string>{"x_plus.X+Y-.1", "y_plus.class0.1"}));
  EXPECT_TRUE(routes[0].place.ends_with(".txt:1")) << routes[0].place;
  EXPECT_EQ(routes[1].destination, TerminalId{0});
  EXPECT_EQ(routes[1].hops, std::vector<std::string>{"4"});
  EXPECT_TRUE(routes[1].place.ends_with(".txt:3")) << routes[1].place;
  EXPECT_EQ(source->next(TerminalId{1}, 0)->route, 2U);
  EXPECT_EQ(source->next(TerminalId{1}, 1)->route, 0U);
  EXPECT_EQ(source->next(TerminalId{1}, 2)->route, 1U);
  EXPECT_EQ(source->next(TerminalId{0}, 0)->route, 0U);
  EXPECT_TRUE(read("0 1 2 3\n")->routes().empty());
}

TEST(TraceFileRuns, SeveralDestinationsAreAMulticast) {
  const auto source = read("5 0 7,2,4 9\n6 0 3 8 x_plus.class0\n7 0 1,5\t2 # two\n", {0, 1, 1, 50, 6});
  const auto several = source->next(TerminalId{0}, 0);
  ASSERT_TRUE(several);
  EXPECT_EQ(several->destinations, (std::vector<TerminalId>{TerminalId{7}, TerminalId{2}, TerminalId{4}}));
  EXPECT_EQ(several->destination, TerminalId{7});
  EXPECT_EQ(several->length, 9U);
  EXPECT_EQ(several->birth, 5U);
  EXPECT_EQ(several->route, 0U);
  EXPECT_EQ(several->preparation, 50U);
  const auto one = source->next(TerminalId{0}, 1);
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->destinations.empty());
  EXPECT_EQ(one->destination, TerminalId{3});
  EXPECT_EQ(one->route, 1U);
  EXPECT_EQ(one->preparation, 6U);
  EXPECT_EQ(source->next(TerminalId{0}, 2)->destinations.size(), 2U);
  EXPECT_FALSE(source->next(TerminalId{0}, 3));
}

TEST(TraceFileSurvivesBadInput, AllFaultsAtOnce) {
  try {
    read("0 1 2\n0 a 2 3 x\n0 1 2 3 x\nb 1 2 3\n");
    FAIL();
  } catch (const ConfigError& e) {
    ASSERT_EQ(e.diagnostics().size(), 3U) << e.what();
    EXPECT_TRUE(e.diagnostics()[1].place.ends_with(":2"));
    EXPECT_TRUE(e.diagnostics()[2].place.ends_with(":4"));
  }
}

TEST(TraceFileSurvivesBadInput, EveryErrorNamesFileAndLine) {
  const struct {
    const char* text;
    const char* line;
    const char* word;
  } cases[]{
      {"0 1 2 3\n0 1 2\n", ":2", "3 words"},
      {"0 1 2\n", ":1", "3 words; a line is 'cycle source destination[,...] length [hop ...]'"},
      {"0 1 2 x_plus.class0\n", ":1", "length is 'x_plus.class0'"},
      {"0 1 2 0 x_plus.class0\n", ":1", "length 0"},
      {"a 1 2 3\n", ":1", "cycle is 'a'"},
      {"0 8 2 3\n", ":1", "source 8"},
      {"\n0 1 8 3\n", ":2", "terminals are 0 to 7"},
      {"0 1 2 0\n", ":1", "length 0"},
      {"0 1 2 4294967296\n", ":1", "length 4294967296"},
      {"18446744073709551615 1 2 3\n", ":1", "cycle 18446744073709551615"},
      {"0 1 2,8,3 3\n", ":1", "destination 8 does not exist; terminals are 0 to 7"},
      {"0 1 2,3 0\n", ":1", "length 0"},
      {"0 1 2,3 4 x_plus.class0\n", ":1", "hops are prescribed to messages with one destination"},
      {"0 1 2, 3\n", ":1", "destination is '2,'; a whole number from 0 to 2^64-1 is needed, or several"},
      {"0 1 2, 3 4\n", ":1", "destination is '2,'"},
      {"0 1 ,2 4\n", ":1", "destination is ',2'"},
      {"0 1 2,,3 4\n", ":1", "destination is '2,,3'"},
      {"0 1 2;3 4\n", ":1", "destination is '2;3'"},
      {"0 1 2,-3 4\n", ":1", "destination is '2,-3'"},
      {"0 1 2,18446744073709551616 4\n", ":1", "destination is '2,18446744073709551616'"},
      {"0 1,2 3 4\n", ":1", "source is '1,2'"},
      {"0 1 2 3,4\n", ":1", "length is '3,4'"}};
  for (const auto& c : cases) try {
      read(c.text);
      FAIL() << c.text;
    } catch (const ConfigError& e) {
      ASSERT_EQ(e.diagnostics().size(), 1U) << e.what();
      const auto& d = e.diagnostics().front();
      EXPECT_TRUE(d.place.ends_with(c.line)) << d.place;
      EXPECT_NE(d.message.find(c.word), std::string::npos) << d.message;
      EXPECT_EQ(d.key, "traffic.source");
    }
  EXPECT_THROW(read("# empty\n"), ConfigError);
}

TEST(TraceFileSurvivesBadInput, AMulticastToATerminalTwiceOrToItself) {
  const std::pair<const char*, const char*> cases[]{
      {"0 1 2,3 4\n0 1 2,3,2 4\n", "destination 2 is given twice"},
      {"0 1 2,3 4\n0 1 2,1 4\n", "terminal 1 is the source of this message, and a destination"},
      {"0 1 2,3 4\n0 1 1 4\n", "terminal 1 is the source of this message, and a destination"}};
  for (const auto& [text, says] : cases) try {
      read(text);
      ADD_FAILURE() << text;
    } catch (const ConfigError& e) {
      ASSERT_EQ(e.diagnostics().size(), 1U) << e.what();
      EXPECT_TRUE(e.diagnostics()[0].place.ends_with(":2")) << e.diagnostics()[0].place;
      EXPECT_EQ(e.diagnostics()[0].key, "traffic.source");
      EXPECT_NE(e.diagnostics()[0].message.find(says), std::string::npos) << e.what();
    }
}

TEST(TraceFileSurvivesBadInput, WhatIsNoTextFile) {
  const auto refusal = [](const std::string& path) -> std::string {
    const auto& entry = SourceRegistry::instance().at("trace_file");
    auto keys = Parameters::defaults(entry.parameters);
    keys.set("file", path);
    SourceContext c;
    c.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{4}, std::vector<bool>{true});
    try {
      entry.make(c, keys);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal("/dev/zero").find("is a device or a pipe"), std::string::npos) << refusal("/dev/zero");
  EXPECT_NE(refusal("/").find("is a directory"), std::string::npos);
  const TextFile endless("trace", "0 1 2 3 # " + std::string(2 << 20, 'x') + "\n0 1 2 3\n");
  EXPECT_NE(refusal(endless.path()).find("has a line of more than"), std::string::npos)
      << refusal(endless.path());
}

TEST(TraceFileRuns, WithAByteOrderMark) {
  const auto source = read("\xEF\xBB\xBF# cycle\n7 1 2 3\n");
  EXPECT_EQ(source->next(TerminalId{1}, 0)->birth, 7U);
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "7 1 2 3")
                ->next(TerminalId{1}, 0)
                ->length,
            3U);
}

TEST(TraceFileRuns, InMemoryThatItStates) {
  std::string text;
  for (unsigned i = 0; i < 10'000; ++i) text += std::to_string(i) + " 1 2 3\n";
  const auto source = read(text);
  const auto* holder = dynamic_cast<const HoldsMemory*>(source.get());
  ASSERT_NE(holder, nullptr);
  EXPECT_GE(holder->memory_bytes(), 10'000 * 16);
  EXPECT_LE(holder->memory_bytes(), 10'000 * 40);
}

TEST(TraceFileSurvivesBadInput, MissingFileOrKey) {
  const auto& entry = SourceRegistry::instance().at("trace_file");
  auto keys = Parameters::defaults(entry.parameters);
  SourceContext c;
  c.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{4}, std::vector<bool>{true});
  EXPECT_THROW(entry.make(c, keys), ConfigError);
  keys.set("file", "/nonexistent/trace.txt");
  EXPECT_THROW(entry.make(c, keys), ConfigError);
}

}  // namespace
}  // namespace noctule
