// Are the names of hops understood, and is what cannot be taken refused?

#include "nodes/named_routes.h"
#include "core/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "routing/initial_states.h"
#include "support/cube_network.h"
#include "support/nodes.h"

namespace noctule {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

FabricPlan plan_of(const std::string& algorithm, const std::string& model, const Json& set) {
  auto topology =
      std::make_shared<const CubeNetwork>(std::vector<unsigned>{5, 5}, std::vector<bool>{true, true});
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  return plan_fabric(
      {topology, entry.make(topology, Parameters::defaults(entry.parameters)), node_of(model, set)});
}

std::vector<std::string> faults(const FabricPlan& plan, const std::vector<NamedRoute>& routes) {
  std::vector<std::string> found;
  try {
    (void)prescribe(plan, routes);
  } catch (const ConfigError& error) {
    for (const auto& d : error.diagnostics()) found.push_back(d.place + ": " + d.key + ": " + d.message);
  }
  return found;
}

/// Every output of every router is found by its name, with and without the lane, wherever the relation lets
/// a worm begin with it.
void expect_every_name(const FabricPlan& plan) {
  std::size_t found = 0;
  CandidateList list;
  for (std::uint32_t to = 1; to < 25; ++to) {
    const RouterId from{0};
    list.clear();
    for (const RouteState state : initial_states_of(*plan.relation, from, RouterId{to}))
      plan.relation->candidates(from, RouterId{to}, state, list);
    const RouterPlan& router = *plan.routers[0];
    for (const Candidate& c : list)
      for (const auto o : router.outputs_of[index(c.port) * router.classes + index(c.vc_class)]) {
        const VcPlan& out = router.outputs[o];
        const auto short_name = CubeGeometry::direction_name(c.port) + "." +
                                plan.relation->class_name(link_by(*plan.topology, c.port), c.vc_class);
        const auto routes =
            prescribe(plan, {{from, RouterId{to}, {out.name}, ""}, {from, RouterId{to}, {short_name}, ""}});
        const std::uint16_t lane = plan.common_node().lanes > 1 ? out.lane : kAnyLane;
        EXPECT_EQ(routes->steps(0)[0].hop, (Candidate{c.port, c.vc_class, lane})) << out.name;
        EXPECT_EQ(routes->steps(1)[0].hop, (Candidate{c.port, c.vc_class})) << short_name;
        ++found;
      }
  }
  EXPECT_GT(found, 20U);
}

TEST(NamesOfHops, AreThoseOfTheOutputsWithOrWithoutLane) {
  for (const unsigned lanes : {1U, 3U}) {
    expect_every_name(plan_of("four_classes", "generic", {{"lanes", lanes}}));  // "X+Y-.1" has a dot
    expect_every_name(plan_of("linder_harden", "generic", {{"lanes", lanes}}));
    expect_every_name(plan_of("star_channels", "generic", {{"lanes", lanes}}));
    expect_every_name(plan_of("dimension_order", "generic", {{"lanes", lanes}}));
  }
  expect_every_name(plan_of("four_classes", "four_classes", Json::object()));
}

TEST(NamesOfHops, ThatDoNotExistAreAnsweredWithThoseThatDo) {
  const auto plan = plan_of("star_channels", "generic", {{"lanes", 2}});
  const RouterId from{0};
  const RouterId to{2};
  const auto found = faults(plan, {{from, to, {"x_plus.star0.2"}, "t:1"},
                                   {from, to, {"x_plus.star0.1", "x_plus.star9"}, "t:2"},
                                   {from, to, {"x_plus.star0.1", "x_plus.star0"}, "t:3"},
                                   {from, to, {"consumption"}, "t:4"},
                                   {from, to, {"x_plus.star0", "x_plus.star0", "nonsense"}, "t:5"},
                                   {from, from, {"nonsense"}, "t:6"},
                                   {from, to, {"y_plus.star0.0"}, "t:7"}});
  ASSERT_EQ(found.size(), 6U);
  const std::string has = "it has x_plus.star0";
  EXPECT_THAT(found[0],
              AllOf(HasSubstr("t:1: traffic.source: hop 1 of the route from router_0_0 to router_2_0 is "
                              "'x_plus.star0.2'; router_0_0 has no such output: " +
                              has),
                    HasSubstr("; the lane may follow each, .0 to .1")));
  EXPECT_THAT(found[1], AllOf(HasSubstr("t:2: traffic.source: hop 2 of"), HasSubstr("router_1_0 has no")));
  EXPECT_THAT(found[2], AllOf(HasSubstr("t:4"), HasSubstr("'consumption'")));
  // Names first, then what the relation says of the others.
  EXPECT_THAT(found[3], AllOf(HasSubstr("t:5"), HasSubstr("has 3 hops, but is at router_2_0 after 2")));
  EXPECT_THAT(found[4], AllOf(HasSubstr("t:6"), HasSubstr("no hop to prescribe")));
  EXPECT_THAT(found[5], AllOf(HasSubstr("t:7"), HasSubstr("at router_0_0 the routing relation offers: ")));
  // Without lanes nothing is said of them, and a name with one does not exist.
  const auto plain =
      faults(plan_of("star_channels", "generic", Json::object()), {{from, to, {"x_plus.star0.0"}, "t:1"}});
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_THAT(plain[0], Not(HasSubstr("lane")));
}

TEST(HopsInOtherCrossbars, AreRefused) {
  // One crossbar per lane: who arrives in lane 0 cannot leave in lane 1.
  const auto plan = plan_of("dimension_order", "generic", {{"lanes", 2}, {"crossbar_per", Json{"lane"}}});
  const RouterId from{0};
  const RouterId to{2};
  // Which class a worm takes that does not wrap depends on the rule: ask the relation.
  CandidateList list;
  plan.relation->candidates(from, to, 0, list);
  const auto hop =
      "x_plus." + plan.relation->class_name(link_by(*plan.topology, list[0].port), list[0].vc_class);
  EXPECT_THAT(faults(plan, {{from, to, {hop + ".0", hop + ".0"}, ""},
                            {from, to, {hop + ".1", hop + ".1"}, ""},
                            {from, to, {hop, hop}, ""},
                            {from, to, {hop + ".1", hop}, ""}}),
              ElementsAre());
  const auto found = faults(plan, {{from, to, {hop + ".0", hop + ".1"}, "t:1"},
                                   {from, to, {hop + ".0", hop + ".0"}, "t:2"},
                                   {from, to, {hop, hop + ".1"}, "t:3"}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], AllOf(HasSubstr("t:1: traffic.source: hop 2 of the route"), HasSubstr(hop + ".1'"),
                              HasSubstr("crossbar of input " + hop + ".0")));
  EXPECT_THAT(found[1], HasSubstr("t:3"));
}

}  // namespace
}  // namespace noctule
