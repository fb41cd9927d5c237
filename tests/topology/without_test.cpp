// Networks with parts taken away: what is left, what it is called, and what may not be taken.

#include "topology/without.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/cube_network.h"
#include "support/networks.h"
#include "topology/builder.h"
#include "topology/named_attachments.h"

namespace noctule {
namespace {

std::string refusal(const Topology& topology, const Without& without, const std::string& key) {
  try {
    (void)take_away(topology, without);
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics()[0].key, key);
    return e.what();
  }
  return "";
}

bool has_link(const Topology& t, const std::string& name) {
  return std::ranges::any_of(t.links(), [&](const Link& link) { return t.link_name(link) == name; });
}

TEST(TakenAway, LinksLeaveAllElseAsItWas) {
  const Topology mesh = make_cube({4, 3}, {false, false});
  const Topology rest = take_away(mesh, {{"router_1_[01].x_plus", "router_0_0.y_plus"}, {}, 0, 1});
  EXPECT_EQ(rest.links().size(), mesh.links().size() - 3);
  EXPECT_FALSE(has_link(rest, "router_1_1.x_plus"));
  EXPECT_TRUE(has_link(rest, "router_2_2.x_minus"));
  EXPECT_EQ(rest.terminals(), 12U);
  EXPECT_EQ(rest.geometry<CubeGeometry>(), nullptr);
  for (const Link& link : rest.links()) {
    const Link* same = mesh.outgoing(link.from, link.out);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(same->to, link.to);
    EXPECT_EQ(same->in, link.in);
  }
}

TEST(TakenAway, RoutersGoWithTheirLinksAndTerminals) {
  const Topology mesh = make_cube({3, 3}, {false, false}, 2);
  const Topology rest = take_away(mesh, {{}, {"router_1_1"}, 0, 1});
  EXPECT_EQ(rest.routers(), 8U);
  EXPECT_EQ(rest.terminals(), 16U);
  EXPECT_EQ(rest.links().size(), mesh.links().size() - 8);
  EXPECT_EQ(rest.router_name(RouterId{4}), "router_2_1");
  EXPECT_EQ(rest.router_name(rest.injection_router(TerminalId{8})), "router_2_1");
}

TEST(TakenAway, FurtherAttachmentsStay) {
  TopologyBuilder builder;
  builder.add_routers(4, {"left", "right"});
  for (std::uint32_t r = 0; r < 3; ++r) {
    builder.connect(RouterId{r}, PortId{1}, RouterId{r + 1}, PortId{0});
    builder.connect(RouterId{r + 1}, PortId{0}, RouterId{r}, PortId{1});
  }
  for (std::uint32_t t = 0; t < 3; ++t) builder.add_terminal(RouterId{0});
  builder.attach({{RouterId{1}, RouterId{1}}, {RouterId{3}, RouterId{3}}, {RouterId{2}, RouterId{2}}});
  builder.add_geometry(std::make_shared<const NamedAttachments>(
      std::vector<std::vector<std::string>>{{"request"}, {"response"}}));
  const Topology line = std::move(builder).build();
  const Topology rest = take_away(line, {{}, {"router_3"}, 0, 1});
  EXPECT_EQ(rest.terminals(), 2U) << "the one that is attached there goes";
  ASSERT_EQ(rest.attachments(), 2U);
  EXPECT_EQ(rest.injection_router(TerminalId{1}, 1), RouterId{2});
  ASSERT_NE(rest.geometry<NamedAttachments>(), nullptr);
  EXPECT_EQ(rest.geometry<NamedAttachments>()->classes()[1], std::vector<std::string>{"response"});
  EXPECT_NE(refusal(line, {{"router_1.right"}, {}, 0, 1}, "without"), "") << "responses do not get across";
}

TEST(TakenAway, RandomLinksCutOffNobody) {
  Rng rng(4);
  for (int i = 0; i < 20; ++i) {
    const auto graph = random_graph(20, 20, rng);
    const auto pairs = graph->links().size() / 2;
    const auto spare = static_cast<unsigned>(pairs - 19);  // a spanning tree has to stay
    const Topology rest = take_away(*graph, {{}, {}, spare, static_cast<std::uint64_t>(i)});
    EXPECT_EQ(rest.links().size(), 2 * 19U);
    for (std::uint32_t r = 1; r < 20; ++r) EXPECT_NE(rest.distance(RouterId{0}, RouterId{r}), kUnreachable);
    EXPECT_NE(refusal(*graph, {{}, {}, spare + 1, 1}, "without.random_links.count").find("ask for fewer"),
              std::string::npos);
  }
  const Topology torus = make_cube({5, 5}, {true, true});
  EXPECT_EQ(take_away(torus, {{}, {}, 10, 1}).links().size(), 80U);
  std::set<std::string> one;
  std::set<std::string> other;
  const Topology a = take_away(torus, {{}, {}, 10, 1});
  const Topology b = take_away(torus, {{}, {}, 10, 2});
  for (const Link& link : a.links()) one.insert(a.link_name(link));
  for (const Link& link : b.links()) other.insert(b.link_name(link));
  EXPECT_NE(one, other);
}

TEST(TakenAway, RandomLinksGoWithTheirWayBack) {
  const auto torus =
      std::make_shared<const Topology>(make_cube({2, 4}, {true, true}));  // two links each way along x
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const Topology rest = take_away(*torus, {{}, {}, 1, seed});
    for (const Link& link : torus->links())
      EXPECT_EQ(has_link(rest, torus->link_name(link)), has_link(rest, torus->link_name(*torus->back(link))))
          << torus->link_name(link) << ", seed " << seed;
  }
}

TEST(TakenAway, WhatCannotGoIsRefused) {
  const Topology mesh = make_cube({3, 3}, {false, false});
  EXPECT_NE(refusal(mesh, {{"router_0_0.*"}, {}, 0, 1}, "without").find("terminal 0 at router_0_0"),
            std::string::npos);
  EXPECT_NE(refusal(mesh, {{"link_*"}, {}, 0, 1}, "without.links").find("'link_*'"), std::string::npos);
  EXPECT_NE(refusal(mesh, {{}, {"hub"}, 0, 1}, "without.routers").find("'hub'"), std::string::npos);
  EXPECT_NE(refusal(mesh, {{}, {"router_*"}, 0, 1}, "without.routers").find("0 terminal(s)"),
            std::string::npos);
}

}  // namespace
}  // namespace noctule
