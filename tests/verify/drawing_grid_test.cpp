// Are rows, columns and planes found in positions alone, and drawn as they are?

#include "verify/report/drawing_grid.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/cube_network.h"
#include "topology/builder.h"
#include "topology/without.h"
#include "verify/report/drawing_layout.h"
#include "verify/report/network_drawing.h"

namespace noctule {
namespace {

/// The same network, of which nobody knows that it is a cube.
std::shared_ptr<const Topology> bare(const Topology& topology) {
  auto copy = std::make_shared<const Topology>(take_away(topology, {}));
  EXPECT_EQ(copy->geometry<CubeGeometry>(), nullptr);
  EXPECT_EQ(copy->links().size(), topology.links().size());
  return copy;
}

std::string picture(const std::shared_ptr<const Topology>& topology) {
  const auto& entry = RoutingRegistry::instance().at("up_down");
  std::string svg =
      draw_network(plan_fabric({topology, entry.make(topology, Parameters::defaults(entry.parameters)), {}}));
  const std::string title = topology->title();
  for (auto at = svg.find(title); at != std::string::npos; at = svg.find(title))
    svg.replace(at, title.size(), "TITLE");
  return svg;
}

struct Shape {
  std::vector<unsigned> radix;
  bool wrap;
};
const std::vector<Shape> kShapes{
    {{5}, true},       {{4, 3}, false},        {{4, 3}, true},          {{2, 2}, true},
    {{3, 2, 4}, true}, {{3, 3, 2}, false},     {{2, 2, 2, 2, 2}, true}, {{2, 3, 2, 3}, false},
    {{2, 2, 3}, true}, {{2, 2, 3, 2, 3}, true}};

TEST(PicturesOfGrids, NeedNoCube) {
  for (const auto& [radix, wrap] : kShapes) {
    const auto cube =
        std::make_shared<const Topology>(make_cube(radix, std::vector<bool>(radix.size(), wrap)));
    EXPECT_EQ(picture(bare(*cube)), picture(cube)) << fmt::format("{}", radix.size());
  }
}

TEST(DrawingGrid, HasTheCoordinatesAndDirectionsOfACube) {
  for (const auto& [radix, wrap] : kShapes) {
    const CubeNetwork cube(radix, std::vector<bool>(radix.size(), wrap));
    const auto network = bare(cube);
    const auto grid = DrawingGrid::of(*network);
    ASSERT_TRUE(grid);
    const unsigned dimensions = cube.dimensions();
    EXPECT_EQ(grid->columns(), radix[0]);
    EXPECT_EQ(grid->rows(), dimensions > 1 ? radix[1] : 1);
    for (std::uint32_t r = 0; r < cube.routers(); ++r) {
      EXPECT_EQ(grid->cell(RouterId{r}).column, cube.coordinate(RouterId{r}, 0));
      EXPECT_EQ(grid->cell(RouterId{r}).row, dimensions > 1 ? cube.coordinate(RouterId{r}, 1) : 0);
      EXPECT_EQ(*grid->router_at(grid->cell(RouterId{r})), RouterId{r});
      EXPECT_EQ(grid->name(grid->cell(RouterId{r}).plane), cube.plane(RouterId{r}));
    }
    for (const Link& link : cube.links()) {
      const unsigned d = CubeGeometry::dimension_of(link.out);
      const double sign = CubeGeometry::is_plus(link.out) ? 1 : -1;
      const Position heading = grid->heading(link);
      EXPECT_EQ(grid->in_plane(link), d < 2);
      if (d < 2) {
        EXPECT_EQ(heading, (d == 0 ? Position{sign, 0} : Position{0, sign})) << cube.link_name(link);
        continue;
      }
      const double angle = std::numbers::pi / 2 * (d - 1) / (dimensions - 1);
      EXPECT_NEAR(heading.x, sign * std::cos(angle), 1e-12) << cube.link_name(link);
      EXPECT_NEAR(heading.y, -sign * std::sin(angle), 1e-12) << cube.link_name(link);
    }
  }
}

/// Three routers at these positions, one after the other and back.
std::optional<DrawingGrid> grid_of(std::vector<Position> positions) {
  TopologyBuilder builder;
  builder.add_routers(3, {"to", "fro"});
  builder.place_routers([positions](RouterId r) { return positions[index(r)]; });
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{r + 1}, PortId{0});
    builder.connect(RouterId{r + 1}, PortId{1}, RouterId{r}, PortId{1});
  }
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId{r});
  static std::vector<std::shared_ptr<const Topology>> kept;
  kept.push_back(std::make_shared<const Topology>(std::move(builder).build()));
  return DrawingGrid::of(*kept.back());
}

TEST(DrawingGrid, IsFoundWherePositionsAreThoseOfRowsAndColumns) {
  const auto corner = grid_of({{-2, 7.5}, {-1, 7.5}, {-1, 6.5}});
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->columns(), 2U);
  EXPECT_EQ(corner->rows(), 2U);
  EXPECT_EQ(corner->cell(RouterId{2}).row, 0U);
  EXPECT_EQ(corner->router_at({0, 0, 0}), nullptr) << "nobody is there";
  EXPECT_FALSE(grid_of({{0, 0}, {1, 1}, {2, 1}})) << "a diagonal";
  EXPECT_FALSE(grid_of({{0, 0}, {2, 0}, {3, 0}})) << "a link over two columns";
  EXPECT_FALSE(grid_of({{0, 0}, {0.5, 0}, {1, 0}})) << "between two columns";
  EXPECT_FALSE(grid_of({{0, 0}, {1, 0}, {0, 0}})) << "two at one place";
  EXPECT_FALSE(grid_of({{0, 0}, {1, 0}, {1e18, 0}}));
}

TEST(DrawingGrid, IsNotFoundWhereNobodyPlacesRouters) {
  TopologyBuilder builder;
  builder.add_routers(2, {"next"});
  for (std::uint32_t r = 0; r < 2; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{1 - r}, PortId{0});
    builder.add_terminal(RouterId{r});
  }
  EXPECT_FALSE(DrawingGrid::of(std::move(builder).build()));
}

}  // namespace
}  // namespace noctule
