// Does a relation that looks at the message class send each class its own way, and is that proved class by
// class?

#include <gtest/gtest.h>

#include "routing/initial_states.h"
#include "routing/prescribed_routes.h"
#include "verify/pair_order.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

MessageClasses request_and_response() {
  MessageClass request{"request"};
  request.buffer = 1;
  MessageClass response{"response"};
  response.interface = 1;
  MessageClasses classes({request, response});
  classes.add_dependence(0, 1);
  return classes;
}

std::shared_ptr<const FabricPlan> plan_of(const Network& net, MessageClasses classes) {
  FabricParts parts{net.cube, net.relation, careful_node()};
  parts.message_classes = std::move(classes);
  return std::make_shared<const FabricPlan>(plan_fabric(std::move(parts)));
}

/// Routers on the way of a class, from its state n.
std::vector<std::vector<unsigned>> way(const Network& net, const std::vector<unsigned>& from,
                                       const std::vector<unsigned>& to, unsigned message_class,
                                       std::uint64_t n = 0) {
  const RouterId end = net.cube->router_at(to);
  RouterId here = net.cube->router_at(from);
  RouteState state = initial_states_of(*net.relation, here, end, message_class)[n];
  std::vector<std::vector<unsigned>> routers;
  CandidateList list;
  while (here != end) {
    list.clear();
    net.relation->candidates(here, end, state, list);
    EXPECT_EQ(list.size(), 1U);
    const Link& link = *net.cube->outgoing(here, list[0].port);
    EXPECT_TRUE(net.relation->exists(link, list[0].vc_class));
    state = net.relation->next_state(here, end, state, list[0]);
    here = link.to;
    routers.push_back({net.cube->coordinate(here, 0), net.cube->coordinate(here, 1)});
  }
  return routers;
}

using Way = std::vector<std::vector<unsigned>>;

TEST(OrderOfClass, SendsRequestsXyAndResponsesYx) {
  const auto net = network("order_of_class", mesh({4, 4}));
  EXPECT_EQ(way(net, {0, 0}, {2, 1}, 0), (Way{{1, 0}, {2, 0}, {2, 1}}));
  EXPECT_EQ(way(net, {0, 0}, {2, 1}, 1), (Way{{0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(way(net, {0, 0}, {2, 1}, 7), way(net, {0, 0}, {2, 1}, 1)) << "further classes go as the last one";
  EXPECT_EQ(net.relation->remark(), "by message class: xy, yx");
}

TEST(OrderOfClass, BuildsVcsForTheOrdersThatOccur) {
  const auto classes = [](const Json& orders, const Shape& shape) {
    const auto net = network("order_of_class", shape, {{"orders", orders}});
    return net.relation->classes(*net.cube->outgoing(RouterId{0}, PortId{0}));
  };
  EXPECT_EQ(classes({"xy", "yx"}, mesh({4, 4})), 2U);
  EXPECT_EQ(classes({"yx", "yx"}, mesh({4, 4})), 1U);
  EXPECT_EQ(classes({"xy"}, torus({4, 4})), 2U);
  EXPECT_EQ(classes({"xy", "xy", "yx"}, torus({4, 4})), 4U);
}

TEST(OrderOfClass, DrawsTheDirectionHalfWayRound) {
  const auto net = network("order_of_class", torus({4, 4}));
  const RouterId from = net.cube->router_at(std::vector{0U, 0U});
  const RouterId to = net.cube->router_at(std::vector{2U, 2U});
  EXPECT_EQ(net.relation->initial_states_of_class(from, to, 1), 4U);
  EXPECT_EQ(way(net, {0, 0}, {2, 2}, 1, 0), (Way{{0, 1}, {0, 2}, {1, 2}, {2, 2}}));
  EXPECT_EQ(way(net, {0, 0}, {2, 2}, 1, 3), (Way{{0, 3}, {0, 2}, {3, 2}, {2, 2}}));
}

TEST(OrderOfClass, RefusesAnOrderThatIsNone) {
  EXPECT_THROW(network("order_of_class", mesh({4, 4}), {{"orders", {"xz"}}}), ConfigError);
}

TEST(RelationThatSeesClasses, IsProvedClassByClassWithTheEnds) {
  for (const auto& shape : {mesh({4, 4}), torus({4, 3}), mesh({3, 3, 2})}) {
    const auto net = network("order_of_class", shape);
    const Certificate c = verify(plan_of(net, request_and_response()), {});
    EXPECT_TRUE(c.proved()) << shape.text();
    EXPECT_EQ(c.method, "acyclic");
  }
}

TEST(RelationThatSeesClasses, IsRefusedWhereItsClassesTogetherMakeACycle) {
  // Both orders on the VCs of one: each class alone is free of deadlock.
  const auto net = network("order_of_class", mesh({3, 3}));
  class OneSetOfVcs final : public RoutingRelation {
   public:
    explicit OneSetOfVcs(Network net) : net_(std::move(net)) {}
    [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
    [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
    [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
    [[nodiscard]] bool sees_message_classes() const override { return true; }
    [[nodiscard]] RouteState initial_state_of_class(RouterId s, RouterId d, unsigned c,
                                                    std::uint64_t n) const override {
      return net_.relation->initial_state_of_class(s, d, c, n);
    }
    void candidates(RouterId here, RouterId to, RouteState state, CandidateList& list) const override {
      net_.relation->candidates(here, to, state, list);
      list.change_from(0, [](Candidate& c) { c.vc_class = VcClass{0}; });
    }
    [[nodiscard]] unsigned hops(RouterId a, RouterId b) const override { return net_.cube->hops(a, b); }

   private:
    Network net_;
  };
  const Network shared_vcs{net.cube, std::make_shared<const OneSetOfVcs>(net)};
  const auto proved = [&](std::vector<MessageClass> classes) {
    return verify(plan_of(shared_vcs, MessageClasses(std::move(classes))), {}).proved();
  };
  EXPECT_TRUE(proved({{"request"}}));
  EXPECT_FALSE(proved({{"request"}, {"response"}}));
}

TEST(RelationThatSeesClasses, KeepsTheOrderOfPacketsInEachClass) {
  const auto net = network("order_of_class", mesh({4, 4}));
  const auto plan = plan_of(net, request_and_response());
  for (const std::uint8_t c : {0, 1})
    EXPECT_EQ(order_obstacle(*plan, c, {{TerminalId{0}, TerminalId{6}}}), std::nullopt);
}

TEST(RelationThatSeesClasses, IsSeenThroughPrescribedRoutes) {
  const auto net = network("order_of_class", mesh({4, 4}));
  const PrescribedRoutes over(net.cube, net.relation, {});
  EXPECT_TRUE(over.sees_message_classes());
  for (const unsigned c : {0U, 1U})
    EXPECT_EQ(initial_states_of(over, RouterId{0}, RouterId{6}, c)[0],
              initial_states_of(*net.relation, RouterId{0}, RouterId{6}, c)[0]);
}

}  // namespace
}  // namespace noctule::routing_test
