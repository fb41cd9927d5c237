// Integer geometric gaps against the distribution they stand for.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "traffic/geometric.h"

namespace noctule {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::uint64_t rate_of(double p) {
  return static_cast<std::uint64_t>(std::ldexp(p, 64));
}

/// Number of draws u whose gap exceeds g (gaps fall as u grows).
std::uint64_t survivors(const GeometricGap& gap, std::uint64_t g) {
  std::uint64_t low = 0;
  std::uint64_t high = kAll;  // the largest u has gap 1 in all cases tried
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (gap(middle) > g)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

TEST(GeometricMatchesTheory, SurvivalCountsAreThoseOfTheExactPowers) {
  for (const double p : {1e-12, 1e-6, 0.00445, 1.0 / 31, 0.1, 0.25, 0.5, 0.7, 0.9, 0.999}) {
    const std::uint64_t rate = rate_of(p);
    const GeometricGap gap(rate);
    const long double exact = std::ldexp(static_cast<long double>(rate), -64);
    std::vector<std::uint64_t> at{1, 2, 3, 7, 8, 100, 1023};
    for (const double quantile : {0.01, 0.3, 1.0, 3.0, 10.0, 30.0})
      at.push_back(1 + static_cast<std::uint64_t>(quantile / p));
    for (const std::uint64_t g : at) {
      const long double expected = std::ldexp(std::exp(static_cast<long double>(g) * std::log1p(-exact)), 64);
      const auto counted = static_cast<long double>(survivors(gap, g));
      // 2^-57 of all draws, and the reference's own rounding.
      EXPECT_LE(std::abs(counted - expected), 128 + 64) << "p " << p << ", gap above " << g;
    }
  }
}

TEST(GeometricMatchesTheory, GapsFallAsDrawsGrow) {
  for (const double p : {1e-12, 1e-6, 0.00445, 0.1, 0.5, 0.9, 0.999}) {
    const GeometricGap gap(rate_of(p));
    std::uint64_t last = gap(0);
    for (std::uint64_t high = 0; high < 1024; ++high)  // round the ends of what shares its first bits, too
      for (const std::uint64_t u :
           {high << 54, (high << 54) + 1, ((high + 1) << 54) - 2, ((high + 1) << 54) - 1}) {
        const std::uint64_t now = gap(u);
        ASSERT_LE(now, last) << "p " << p << ", u " << u;
        last = now;
      }
  }
}

TEST(GeometricMatchesTheory, HalfIsTheNumberOfLeadingZeros) {
  const GeometricGap gap(std::uint64_t{1} << 63);
  Rng rng(5);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t u = rng.next() >> (i % 64);
    ASSERT_EQ(gap(u), static_cast<std::uint64_t>(std::countl_zero(u)) + 1) << u;
  }
  EXPECT_EQ(gap(0), 65U);
  EXPECT_EQ(gap(kAll), 1U);
  EXPECT_EQ(gap((std::uint64_t{1} << 63) - 1), 2U);
  EXPECT_EQ(gap(std::uint64_t{1} << 63), 1U);
}

TEST(GeometricMatchesTheory, MeanAndVarianceOfDraws) {
  constexpr int kDraws = 100000;
  for (const double p : {1e-6, 0.001, 0.05, 0.3, 0.9, 0.99}) {
    const GeometricGap gap(rate_of(p));
    Rng rng(static_cast<std::uint64_t>(1 / p));
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const auto g = static_cast<double>(gap(rng.next()));
      ASSERT_GE(g, 1);
      sum += g;
      squares += g * g;
    }
    const double mean = sum / kDraws;
    const double deviation = std::sqrt(1 - p) / p;
    EXPECT_NEAR(mean, 1 / p, 4 * deviation / std::sqrt(kDraws)) << p;
    const double kurtosis = 9 + p * p / (1 - p);  // fourth central moment over variance squared
    EXPECT_NEAR((squares / kDraws - mean * mean) / (deviation * deviation), 1,
                5 * std::sqrt((kurtosis - 1) / kDraws))
        << p;
  }
}

TEST(GeometricMatchesTheory, ChiSquareOfSmallGaps) {
  constexpr int kDraws = 100000;
  const double p = 0.2;
  const GeometricGap gap(rate_of(p));
  constexpr unsigned kCells = 21;
  std::vector<unsigned> count(kCells, 0);
  Rng rng(9);
  for (int i = 0; i < kDraws; ++i) ++count[std::min<std::uint64_t>(gap(rng.next()), kCells) - 1];
  double chi_square = 0;
  for (unsigned c = 0; c < kCells; ++c) {
    const double probability = c + 1 < kCells ? p * std::pow(1 - p, c) : std::pow(1 - p, c);
    chi_square += std::pow(count[c] - probability * kDraws, 2) / (probability * kDraws);
  }
  EXPECT_LE(chi_square, 20 + 4.5 * std::sqrt(40));
  EXPECT_GE(chi_square, 20 - 3.1 * std::sqrt(40));
}

TEST(GeometricSurvivesExtremes, LeastAndGreatestRate) {
  EXPECT_THROW(GeometricGap(0), InternalError);
  const GeometricGap always(kAll);
  EXPECT_EQ(always(kAll), 1U);
  EXPECT_EQ(always(1), 1U);
  EXPECT_EQ(always(0), 2U);
  const GeometricGap hardly(1);
  EXPECT_GT(hardly(0), kAll / 2);
  EXPECT_GT(hardly(1), kAll / 2);
  EXPECT_EQ(hardly(kAll), 1U);
  // Half of all draws exceed ln 2 of the mean 2^64.
  EXPECT_NEAR(std::ldexp(static_cast<double>(hardly(std::uint64_t{1} << 63)), -64), std::log(2.0), 1e-12);
}

/// The digest comes from exact inversion in 80-digit decimal arithmetic.
TEST(GeometricIsDeterministic, SameOnEveryMachine) {
  const GeometricGap gap(82088011128007504ULL);  // 0.00445
  Rng rng(2024);
  std::uint64_t digest = 0;
  for (int i = 0; i < 1000; ++i) digest = mix64(digest ^ gap(rng.next()));
  EXPECT_EQ(digest, 5227558214433268137ULL);
}

}  // namespace
}  // namespace noctule
