// Does a prescribed header go where it was told, and does everybody else see the relation underneath?

#include "routing/prescribed_routes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"
#include "routing/initial_states.h"
#include "routing_support.h"

namespace noctule::routing_test {
namespace {

using Route = PrescribedRoutes::Route;

std::vector<Candidate> offers(const RoutingRelation& relation, RouterId here, RouterId to, RouteState state) {
  CandidateList list;
  relation.candidates(here, to, state, list);
  return {list.begin(), list.end()};
}

std::vector<RouteState> starts(const RoutingRelation& relation, RouterId from, RouterId to) {
  std::vector<RouteState> states;
  for (const RouteState state : initial_states_of(relation, from, to)) states.push_back(state);
  return states;
}

/// At most `most` hops of a worm that chooses at random, the lane too.
Route random_route(const Topology& topology, const RoutingRelation& relation, std::size_t most, Rng& rng) {
  Route route;
  route.source = RouterId{static_cast<std::uint32_t>(rng.below(topology.routers()))};
  do {
    route.destination = RouterId{static_cast<std::uint32_t>(rng.below(topology.routers()))};
  } while (route.destination == route.source);
  const auto states = starts(relation, route.source, route.destination);
  RouteState state = states[rng.below(states.size())];
  RouterId here = route.source;
  while (here != route.destination && route.hops.size() < most) {
    const auto list = offers(relation, here, route.destination, state);
    Candidate hop = list[rng.below(list.size())];
    state = relation.next_state(here, route.destination, state, hop);
    here = topology.outgoing(here, hop.port)->to;
    hop.lane = rng.below(2) == 0 ? kAnyLane : static_cast<std::uint16_t>(rng.below(4));
    route.hops.push_back(hop);
  }
  return route;
}

/// States of the relation along a route from `state`; short if it does not offer a hop.
std::vector<RouteState> states_along(const Network& net, const Route& route, RouteState state) {
  std::vector<RouteState> states{state};
  RouterId here = route.source;
  for (const Candidate& hop : route.hops) {
    const Candidate known{hop.port, hop.vc_class};
    const auto list = offers(*net.relation, here, route.destination, states.back());
    if (std::find(list.begin(), list.end(), known) == list.end()) break;
    states.push_back(net.relation->next_state(here, route.destination, states.back(), known));
    here = net.cube->outgoing(here, hop.port)->to;
  }
  return states;
}

/// Follows route `r` of the decorator.
void expect_followed(const Network& net, const PrescribedRoutes& prescribed, std::size_t r,
                     const Route& route) {
  std::vector<RouteState> expected;
  for (const RouteState state : starts(*net.relation, route.source, route.destination)) {
    expected = states_along(net, route, state);
    if (expected.size() == route.hops.size() + 1) break;
  }
  ASSERT_EQ(expected.size(), route.hops.size() + 1);
  RouteState state = prescribed.start(r, route.source, route.destination);
  EXPECT_EQ(state, PrescribedRoutes::prescribed_state(r));
  RouterId here = route.source;
  for (std::size_t n = 0; n < route.hops.size(); ++n) {
    ASSERT_TRUE(PrescribedRoutes::is_prescribed(state));
    EXPECT_EQ(prescribed.unprescribed(state), expected[n]);
    EXPECT_EQ(offers(prescribed, here, route.destination, state), std::vector<Candidate>{route.hops[n]});
    const Candidate taken{route.hops[n].port, route.hops[n].vc_class};
    EXPECT_EQ(prescribed.is_escape(here, route.destination, state, taken),
              net.relation->is_escape(here, route.destination, expected[n], taken));
    state = prescribed.next_state(here, route.destination, state, taken);
    here = net.cube->outgoing(here, taken.port)->to;
  }
  EXPECT_EQ(state, expected.back()) << "behind its last hop the worm is free, as if it had come by itself";
  EXPECT_EQ(prescribed.unprescribed(state), state);
}

TEST(APrescribedHeader, TakesItsHopsAndIsFreeBehindThem) {
  for (const auto& variant : every_variant())
    for (const auto& shape : {torus({5, 5}), torus({4, 6}), mesh({4, 3})}) {
      Network net;
      try {
        net = network(variant.algorithm, shape, variant.set);
      } catch (const ConfigError&) {
        continue;  // not defined on this shape
      }
      SCOPED_TRACE(variant.algorithm + variant.set.dump() + shape.text());
      Rng rng(7);
      std::vector<Route> routes;
      for (std::size_t r = 0; r < 60; ++r)
        routes.push_back(random_route(*net.cube, *net.relation, r % 2 == 0 ? 100 : 1 + rng.below(4), rng));
      const std::shared_ptr<const RoutingRelation> base = std::move(net.relation);
      const PrescribedRoutes prescribed(net.cube, base, routes);
      const Network again = network(variant.algorithm, shape, variant.set);
      EXPECT_EQ(prescribed.routes(), routes.size());
      for (std::size_t r = 0; r < routes.size(); ++r) expect_followed(again, prescribed, r, routes[r]);
    }
}

TEST(WhoIsNotPrescribed, SeesTheRelationUnderneath) {
  for (const char* algorithm : {"star_channels", "four_classes", "dimension_order"}) {
    auto net = network(algorithm, torus({4, 5}));
    const std::shared_ptr<const RoutingRelation> base = std::move(net.relation);
    Rng rng(3);
    const PrescribedRoutes prescribed(net.cube, base, {random_route(*net.cube, *base, 9, rng)});
    EXPECT_EQ(&prescribed.base(), base.get());
    EXPECT_TRUE(prescribed.has_state());
    EXPECT_EQ(prescribed.header_bits(), base->header_bits());
    EXPECT_EQ(prescribed.claims().deadlock_free, base->claims().deadlock_free);
    EXPECT_EQ(prescribed.claims().fully_adaptive, base->claims().fully_adaptive);
    EXPECT_EQ(prescribed.fields().data(), base->fields().data());
    for (const Link& link : net.cube->links()) {
      ASSERT_EQ(prescribed.classes(link), base->classes(link));
      for (unsigned c = 0; c < base->classes(link); ++c) {
        EXPECT_EQ(prescribed.exists(link, VcClass(c)), base->exists(link, VcClass(c)));
        EXPECT_EQ(prescribed.class_name(link, VcClass(c)), base->class_name(link, VcClass(c)));
        EXPECT_EQ(prescribed.output_label(link, VcClass(c)), base->output_label(link, VcClass(c)));
        EXPECT_EQ(prescribed.input_label(link, VcClass(c)), base->input_label(link, VcClass(c)));
      }
    }
    for (std::uint32_t from = 0; from < 20; ++from)
      for (std::uint32_t to = 0; to < 20; ++to) {
        if (from == to) continue;
        const RouterId a{from};
        const RouterId b{to};
        EXPECT_EQ(prescribed.hops(a, b), base->hops(a, b));
        ASSERT_EQ(starts(prescribed, a, b), starts(*base, a, b));
        for (const RouteState state : starts(*base, a, b)) {
          ASSERT_EQ(offers(prescribed, a, b, state), offers(*base, a, b, state));
          for (const Candidate& c : offers(*base, a, b, state)) {
            EXPECT_EQ(prescribed.next_state(a, b, state, c), base->next_state(a, b, state, c));
            EXPECT_EQ(prescribed.is_escape(a, b, state, c), base->is_escape(a, b, state, c));
          }
        }
      }
  }
}

// --- bad input ---

class BadRoutes : public testing::Test {
 protected:
  /// On a 5x5 torus, dimension order with dateline classes: from (0,0) to (2,1) by x, x, y.
  std::shared_ptr<const CubeNetwork> cube_ =
      std::make_shared<CubeNetwork>(std::vector<unsigned>{5, 5}, std::vector<bool>{true, true});
  std::shared_ptr<const RoutingRelation> base_ = network("dimension_order", torus({5, 5})).relation;
  Candidate x_ = offers(*base_, RouterId{0}, RouterId{7}, starts(*base_, RouterId{0}, RouterId{7})[0])[0];
  Candidate y_ = offers(*base_, RouterId{2}, RouterId{7}, 0)[0];

  std::vector<Diagnostic> faults(const std::vector<Route>& routes) const {
    try {
      const PrescribedRoutes prescribed(cube_, base_, routes);
    } catch (const ConfigError& error) {
      return error.diagnostics();
    }
    return {};
  }
};

TEST_F(BadRoutes, AreNamedAllAtOnceWithWhatIsOffered) {
  const RouterId from{0};
  const RouterId to{7};
  const Candidate nowhere{PortId{99}, VcClass{3}};
  const std::vector<Route> routes{{from, to, {x_, x_, y_}, "t:1"},
                                  {from, to, {y_}, "t:2"},
                                  {from, to, {x_, y_}, "t:3"},
                                  {from, to, {x_, x_, y_, y_}, "t:4"},
                                  {from, from, {x_}, "t:5"},
                                  {from, to, {}, "t:6"},
                                  {from, RouterId{25}, {x_}, "t:7"},
                                  {from, to, {x_, nowhere}, "t:8"},
                                  {from, to, {{x_.port, x_.vc_class, 3}, {y_.port, y_.vc_class, 2}}, "t:9"}};
  const std::string x = "x_plus." + base_->class_name(link_by(*cube_, x_.port), x_.vc_class);
  const std::string y = "y_plus." + base_->class_name(link_by(*cube_, y_.port), y_.vc_class);
  const std::string ends = "the route from router_0_0 to router_2_1";
  const std::vector<std::pair<std::string, std::string>> expected{
      {"t:2", "hop 1 of " + ends + " is '" + y + "'; at router_0_0 the routing relation offers: " + x},
      {"t:3", "hop 2 of " + ends + " is '" + y + "'; at router_1_0 the routing relation offers: " + x},
      {"t:4", ends + " has 4 hops, but is at router_2_1 after 3; leave out the others"},
      {"t:5", "the route from router_0_0 to router_0_0 has no hop to prescribe; leave the hops out"},
      {"t:6", ends + " prescribes no hop; at least one is needed"},
      {"t:7", "a route from router 0 to router 25; routers are 0 to 24"},
      {"t:8",
       "hop 2 of " + ends + " is 'class 3 of port 99'; at router_1_0 the routing relation offers: " + x},
      {"t:9", "hop 2 of " + ends + " is '" + y + ".2'; at router_1_0 the routing relation offers: " + x}};
  const auto found = faults(routes);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    EXPECT_EQ(found[n].key, "traffic.source");
    EXPECT_EQ(found[n].place, expected[n].first);
    EXPECT_EQ(found[n].message, expected[n].second);
  }
  EXPECT_TRUE(faults({{from, to, {x_, x_, y_}, ""}}).empty());
}

TEST_F(BadRoutes, AHeaderThatIsNotOnItsRouteIsABrokenInvariant) {
  const PrescribedRoutes prescribed(cube_, base_, {{RouterId{0}, RouterId{7}, {x_, x_}, ""}});
  CandidateList list;
  const RouteState first = PrescribedRoutes::prescribed_state(0);
  EXPECT_THROW(prescribed.candidates(RouterId{1}, RouterId{7}, first, list), InternalError);
  EXPECT_NO_THROW(prescribed.candidates(RouterId{1}, RouterId{7}, first + 1, list));
  EXPECT_THROW(prescribed.candidates(RouterId{2}, RouterId{7}, first + 2, list), InternalError);
  EXPECT_THROW((void)prescribed.unprescribed(PrescribedRoutes::prescribed_state(1)), InternalError);
  EXPECT_THROW((void)prescribed.start(1, RouterId{0}, RouterId{7}), InternalError);
  EXPECT_THROW((void)prescribed.start(0, RouterId{0}, RouterId{8}), InternalError);
  EXPECT_THROW((void)prescribed.start(0, RouterId{1}, RouterId{7}), InternalError);
}

/// Test only: one direction of a ring; its states use bit 63 from the start, or from the first hop on.
class HighBit final : public RoutingRelation {
 public:
  explicit HighBit(bool from_start) : from_start_(from_start) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  [[nodiscard]] RouteState initial_state(RouterId, RouterId, std::uint64_t) const override {
    return from_start_ ? RouteState{1} << 63 : 0;
  }
  void candidates(RouterId, RouterId, RouteState, CandidateList& list) const override {
    list.add(CubeNetwork::plus(0), VcClass{0});
  }
  [[nodiscard]] RouteState next_state(RouterId, RouterId, RouteState, Candidate) const override {
    return RouteState{1} << 63;
  }
  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return 0; }

 private:
  bool from_start_;
};

TEST(ARelationThatUsesTheBitOfPrescribedRoutes, IsRefused) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{5}, std::vector<bool>{true});
  const Route route{RouterId{0}, RouterId{2}, {{CubeNetwork::plus(0), VcClass{0}}}, ""};
  for (const bool from_start : {true, false}) {
    const auto base = std::make_shared<HighBit>(from_start);
    EXPECT_THROW(PrescribedRoutes(cube, base, {route}), ConfigError);
    const PrescribedRoutes none(cube, base, {});
    if (from_start) {
      EXPECT_THROW((void)none.initial_state(RouterId{0}, RouterId{2}, 0), ConfigError);
    }
    EXPECT_THROW((void)none.next_state(RouterId{0}, RouterId{2}, 0, route.hops[0]), ConfigError);
  }
}

}  // namespace
}  // namespace noctule::routing_test
