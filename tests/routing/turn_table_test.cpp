// Is a table of turns what it says: the allowed turns and no others, no dead ends, words that help when it is
// wrong?

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "routing/turn_paths.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

/// What these tests ask of whoever follows all worms.
struct Followed {
  bool acyclic = false;         ///< the channel dependency graph
  bool escape_acyclic = false;  ///< that of the escape channels
  bool escape_always_offered = false;
  bool fully_adaptive = false;
  bool sound = false;  ///< arrives by shortest paths, keeps the contract, uses all channels that exist
};
Followed follow(const CubeNetwork& cube, const RoutingRelation& relation) {
  const Surveyed seen(shared(cube), relation);
  const auto& facts = seen.facts;
  bool exact = true;
  for (const auto& link : cube.links())
    for (unsigned c = 0; c < relation.classes(link); ++c)
      exact = exact &&
              relation.exists(link, VcClass(c)) == (facts.used[seen.channels.of(link.id, VcClass(c))] != 0);
  return {seen.survey.direct.numbering().has_value(), seen.escape_acyclic(), facts.escape_always_offered,
          facts.fully_adaptive, facts.always_arrives && facts.minimal && facts.hops_exact && exact};
}

using Texts = std::vector<std::string>;

Network table(const Shape& shape, const Texts& forbid, unsigned classes = 1, const Texts& escape = {},
              const Texts& allow = {}) {
  return network("turn_table", shape,
                 {{"forbid", forbid}, {"classes", classes}, {"escape", escape}, {"allow", allow}});
}

RouterId at(const CubeNetwork& cube, unsigned x, unsigned y) {
  return cube.router_at(std::vector<unsigned>{x, y});
}

/// "x_plus.0 y_plus.0": what is on offer.
std::string offer(const Network& net, RouterId here, RouterId to, RouteState state = 0) {
  CandidateList list;
  net.relation->candidates(here, to, state, list);
  std::string text;
  for (const auto& c : list)
    text += (text.empty() ? "" : " ") + net.cube->port_name(c.port) + "." +
            net.relation->class_name(link_by(*net.cube, c.port), c.vc_class);
  return text;
}

/// Walks every worm; calls `visit(from, to)` for each turn, with ports.
template <class Visit>
void every_turn(const Network& net, Visit visit) {
  for (std::uint32_t d = 0; d < net.cube->routers(); ++d) {
    std::set<std::pair<std::uint32_t, RouteState>> seen;
    std::vector<std::tuple<std::uint32_t, RouteState, int>> todo;
    for (std::uint32_t s = 0; s < net.cube->routers(); ++s)
      if (s != d) todo.emplace_back(s, 0, -1);
    CandidateList list;
    while (!todo.empty()) {
      const auto [here, state, from] = todo.back();
      todo.pop_back();
      if (here == d || !seen.emplace(here, state).second) continue;
      list.clear();
      net.relation->candidates(RouterId{here}, RouterId{d}, state, list);
      for (const auto& c : list) {
        const auto* link = net.cube->outgoing(RouterId{here}, c.port);
        if (from >= 0) visit(PortId(static_cast<std::uint16_t>(from)), *link);
        todo.emplace_back(static_cast<std::uint32_t>(index(link->to)),
                          net.relation->next_state(RouterId{here}, RouterId{d}, state, c),
                          static_cast<int>(index(c.port)));
      }
    }
  }
}

std::set<std::string> turns_of(const Network& net) {
  std::set<std::string> turns;
  every_turn(net, [&](PortId from, const Link& to) {
    if (from != to.out) turns.insert(net.cube->port_name(from) + ">" + net.cube->port_name(to.out));
  });
  return turns;
}

std::uint64_t paths(const Network& net, RouterId here, RouterId to, RouteState state = 0) {
  if (here == to) return 1;
  CandidateList list;
  net.relation->candidates(here, to, state, list);
  std::uint64_t sum = 0;
  for (const auto& c : list)
    sum += paths(net, net.cube->outgoing(here, c.port)->to, to, net.relation->next_state(here, to, state, c));
  return sum;
}

std::string refusal(const Shape& shape, const Texts& forbid, unsigned classes = 1, const Texts& escape = {},
                    const Texts& allow = {}) {
  try {
    table(shape, forbid, classes, escape, allow);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "accepted";
}
void expect_refusal(const std::string& text, const Texts& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

const Texts kWestFirst{"y_* -> x_minus"};
const Texts kDateline{"y_* -> x_*",
                      "any -> *.0 on wrap",
                      "injection -> *.1 on inner",
                      "x_* -> y_*.1 on inner",
                      "x_*.0 -> x_*.1 on inner",
                      "y_*.0 -> y_*.1 on inner",
                      "x_*.1 -> x_*.0",
                      "y_*.1 -> y_*.0"};
const Texts kDuato{"y_*.0 -> x_*", "y_*.0 -> y_*.1"};

// --- the relation -------------------------------------------------------------------------------------

TEST(WestFirst, HasTheSixClassicTurns) {
  const auto net = table(mesh({5, 5}), kWestFirst);
  EXPECT_EQ(turns_of(net), (std::set<std::string>{"x_plus>y_plus", "x_plus>y_minus", "x_minus>y_plus",
                                                  "x_minus>y_minus", "y_plus>x_plus", "y_minus>x_plus"}));
}

TEST(WestFirst, IsAdaptiveToTheEastAndHasOnePathToTheWest) {
  const auto net = table(mesh({5, 5}), kWestFirst);
  const auto& cube = *net.cube;
  EXPECT_EQ(paths(net, at(cube, 0, 0), at(cube, 4, 4)), 70U);  // 8 over 4
  EXPECT_EQ(paths(net, at(cube, 1, 4), at(cube, 4, 2)), 10U);
  EXPECT_EQ(paths(net, at(cube, 4, 4), at(cube, 0, 0)), 1U);
  EXPECT_EQ(paths(net, at(cube, 4, 0), at(cube, 0, 4)), 1U);
}

TEST(WestFirst, OffersNoHopThatLeadsToADeadEnd) {
  const auto net = table(mesh({5, 5}), kWestFirst);
  const auto& cube = *net.cube;
  EXPECT_EQ(offer(net, at(cube, 3, 1), at(cube, 1, 3)), "x_minus.0");  // y_plus is no forbidden turn here
  EXPECT_EQ(offer(net, at(cube, 1, 1), at(cube, 3, 3)), "x_plus.0 y_plus.0");
}

TEST(WestFirst, IsAcyclicAsIsNegativeFirst) {
  for (const auto& rules : {kWestFirst, Texts{"x_plus -> y_minus", "y_plus -> x_minus"}}) {
    const auto net = table(mesh({5, 5}), rules);
    const auto seen = follow(*net.cube, *net.relation);
    EXPECT_TRUE(seen.acyclic);
    EXPECT_TRUE(seen.sound);
    EXPECT_FALSE(seen.fully_adaptive);
    EXPECT_FALSE(net.relation->claims().fully_adaptive);
    EXPECT_EQ(net.relation->claims().deadlock_free, "none");
  }
}

// Of the 16 ways to forbid one turn of each rotation 12 are free of cycles (Glass and Ni 1992, section 3).
// The others forbid a turn and its reverse, which leaves one quadrant without shortest paths.
TEST(TurnModel, IsAcyclicInTwelveOfSixteenWays) {
  const std::vector<std::pair<std::string, std::string>> left{
      {"x_plus", "y_plus"}, {"y_plus", "x_minus"}, {"x_minus", "y_minus"}, {"y_minus", "x_plus"}};
  unsigned acyclic = 0;
  for (const auto& l : left)
    for (const auto& r : left) {
      const Texts rules{l.first + " -> " + l.second, r.second + " -> " + r.first};
      if (l == r) {
        expect_refusal(refusal(mesh({4, 4}), rules), {"36 of all 240 pairs"});
        continue;
      }
      const auto net = table(mesh({4, 4}), rules);
      EXPECT_TRUE(follow(*net.cube, *net.relation).acyclic) << rules[0] << ", " << rules[1];
      ++acyclic;
    }
  EXPECT_EQ(acyclic, 12U);
  const auto one = table(mesh({4, 4}), {"x_plus -> y_plus"});
  EXPECT_FALSE(follow(*one.cube, *one.relation).acyclic);
}

TEST(TurnTable, WithoutRulesIsAllShortestPathsAndHasNoState) {
  const auto net = table(torus(2, 4), {}, 2);
  EXPECT_FALSE(net.relation->has_state());
  EXPECT_EQ(net.relation->header_bits(), 0U);
  EXPECT_TRUE(net.relation->claims().fully_adaptive);
  const auto& cube = *net.cube;
  EXPECT_EQ(offer(net, at(cube, 0, 0), at(cube, 2, 1)),
            "x_plus.0 x_plus.1 x_minus.0 x_minus.1 y_plus.0 y_plus.1");
  EXPECT_FALSE(follow(cube, *net.relation).acyclic);
}

TEST(TurnTable, CarriesTheChannelTakenLast) {
  const auto net = table(mesh({4, 4}), kDuato, 2);
  const auto& r = *net.relation;
  EXPECT_EQ(r.header_bits(), 4U);  // 8 channels, or none yet
  EXPECT_EQ(r.next_state(RouterId{5}, RouterId{9}, 0, {PortId{0}, VcClass{0}}), 1U);
  EXPECT_EQ(r.next_state(RouterId{5}, RouterId{9}, 1, {PortId{3}, VcClass{1}}), 8U);
  EXPECT_EQ(r.fields()[0].values, (Texts{"0", "1"}));
  EXPECT_EQ(r.class_name(link_by(*net.cube, PortId{2}), VcClass{1}), "1");
}

TEST(TurnTable, RestrictsByRouter) {
  const auto net = table(mesh({4, 4}), {"y_* -> x_* at router_1_*"});
  std::set<unsigned> columns;
  every_turn(net, [&](PortId from, const Link& to) {
    if (CubeNetwork::dimension_of(from) == 1 && CubeNetwork::dimension_of(to.out) == 0)
      columns.insert(net.cube->coordinate(to.from, 0));
  });
  EXPECT_EQ(columns, (std::set<unsigned>{0, 2, 3}));
  EXPECT_EQ(offer(net, at(*net.cube, 1, 0), at(*net.cube, 2, 1)), "x_plus.0");
}

TEST(TurnTable, RestrictsByKindOfLink) {
  const auto net = table(torus(2, 5), {"y_* -> x_* on wrap"});
  std::map<bool, unsigned> turns;
  every_turn(net, [&](PortId from, const Link& to) {
    if (CubeNetwork::dimension_of(from) == 1 && CubeNetwork::dimension_of(to.out) == 0)
      ++turns[net.cube->is_wrap(to.from, to.out)];
  });
  EXPECT_EQ(turns[true], 0U);
  EXPECT_GT(turns[false], 0U);
  const auto inner = table(torus(2, 5), {"injection -> x_* on inner", "y_* -> x_* on wrap"}, 1, {},
                           {"injection -> x_plus on inner", "injection -> x_minus on inner"});
  EXPECT_EQ(follow(*inner.cube, *inner.relation).sound, true);
}

TEST(TurnTable, LetsAnExceptionWin) {
  const auto net = table(mesh({4, 4}), {"y_* -> x_*"}, 1, {}, {"y_plus -> x_* at router_*_2"});
  std::set<std::pair<unsigned, std::string>> seen;
  every_turn(net, [&](PortId from, const Link& to) {
    if (CubeNetwork::dimension_of(from) == 1 && CubeNetwork::dimension_of(to.out) == 0)
      seen.emplace(net.cube->coordinate(to.from, 1), net.cube->port_name(from));
  });
  EXPECT_EQ(seen, (std::set<std::pair<unsigned, std::string>>{{2, "y_plus"}}));
}

TEST(TurnTable, IsDimensionOrderWithADatelineIfWrittenSo) {
  for (unsigned k : {5U, 7U}) {
    const auto net = table(torus(2, k), kDateline, 2);
    const auto plain = network("dimension_order", torus(2, k), {{"vc_rule", "wrapped_bit"}});
    EXPECT_TRUE(follow(*net.cube, *net.relation).acyclic);
    EXPECT_TRUE(follow(*net.cube, *net.relation).sound);
    for (const auto& link : net.cube->links())
      for (unsigned c = 0; c < 2; ++c)
        EXPECT_EQ(net.relation->exists(link, VcClass(c)), plain.relation->exists(link, VcClass(c)));
    for (std::uint32_t s = 0; s < net.cube->routers(); ++s)
      for (std::uint32_t d = 0; d < net.cube->routers(); ++d)
        ASSERT_EQ(paths(net, RouterId{s}, RouterId{d}), 1U);
  }
  const auto even = table(torus(2, 6), kDateline, 2);
  EXPECT_TRUE(follow(*even.cube, *even.relation).acyclic);
}

TEST(TurnTable, IsCyclicWithoutAnyOneOfTheRulesThatMakeTheDateline) {
  for (const std::size_t left_out : {0U, 1U, 6U, 7U}) {
    auto rules = kDateline;
    rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto net = table(torus(2, 5), rules, 2);
    EXPECT_FALSE(follow(*net.cube, *net.relation).acyclic) << kDateline[left_out];
  }
}

TEST(Escape, IsSoundUnderFullAdaptivity) {
  const auto net = table(mesh({5, 5}), kDuato, 2, {"*.0"});
  const auto seen = follow(*net.cube, *net.relation);
  EXPECT_TRUE(seen.sound);
  EXPECT_TRUE(seen.fully_adaptive);
  EXPECT_TRUE(seen.escape_always_offered);
  EXPECT_TRUE(seen.escape_acyclic);
  EXPECT_FALSE(seen.acyclic);
  EXPECT_TRUE(net.relation->claims().fully_adaptive);
  EXPECT_EQ(net.relation->claims().deadlock_free, "escape");
  EXPECT_TRUE(net.relation->is_escape(RouterId{0}, RouterId{9}, 0, {PortId{2}, VcClass{0}}));
  EXPECT_FALSE(net.relation->is_escape(RouterId{0}, RouterId{9}, 0, {PortId{2}, VcClass{1}}));
  // Class 0 of y leads nowhere but along y.
  const auto& cube = *net.cube;
  EXPECT_EQ(offer(net, at(cube, 0, 0), at(cube, 2, 2)), "x_plus.0 x_plus.1 y_plus.1");
  EXPECT_EQ(offer(net, at(cube, 2, 0), at(cube, 2, 2)), "y_plus.0 y_plus.1");
}

TEST(Escape, IsCyclicWithoutTheOrderOfItsDimensions) {
  const auto net = table(mesh({5, 5}), {"y_*.0 -> y_*.1"}, 2, {"*.0"});
  EXPECT_FALSE(follow(*net.cube, *net.relation).escape_acyclic);
}

TEST(TurnTable, IsSoundOnEveryShape) {
  unsigned accepted = 0;
  for (const auto& shape : every_shape()) {
    SCOPED_TRACE(shape.text());
    Network net;
    try {
      net = table(shape, {"x_*.1 -> *.0", "injection -> *.1"}, 2);
    } catch (const ConfigError& e) {
      EXPECT_EQ(shape.radix.size(), 1U) << e.what();  // rings so small that no path has two hops
      continue;
    }
    ++accepted;
    const auto seen = follow(*net.cube, *net.relation);
    EXPECT_TRUE(seen.sound);
    EXPECT_EQ(seen.fully_adaptive, net.relation->claims().fully_adaptive);
  }
  EXPECT_GT(accepted, 25U);
}

// --- refusals -----------------------------------------------------------------------------------------

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
      {"y_plus -> x_plus.", "the class '', which is neither a number nor '*'"},
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
  expect_refusal(refusal(mesh({64, 65}), {}), {"topology.radix", "4160 routers", "allows 4096"});
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
