// Routers in hardware beside others: only they, and the links at them, are asked; what cannot be served is
// named.

#include "rtl/hardware_rules.h"

#include <gmock/gmock.h>

#include <functional>
#include <ostream>

#include "core/json.h"
#include "rtl/rtl_support.h"
#include "rtl/shipped_rules.h"

namespace noctule::rtl_test {
namespace {

using testing::HasSubstr;

constexpr RouterId kHardware{5};   // router_1_1 of a 4x4 mesh
constexpr RouterId kNeighbour{6};  // router_2_1
constexpr RouterId kFar{15};       // router_3_3

/// What is unlike in a mesh of input-queued routers that hardware has.
struct Unlike {
  const char* name;
  RouterId router = kFar;
  Json node = Json::object();  ///< of that router: keys that are changed
  std::function<void(const Link&, LinkDescription&)> link = nullptr;
  std::string key = {};  ///< of the refusal; empty: there is none
  std::vector<std::string> says = {};
};
void PrintTo(const Unlike& unlike, std::ostream* out) {
  *out << unlike.name;
}

FabricPlan plan_of(const Unlike& unlike) {
  const auto alike = rtl_test::plan_of(input_queued());
  const std::size_t n = alike.topology->routers();
  NodeDescriptions nodes = alike.nodes;
  Json keys = input_queued().node;
  const auto model = unlike.node.value("model", std::string("input_queued"));
  if (unlike.node.contains("model")) keys.clear();
  keys.update(unlike.node);
  keys.erase("model");
  nodes.set(unlike.router, node_of(model, keys), n, "nodes");
  nodes.settle();
  LinkDescriptions links;
  for (const Link& link : alike.topology->links()) {
    LinkDescription described;
    if (unlike.link) unlike.link(link, described);
    links.set(link.id, described, alike.topology->links().size(), "links");
  }
  links.settle();
  return plan_fabric({alike.topology, alike.relation, nodes, links});
}

bool is(const Link& link, RouterId from, RouterId to) {
  return link.from == from && link.to == to;
}

class HardwareBeside : public testing::TestWithParam<Unlike> {};

TEST_P(HardwareBeside, IsServedOrSaysWhyNot) {
  const Unlike& unlike = GetParam();
  const FabricPlan plan = plan_of(unlike);
  ASSERT_FALSE(plan.nodes.alike() && plan.links.alike());
  auto obstacle = hardware_obstacle(plan, {{kHardware}});
  if (!obstacle) obstacle = shipped_obstacle(plan, {{kHardware}});
  if (unlike.key.empty()) {
    EXPECT_FALSE(obstacle.has_value()) << obstacle->key << ": " << obstacle->message;
    return;
  }
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, unlike.key);
  for (const std::string& part : unlike.says) EXPECT_THAT(obstacle->message, HasSubstr(part));
}

const auto kToHardware = [](auto&& set) {
  return [set](const Link& link, LinkDescription& d) {
    if (is(link, kNeighbour, kHardware)) set(d);
  };
};
const auto kFromHardware = [](auto&& set) {
  return [set](const Link& link, LinkDescription& d) {
    if (is(link, kHardware, kNeighbour)) set(d);
  };
};
const auto kFarLinks = [](auto&& set) {
  return [set](const Link& link, LinkDescription& d) {
    if (link.from == kFar || link.to == kFar) set(d);
  };
};

const Json kAsTheOthers = Json::object();

INSTANTIATE_TEST_SUITE_P(
    Served, HardwareBeside,
    testing::Values(
        Unlike{"OtherDepthFarAway", kFar, {{"input_depth", 3}}},
        Unlike{"OtherLanesFarAway", kFar, {{"lanes", 2}}},
        Unlike{"AnotherModelFarAway", kFar, {{"model", "generic"}, {"input_depth", 4}, {"output_depth", 3}}},
        Unlike{"ALongerPipelineBeside", kNeighbour, {{"routing_delay", 2}, {"traversal_delay", 3}}},
        Unlike{"OtherAllocatorsBeside",
               kNeighbour,
               {{"vc_allocator", "islip"}, {"switch_allocator", "wavefront"}}},
        Unlike{"OutputBuffersBeside",
               kNeighbour,
               {{"model", "generic"}, {"lanes", 4}, {"input_depth", 8}, {"output_depth", 2}}},
        Unlike{"StoringBeside", kNeighbour, {{"forwarding", "store_and_forward"}}},
        Unlike{"TwoTerminalChannelsBeside", kNeighbour, {{"injection_channels", 2}}},
        Unlike{"SlowAndImmediateFarAway", kFar, kAsTheOthers, kFarLinks([](auto& d) {
                 d = {3, 2, 4, {2, 1, {}}};
               })},
        Unlike{"RegistersOnItsWires", kFar, {{"lanes", 2}}, kFromHardware([](auto& d) {
                 d = {3, 2, 1};
               })},
        Unlike{"ASerialiserTowardsIt", kFar, {{"lanes", 2}}, kToHardware([](auto& d) {
                 d.cycles_per_flit = 3;
               })},
        Unlike{"OtherLanesBesideButNotBetween", kNeighbour, {{"lanes", 2}}, kToHardware([](auto& d) {
                 d.shape.lanes = 4;
               })}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Refused, HardwareBeside,
    testing::Values(
        Unlike{"ItsOwnNode",
               kHardware,
               {{"routing_delay", 1}},
               {},
               "nodes",
               {"router_1_1, which is RTL, node.routing_delay", ": 0"}},
        Unlike{"OtherLanesBetween",
               kNeighbour,
               {{"lanes", 2}},
               {},
               "links",
               {"router_2_1.x_minus at router_1_1, which is RTL, has lanes 2", "node, 4",
                "set lanes of the link"}},
        Unlike{"LanesOfALink",
               kFar,
               kAsTheOthers,
               kFromHardware([](auto& d) { d.shape.lanes = 2; }),
               "links",
               {"router_1_1.x_plus at router_1_1, which is RTL, has lanes 2"}},
        Unlike{"ParallelLinks",
               kFar,
               kAsTheOthers,
               kToHardware([](auto& d) { d.shape.parallel_links = 2; }),
               "links",
               {"router_2_1.x_minus at router_1_1", "parallel_links 2", "node, 1"}},
        Unlike{"SlotsBetween",
               kNeighbour,
               {{"link_sharing", "fixed_slot"}, {"switch_allocator", "none"}, {"consumption_vcs", 1}},
               {},
               "links",
               {"router_2_1.x_minus at router_1_1", "sharing fixed_slot", "demand"}},
        Unlike{"ASerialiserBehindIt",
               kFar,
               kAsTheOthers,
               kFromHardware([](auto& d) { d.cycles_per_flit = 2; }),
               "links",
               {"router_1_1.x_plus at router_1_1, which is RTL, link.cycles_per_flit", ": 1"}},
        Unlike{"AnImmediateCredit",
               kFar,
               kAsTheOthers,
               kToHardware([](auto& d) { d.credit_delay = 0; }),
               "links",
               {"router_2_1.x_minus at router_1_1, which is RTL, link.credit_delay", "1"}},
        Unlike{"OtherDepthBehindShippedRtl",
               kNeighbour,
               {{"input_depth", 3}},
               {},
               "nodes",
               {"router_2_1 has node.input_depth 3", "router_1_1, which is shipped RTL", "8"}}),
    [](const auto& info) { return info.param.name; });

TEST(HardwareBesideOthers, NamesWhichOfItsRoutersHasOtherTerminals) {
  auto plan = plan_of(Unlike{"", kFar, {{"lanes", 2}}});
  plan.injecting[index(kFar)].clear();
  plan.consuming[index(kFar)].clear();
  EXPECT_FALSE(hardware_obstacle(plan, {{kHardware}}).has_value()) << "another one";
  const auto obstacle = hardware_obstacle(plan, {{kHardware, kFar}});
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->key, "nodes");
  EXPECT_THAT(obstacle->message, HasSubstr("router_3_3 is RTL and has 0 terminals"));
}

TEST(PinMaps, AreThoseOfTheNodeOfTheRouter) {
  const auto plan = plan_of(Unlike{"", kFar, {{"lanes", 2}, {"injection_vcs", 1}}});
  const PinMap wide(plan, kHardware);
  const PinMap narrow(plan, kFar);
  const auto width = [](const PinMap& map, const std::string& name) {
    for (const auto* pins : {&map.inputs(), &map.outputs()})
      for (const Pin& pin : *pins)
        if (pin.name == name) return pin.width;
    return 0U;
  };
  EXPECT_EQ(width(wide, "x_plus_vc_i"), 4U);
  EXPECT_EQ(width(narrow, "x_plus_vc_i"), 2U);
  EXPECT_EQ(width(wide, "injection_vc_i"), 4U);
  EXPECT_EQ(width(narrow, "injection_vc_i"), 0U);
  EXPECT_EQ(width(wide, "injection_flit_i"), width(narrow, "injection_flit_i")) << "flits are the same";
}

}  // namespace
}  // namespace noctule::rtl_test
