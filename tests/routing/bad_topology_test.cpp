// Does each relation refuse what it is not defined on, in words that help?

#include <gtest/gtest.h>

#include "core/json.h"
#include "routing_support.h"

namespace noctule::routing_test {
namespace {

std::string refusal(const std::string& algorithm, const Shape& shape, const Json& set = Json::object()) {
  try {
    network(algorithm, shape, set);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BadTopology, TorusRelationsNameTheDimensionThatDoesNotWrap) {
  for (const char* algorithm : {"oblivious", "star_channels", "four_classes", "linder_harden"}) {
    const auto text = refusal(algorithm, Shape{{5, 5}, {true, false}});
    EXPECT_TRUE(says(text, std::string(algorithm) + " needs a torus")) << text;
    EXPECT_TRUE(says(text, "dimension 1")) << text;
    EXPECT_TRUE(says(text, "topology.kind torus")) << text;
    EXPECT_TRUE(says(text, "dimension_order")) << text;
  }
}

TEST(BadTopology, PlanarRelationsStateTheNumberOfDimensions) {
  for (const char* algorithm : {"four_classes", "linder_harden"})
    for (unsigned n : {1U, 3U}) {
      const auto text = refusal(algorithm, torus(n, 5));
      EXPECT_TRUE(says(text, "defined on 2 dimensions")) << text;
      EXPECT_TRUE(says(text, "has " + std::to_string(n))) << text;
    }
}

TEST(BadTopology, WhatIsLegalIsAccepted) {
  for (const char* algorithm : {"oblivious", "star_channels", "four_classes", "linder_harden"})
    EXPECT_EQ(refusal(algorithm, torus({4, 7})), "") << algorithm;
  for (const char* algorithm : {"oblivious", "star_channels"})
    EXPECT_EQ(refusal(algorithm, torus(3, 4)), "") << algorithm;
  for (const auto& shape : every_shape()) EXPECT_EQ(refusal("dimension_order", shape), "") << shape.text();
}

/// Two routers joined both ways, and no coordinates.
std::shared_ptr<const Topology> pair_of_routers() {
  TopologyBuilder builder;
  builder.add_routers(2, {"out"});
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{1 - r}, PortId{0});
    builder.add_terminal(RouterId{r});
  }
  return std::make_shared<const Topology>(std::move(builder).build());
}

/// Relations say what they need and lack in one form.
TEST(BadTopology, RoutersHaveEveryPortNameOnce) {
  for (const auto& [ports, wrong] : {std::pair<std::vector<std::string>, const char*>{{"a", "b"}, ""},
                                     {{"a", "b", "a"}, "two ports of a router are called 'a'"}}) {
    std::string said;
    try {
      TopologyBuilder().add_routers(2, ports);
    } catch (const ConfigError& e) {
      said = e.what();
    }
    EXPECT_EQ(says(said, "two ports"), *wrong != '\0') << said;
    EXPECT_TRUE(says(said, wrong)) << said;
  }
}

TEST(BadTopology, GraphsAreRefusedIfAndOnlyIfAGeometryIsMissing) {
  for (const auto* entry : RoutingRegistry::instance().entries()) {
    if (!has_defaults(*entry)) continue;
    const auto& known = RoutingRegistry::instance().at(entry->name);
    try {
      known.make(pair_of_routers(), Parameters::defaults(known.parameters));
    } catch (const ConfigError& e) {
      EXPECT_TRUE(says(e.what(), entry->name + std::string(" needs a "))) << e.what();
      EXPECT_TRUE(says(e.what(), "topology.kind")) << e.what();
    }
  }
}

TEST(BadParameter, UnknownChoicesListTheAllowedOnes) {
  const auto text = refusal("dimension_order", torus(2, 4), {{"vc_rule", "datelin"}});
  EXPECT_TRUE(says(text, "routing.vc_rule")) << text;
  EXPECT_TRUE(says(text, "'datelin'")) << text;
  EXPECT_TRUE(says(text, "dateline, wrapped_bit")) << text;
}

}  // namespace
}  // namespace noctule::routing_test
