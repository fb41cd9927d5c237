// Batch means: do the 95 % intervals cover the truth as often as they say?

#include "stats/batch_means.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "noise.h"

namespace noctule {
namespace {

TEST(DoesTheShapeMatchTheory, StudentQuantilesAreTheTabulatedOnes) {
  const std::vector<std::pair<std::size_t, double>> known = {
      {1, 12.7062}, {2, 4.3027},   {3, 3.1824},   {4, 2.7764},    {5, 2.5706},
      {7, 2.3646},  {9, 2.2622},   {10, 2.2281},  {15, 2.1314},   {19, 2.0930},
      {20, 2.0860}, {29, 2.0452},  {30, 2.0423},  {31, 2.0395},   {40, 2.0211},
      {60, 2.0003}, {100, 1.9840}, {120, 1.9799}, {1000, 1.9623}, {1'000'000'000, 1.9600}};
  for (const auto& [dof, t] : known) EXPECT_NEAR(student_t_975(dof), t, 0.00005) << dof;
  EXPECT_THROW((void)student_t_975(0), InternalError);
}

/// Probability that |T| < t, by Simpson's rule on the density.
double central_probability(double t, double dof) {
  const double scale = std::exp(std::lgamma((dof + 1) / 2) - std::lgamma(dof / 2)) / std::sqrt(dof * M_PI);
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / dof, -(dof + 1) / 2); };
  const int n = 4000;
  double sum = density(0) + density(t);
  for (int i = 1; i < n; ++i) sum += density(t * i / n) * (i % 2 == 1 ? 4 : 2);
  return 2 * sum * t / n / 3;
}

TEST(DoesTheShapeMatchTheory, EveryStudentQuantileHolds95PercentOfItsDensity) {
  double last = 100;
  for (std::size_t dof = 1; dof <= 200; ++dof) {
    EXPECT_NEAR(central_probability(student_t_975(dof), static_cast<double>(dof)), 0.95, 1e-7) << dof;
    EXPECT_LT(student_t_975(dof), last);
    last = student_t_975(dof);
  }
}

std::vector<RatioSample> of_values(const std::vector<std::uint64_t>& values) {
  std::vector<RatioSample> list;
  for (const auto v : values) list.push_back({v, 1});
  return list;
}

TEST(IsEachRuleObeyed, MeanAndIntervalOfAHandCalculation) {
  // 2 4 4 4 5 5 7 9: mean 5, sum of squares 32, t(7) = 2.36462.
  const auto e = estimate_ratio(of_values({4, 7, 2, 5, 9, 4, 5, 4}));
  ASSERT_TRUE(e && e->ci95);
  EXPECT_DOUBLE_EQ(e->mean, 5);
  EXPECT_NEAR(*e->ci95, 2.364624 * std::sqrt(32.0 / 7 / 8), 1e-5);
  EXPECT_EQ(e->batches, 8U);
  EXPECT_NEAR(e->relative_half_width(), *e->ci95 / 5, 1e-12);
}

TEST(IsEachRuleObeyed, ARatioWeighsBatchesByTheirSize) {
  const auto e = estimate_ratio(std::vector<RatioSample>{{100, 10}, {30, 1}, {0, 0}});
  ASSERT_TRUE(e);
  EXPECT_DOUBLE_EQ(e->mean, 130.0 / 11);
  // Exact proportionality leaves no uncertainty, however uneven the batches.
  const auto exact = estimate_ratio(std::vector<RatioSample>{{100, 10}, {30, 3}, {70, 7}, {0, 0}});
  EXPECT_NEAR(*exact->ci95, 0, 1e-12);
}

TEST(DoesItSurviveBadInput, TooFewBatchesGiveNoInterval) {
  EXPECT_FALSE(estimate_ratio({}));
  EXPECT_FALSE(estimate_ratio(std::vector<RatioSample>{{0, 0}, {0, 0}}));
  const auto one = estimate_ratio(of_values({3}));
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->ci95);
  EXPECT_TRUE(std::isinf(one->relative_half_width()));
  EXPECT_THROW((void)estimate_difference(of_values({1}), of_values({1, 2})), InternalError);
}

/// Batches of `per_batch` values of an AR(1) series around 1000 with unit innovations times 20.
std::vector<RatioSample> autoregressive(Rng& rng, double phi, std::size_t batches, std::size_t per_batch) {
  double x = test::normal(rng) / std::sqrt(1 - phi * phi);
  std::vector<RatioSample> list;
  for (std::size_t b = 0; b < batches; ++b) {
    double sum = 0;
    for (std::size_t i = 0; i < per_batch; ++i) {
      x = phi * x + test::normal(rng);
      sum += 1000 + 20 * x;
    }
    list.push_back({static_cast<std::uint64_t>(std::lround(sum)), per_batch});
  }
  return list;
}

struct Coverage {
  double covered = 0;
  double unwidened = 0;  ///< covered by the interval of pairs alone
  double flagged = 0;
  double batches = 0;
};

Coverage coverage(double phi, std::size_t batches, std::size_t per_batch, BatchRule rule = {}) {
  constexpr int kRuns = 2000;
  Coverage c;
  Rng rng(7, "coverage");
  for (int run = 0; run < kRuns; ++run) {
    const auto e = estimate_ratio(autoregressive(rng, phi, batches, per_batch), rule);
    c.covered += std::abs(e->mean - 1000) <= *e->ci95 ? 1 : 0;
    c.unwidened += std::abs(e->mean - 1000) <= *e->ci95 / e->widened ? 1 : 0;
    c.flagged += e->correlated ? 1 : 0;
    c.batches += static_cast<double>(e->batches);
  }
  c.covered /= kRuns;
  c.unwidened /= kRuns;
  c.flagged /= kRuns;
  c.batches /= kRuns;
  return c;
}

TEST(DoesTheShapeMatchTheory, IndependentBatchesAreCovered95PercentOfTheTime) {
  const auto c = coverage(0, 32, 4);
  EXPECT_GT(c.covered, 0.935);
  EXPECT_LT(c.covered, 0.965);
  EXPECT_LT(c.flagged, 0.01);
  EXPECT_GT(c.batches, 28);  // the test for correlation strikes by chance once in twenty
}

/// A few packets in 20 batches: most batches say nothing, and must not count as if they did.
TEST(DoesTheShapeMatchTheory, BatchesWithNothingInThemMakeNoIntervalNarrower) {
  constexpr std::array<std::uint64_t, 10> kLatencies{10, 15, 15, 20, 20, 20, 25, 25, 30, 35};
  constexpr double kMean = 21.5;
  Rng rng(7, "few");
  for (const std::uint64_t packets : {5, 10}) {
    int known = 0;
    int covered = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      std::vector<RatioSample> batches(20);
      for (std::uint64_t n = 0; n < packets; ++n) {
        RatioSample& batch = batches[rng.below(batches.size())];
        batch.numerator += kLatencies[rng.below(kLatencies.size())];
        ++batch.denominator;
      }
      const auto found = estimate_ratio(batches);
      if (!found->ci95) continue;
      ++known;
      covered += std::abs(found->mean - kMean) <= *found->ci95 + 1e-9 ? 1 : 0;
    }
    EXPECT_GT(known, 3900);
    EXPECT_GT(covered, 0.90 * known) << packets;
    EXPECT_LT(covered, 0.99 * known) << packets;
  }
  std::vector<RatioSample> one(20);
  one[3] = {15, 1};
  EXPECT_EQ(estimate_ratio(one)->mean, 15);
  EXPECT_FALSE(estimate_ratio(one)->ci95);
  EXPECT_FALSE(estimate_difference(one, one)->ci95);
}

TEST(DoesTheShapeMatchTheory, CorrelatedBatchesArePairedUntilTheIntervalHolds) {
  // Neighbours correlate with about 0.6, and the 96 values are worth 11 independent ones: pairing cannot win
  // back all of the coverage, but most of what is missing without it.
  const auto paired = coverage(0.8, 32, 3);
  const auto plain = coverage(0.8, 32, 3, BatchRule{32, 32});
  EXPECT_LT(plain.unwidened, 0.75);
  EXPECT_GT(plain.flagged, 0.9);
  EXPECT_GT(paired.unwidened, 0.83);
  EXPECT_LT(paired.covered, 0.965);
  EXPECT_LT(paired.batches, 16);
  EXPECT_GE(paired.batches, 8);
  const auto longer = coverage(0.8, 160, 3);
  EXPECT_GT(longer.covered, 0.91);
  EXPECT_LT(longer.covered, 0.965);
}

TEST(DoesTheShapeMatchTheory, SlowProcessesHaveWiderIntervals) {
  // Batches as short as a fortieth of the time that the series remembers: pairs alone cover a third to a
  // half.
  for (const double phi : {0.9, 0.95, 0.97}) {
    const auto slow = coverage(phi, 20, 1);
    EXPECT_LT(slow.unwidened, 0.6) << phi;
    EXPECT_GT(slow.covered, 0.78) << phi;
    EXPECT_GT(slow.covered - slow.unwidened, 0.3) << phi;
  }
  for (const double phi : {0.6, 0.8}) EXPECT_GT(coverage(phi, 40, 1).covered, 0.9) << phi;
}

TEST(DoesTheShapeMatchTheory, LongBatchesOfACorrelatedSeriesNeedNoPairing) {
  const auto c = coverage(0.5, 32, 30);
  EXPECT_GT(c.covered, 0.93);
  EXPECT_LT(c.covered, 0.968);
  EXPECT_GT(c.batches, 26);
}

TEST(IsEachRuleObeyed, ManyBatchesAreGroupedToTheTargetFirst) {
  const auto alternating = [](std::size_t batches, std::size_t group) {
    std::vector<std::uint64_t> values(batches);
    for (std::size_t i = 0; i < batches; ++i) values[i] = 100 + (i / group) % 2;
    return of_values(values);
  };
  EXPECT_EQ(estimate_ratio(alternating(64, 1))->batches, 64U);
  EXPECT_EQ(estimate_ratio(alternating(71, 2))->batches, 35U);
  EXPECT_EQ(estimate_ratio(alternating(640, 20))->batches, 32U);
}

TEST(IsEachRuleObeyed, AHopelesslyCorrelatedSeriesIsFlaggedAtEightBatches) {
  std::vector<std::uint64_t> ramp(32);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = 100 + i;
  const auto e = estimate_ratio(of_values(ramp));
  EXPECT_TRUE(e->correlated);
  EXPECT_EQ(e->batches, 8U);
  EXPECT_DOUBLE_EQ(e->mean, 115.5);
}

TEST(DoesTheShapeMatchTheory, CommonNoiseCancelsInPairedDifferences) {
  Rng rng(11, "paired");
  int covered = 0;
  constexpr int kRuns = 1000;
  double paired_width = 0;
  double single_width = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<RatioSample> a;
    std::vector<RatioSample> b;
    for (int i = 0; i < 32; ++i) {
      const double common = 100 * test::normal(rng);
      a.push_back({test::noisy_count(rng, 10'000 + common, 10), 10});
      b.push_back({test::noisy_count(rng, 9'900 + common, 10), 10});
    }
    const auto d = estimate_difference(a, b);
    covered += std::abs(d->mean - 10) <= *d->ci95 ? 1 : 0;
    paired_width += *d->ci95 / kRuns;
    single_width += *estimate_ratio(a)->ci95 / kRuns;
  }
  EXPECT_GT(covered, 930);
  EXPECT_LT(covered, 970);
  EXPECT_LT(paired_width * 5, single_width);
}

}  // namespace
}  // namespace noctule
