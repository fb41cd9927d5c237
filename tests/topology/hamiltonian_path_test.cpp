// Is the labelling of a mesh a Hamiltonian path, and in two dimensions the paper's?

#include <gtest/gtest.h>

#include "support/cube_network.h"
#include "topology/hamiltonian_path.h"

namespace noctule {
namespace {

using Labelling = HamiltonianPath::Labelling;
constexpr auto kBoth = {Labelling::kRows, Labelling::kColumns};

CubeNetwork mesh(std::vector<unsigned> radix) {
  const std::vector<bool> wrap(radix.size(), false);
  return {std::move(radix), wrap};
}

TEST(HamiltonianPath, GoesThroughEveryRouterFromNeighbourToNeighbour) {
  for (const auto& radix : std::vector<std::vector<unsigned>>{
           {2}, {9}, {2, 2}, {5, 3}, {4, 7}, {8, 8}, {3, 3, 3}, {2, 5, 4}, {3, 2, 2, 4}, {2, 2, 2, 2, 2}}) {
    const auto cube = mesh(radix);
    for (const auto labelling : kBoth) {
      const HamiltonianPath path(cube, labelling, "", "");
      ASSERT_EQ(path.routers(), cube.routers());
      EXPECT_EQ(path.router(0), RouterId{0}) << "starts in the corner";
      for (std::uint32_t l = 0; l < path.routers(); ++l) {
        EXPECT_EQ(path.label(path.router(l)), l);
        if (l > 0) {
          EXPECT_EQ(cube.distance(path.router(l - 1), path.router(l)), 1U);
        }
      }
    }
  }
}

/// Boppana et al. 1998, Fig. 1, with r the row and c the column.
TEST(HamiltonianPath, IsASnakeInTwoDimensions) {
  for (const auto& [width, height] :
       std::vector<std::pair<unsigned, unsigned>>{{8, 8}, {5, 3}, {2, 7}, {6, 2}}) {
    const auto cube = mesh({width, height});
    const HamiltonianPath rows(cube, Labelling::kRows, "", "");
    const HamiltonianPath columns(cube, Labelling::kColumns, "", "");
    for (unsigned r = 0; r < height; ++r)
      for (unsigned c = 0; c < width; ++c) {
        const auto router = cube.router_at(std::vector<unsigned>{c, r});
        EXPECT_EQ(rows.label(router), r * width + (r % 2 == 0 ? c : width - 1 - c));
        EXPECT_EQ(columns.label(router), c * height + (c % 2 == 0 ? r : height - 1 - r));
      }
  }
}

TEST(HamiltonianPath, ChangesItsDimensionsInTheOrderOfTheLabelling) {
  const auto cube = mesh({4, 3, 2});
  const HamiltonianPath rows(cube, Labelling::kRows, "", "");
  EXPECT_EQ(rows.fastest(), 0U);
  EXPECT_EQ(rows.slowest(), 2U);
  const HamiltonianPath columns(cube, Labelling::kColumns, "", "");
  EXPECT_EQ(columns.fastest(), 2U);
  EXPECT_EQ(columns.slowest(), 0U);
  for (std::uint32_t l = 0; l < 24; ++l) {
    EXPECT_EQ(cube.coordinate(rows.router(l), 2), l / 12);
    EXPECT_EQ(cube.coordinate(columns.router(l), 0), l / 6);
  }
}

TEST(HamiltonianPath, RefusesWrapsInTheNameOfWhoAsks) {
  for (const auto labelling : kBoth) try {
      const HamiltonianPath path(CubeNetwork({4, 3}, {false, true}), labelling, "some.key", "somebody");
      ADD_FAILURE() << "accepted";
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics().front().key, "some.key");
      const std::string text = e.what();
      for (const char* part : {"somebody needs a mesh", "dimension 1 wraps", "topology.kind mesh"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace noctule
