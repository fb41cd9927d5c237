// Is a table of turns what it says: the allowed turns and no others, no dead ends?

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/turn_table_support.h"
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

const Texts kDateline{"y_* -> x_*",
                      "any -> *.0 on wrap",
                      "injection -> *.1 on inner",
                      "x_* -> y_*.1 on inner",
                      "x_*.0 -> x_*.1 on inner",
                      "y_*.0 -> y_*.1 on inner",
                      "x_*.1 -> x_*.0",
                      "y_*.1 -> y_*.0"};
const Texts kDuato{"y_*.0 -> x_*", "y_*.0 -> y_*.1"};

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

}  // namespace
}  // namespace noctule::routing_test
