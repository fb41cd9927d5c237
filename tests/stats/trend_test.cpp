// The trend of a correlated series: does its interval hold the truth, from noise to a random walk?

#include "stats/trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "noise.h"

namespace noctule {
namespace {

TEST(DoesTheShapeMatchTheory, TheLineIsThatOfLeastSquares) {
  const auto line = trend_of(std::vector<double>{3, 5, 7, 9, 11});
  EXPECT_DOUBLE_EQ(line.mean, 7);
  EXPECT_DOUBLE_EQ(line.slope, 2);
  EXPECT_DOUBLE_EQ(line.ci95, 0);
  // By hand: centred x -1.5 .. 1.5, sum of products 5, of squares 5.
  EXPECT_DOUBLE_EQ(trend_of(std::vector<double>{0, 3, 1, 4}).slope, 1);
}

TEST(DoesItSurviveBadInput, FewValuesHaveNoInterval) {
  EXPECT_TRUE(std::isinf(trend_of(std::vector<double>{1, 2, 3}).ci95));
  EXPECT_DOUBLE_EQ(trend_of(std::vector<double>{}).mean, 0);
  EXPECT_DOUBLE_EQ(trend_of(std::vector<double>(20, 4.0)).ci95, 0);
}

struct Held {
  double covered = 0;
  double width = 0;  ///< mean
};

/// `phi` 1: a random walk. Slopes of 20 values that are means of 25 each.
Held held(double phi, double slope) {
  constexpr int kRuns = 300;
  Rng rng(5, "trend");
  Held h;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(20);
    double x = phi < 1 ? test::normal(rng) / std::sqrt(1 - phi * phi) : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (int k = 0; k < 25; ++k) {
        x = phi * x + test::normal(rng);
        values[i] += x / 25;
      }
      values[i] += slope * static_cast<double>(i);
    }
    const auto t = trend_of(values);
    h.covered += std::abs(t.slope - slope) <= t.ci95 ? 1.0 / kRuns : 0;
    h.width += t.ci95 / kRuns;
  }
  return h;
}

TEST(DoesTheShapeMatchTheory, TheIntervalHoldsTheSlopeFromNoiseToARandomWalk) {
  for (const double phi : {0.0, 0.9, 0.99, 1.0}) EXPECT_GT(held(phi, 0.5).covered, 0.87) << phi;
}

TEST(DoesTheShapeMatchTheory, NoiseIsToldFromARandomWalkByItsNarrowInterval) {
  EXPECT_LT(held(0, 0).width * 10, held(1, 0).width);
}

}  // namespace
}  // namespace noctule
