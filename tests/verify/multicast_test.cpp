// Which classes of consumption channels keep which planner free of deadlock? Boppana et al. 1998, 3, row by
// row, as an independent model of the dependency graph has it.

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/multicast_support.h"

namespace noctule::multicast_test {
namespace {

bool proved(const Scheme& scheme, const NodeDescription& node, const Fabric& fabric = {}) {
  const auto c = verify_scheme(scheme, node, fabric);
  EXPECT_EQ(c.facts.direct.acyclic(), c.proved());
  EXPECT_EQ(c.witness.cycle.empty(), c.proved());
  if (c.proved()) {
    EXPECT_EQ(c.method, "acyclic");
    EXPECT_EQ(c.numbering.size(), c.channels->size());
  } else {
    EXPECT_EQ(c.method, "cyclic") << c.reason;
  }
  return c.proved();
}
std::vector<Fabric> shapes() {
  return {{mesh({4, 4}), ""}, {mesh({5, 5}), ""}, {mesh({6, 6}), ""}};
}

TEST(Individual, NeedsOneChannel) {
  for (const auto& fabric : shapes())
    for (const unsigned channels : {1U, 2U, 4U})
      EXPECT_TRUE(proved({"individual"}, multicast_node(channels), fabric));
}

/// Fig. 4: each of two messages holds a channel that the other one needs.
TEST(OneClass, DeadlocksWithTwoMessagesOverFourResources) {
  for (const auto& fabric : shapes())
    for (const auto& scheme : path_schemes()) {
      SCOPED_TRACE(testing::PrintToString(scheme) + fabric.shape.text());
      const auto c = verify_scheme(scheme, multicast_node(1, one_class()), fabric);
      EXPECT_EQ(c.method, "cyclic");
      EXPECT_EQ(c.method, "cyclic");
      const auto& cycle = c.witness.cycle;
      ASSERT_EQ(cycle.size(), 4U);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(cycle[i].to, cycle[(i + 1) % 4].from);
        EXPECT_NE(c.channels->is_consumption(cycle[i].from), c.channels->is_consumption(cycle[i].to));
        EXPECT_EQ(cycle[i].destinations.size(), 2U);
        const auto& path = cycle[i].path;
        ASSERT_GE(path.size(), 2U);
        EXPECT_EQ(path[path.size() - 2], cycle[i].from);
        EXPECT_EQ(path.back(), cycle[i].to);
      }
    }
  const auto c = verify_scheme({"dual_path"}, multicast_node(1, one_class()));
  EXPECT_EQ(cycle_text(c),
            "router_1_0.x_plus.class0 -> router_2_0.consumption -> router_2_0.x_minus.class0 -> "
            "router_1_0.consumption -> router_1_0.x_plus.class0");
}

TEST(TwoClasses, ByKindOfCopyAreEnoughButForEMcast) {
  for (const auto& fabric : shapes())
    for (const auto& scheme : two_class_schemes()) EXPECT_TRUE(proved(scheme, multicast_node(2), fabric));
  EXPECT_FALSE(proved({"e_mcast"}, multicast_node(2, {{0, {{"group", {"up", "row"}}}}, {1, {}}})));
}

TEST(Lemma1, ClassesByIncomingOrOutgoingChannelAreEnoughForAll) {
  for (const auto& fabric : shapes())
    for (const auto& scheme : path_schemes()) {
      EXPECT_TRUE(proved(scheme, multicast_node(4, by_incoming()), fabric));
      EXPECT_TRUE(proved(scheme, multicast_node(5, by_outgoing()), fabric));
    }
}

/// At its last destination a worm takes the class of the channel that lies straight ahead: either it could go
/// on there or, at the edge, nothing goes out by it. That is all that classes which do not know the place can
/// say of where a worm could go on.
TEST(Corollary2, TheLastDestinationNeedsNoClassOfItsOwn) {
  auto classes = by_outgoing();
  classes.pop_back();
  for (auto& last : by_incoming()) classes.push_back(last);
  for (const auto& fabric : shapes())
    for (const auto& scheme : path_schemes()) EXPECT_TRUE(proved(scheme, multicast_node(4, classes), fabric));
}

TEST(EMcast, NeedsThreeClassesByIncomingChannel) {
  for (const auto& fabric : shapes()) {
    EXPECT_TRUE(proved({"e_mcast"}, multicast_node(4), fabric));
    EXPECT_TRUE(proved({"e_mcast"}, multicast_node(3, by_incoming(0, 1, 0, 2)), fabric));
  }
  unsigned enough = 0;
  for (unsigned map = 0; map < 27; ++map) {
    const unsigned x_minus = map % 3;
    const unsigned y_plus = map / 3 % 3;
    const unsigned y_minus = map / 9;
    const unsigned channels = 1 + std::max({x_minus, y_plus, y_minus});
    enough += proved({"e_mcast"}, multicast_node(channels, by_incoming(0, x_minus, y_plus, y_minus))) ? 1 : 0;
  }
  EXPECT_EQ(enough, 8U);
}

NodeDescription with_access(NodeDescription node, ConsumptionAccess several, ConsumptionAccess one,
                            ConsumptionWait wait) {
  node.consumption_access = several;
  node.unicast_access = one;
  node.consumption_wait = wait;
  return node;
}

TEST(OneDestination, CopiesMayTakeAnyChannelThatComesFreeButNotCommitThemselves) {
  using enum ConsumptionAccess;
  using enum ConsumptionWait;
  for (const auto& scheme : path_schemes()) {
    SCOPED_TRACE(testing::PrintToString(scheme));
    const auto node = multicast_node(scheme.planner == "e_mcast" ? 4 : 2);
    EXPECT_FALSE(proved(scheme, with_access(node, kOwn, kAny, kCommitted)));
    EXPECT_TRUE(proved(scheme, with_access(node, kOwn, kAny, kFirstFree)));
    EXPECT_TRUE(proved(scheme, with_access(node, kOwn, kOwn, kCommitted)));
    // Nor may worms that go on take what is another class's own.
    EXPECT_NE(verify_scheme(scheme, with_access(node, kAny, kAny, kFirstFree)).verdict, Verdict::kProved);
  }
}

TEST(SharedChannels, AreSafeForWhoTakesThemWhenFreeNotForWhoWaitsForThem) {
  using enum ConsumptionAccess;
  for (const auto& scheme : path_schemes()) {
    SCOPED_TRACE(testing::PrintToString(scheme));
    const auto node = multicast_node(scheme.planner == "e_mcast" ? 6 : 4);
    const auto free = with_access(node, kOwnOrShared, kOwnOrShared, ConsumptionWait::kFirstFree);
    const auto committed = with_access(node, kOwnOrShared, kOwnOrShared, ConsumptionWait::kCommitted);
    EXPECT_TRUE(proved(scheme, free));
    EXPECT_FALSE(proved(scheme, committed));
  }
}

TEST(Acquisition, OfTheOutputFirstLeavesEMcastADeadlock) {
  for (const auto& scheme : path_schemes()) {
    SCOPED_TRACE(testing::PrintToString(scheme));
    const bool e_mcast = scheme.planner == "e_mcast";
    auto node = multicast_node(e_mcast ? 4 : 2);
    node.acquisition = Acquisition::kOutputFirst;
    EXPECT_EQ(proved(scheme, node), !e_mcast);
    if (!e_mcast) continue;
    node.consumption_channels = 3;
    node.consumption_classes = by_incoming(0, 1, 0, 2);
    EXPECT_FALSE(proved(scheme, node));
  }
}

TEST(Unicasts, OfDimensionOrderFitColumnPathAndNotDualPath) {
  const Fabric e_cube{mesh({4, 4}), "dimension_order"};
  for (const char* planner : {"dual_path", "multipath"}) {
    const auto c = verify_scheme({planner}, multicast_node(4, by_incoming()), e_cube);
    EXPECT_EQ(c.method, "cyclic");
    ASSERT_FALSE(c.witness.cycle.empty());
    for (const auto& arc : c.witness.cycle) {
      EXPECT_FALSE(c.channels->is_consumption(arc.from)) << c.channels->name(arc.from);
      EXPECT_FALSE(arc.destinations.empty());
    }
  }
  for (const auto* planner : {"column_path", "e_mcast", "individual"}) {
    NodeDescription node = multicast_node(4);
    EXPECT_TRUE(proved({planner}, node, e_cube)) << planner;
  }
}

TEST(AbsorbAndRetransmit, DeadlocksOverRetransmissionBuffers) {
  for (const auto& scheme : path_schemes())
    for (const unsigned buffers : {1U, 2U})
      for (const unsigned channels : {1U, 2U, 4U}) {
        if (scheme.planner == "e_mcast" && channels == 2) continue;
        SCOPED_TRACE(testing::PrintToString(scheme) + std::to_string(channels));
        auto node = multicast_node(channels, channels == 1 ? one_class() : Classes{});
        node.retransmission_buffers = buffers;
        const auto c = verify_scheme(scheme, node);
        EXPECT_EQ(c.method, "cyclic");
        EXPECT_TRUE(std::any_of(c.witness.cycle.begin(), c.witness.cycle.end(), [&](const Dependency& arc) {
          return c.channels->is_retransmission(arc.from);
        })) << cycle_text(c);
      }
  auto node = multicast_node(1);
  node.retransmission_buffers = 1;
  EXPECT_TRUE(proved({"individual"}, node));
}

/// Table 1: [b, c], its consumption and retransmission, and back.
TEST(AbsorbAndRetransmit, ClosesACircleOfSixResources) {
  auto node = multicast_node(1, one_class());
  node.retransmission_buffers = 1;
  EXPECT_EQ(cycle_text(verify_scheme({"dual_path"}, node)),
            "router_1_0.x_plus.class0 -> router_2_0.consumption -> router_2_0.retransmission -> "
            "router_2_0.x_minus.class0 -> router_1_0.consumption -> router_1_0.retransmission -> "
            "router_1_0.x_plus.class0");
}

}  // namespace
}  // namespace noctule::multicast_test
