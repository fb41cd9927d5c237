// What is refused names the key and the remedy; what there is in hardware is not refused.

#include "rtl/hardware_rules.h"
#include "core/json.h"
#include "rtl/dut.h"
#include "rtl/shipped_rules.h"

#include <gmock/gmock.h>

#include <ostream>

#include "rtl/rtl_support.h"

namespace noctule::rtl_test {
namespace {

using testing::HasSubstr;

/// With all routers in hardware.
std::optional<Diagnostic> obstacle_of(const FabricPlan& plan) {
  return hardware_obstacle(plan, every_router(plan));
}
std::optional<Diagnostic> shipped_obstacle_of(const FabricPlan& plan) {
  return shipped_obstacle(plan, every_router(plan));
}

TEST(HardwareRules, AcceptWhatThereIs) {
  for (const auto& setting :
       {star_channels(), four_classes(), linder_harden(), oblivious(), input_queued(), unit()}) {
    const auto obstacle = obstacle_of(plan_of(setting));
    EXPECT_FALSE(obstacle.has_value()) << setting.model << ": " << (obstacle ? obstacle->key : "");
  }
  for (const Json& node :
       {Json{{"release", "tail_left"}}, Json{{"release", "next_buffer_empty"}}, Json{{"lanes", 3}},
        Json{{"connections_per_cycle", 2}}, Json{{"lanes", 4}, {"parallel_links", 2}}}) {
    EXPECT_FALSE(obstacle_of(plan_of(unit(node))).has_value()) << node;
  }
  auto matched = unit({{"vc_allocator", "separable_input_first"}});
  matched.node["selection"] = "random";
  EXPECT_FALSE(obstacle_of(plan_of(matched)).has_value());
  auto deep = input_queued();
  deep.node.update(Json{{"input_depth", 3}, {"injection_vcs", 1}, {"consumption_vcs", 2}, {"lanes", 1}});
  EXPECT_FALSE(obstacle_of(plan_of(deep)).has_value());
}

struct Refusal {
  const char* key;
  Json node;            ///< what is changed in a node that is there
  const char* remedy;   ///< part of the message
  bool queued = false;  ///< the node is input_queued
};
void PrintTo(const Refusal& r, std::ostream* out) {
  *out << r.key << ' ' << r.node;
}

class HardwareRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(HardwareRefuses, WithKeyAndRemedy) {
  auto setting = GetParam().queued ? input_queued() : unit();
  for (const auto& [key, value] : GetParam().node.items()) setting.node[key] = value;
  const auto obstacle = obstacle_of(plan_of(setting));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, GetParam().key);
  EXPECT_THAT(obstacle->message, HasSubstr(GetParam().remedy));
}

const Json kPrefer = Json::array({Json{{"lane", Json::array({"0"})}}});
const Json kPerClass = Json::array({"lane"});

INSTANTIATE_TEST_SUITE_P(
    Keys, HardwareRefuses,
    testing::Values(
        Refusal{"node.selection", {{"selection", "random"}}, "hardware chooses by rule: first or rotating"},
        Refusal{"node.selection", {{"selection", "least_busy"}}, "first or rotating"},
        Refusal{"node.prefer", {{"prefer", kPrefer}}, "leave out"},
        Refusal{"node.scan", {{"scan", "rotating"}}, "round_robin"},
        Refusal{"node.scan", {{"scan", "fixed"}}, "round_robin"},
        Refusal{"node.scan", {{"scan", "first_come"}}, "round_robin"},
        Refusal{"node.scan", {{"scan", "first_come"}, {"transit_first", true}}, "round_robin"},
        Refusal{"node.input_depth", {{"input_depth", 2}}, ": 1; or use output_depth 0"},
        Refusal{"node.output_depth", {{"output_depth", 2}}, "1 or 0"},
        Refusal{"node.consumption_depth", {{"consumption_depth", 2}}, ": 1"},
        Refusal{"node.injection_vcs", {{"injection_vcs", 2}}, ": 1"},
        Refusal{"node.injection_channels", {{"injection_channels", 2}}, ": 1"},
        Refusal{
            "node.injection_channels", {{"injection_channels", "unlimited"}, {"scan", "first_come"}}, ": 1"},
        Refusal{"node.consumption_channels", {{"consumption_channels", 2}}, ": 1"},
        Refusal{"node.injection_delay", {{"injection_delay", 0}}, ": 1"},
        Refusal{"node.injection_refill", {{"injection_refill", "same_cycle"}}, "next_cycle"},
        Refusal{"node.link_sharing", {{"link_sharing", "fixed_slot"}}, "demand"},
        Refusal{"node.lanes", {{"lanes", 3}, {"parallel_links", 2}}, "multiple of parallel_links"},
        Refusal{"node.vc_allocator",
                {{"vc_allocator", "wavefront"}, {"selection", "random"}},
                "scan or separable_input_first"},
        Refusal{"node.arbiter",
                {{"vc_allocator", "separable_input_first"}, {"selection", "random"}, {"arbiter", "matrix"}},
                "round_robin"},
        Refusal{
            "node.allocator_iterations",
            {{"vc_allocator", "separable_input_first"}, {"selection", "random"}, {"allocator_iterations", 2}},
            ": 1"},
        Refusal{"node.routing_delay", {{"routing_delay", 1}}, ": 0"},
        Refusal{"node.vc_allocation_delay", {{"vc_allocation_delay", 1}}, ": 0"},
        Refusal{"node.lookahead", {{"routing_delay", 1}, {"lookahead", true}}, "false"},
        Refusal{"node.early_routing", {{"routing_delay", 1}, {"early_routing", true}}, "false"}));

INSTANTIATE_TEST_SUITE_P(
    KeysOfInputQueued, HardwareRefuses,
    testing::Values(
        Refusal{"node.vc_allocator", {{"vc_allocator", "scan"}}, "separable_input_first", true},
        Refusal{"node.vc_allocator", {{"vc_allocator", "islip"}}, "separable_input_first", true},
        Refusal{"node.switch_allocator",
                {{"switch_allocator", "separable_output_first"}},
                "separable_input_first",
                true},
        Refusal{"node.arbiter", {{"arbiter", "matrix"}}, "round_robin", true},
        Refusal{"node.allocator_iterations", {{"allocator_iterations", 2}}, ": 1", true},
        Refusal{"node.release", {{"release", "next_buffer_empty"}}, "tail_crossed", true},
        Refusal{"node.parallel_links", {{"parallel_links", 2}}, ": 1", true},
        Refusal{"node.crossbar_per", {{"crossbar_per", kPerClass}}, "[]", true},
        Refusal{"node.routing_delay", {{"routing_delay", 1}}, ": 0", true},
        Refusal{"node.vc_allocation_delay", {{"vc_allocation_delay", 0}}, ": 1", true},
        Refusal{"node.switch_allocation_delay", {{"switch_allocation_delay", 1}}, ": 0", true},
        Refusal{"node.traversal_delay", {{"traversal_delay", 2}}, ": 1", true},
        Refusal{"node.speculative", {{"speculative", true}}, "false", true},
        Refusal{"node.lookahead", {{"lookahead", true}}, "false", true},
        Refusal{"node.prefer", {{"prefer", kPrefer}}, "leave out", true},
        Refusal{"node.link_sharing",
                {{"link_sharing", "fixed_slot"}, {"switch_allocator", "none"}, {"consumption_vcs", 1}},
                "demand",
                true},
        Refusal{"node.consumption_channels",
                {{"consumption_channels", "unlimited"}, {"switch_allocator", "none"}, {"consumption_vcs", 1}},
                ": 1",
                true}));

TEST(HardwareRules, NameTheDelaysOfLinks) {
  auto plan = plan_of(unit());
  plan.links = LinkDescription{1, 1, 2};
  ASSERT_TRUE(obstacle_of(plan).has_value());
  EXPECT_EQ(obstacle_of(plan)->key, "link.cycles_per_flit");
  plan.links = LinkDescription{0, 1};
  const auto flit = obstacle_of(plan);
  ASSERT_TRUE(flit.has_value());
  EXPECT_EQ(flit->key, "link.flit_delay");
  plan.links = LinkDescription{1, 0};
  const auto credit = obstacle_of(plan);
  ASSERT_TRUE(credit.has_value());
  EXPECT_EQ(credit->key, "link.credit_delay");
  EXPECT_THAT(credit->message, HasSubstr(": 1"));
  plan.links = LinkDescription{3, 4};  // registers on the wires
  EXPECT_FALSE(obstacle_of(plan).has_value());
}

TEST(HardwareRules, RefuseLinksThatCarryClassesApart) {
  auto setting = star_channels();
  setting.node["parallel_links"] = 2;
  setting.node["link_assignment"] = "by_class";
  const auto obstacle = obstacle_of(plan_of(setting));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "node.link_assignment");
  EXPECT_THAT(obstacle->message, HasSubstr("mixed"));
}

TEST(HardwareRules, RefuseSeveralTerminalsAndMulticasts) {
  auto plan = plan_of(unit());
  plan.injecting[3].push_back({TerminalId{99}});
  auto obstacle = obstacle_of(plan);
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "nodes");
  EXPECT_THAT(obstacle->message, HasSubstr("router_3_0 is RTL and has 2 terminals"));
  for (auto* ends : {&plan.injecting, &plan.consuming})
    for (auto& terminals : *ends) terminals = {{TerminalId{1}}, {TerminalId{2}}};
  obstacle = obstacle_of(plan);
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "topology.terminals_per_router");
  plan = plan_of(unit());
  plan.multicast.emplace();
  obstacle = obstacle_of(plan);
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "multicast.planner");
}

TEST(HardwareRules, KnowMessageClassesButNoServiceOrInterfacesOfTheirOwn) {
  EXPECT_FALSE(obstacle_of(plan_of(two_classes())).has_value());
  auto setting = two_classes();
  setting.classes[1].interface = 1;
  auto obstacle = obstacle_of(plan_of(setting));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_THAT(obstacle->message, HasSubstr("interface: shared"));
  setting = two_classes();
  setting.classes[1].priority = 1;
  setting.classes[1].interface = 1;
  obstacle = obstacle_of(plan_of(setting));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "message_classes");
}

// --- what is shipped ---

TEST(ShippedRouters, AreToldTheLanesOfMessageClasses) {
  const auto plan = plan_of(two_classes());
  EXPECT_FALSE(shipped_obstacle_of(plan).has_value());
  auto parameters = hardware_parameters(PinMap(plan, RouterId{5}));
  EXPECT_EQ(parameters["ClassW"], 1);
  EXPECT_EQ(parameters["ClassVcs"], 0b1100'0011);
  auto three = two_classes();
  three.classes.push_back({"other"});
  parameters = hardware_parameters(PinMap(plan_of(three), RouterId{5}));
  EXPECT_EQ(parameters["ClassW"], 2);
  EXPECT_EQ(parameters["ClassVcs"], 0b1111'1111'1100'0011) << "of a number without a class all";
  EXPECT_EQ(hardware_parameters(PinMap(plan_of(input_queued()), RouterId{5})).count("ClassW"), 0U);
}

Setting drawn(Setting setting) {
  setting.routing_keys["tie"] = "drawn";
  return setting;
}

TEST(ShippedRouters, AreAccepted) {
  for (unsigned k : {3U, 4U, 5U}) {
    for (const auto& setting : {star_channels(k), drawn(four_classes(k)), linder_harden(k), oblivious(k)}) {
      auto given = setting;
      if (given.model == "oblivious")
        given.node.update(Json{{"vc_allocator", "separable_input_first"}, {"selection", "random"}});
      const auto obstacle = shipped_obstacle_of(plan_of(given));
      EXPECT_FALSE(obstacle.has_value()) << given.model << ": " << (obstacle ? obstacle->key : "");
    }
  }
  for (const char* model : {"four_classes", "linder_harden"}) {
    Setting positive{model, Json::object(), {4, 4}, true, {}, {{"zero_offset", "positive"}}};
    if (positive.model == "four_classes") positive.routing_keys["tie"] = "drawn";
    EXPECT_FALSE(shipped_obstacle_of(plan_of(positive)).has_value()) << "what terminals draw is their affair";
  }
  auto other = input_queued();
  other.node.update(Json{{"input_depth", 3}, {"lanes", 2}, {"injection_vcs", 2}, {"consumption_vcs", 2}});
  other.radix = {5, 3};
  EXPECT_FALSE(shipped_obstacle_of(plan_of(other)).has_value());
  EXPECT_FALSE(shipped_obstacle_of(plan_of(unit())).has_value())
      << "of a model without RTL there are no rules";
}

struct OtherThanShipped {
  const char* name;
  Setting setting;
  const char* key;
  const char* remedy;
};
void PrintTo(const OtherThanShipped& other, std::ostream* out) {
  *out << other.name;
}

class ShippedRouterIsNot : public testing::TestWithParam<OtherThanShipped> {};

TEST_P(ShippedRouterIsNot, AndSaysSo) {
  const auto obstacle = shipped_obstacle_of(plan_of(GetParam().setting));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, GetParam().key);
  EXPECT_THAT(obstacle->message, HasSubstr(GetParam().remedy));
}

Setting with(Setting setting, const Json& node, const char* routing = "", Json keys = Json::object()) {
  setting.node.update(node);
  setting.routing = routing;
  setting.routing_keys = std::move(keys);
  return setting;
}
Setting with_classes(Setting setting, std::vector<MessageClass> classes) {
  setting.classes = std::move(classes);
  return setting;
}
Setting on(Setting setting, std::vector<unsigned> radix, bool wrap) {
  setting.radix = std::move(radix);
  setting.wrap = wrap;
  return setting;
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics, ShippedRouterIsNot,
    testing::Values(
        OtherThanShipped{"ThreeDimensional", on(input_queued(), {3, 3, 3}, false), "topology.kind", "two"},
        OtherThanShipped{"OneDimensional", on(input_queued(), {8}, false), "topology.kind", "two"},
        OtherThanShipped{"AQueuedTorus", on(input_queued(), {4, 4}, true), "topology.kind", "mesh"},
        OtherThanShipped{"NorthLast", with(input_queued(), Json::object(), "north_last"), "routing.algorithm",
                         "dimension_order"},
        OtherThanShipped{"OfHopClasses", with(input_queued(), Json::object(), "negative_hop"),
                         "routing.algorithm", "dimension_order"},
        OtherThanShipped{"OfAnotherStarClass",
                         with(star_channels(), Json::object(), "", {{"star_class", "wrap_ahead"}}),
                         "routing.algorithm", "star_channels"},
        OtherThanShipped{"OfNonstarOnTop",
                         with(star_channels(), Json::object(), "", {{"nonstar_on_top", true}}),
                         "routing.algorithm", "star_channels"},
        OtherThanShipped{"StarsInDimensionOrder", with(star_channels(), Json::object(), "dimension_order"),
                         "routing.algorithm", "star_channels"},
        OtherThanShipped{"OneCrossbarOfFourClasses",
                         with(four_classes(), {{"crossbar_per", Json::array()}}, "", {{"tie", "drawn"}}),
                         "node.crossbar_per", "leave"},
        OtherThanShipped{"StarsByLane", with(star_channels(), {{"crossbar_per", Json::array({"lane"})}}),
                         "node.crossbar_per", "leave"},
        OtherThanShipped{"AnAdaptiveTie", four_classes(), "routing.tie", "drawn"},
        OtherThanShipped{"StarsOfClassesApart",
                         with_classes(star_channels(), {{"a", {{"lane", {"0"}}}}, {"b", {{"lane", {"1"}}}}}),
                         "message_classes", "leave out vcs"},
        OtherThanShipped{
            "ClassesByDirection",
            with_classes(input_queued(), {{"a"}, {"b", {{"lane", {"1"}}, {"direction", {"x_plus"}}}}}),
            "message_classes", "by lane only"},
        OtherThanShipped{
            "ManyClasses",
            with_classes(input_queued(), {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}}),
            "message_classes", "31 bits"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace noctule::rtl_test
