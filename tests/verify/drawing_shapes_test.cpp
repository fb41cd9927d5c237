// Does the picture of a deadlock show of a large, deep or irregular network what takes part, and say so?

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "routing/relation.h"
#include "topology/builder.h"
#include "verify/drawing_support.h"
#include "verify/report/drawing.h"

namespace noctule::drawing_test {
namespace {

TEST(DrawingOfALargeNetwork, IsCroppedToWhatTheWitnessTouchesAndSaysSo) {
  const auto shape = cube({64, 20}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {30, 10}), kXPlus, kYPlus),
                     worm(c, at(shape, {63, 10}), kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_NE(svg.find("Of the 64 columns only 0, 1, 29, 30, 31, 32, 62, 63 of x are shown."),
            std::string::npos);
  EXPECT_NE(svg.find("Of the 20 rows only 9, 10, 11, 12 of y are shown."), std::string::npos);
  EXPECT_EQ(count(svg, "rx=\"4\""), 8U * 4U);
  EXPECT_EQ(count(svg, ">30,10</text>"), 1U);
  EXPECT_EQ(count(svg, ">28,10</text>"), 0U);
}

TEST(DrawingOfALargeNetwork, IsCroppedAlongBothSidesIfOneIsLong) {
  const auto shape = cube({40, 8}, false);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {0, 3}), kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  EXPECT_EQ(count(svg, "rx=\"4\""), 3U * 4U);
  EXPECT_NE(svg.find("Of the 40 columns only 0, 1, 2 of x"), std::string::npos);
  EXPECT_NE(svg.find("Of the 8 rows only 2, 3, 4, 5 of y"), std::string::npos);
  // To column 3 from 4 rows, to rows 1 and 6 from 3 columns; none to the left of column 0.
  EXPECT_EQ(count(svg, "stroke-dasharray=\"2 3\""), 4U + 2U * 3U);
}

TEST(DrawingOfALargeNetwork, IsCroppedFromNinePerSideOnOrEightPlanesOfEight) {
  for (const unsigned side : {9U, 16U}) {
    const auto shape = cube({side, side}, false);
    auto c = blank(shape);
    c.witness.worms = {worm(c, at(shape, {3, 4}), kXPlus, kYPlus)};
    const auto svg = draw_witness(c);
    expect_well_formed(svg);
    EXPECT_EQ(count(svg, "rx=\"4\""), 4U * 4U) << side;
    EXPECT_NE(svg.find(fmt::format("Of the {} rows only 3, 4, 5, 6 of y are shown.", side)),
              std::string::npos);
  }
  const auto shape = cube({8, 8, 8}, false);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {1, 1, 1}), CubeNetwork::plus(2), kXPlus)};
  EXPECT_EQ(count(draw_witness(c), "rx=\"4\""), 2U * 4U * 3U) << "two planes, cropped";
}

TEST(DrawingOfALargeNetwork, OfEightPerSideIsComplete) {
  const auto shape = cube({8, 8}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, RouterId{0}, kXPlus, kYPlus)};
  const auto svg = draw_witness(c);
  EXPECT_EQ(count(svg, "rx=\"4\""), 64U);
  EXPECT_EQ(svg.find("are shown"), std::string::npos);
}

TEST(DrawingInThreeDimensions, ShowsThePlanesThatAreTouched) {
  const auto shape = cube({3, 3, 4}, true);
  auto c = blank(shape);
  c.witness.worms = {worm(c, at(shape, {1, 1, 1}), CubeNetwork::plus(2), kXPlus)};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, ">z = 1</text>"), 2U) << "the plane, and where the stub in the other one comes from";
  EXPECT_EQ(count(svg, ">z = 2</text>"), 2U) << "the plane, and where the stub leads";
  EXPECT_EQ(count(svg, ">z = 3</text>"), 0U);
  EXPECT_EQ(count(svg, "rx=\"4\""), 18U);
  EXPECT_EQ(lines_of(svg, "worm").size(), 2U) << "out of one plane, into the other";
  EXPECT_NE(svg.find("2 of 4 planes are shown."), std::string::npos);
}

/// A ring without coordinates.
std::shared_ptr<const Topology> loop_of(std::uint32_t n) {
  TopologyBuilder builder;
  builder.add_routers(n, {"next"});
  builder.name_routers([](RouterId r) { return fmt::format("hub_{}", index(r)); });
  for (std::uint32_t r = 0; r < n; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{(r + 1) % n}, PortId{0});
    builder.add_terminal(RouterId{r});
  }
  return std::make_shared<const Topology>(std::move(builder).build());
}

class Onwards final : public RoutingRelation {
 public:
  explicit Onwards(std::shared_ptr<const Topology> topology) : topology_(std::move(topology)) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId, RouterId, RouteState, CandidateList& list) const override {
    list.add(PortId{0}, VcClass{0});
  }
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const override {
    return topology_->distance(from, to);
  }

 private:
  std::shared_ptr<const Topology> topology_;
};

TEST(DrawingOfOtherNetworks, IsACircle) {
  const auto loop = loop_of(5);
  const auto plan = plan_fabric({loop, std::make_shared<Onwards>(loop), {}});
  const auto certificate = verify(std::make_shared<const FabricPlan>(plan));
  ASSERT_EQ(certificate.method, "cyclic");
  const auto svg = draw_witness(certificate);
  expect_well_formed(svg);
  EXPECT_EQ(legend(svg).size(), certificate.witness.worms.size());
  EXPECT_EQ(count(svg, "rx=\"4\""), 5U);
  for (int r = 0; r < 5; ++r) EXPECT_EQ(count(svg, fmt::format(">hub_{}</text>", r)), 1U);
  EXPECT_NE(svg.find("network of 5 routers"), std::string::npos);
}

TEST(DrawingOfOtherNetworks, LeavesOutWhatTakesNoPartInLargeOnes) {
  const auto loop = loop_of(200);
  auto c = blank(loop, std::make_shared<Onwards>(loop));
  c.witness.worms = {worm(c, RouterId{7}, PortId{0}, PortId{0})};
  const auto svg = draw_witness(c);
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "rx=\"4\""), 3U);
  EXPECT_NE(svg.find("Of the 200 routers only the 3 that take part are shown."), std::string::npos);
}

}  // namespace
}  // namespace noctule::drawing_test
