// Symons and Narasimhan 1997, section 2.3: are the ways to the host those of the rules, are those from it the
// same reversed, and which are free of deadlock?

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/json.h"
#include "support/networks.h"
#include "support/nodes.h"
#include "topology/cube_geometry.h"
#include "verify/verifier.h"

namespace noctule::routing_test {
namespace {

std::shared_ptr<const RoutingRelation> host_paths(const std::shared_ptr<const Topology>& topology,
                                                  const std::string& rule,
                                                  const std::string& pairs = "host") {
  return relation_on(topology, "host_paths", {{"rule", rule}, {"pairs", pairs}});
}

/// Routers of the way, both ends included.
std::vector<RouterId> way(const Topology& topology, const RoutingRelation& relation, RouterId from,
                          RouterId to) {
  std::vector<RouterId> routers{from};
  const RouteState state = relation.initial_state(from, to, 0);
  CandidateList list;
  while (routers.back() != to && routers.size() <= topology.routers()) {
    list.clear();
    relation.candidates(routers.back(), to, state, list);
    EXPECT_EQ(list.size(), 1U);
    routers.push_back(topology.outgoing(routers.back(), list[0].port)->to);
  }
  return routers;
}

std::vector<std::uint32_t> numbers(const std::vector<RouterId>& routers) {
  std::vector<std::uint32_t> list;
  for (const RouterId r : routers) list.push_back(static_cast<std::uint32_t>(index(r)));
  return list;
}

TEST(PacketsToTheHost, GoByTheRule) {
  const auto mesh = topology_of("mesh", {{"radix", {4, 4}}});  // router x + 4 y
  const auto from = [&](const char* rule, std::uint32_t router) {
    return numbers(way(*mesh, *host_paths(mesh, rule), RouterId{router}, RouterId{0}));
  };
  using Routers = std::vector<std::uint32_t>;
  EXPECT_EQ(from("x", 11), (Routers{11, 10, 9, 8, 4, 0}));
  EXPECT_EQ(from("y", 11), (Routers{11, 7, 3, 2, 1, 0}));
  // (3, 2): odd, in y; (3, 1): even, in x; (2, 1): odd; then the axis.
  EXPECT_EQ(from("step", 11), (Routers{11, 7, 6, 2, 1, 0}));
  EXPECT_EQ(from("step", 15), (Routers{15, 14, 10, 9, 5, 4, 0}));
  EXPECT_EQ(from("step_at_source", 11), (Routers{11, 7, 3, 2, 1, 0}));
  EXPECT_EQ(from("step_at_source", 15), (Routers{15, 14, 13, 12, 8, 4, 0}));
}

TEST(PacketsFromTheHost, TakeTheSameWayBack) {
  for (const Json& radix : {Json{4, 4}, Json{3, 5}, Json{2, 8}})
    for (const char* rule : {"x", "y", "step", "step_at_source"}) {
      const auto mesh = topology_of("mesh", {{"radix", radix}});
      const auto relation = host_paths(mesh, rule);
      for (std::uint32_t slave = 1; slave < mesh->routers(); ++slave) {
        auto there = way(*mesh, *relation, RouterId{0}, RouterId{slave});
        std::reverse(there.begin(), there.end());
        EXPECT_EQ(numbers(there), numbers(way(*mesh, *relation, RouterId{slave}, RouterId{0})))
            << rule << " " << slave;
      }
    }
}

/// Messages of the busiest link of the host, if it sends one to every slave.
unsigned load_of_host(const std::shared_ptr<const Topology>& topology, const char* rule) {
  const auto relation = host_paths(topology, rule);
  std::map<std::uint32_t, unsigned> load;
  for (std::uint32_t slave = 1; slave < topology->routers(); ++slave)
    ++load[numbers(way(*topology, *relation, RouterId{0}, RouterId{slave}))[1]];
  unsigned most = 0;
  for (const auto& [first, packets] : load) most = std::max(most, packets);
  return most;
}

TEST(TheHostsLinks, BearWhatTheStructureSays) {
  for (const unsigned k : {2U, 3U, 4U, 5U, 6U, 7U}) {
    SCOPED_TRACE(k);
    const unsigned p = 1U << k;
    const unsigned a = 1U << k / 2;  // columns
    const unsigned b = p / a;        // rows
    const auto mesh = topology_of("mesh", {{"radix", {a, b}}});
    EXPECT_EQ(load_of_host(mesh, "x"), std::max(p - a, a - 1));
    EXPECT_EQ(load_of_host(mesh, "y"), std::max(p - b, b - 1));
    EXPECT_EQ(load_of_host(mesh, "step"), (a == b ? p / 2 : 3 * p / 4) + a / 2 - 1);
    EXPECT_EQ(load_of_host(mesh, "step_at_source"), a == b ? p / 2 : (k == 3 ? 5U : p / 2 + a / 2));
    EXPECT_EQ(load_of_host(topology_of("hypercube", {{"dimensions", k}}), "x"), p / 2);
  }
}

bool proved(const std::shared_ptr<const Topology>& topology, const char* rule, const char* pairs) {
  const Json node{{"output_depth", 0}, {"input_depth", 4}};
  const Certificate certificate = verify(std::make_shared<const FabricPlan>(
      plan_fabric({topology, host_paths(topology, rule, pairs), node_of("generic", node)})));
  EXPECT_TRUE(!certificate.proved() || certificate.method == "acyclic");
  return certificate.proved();
}

TEST(StepRouting, IsCyclicInGeneralAndAcyclicForTheHost) {
  for (const Json& radix : {Json{2, 2}, Json{2, 4}, Json{4, 4}, Json{5, 3}, Json{8, 8}}) {
    SCOPED_TRACE(radix.dump());
    const auto mesh = topology_of("mesh", {{"radix", radix}});
    for (const char* rule : {"step", "step_at_source"}) {
      EXPECT_FALSE(proved(mesh, rule, "all")) << rule;
      EXPECT_TRUE(proved(mesh, rule, "host")) << rule;
    }
    for (const char* rule : {"x", "y"}) EXPECT_TRUE(proved(mesh, rule, "all")) << rule;
  }
}

TEST(HostPaths, NeedANetworkWithoutWraps) {
  EXPECT_THROW(host_paths(topology_of("torus", {{"radix", {4, 4}}}), "step"), ConfigError);
  EXPECT_NO_THROW(host_paths(topology_of("hypercube", {{"dimensions", 3}}), "x"));
}

}  // namespace
}  // namespace noctule::routing_test
