// Resets in mid-run: as many as there are cycles for, each once, by the seed.

#include <gtest/gtest.h>

#include <algorithm>

#include "cosim/reset_line.h"

namespace noctule {
namespace {

TEST(Resets, AreAsManyAsAskedForWhereThereAreSoManyCycles) {
  EXPECT_EQ(draw_resets(1, 9, 10), (std::vector<Cycle>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(draw_resets(1, 1000, 10).size(), 9U);
  EXPECT_EQ(draw_resets(1, 5, 1), std::vector<Cycle>{});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto resets = draw_resets(seed, 6, 10);
    EXPECT_EQ(resets.size(), 6U);
    EXPECT_TRUE(std::ranges::adjacent_find(resets, std::ranges::greater_equal()) == resets.end());
    EXPECT_EQ(resets, draw_resets(seed, 6, 10));
  }
}

}  // namespace
}  // namespace noctule
