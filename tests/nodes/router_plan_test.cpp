// Is the router what its description says?

#include "nodes/router_plan.h"
#include "core/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "support/cube_network.h"
#include "support/nodes.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Parts {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
};

Parts parts(const std::string& algorithm, unsigned k, bool wrap = true) {
  Parts p;
  p.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{k, k}, std::vector<bool>{wrap, wrap});
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  p.relation = entry.make(p.topology, Parameters::defaults(entry.parameters));
  return p;
}

FabricPlan plan_of(const std::string& model, unsigned k) {
  const auto p = parts(model, k);
  return plan_fabric({p.topology, p.relation, node_of(model)});
}

/// Inputs and outputs of each crossbar, injection and consumption included.
std::multiset<std::pair<int, int>> crossbar_sizes(const RouterPlan& plan) {
  std::multiset<std::pair<int, int>> sizes;
  for (int x = 0; x < plan.crossbars; ++x) {
    const auto belongs = [x](const VcPlan& vc) { return vc.crossbar == x || vc.crossbar < 0; };
    sizes.insert({static_cast<int>(std::count_if(plan.inputs.begin(), plan.inputs.end(), belongs)),
                  static_cast<int>(std::count_if(plan.outputs.begin(), plan.outputs.end(), belongs))});
  }
  return sizes;
}

int largest_side(const FabricPlan& plan) {
  int side = 0;
  for (const auto& router : plan.routers)
    for (const auto& [in, out] : crossbar_sizes(*router)) side = std::max({side, in, out});
  return side;
}

// Gravano et al. 1994, V.B, figures 4 to 7.
TEST(NodeModelsOfThePaper, StarChannelsHasOneCrossbarOf17x17) {
  const auto plan = plan_of("star_channels", 31);
  EXPECT_EQ(largest_side(plan), 17);
  for (const auto& router : plan.routers) EXPECT_EQ(router->crossbars, 1);
}
TEST(NodeModelsOfThePaper, FourClassesHasEightCrossbarsOf3x3) {
  const auto plan = plan_of("four_classes", 31);
  EXPECT_EQ(largest_side(plan), 3);
  for (const auto& router : plan.routers) EXPECT_EQ(router->crossbars, 8);
}
TEST(NodeModelsOfThePaper, LinderHardenHasSixCrossbarsOf4x4) {
  const auto plan = plan_of("linder_harden", 31);
  EXPECT_EQ(largest_side(plan), 4);
  for (const auto& router : plan.routers) EXPECT_EQ(router->crossbars, 6);
}
TEST(NodeModelsOfThePaper, ObliviousHas32BuffersAndTwoLinksPerDirection) {
  const auto plan = plan_of("oblivious", 31);
  for (const auto& router : plan.routers) {
    EXPECT_EQ(router->crossbars, 1);
    EXPECT_EQ(router->outbound.size(), 4U);  // two directions, two links each
    EXPECT_LE(router->inputs.size(), 17U);
  }
  const auto full = std::count_if(plan.routers.begin(), plan.routers.end(), [](const auto& router) {
    return router->inputs.size() == 17 && router->outputs.size() == 17;
  });
  EXPECT_EQ(full, 28 * 28);  // all but the edges, where some VCs are never used
}

TEST(Plan, BothEndsOfALinkHaveTheSameVirtualChannels) {
  for (const char* model : {"star_channels", "four_classes", "linder_harden", "oblivious"}) {
    const auto plan = plan_of(model, 6);
    for (const Link& link : plan.topology->links()) {
      const auto& sender = *plan.routers[index(link.from)];
      const auto& receiver = *plan.routers[index(link.to)];
      for (const auto& out : sender.outbound) {
        if (out.port != link.out) continue;
        const auto in =
            std::find_if(receiver.inbound.begin(), receiver.inbound.end(),
                         [&](const ChannelPlan& c) { return c.port == link.in && c.replica == out.replica; });
        ASSERT_NE(in, receiver.inbound.end()) << model;
        ASSERT_EQ(in->count, out.count) << model;
        for (std::size_t v = 0; v < out.count; ++v) {
          EXPECT_EQ(sender.outputs[out.first + v].vc_class, receiver.inputs[in->first + v].vc_class);
          EXPECT_EQ(sender.outputs[out.first + v].lane, receiver.inputs[in->first + v].lane);
        }
      }
    }
  }
}

TEST(Plan, RoutersBuiltAlikeShareOnePlan) {
  const auto p = parts("dimension_order", 16);
  const auto plan = plan_fabric({p.topology, p.relation, NodeDescription{}});
  std::set<const RouterPlan*> different;
  for (const auto& router : plan.routers) different.insert(router.get());
  EXPECT_LE(different.size(), 81U);
  EXPECT_EQ(plan.routers.size(), 256U);
}

TEST(Plan, LanesAreSpreadOverParallelLinks) {
  const auto p = parts("dimension_order", 8);
  NodeDescription node;
  node.lanes = 4;
  node.parallel_links = 2;
  for (const auto assignment : {LinkAssignment::kMixed, LinkAssignment::kByClass}) {
    node.link_assignment = assignment;
    const auto plan = plan_fabric({p.topology, p.relation, node});
    const auto& router = *plan.routers[5 * 8 + 5];  // its x_plus link carries both dateline classes
    int links = 0;
    for (const auto& channel : router.outbound) {
      if (channel.port != CubeNetwork::plus(0)) continue;
      ++links;
      EXPECT_EQ(channel.count, 4);
    }
    EXPECT_EQ(links, 2);
    std::set<VcClass> on_first;
    for (const auto& vc : router.outputs)
      if (vc.port == CubeNetwork::plus(0) && router.outbound[vc.channel].replica == 0 && vc.crossbar >= 0)
        on_first.insert(vc.vc_class);
    EXPECT_EQ(on_first.size(), assignment == LinkAssignment::kMixed ? 2U : 1U);
  }
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

TEST(BadPartitions, AreNamed) {
  const auto p = parts("four_classes", 5);
  NodeDescription node = node_of("four_classes");
  const auto plan = [&] { (void)plan_fabric({p.topology, p.relation, node}); };
  node.crossbar_per = {"colour"};
  EXPECT_THAT(error_of(plan), AllOf(HasSubstr("no field 'colour'"), HasSubstr("sign_x"), HasSubstr("lane")));
  node.crossbar_per.clear();
  node.crossbars = {{{"prefix", {"0"}}}};
  EXPECT_THAT(error_of(plan), HasSubstr("matches no crossbar"));
  node.crossbars = {{{"prefix", {"0"}}}, {}};
  EXPECT_THAT(error_of(plan), HasSubstr("matches crossbar 0 and crossbar 1"));
  node.crossbars = {{{"prefix", {"0", "2"}}}, {{"prefix", {"1"}}}};
  EXPECT_THAT(error_of(plan), HasSubstr("field 'prefix' has no value '2'; it has: 0, 1"));
  node.crossbars = {{{"lane", {"0", "9"}}}, {{"lane", {"1"}}}};
  EXPECT_THAT(error_of(plan), HasSubstr("there is no lane '9'; the links of these routers have"));
  node.crossbars = {{{"position", {"router_9_*"}}}, {}};
  EXPECT_THAT(error_of(plan), HasSubstr("no router is called"));
  node.crossbars.clear();
  node.parallel_links = 2;
  EXPECT_THAT(error_of(plan), HasSubstr("needs a lane of its own"));
}

TEST(FixedSlots, AreAsManyOnALinkThatDiffersInSomethingElse) {
  // Every second link of a ring needs both classes of dimension order; all are made for two VCs.
  const auto p = parts("dimension_order", 4);
  LinkDescriptions links;
  links.set(LinkId{0}, LinkDescription{2, 1}, p.topology->links().size(), "links");
  NodeDescriptions nodes = node_of("fixed_slot");
  NodeDescription deep = node_of("fixed_slot");
  deep.input_depth = 5;
  nodes.set(RouterId{1}, deep, p.topology->routers(), "nodes");
  const auto plan = plan_fabric({p.topology, p.relation, nodes, links});
  bool one = false;
  for (const Link& link : p.topology->links()) {
    EXPECT_EQ(plan.slots(link.id), 2U) << p.topology->link_name(link);
    for (const auto& channel : plan.routers[index(link.from)]->outbound)
      one = one || (channel.port == link.out && channel.count == 1);
  }
  EXPECT_TRUE(one);
  const auto shared = plan_fabric({p.topology, p.relation, node_of("input_queued"), links});
  EXPECT_EQ(shared.slots(LinkId{0}), 1U);
}

TEST(FixedSlots, AreThoseOfLinksWithAsManyLanes) {
  const auto p = parts("dimension_order", 4);
  LinkDescriptions links;
  LinkDescription wide;
  wide.shape.lanes = 3;
  links.set(LinkId{0}, wide, p.topology->links().size(), "links");
  const auto plan = plan_fabric({p.topology, p.relation, node_of("fixed_slot"), links});
  EXPECT_EQ(plan.slots(LinkId{1}), 2U);
  EXPECT_EQ(plan.slots(LinkId{0}) % 3, 0U);
}

TEST(BadPartitions, AHeaderWithoutOutputIsFoundBeforeTheRun) {
  const auto p = parts("star_channels", 5);
  NodeDescription node = node_of("star_channels");
  node.crossbar_per = {"direction"};
  const auto plan = plan_fabric({p.topology, p.relation, node});
  EXPECT_THAT(
      error_of([&] { verify(std::make_shared<const FabricPlan>(plan)); }),
      AllOf(HasSubstr("a header at an input of crossbar"), HasSubstr("x_minus.star0.0, x_minus.star0.1"),
            HasSubstr("router_"), HasSubstr("none of the outputs")));
}

TEST(BadPartitions, AllShippedModelsReach) {
  for (const char* model : {"star_channels", "four_classes", "linder_harden", "oblivious"})
    for (const unsigned k : {3U, 4U, 5U, 6U})
      EXPECT_TRUE(verify(std::make_shared<const FabricPlan>(plan_of(model, k))).proved()) << model << k;
  // A partition of one's own: each lane its own crossbar.
  const auto p = parts("star_channels", 5);
  NodeDescription node = node_of("star_channels");
  node.crossbar_per = {"lane"};
  EXPECT_TRUE(
      verify(std::make_shared<const FabricPlan>(plan_fabric({p.topology, p.relation, node}))).proved());
}

}  // namespace
}  // namespace noctule
