// Tables of turns with detours: every legal path within the budget is on offer and no other, the shortest
// ways first. The paths come from a search that knows the graph and the forbidden turns alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "routing/turn_paths.h"
#include "topology/without.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Texts = std::vector<std::string>;
using Path = std::vector<std::pair<std::size_t, std::size_t>>;  ///< port and class of each hop
constexpr unsigned kNever = 1000;

/// From one channel to another at a router; all by number.
struct Turn {
  std::size_t at, in, from, out, to;
  auto operator<=>(const Turn&) const = default;
};

/// A network, classes and forbidden turns, and the worms that follow from them.
struct World {
  std::shared_ptr<const Topology> topology;
  unsigned classes = 1;
  std::set<Turn> forbidden = {};
  std::vector<std::vector<unsigned>> distance = {};  ///< by source and destination

  World(std::shared_ptr<const Topology> given, unsigned n) : topology(std::move(given)), classes(n) {
    for (std::uint32_t r = 0; r < topology->routers(); ++r)
      distance.push_back(hops_from(*topology, RouterId{r}));
  }

  /// Can any worm make the turn?
  [[nodiscard]] bool possible(const Link& before, const Link& after, unsigned detours) const {
    return before.from != after.to && distance[index(before.from)][index(after.to)] + detours >= 2;
  }
  /// Forbids about one turn in `one_in` of those that worms can make.
  void forbid(unsigned detours, std::uint64_t one_in, Rng& rng) {
    for (const Link& before : topology->links())
      for (const Link& after : topology->links()) {
        if (before.to != after.from || !possible(before, after, detours)) continue;
        for (unsigned a = 0; a < classes; ++a)
          for (unsigned b = 0; b < classes; ++b)
            if (rng.below(one_in) == 0)
              forbidden.insert({index(after.from), index(before.in), a, index(after.out), b});
      }
  }
  [[nodiscard]] Texts rules() const {
    Texts texts;
    for (const Turn& t : forbidden) {
      const RouterId at{static_cast<std::uint32_t>(t.at)};
      texts.push_back(topology->port_name(at, PortId(t.in)) + "." + std::to_string(t.from) + " -> " +
                      topology->port_name(at, PortId(t.out)) + "." + std::to_string(t.to) + " at " +
                      topology->router_name(at));
    }
    return texts;
  }
  [[nodiscard]] std::shared_ptr<const RoutingRelation> relation(unsigned detours) const {
    return relation_on(topology, "turn_table",
                       {{"forbid", rules()}, {"classes", classes}, {"detour", detours}});
  }

  /// Calls `visit(path)` for every legal path of at most so many hops from `here`, where a worm has come by
  /// `before` in class `from`, or by none.
  template <class Visit>
  void each_path(RouterId here, const Link* before, std::size_t from, RouterId to, unsigned hops, Path& path,
                 Visit visit) const {
    if (here == to) return visit(path);
    for (std::size_t p = 0; p < topology->ports(here); ++p) {
      const Link* link = topology->outgoing(here, PortId(p));
      if (link == nullptr || distance[index(link->to)][index(to)] + 1 > hops) continue;
      if (before != nullptr && before->from == link->to) continue;
      for (unsigned c = 0; c < classes; ++c) {
        if (before != nullptr && forbidden.count({index(here), index(before->in), from, p, c}) > 0) continue;
        path.emplace_back(p, c);
        each_path(link->to, link, c, to, hops - 1, path, visit);
        path.pop_back();
      }
    }
  }
  [[nodiscard]] std::set<Path> paths(RouterId from, RouterId to, unsigned detours) const {
    std::set<Path> all;
    Path path;
    each_path(from, nullptr, 0, to, distance[index(from)][index(to)] + detours, path,
              [&](const Path& found) { all.insert(found); });
    return all;
  }
  /// Hops of the shortest legal way on, kNever if there is none of at most `hops`.
  [[nodiscard]] unsigned shortest(const Link& link, std::size_t vc_class, RouterId to, unsigned hops) const {
    unsigned least = kNever;
    Path path;
    each_path(link.to, &link, vc_class, to, hops, path,
              [&](const Path& found) { least = std::min(least, static_cast<unsigned>(found.size())); });
    return least;
  }
};

/// All that a relation offers from one router to another.
class Offers {
 public:
  Offers(const World& world, const RoutingRelation& relation, RouterId to)
      : world_(world), relation_(relation), to_(to) {}

  std::set<Path> from(RouterId source, unsigned detours) {
    EXPECT_EQ(relation_.initial_states(source, to_), 1U);
    walk(source, relation_.initial_state(source, to_, 0),
         world_.distance[index(source)][index(to_)] + detours);
    return std::move(all_);
  }

 private:
  void walk(RouterId here, RouteState state, unsigned hops) {
    EXPECT_EQ(state >> relation_.header_bits(), 0U);
    if (here == to_) {
      EXPECT_TRUE(all_.insert(path_).second) << "a path twice";
      return;
    }
    ASSERT_GT(hops, 0U);
    CandidateList list;
    relation_.candidates(here, to_, state, list);
    EXPECT_FALSE(list.empty()) << "a dead end";
    std::vector<std::tuple<unsigned, std::size_t, std::size_t>> order;
    for (const Candidate c : list) {
      const Link& link = *world_.topology->outgoing(here, c.port);
      EXPECT_TRUE(relation_.exists(link, c.vc_class));
      order.emplace_back(way_on(link, c.vc_class, hops - 1), index(c.port), index(c.vc_class));
      path_.emplace_back(index(c.port), index(c.vc_class));
      walk(link.to, relation_.next_state(here, to_, state, c), hops - 1);
      path_.pop_back();
    }
    EXPECT_TRUE(std::ranges::is_sorted(order)) << "a longer way before a shorter one";
  }
  unsigned way_on(const Link& link, VcClass vc_class, unsigned hops) {
    const auto [known, is_new] = ways_.try_emplace({index(link.id), index(vc_class), hops}, 0);
    if (is_new) known->second = world_.shortest(link, index(vc_class), to_, hops);
    return known->second;
  }

  const World& world_;
  const RoutingRelation& relation_;
  RouterId to_;
  Path path_;
  std::set<Path> all_;
  std::map<std::tuple<std::size_t, std::size_t, unsigned>, unsigned> ways_;
};

/// Holds a table to its rules, or its refusal. True: it was accepted.
bool holds(const World& world, unsigned detours) {
  std::map<std::pair<RouterId, RouterId>, std::set<Path>> expected;
  const auto routers = static_cast<std::uint32_t>(world.topology->routers());
  std::vector<std::pair<RouterId, RouterId>> without_path;
  bool minimal = true;
  for (std::uint32_t s = 0; s < routers; ++s)
    for (std::uint32_t d = 0; d < routers; ++d) {
      if (s == d) continue;
      auto paths = world.paths(RouterId{s}, RouterId{d}, detours);
      if (paths.empty()) without_path.emplace_back(RouterId{s}, RouterId{d});
      minimal = minimal && std::ranges::all_of(
                               paths, [&](const Path& path) { return path.size() == world.distance[s][d]; });
      expected.emplace(std::pair(RouterId{s}, RouterId{d}), std::move(paths));
    }
  std::shared_ptr<const RoutingRelation> relation;
  try {
    relation = world.relation(detours);
  } catch (const ConfigError& error) {
    EXPECT_FALSE(without_path.empty()) << error.what();
    if (without_path.empty()) return false;
    const auto& [source, destination] = without_path.front();
    EXPECT_THAT(
        error.what(),
        AllOf(HasSubstr("routing.forbid"),
              HasSubstr(std::to_string(without_path.size()) + " of all " +
                        std::to_string(routers * (routers - 1)) + " pairs of routers have no " +
                        (detours == 0 ? "shortest path"
                                      : "path of at most distance + " + std::to_string(detours) + " hops") +
                        " without a forbidden turn"),
              HasSubstr("from " + world.topology->router_name(source) + " to " +
                        world.topology->router_name(destination) + ";")));
    const std::string said = error.what();
    const std::string raise = "raise routing.detour to ";
    const auto at = said.find(raise);
    const unsigned needed =
        at == std::string::npos ? detours + 3 : std::stoul(said.substr(at + raise.size()));
    EXPECT_GT(needed, detours);
    if (needed > detours + 2) return false;  // too many paths to try
    EXPECT_TRUE(world.paths(source, destination, needed - 1).empty()) << said;
    EXPECT_FALSE(world.paths(source, destination, needed).empty()) << said;
    return false;
  }
  EXPECT_TRUE(without_path.empty());
  for (const auto& [pair, paths] : expected) {
    SCOPED_TRACE(testing::Message() << index(pair.first) << " to " << index(pair.second));
    EXPECT_EQ(Offers(world, *relation, pair.second).from(pair.first, detours), paths);
    EXPECT_EQ(relation->hops(pair.first, pair.second),
              minimal ? world.distance[index(pair.first)][index(pair.second)] : kHopsVary);
  }
  const Surveyed seen(world.topology, *relation);
  EXPECT_TRUE(seen.facts.always_arrives);
  EXPECT_TRUE(seen.facts.hops_exact);
  EXPECT_EQ(seen.facts.minimal, minimal);
  EXPECT_EQ(relation->claims().minimal, minimal);
  EXPECT_EQ(relation->claims().fully_adaptive, seen.facts.fully_adaptive);
  for (const Link& link : world.topology->links())
    for (unsigned c = 0; c < world.classes; ++c)
      EXPECT_EQ(relation->exists(link, VcClass(c)),
                seen.facts.used[seen.channels.of(link.id, VcClass(c))] != 0);
  return true;
}

std::shared_ptr<const Topology> cube(const Shape& shape) {
  return std::make_shared<const CubeNetwork>(shape.radix, shape.wrap);
}

TEST(TurnDetours, OfferEveryLegalPathAndNoOther) {
  Rng rng(1994);
  const std::vector<std::pair<std::string, std::shared_ptr<const Topology>>> networks{
      {"mesh", cube(mesh({3, 3}))},       {"long mesh", cube(mesh({4, 2}))},
      {"torus", cube(torus({3, 4}))},     {"ring both ways", cube(torus({5}))},
      {"graph", random_graph(6, 4, rng)}, {"other graph", random_graph(8, 4, rng)}};
  std::map<unsigned, unsigned> accepted;
  std::map<unsigned, unsigned> refused;
  for (const auto& [name, network] : networks)
    for (unsigned classes = 1; classes <= 2; ++classes)
      for (unsigned detours = 0; detours <= (classes == 1 ? 3U : 1U); ++detours)
        for (const std::uint64_t one_in : {20U, 6U, 3U}) {
          if (classes == 2 && network->routers() > 9) continue;  // too many paths
          World world(network, classes);
          world.forbid(detours, one_in, rng);
          SCOPED_TRACE(testing::Message() << name << ", " << classes << " classes, detour " << detours << ", "
                                          << world.forbidden.size() << " turns forbidden");
          ++(holds(world, detours) ? accepted : refused)[detours];
        }
  for (unsigned detours = 0; detours <= 3; ++detours) {
    EXPECT_GE(accepted[detours], 4U) << detours;
    EXPECT_GE(refused[detours], 2U) << detours;
  }
}

TEST(TurnDetours, NeverTurnBackByWhateverLink) {
  for (const unsigned detours : {1U, 2U, 3U}) {
    EXPECT_TRUE(holds(World(cube(mesh({7})), 1), detours)) << "no way but the shortest on a line";
    EXPECT_TRUE(holds(World(cube(torus({2, 3})), 1), detours)) << "two links between the same routers";
  }
  const auto line = relation_on(cube(mesh({7})), "turn_table", {{"detour", 3}});
  EXPECT_TRUE(line->claims().minimal);
  EXPECT_EQ(line->hops(RouterId{0}, RouterId{6}), 6U);
}

TEST(TurnDetours, AreCountedInTheHeader) {
  const auto network = cube(mesh({4, 4}));
  const auto bits = [&](unsigned detours) {
    return relation_on(network, "turn_table", {{"classes", 2}, {"detour", detours}})->header_bits();
  };
  EXPECT_EQ(bits(0), 0U);
  EXPECT_EQ(bits(1), 4U + 1);  // 8 channels or none yet, and a detour
  EXPECT_EQ(bits(2), 4U + 2);
  EXPECT_EQ(bits(3), 4U + 2);
  EXPECT_EQ(bits(4), 4U + 3);
  const auto relation = relation_on(network, "turn_table", {{"detour", 2}});
  const Candidate west{CubeNetwork::minus(0), VcClass{0}};
  const Candidate south{CubeNetwork::plus(1), VcClass{0}};
  const auto away = relation->next_state(RouterId{1}, RouterId{3}, 0, west);
  EXPECT_EQ(away, RouteState{2} << 3 | (1 + index(west.port)));
  EXPECT_EQ(relation->next_state(RouterId{0}, RouterId{7}, away, south),
            RouteState{2} << 3 | (1 + index(south.port)));
}

/// West-first on a mesh that has lost a link both ways: a worm to the router behind it has to go round it in
/// the west, and comes back from there.
TEST(TurnDetours, LetATurnModelRouteAroundAMissingLink) {
  const auto whole = cube(mesh({8, 8}));
  const auto broken = std::make_shared<const Topology>(
      take_away(*whole, {{"router_3_3.y_plus", "router_3_4.y_minus"}, {}, 0, 1}));
  const auto with = [&](unsigned detours) {
    return relation_on(broken, "turn_table", {{"forbid", {"y_* -> x_minus"}}, {"detour", detours}});
  };
  for (const unsigned detours : {0U, 1U}) EXPECT_THROW(with(detours), ConfigError);
  for (const unsigned detours : {2U, 3U, 4U}) {
    const auto relation = with(detours);
    const Surveyed seen(broken, *relation);
    EXPECT_TRUE(seen.facts.always_arrives);
    EXPECT_TRUE(seen.facts.direct.acyclic());
    EXPECT_FALSE(seen.facts.minimal);
    EXPECT_FALSE(relation->claims().minimal);
    EXPECT_EQ(relation->hops(RouterId{0}, RouterId{1}), kHopsVary);
  }
}

/// All ways round a ring and no rule: worms wait in a circle, and still arrive where they are not blocked.
TEST(TurnDetours, AreNoWayOutOfADeadlock) {
  const auto ring = cube(torus({5, 5}));
  const auto relation = relation_on(ring, "turn_table", {{"detour", 2}});
  const auto verdict = verify(plan_around(ring, *relation));
  EXPECT_FALSE(verdict.proved());
  EXPECT_FALSE(verdict.facts.direct.acyclic());
  EXPECT_TRUE(verdict.facts.always_arrives);
}

std::string refusal(const std::shared_ptr<const Topology>& network, const Texts& forbid, unsigned detours,
                    unsigned classes = 1, const Texts& allow = {}) {
  try {
    relation_on(network, "turn_table",
                {{"forbid", forbid}, {"allow", allow}, {"classes", classes}, {"detour", detours}});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TurnDetours, BringRulesToLifeThatShortestPathsLeaveDead) {
  // On a ring of three no shortest path is longer than a hop.
  const auto rings = cube(torus({3, 3}));
  EXPECT_THAT(refusal(rings, {"x_plus -> x_plus"}, 0), HasSubstr("worms take shortest paths"));
  EXPECT_EQ(refusal(rings, {"x_plus -> x_plus"}, 1), "accepted");
  const auto grid = cube(mesh({4, 4}));
  for (const unsigned detours : {1U, 2U, 3U}) {
    EXPECT_THAT(refusal(grid, {"x_plus -> x_minus"}, detours),
                AllOf(HasSubstr("routing.forbid[0]"), HasSubstr("'x_plus -> x_minus' can never match"),
                      HasSubstr("worms never turn back, and this topology has no other such turn")));
    EXPECT_THAT(refusal(grid, {"x_plus -> y_plus at router_0_*"}, detours), HasSubstr("can never match"));
    EXPECT_THAT(refusal(grid, {"any -> x_plus at router_3_*"}, detours),
                HasSubstr("no link leaves there in that direction"));
    EXPECT_THAT(refusal(grid, {"y_* -> x_minus"}, detours, 1, {"x_minus -> x_plus"}),
                AllOf(HasSubstr("routing.allow[0]"), HasSubstr("can never match")));
  }
}

TEST(TurnDetours, NameThePairsThatTheyDoNotReach) {
  EXPECT_THAT(
      refusal(cube(mesh({3, 3})), {"x_* -> y_*", "y_* -> x_*"}, 2),
      AllOf(HasSubstr("routing.forbid"),
            HasSubstr("36 of all 72 pairs of routers have no path of at most distance + 2 hops without "
                      "a forbidden turn, the first from router_0_0 to router_1_1"),
            testing::Not(HasSubstr("raise"))));
}

TEST(TurnDetours, AreRefusedWhereTheyNeedTooMuchMemory) {
  const CubeNetwork large(std::vector<unsigned>(12, 2), std::vector<bool>(12, false));
  EXPECT_NO_THROW(TurnPaths::check_size(large, 1, 3));
  EXPECT_NO_THROW(TurnPaths::check_size(CubeNetwork({16, 16}, {true, true}), 4, TurnPaths::kMostDetours));
  try {
    TurnPaths::check_size(large, 4, 1);
    ADD_FAILURE() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("routing.detour"), HasSubstr("up to 1 hops more"),
                                    HasSubstr("allows 256 MB"), HasSubstr("reduce the detour")));
  }
}

}  // namespace
}  // namespace noctule::routing_test
