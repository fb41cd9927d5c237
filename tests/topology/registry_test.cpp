// Topologies as the user names them, and what they say to impossible shapes.

#include <gtest/gtest.h>

#include "core/json.h"
#include "support/cube_network.h"
#include "support/networks.h"

namespace noctule {
namespace {

/// Key and text of the error that a shape provokes; empty if it does not.
std::pair<std::string, std::string> complaint(const std::string& name, const Json& keys) {
  try {
    topology_of(name, keys);
  } catch (const ConfigError& e) {
    return {e.diagnostics().front().key, e.what()};
  }
  return {};
}

TEST(TopologyRuns, EveryTopologyBuildsFromItsDefaults) {
  EXPECT_TRUE(Catalog::instance().problems().empty());
  const auto entries = TopologyRegistry::instance().entries();
  EXPECT_GE(entries.size(), 5U);
  for (const auto* e : entries) {
    SCOPED_TRACE(e->name);
    EXPECT_FALSE(e->description.empty());
    if (!has_defaults(*e)) continue;
    const auto t = topology_of(e->name, Json::object());
    EXPECT_GT(t->routers(), 1U);
    EXPECT_GT(t->capacity(), 0.0);
  }
}

TEST(TopologyObeysItsRules, NamesGiveTheirShapes) {
  EXPECT_EQ(topology_of("mesh", {{"radix", {4, 3}}})->links().size(), 2U * (3 * 3 + 4 * 2));
  EXPECT_EQ(topology_of("torus", {{"radix", {4, 3}}})->links().size(), 4U * 12);
  EXPECT_EQ(topology_of("ring", {{"nodes", 7}})->links().size(), 14U);
  EXPECT_EQ(topology_of("ring", {{"nodes", 7}})->most_ports(), 2U);
  EXPECT_EQ(topology_of("hypercube", {{"dimensions", 5}})->links().size(), 32U * 5);
  EXPECT_EQ(topology_of("k_ary_n_cube", {{"radix", {4, 3}}, {"wrap", {true, false}}})->links().size(),
            2U * (12 + 4 * 2));
  EXPECT_EQ(topology_of("k_ary_n_cube", {{"radix", {4, 3}}, {"wrap", Json::array({false})}})->links().size(),
            topology_of("mesh", {{"radix", {4, 3}}})->links().size());
}

TEST(TopologySurvivesBadInput, ImpossibleShapesAreNamedWithWhatIsAllowed) {
  const auto expect = [](const std::string& name, const Json& keys, const std::string& key,
                         const std::vector<std::string>& words) {
    const auto [where, what] = complaint(name, keys);
    EXPECT_EQ(where, key) << name << " " << keys;
    for (const auto& w : words) EXPECT_NE(what.find(w), std::string::npos) << what << "\nlacks: " << w;
  };
  expect("torus", {{"radix", {4, 1}}}, "topology.radix", {"dimension 1", "radix 1", "2 to 65535"});
  expect("torus", {{"radix", {65536}}}, "topology.radix", {"65536", "2 to 65535"});
  expect("torus", {{"radix", Json::array({-3})}}, "topology.radix", {"radix -3", "2 to 65535"});
  expect("torus", {{"radix", {4294967298, 4}}}, "topology.radix", {"2 to 65535"});
  expect("mesh", {{"radix", Json::array()}}, "topology.radix", {"0 dimensions", "1 to 16"});
  expect("mesh", {{"radix", std::vector<int>(17, 2)}}, "topology.radix", {"17 dimensions", "1 to 16"});
  expect("mesh", {{"radix", {65535, 65535, 65535, 65535, 65535}}}, "topology.radix", {"16777216 routers"});
  expect("mesh", {{"radix", {4096, 4097}}}, "topology.radix", {"4096 x 4097", "16777216 routers"});
  expect("k_ary_n_cube", {{"radix", {4, 3, 2}}, {"wrap", {true, false}}}, "topology.wrap",
         {"2 entries", "3 dimensions"});
  expect("ring", {{"nodes", 1}}, "topology.nodes", {"1 routers", "2 to 65535"});
  expect("hypercube", {{"dimensions", 17}}, "topology.dimensions", {"17", "1 to 16"});
}

TEST(TopologySurvivesBadInput, AllFaultsAreReportedAtOnce) {
  try {
    CubeNetwork({1, 4, 0}, {true});
    FAIL() << "accepted";
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics().size(), 3U);
  }
}

}  // namespace
}  // namespace noctule
