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
class Pair final : public Topology {
 public:
  [[nodiscard]] std::size_t routers() const override { return 2; }
  [[nodiscard]] std::size_t terminals() const override { return 2; }
  [[nodiscard]] std::size_t ports() const override { return 1; }
  [[nodiscard]] std::span<const Link> links() const override { return links_; }
  [[nodiscard]] const Link* outgoing(RouterId r, PortId) const override { return &links_[index(r)]; }
  [[nodiscard]] const Link* incoming(RouterId r, PortId) const override { return &links_[1 - index(r)]; }
  [[nodiscard]] RouterId router_of(TerminalId t) const override {
    return RouterId{static_cast<std::uint32_t>(t)};
  }
  [[nodiscard]] std::string router_name(RouterId) const override { return "router"; }
  [[nodiscard]] std::string port_name(PortId) const override { return "out"; }
  [[nodiscard]] unsigned distance(RouterId a, RouterId b) const override { return a == b ? 0 : 1; }
  [[nodiscard]] unsigned diameter() const override { return 1; }
  [[nodiscard]] double mean_distance() const override { return 1; }
  [[nodiscard]] unsigned bisection() const override { return 1; }
  [[nodiscard]] double capacity() const override { return 1; }

 private:
  std::array<Link, 2> links_{Link{LinkId{0}, RouterId{0}, PortId{0}, RouterId{1}, PortId{0}},
                             Link{LinkId{1}, RouterId{1}, PortId{0}, RouterId{0}, PortId{0}}};
};

TEST(BadTopology, OtherGraphsAreRefusedByName) {
  for (const auto* entry : RoutingRegistry::instance().entries()) {
    const auto& known = RoutingRegistry::instance().at(entry->name);
    try {
      known.make(std::make_shared<Pair>(), Parameters::defaults(known.parameters));
      ADD_FAILURE() << entry->name;
    } catch (const ConfigError& e) {
      EXPECT_TRUE(says(e.what(), entry->name)) << e.what();
      EXPECT_TRUE(says(e.what(), "k-ary n-cube")) << e.what();
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
