// Planes: is the whole what its networks are?

#include "topology/planes.h"

#include <gtest/gtest.h>

#include <set>

#include "support/networks.h"

namespace noctule {
namespace {

Topology mesh_and_tree() {
  return join_planes({{"request", topology_of("mesh", {{"radix", {4, 4}}})},
                      {"response", topology_of("butterfly_fat_tree", {{"levels", 2}})}});
}

TEST(JoinedPlanes, AttachEveryTerminalToEachNetwork) {
  const Topology whole = mesh_and_tree();
  const auto& planes = *whole.geometry<Planes>();
  ASSERT_EQ(planes.size(), 2U);
  ASSERT_EQ(whole.attachments(), 2U);
  EXPECT_EQ(whole.terminals(), 16U);
  EXPECT_EQ(whole.routers(), planes[0].network->routers() + planes[1].network->routers());
  for (std::size_t k = 0; k < 2; ++k)
    for (std::uint32_t t = 0; t < 16; ++t) {
      const Topology& network = *planes[k].network;
      const RouterId in = whole.injection_router(TerminalId{t}, k);
      EXPECT_EQ(planes.number_of(in), k);
      EXPECT_EQ(whole.router_name(in),
                planes[k].name + "_" + network.router_name(network.injection_router(TerminalId{t})));
      EXPECT_EQ(planes.number_of(whole.consumption_router(TerminalId{t}, k)), k);
    }
}

TEST(JoinedPlanes, HaveTheLinksOfTheirNetworksAndNoOthers) {
  const Topology whole = mesh_and_tree();
  const auto& planes = *whole.geometry<Planes>();
  EXPECT_EQ(whole.links().size(), planes[0].network->links().size() + planes[1].network->links().size());
  for (const Link& link : whole.links()) {
    EXPECT_EQ(planes.number_of(link.from), planes.number_of(link.to));
    const auto& plane = planes.of(link.from);
    const Link& own = plane.network->links()[index(link.id) - plane.first_link];
    EXPECT_EQ(whole.link_name(link), plane.name + "_" + plane.network->link_name(own));
    EXPECT_EQ(whole.kind(link.id), plane.network->kind(own.id));
  }
}

TEST(JoinedPlanes, AreApart) {
  const Topology whole = mesh_and_tree();
  std::set<std::pair<double, double>> places;
  for (std::uint32_t a = 0; a < whole.routers(); ++a) {
    const auto hops = hops_from(whole, RouterId{a});
    for (std::uint32_t b = 0; b < whole.routers(); ++b)
      EXPECT_EQ(whole.distance(RouterId{a}, RouterId{b}), hops[b]) << a << " -> " << b;
    const Position at = whole.position(RouterId{a});
    EXPECT_TRUE(places.emplace(at.x, at.y).second) << "two routers in one place";
    EXPECT_TRUE(whole.plane(RouterId{a}).starts_with(a < 16 ? "request" : "response"));
  }
  EXPECT_EQ(whole.diameter(), 6U);
  EXPECT_DOUBLE_EQ(whole.capacity(), topology_of("mesh", {{"radix", {4, 4}}})->capacity() +
                                         topology_of("butterfly_fat_tree", {{"levels", 2}})->capacity());
}

TEST(JoinedPlanes, RefuseNetworksThatAreNone) {
  const auto four = topology_of("mesh", {{"radix", {2, 2}}});
  const auto nine = topology_of("mesh", {{"radix", {3, 3}}});
  EXPECT_THROW((void)join_planes({{"a", four}}), ConfigError);
  EXPECT_THROW((void)join_planes({{"a", four}, {"b", nine}}), ConfigError);
  EXPECT_THROW((void)join_planes({{"a", four}, {"a", four}}), ConfigError);
  EXPECT_THROW((void)join_planes({{"a.b", four}, {"c", four}}), ConfigError);
  const auto joined = std::make_shared<const Topology>(join_planes({{"a", four}, {"b", four}}));
  EXPECT_THROW((void)join_planes({{"a", joined}, {"c", four}}), ConfigError) << "several attachments";
}

}  // namespace
}  // namespace noctule
