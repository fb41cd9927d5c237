// Does the search find the load at which serving in full ends, with few questions, and the same each time?

#include "stats/saturation_search.h"

#include <gtest/gtest.h>

#include <vector>

namespace noctule {
namespace {

std::vector<double> search(SaturationSearch& search, double truth) {
  std::vector<double> asked;
  while (const auto load = search.next()) {
    asked.push_back(*load);
    search.note(*load <= truth);
  }
  return asked;
}

TEST(SaturationSearch, FindsTheEndToWithinA64th) {
  for (const double truth : {0.001, 0.1, 0.2003, 0.333, 0.49999}) {
    SaturationSearch s(0.5);
    const auto asked = search(s, truth);
    EXPECT_EQ(asked.size(), 1 + SaturationSearch::kHalvings);
    EXPECT_LE(s.served(), truth);
    ASSERT_TRUE(s.refused().has_value());
    EXPECT_GT(*s.refused(), truth);
    EXPECT_NEAR(*s.refused() - s.served(), 0.5 / 64, 1e-12) << truth;
  }
}

TEST(SaturationSearch, EndsAtOnceWhereTheHighestLoadIsServed) {
  SaturationSearch s(0.5);
  EXPECT_EQ(search(s, 1).size(), 1U);
  EXPECT_EQ(s.served(), 0.5);
  EXPECT_FALSE(s.refused().has_value());
}

TEST(SaturationSearch, SaysZeroWhereNothingIsServed) {
  SaturationSearch s(1);
  search(s, 0);
  EXPECT_EQ(s.served(), 0);
  EXPECT_EQ(s.refused(), 1.0 / 64);
}

TEST(SaturationSearch, AsksTheSameAgain) {
  SaturationSearch a(0.7);
  SaturationSearch b(0.7);
  EXPECT_EQ(search(a, 0.31), search(b, 0.31));
}

}  // namespace
}  // namespace noctule
