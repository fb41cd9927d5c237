// Does a table of turns that is wrong say what is wrong with it, in words that help?

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "routing/turn_paths.h"
#include "routing/turn_table_support.h"

namespace noctule::routing_test {
namespace {

TEST(TurnTableRefuses, WhatIsNotWrittenAsATurn) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"y_plus x_minus", "has no '->'"},
      {"", "has no '->'"},
      {"-> x_minus", "nothing before '->'"},
      {"y_plus ->", "nothing after '->'"},
      {"y_plus -> x_plus -> y_plus", "more than one '->'"},
      {"y plus -> x_plus", "more than one word before '->'"},
      {"y_plus -> injection", "'injection', which is no channel"},
      {"y_plus -> any", "'*' is every channel"},
      {"y_plus -> x_plus off wrap",
       "has 'off' after the turn; there may be 'on wrap', 'on inner' and 'at ROUTER'"},
      {"y_plus -> x_plus on", "nothing after 'on'"},
      {"y_plus -> x_plus on edge", "'on edge'; allowed are 'on wrap' and 'on inner'"},
      {"y_plus -> x_plus at router_0_0 on inner at router_1_0", "says 'at' twice"},
      {"y_plus -> x_plus at router_7_*",
       "'router_7_*', but none is called so: there are router_0_0 to router_3_3"},
      {"z_plus -> x_plus", "direction 'z_plus', but this topology has x_plus, x_minus, y_plus, y_minus"},
      {"y_plus -> X*", "direction 'X*', but this topology has"},
      {"y_plus -> .0", "no direction in '.0'"},
      {"y_plus -> x_plus.", "the class '', which is neither a number nor a glob of some"},
      {"y_plus -> x_plus.a", "the class 'a', which is neither"},
      {"y_plus.2 -> x_plus", "the class 2, but routing.classes is 2, so that there are 0 to 1"},
      {"y_plus.00000000000000000000001 -> x_plus", "routing.classes is 2"}};
  for (const auto& [text, why] : wrong) {
    const auto said = refusal(mesh({4, 4}), {"y_plus -> x_minus", text}, 2);
    expect_refusal(said, {"routing.forbid[1]: '" + text + "' ", why, "for example 'y_plus -> x_minus'"});
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
  expect_refusal(refusal(mesh({4, 4}), {"y_*.1 -> x_*"}), {"routing.classes is 1, so that there is 0 alone"});
}

TEST(TurnTableRefuses, ItsOwnExampleOnNoTopology) {
  for (const auto& shape : every_shape()) {
    const auto said = refusal(shape, {"?"}, 2);
    const auto start = said.find("'any -> ") + 1;
    const auto example = said.substr(start, said.find('\'', start) - start);
    EXPECT_EQ(refusal(shape, {example}, 2), "accepted") << shape.text();
  }
}

TEST(TurnTableRefuses, WrongExceptionsAndEscapes) {
  expect_refusal(refusal(mesh({4, 4}), kWestFirst, 1, {}, {"y_plus => x_minus"}),
                 {"routing.allow[0]", "'y_plus => x_minus'"});
  for (const char* text : {"", "*.0 *.1", "x_plus -> y_plus"})
    expect_refusal(refusal(mesh({4, 4}), {}, 2, {"x_*.0", text}),
                   {"routing.escape[1]", "is not one channel", "for example 'x_plus.0' or '*.0'"});
  expect_refusal(refusal(mesh({4, 4}), {}, 2, {"*.2"}),
                 {"routing.escape[0]", "the class 2", "for example 'x_plus.0' or '*.0'"});
  expect_refusal(refusal(mesh({4, 4}), {}, 2, {"w_*.1"}), {"routing.escape[0]", "this topology has x_plus"});
}

TEST(TurnTableRefuses, RulesThatCanNeverMatch) {
  expect_refusal(refusal(mesh({4, 4}), {"x_plus -> x_minus"}),
                 {"routing.forbid[0]", "'x_plus -> x_minus' can never match", "shortest paths"});
  expect_refusal(refusal(mesh({4, 4}), {"y_* -> x_* on wrap"}),
                 {"routing.forbid[0]", "no wrap link leaves there"});
  expect_refusal(refusal(mesh({4, 4}), {"any -> x_plus at router_3_*"}), {"no link leaves there"});
  expect_refusal(refusal(torus({5, 5}), {"x_plus -> y_plus on inner at router_*_4"}),
                 {"no inner link leaves"});
  expect_refusal(refusal(mesh({4, 4}), {"x_plus -> y_plus at router_0_*"}),
                 {"routing.forbid[0]", "shortest paths"});
  // On a ring of three no shortest path is longer than a hop.
  expect_refusal(refusal(torus({3, 3}), {"x_plus -> x_plus"}), {"can never match"});
  expect_refusal(refusal(mesh({4, 4}), kWestFirst, 1, {}, {"x_plus -> y_plus"}),
                 {"routing.allow[0]", "allows nothing that is forbidden"});
  expect_refusal(refusal(mesh({4, 4}), {"injection -> x_minus.0"}, 2, {}, {"injection -> x_minus.1"}),
                 {"routing.allow[0]", "allows nothing that is forbidden"});
  expect_refusal(refusal(mesh({4, 4}), kWestFirst, 1, {}, {"x_minus -> x_plus"}),
                 {"routing.allow[0]", "can never match"});
}

TEST(TurnTableRefuses, AllFaultsAtOnce) {
  const auto said = refusal(mesh({4, 4}), {"a", "y_* -> x_minus", "b"}, 1, {"c.0"}, {"d"});
  expect_refusal(said, {"routing.forbid[0]", "routing.forbid[2]", "routing.escape[0]", "routing.allow[0]"});
}

TEST(TurnTableRefuses, PairsThatItLeavesWithoutAPath) {
  const auto said = refusal(mesh({3, 3}), {"x_* -> y_*", "y_* -> x_*"});
  // All pairs but those in one row or column: 9 * 4.
  expect_refusal(said,
                 {"routing.forbid", "36 of all 72 pairs", "from router_0_0 to router_1_1", "routing.allow"});
  expect_refusal(refusal(mesh({3, 3}), {"any -> x_plus at router_0_2"}),
                 {"2 of all 72", "from router_0_2 to router_1_2"});
  // A second class gives them one.
  EXPECT_EQ(refusal(mesh({3, 3}), {"x_*.0 -> y_*", "y_*.0 -> x_*"}, 2), "accepted");
}

TEST(TurnTableRefuses, WhatWouldTakeTooMuchMemory) {
  expect_refusal(refusal(mesh({64, 65}), {}), {"routing.algorithm", "4160 routers", "allows 4096"});
  const CubeNetwork cube(std::vector<unsigned>(12, 2), std::vector<bool>(12, false));
  EXPECT_NO_THROW(TurnPaths::check_size(cube, 4));
  EXPECT_THROW(TurnPaths::check_size(cube, 5), ConfigError);
  EXPECT_NO_THROW(TurnPaths::check_size(CubeNetwork({64, 64}, {true, true}), kMostTurnClasses));
}

TEST(TurnTableWithoutPaths, ListsWhatHelps) {
  const auto lists = [](const std::string& text, bool detour, bool classes) {
    EXPECT_NE(text.find("have no shortest path without a forbidden turn"), std::string::npos) << text;
    EXPECT_EQ(text.find("raise routing.detour to ") != std::string::npos, detour) << text;
    EXPECT_EQ(text.find("raise routing.classes") != std::string::npos, classes) << text;
  };
  const Shape mesh{{4, 4}, {false, false}};
  // Round the router, by a row beside it.
  const auto text = refusal(mesh, {"x_plus -> x_plus at router_1_0"});
  lists(text, true, false);
  expect_refusal(text, {"raise routing.detour to 2, which this pair needs"});
  lists(refusal(mesh, {"x_plus.0 -> x_plus at router_1_0"}), true, true);
  // Not from a corner: there is nothing to go round by.
  lists(refusal(mesh, {"x_plus -> y_plus", "y_plus -> x_plus"}), false, false);
  lists(refusal(mesh, {"any -> y_plus"}), false, false);
  lists(refusal(mesh, {"any -> y_plus.0"}), false, true);
}

TEST(TurnTableWords, OfTurnModelsAreTranslated) {
  expect_refusal(refusal({{4, 4}, {false, false}}, {"north -> west"}),
                 {"names the direction 'north', which is y_minus here", "x_minus"});
  expect_refusal(refusal({{4, 4}, {false, false}}, {"up -> x_minus"}),
                 {"names the direction 'up', but this topology has"});
}

}  // namespace
}  // namespace noctule::routing_test
