// Warm-up detection: is the end of synthetic transients found, neither early nor late?

#include "stats/warm_up.h"

#include <gtest/gtest.h>

#include <cmath>

#include "noise.h"

namespace noctule {
namespace {

using test::noisy_count;

/// A network that fills up exponentially with time constant `tau` (0: stationary from the start). Delivers 20
/// flits and 4 packets per cycle in the end.
struct Transient {
  double tau = 0;
  double noise = 1;
  double growth = 0;  ///< of queues, packets per cycle, without end
  std::uint64_t seed = 1;
};

WarmUpBlock block(const Transient& t, Rng& rng, Cycle begin, Cycle cycles) {
  const double middle = static_cast<double>(begin) + static_cast<double>(cycles) / 2;
  const double level = t.tau > 0 ? 1 - std::exp(-middle / t.tau) : 1;
  const auto length = static_cast<double>(cycles);
  WarmUpBlock b;
  b.cycles = cycles;
  b.packets = noisy_count(rng, 4 * length * level, t.noise * std::sqrt(4 * length * level));
  b.flits = 5 * b.packets;
  const double latency = 60 + 60 * level + t.growth * middle;
  b.latency_sum = noisy_count(rng, latency * static_cast<double>(b.packets),
                              t.noise * 20 * std::sqrt(static_cast<double>(b.packets)));
  b.queue = noisy_count(rng, 20 + t.growth * middle, t.noise * 4);
  b.population = b.queue + noisy_count(rng, 400 * level, t.noise * 10);
  return b;
}

/// Cycles until the detector is content, and what it calls the transient; limit if it never is.
std::pair<Cycle, Cycle> detect(const Transient& t, Cycle limit = 400'000) {
  WarmUpDetector detector(100);
  Rng rng(t.seed, "transient");
  Cycle now = 0;
  while (!detector.settled() && now < limit) {
    const Cycle cycles = detector.block_cycles();
    detector.add(block(t, rng, now, cycles));
    now += cycles;
  }
  EXPECT_EQ(now, detector.observed_cycles());
  return {now, detector.transient_cycles()};
}

TEST(DoesTheShapeMatchTheory, TheMinimumOfMserIsWhereTheTransientEnds) {
  std::vector<double> step(100, 1.0);
  for (std::size_t i = 0; i < 30; ++i) step[i] = 0.2;
  for (std::size_t i = 30; i < 100; ++i) step[i] += i % 2 == 0 ? 0.01 : -0.01;
  EXPECT_EQ(mser_truncation(step), 30U);
  EXPECT_EQ(mser_truncation({}), 0U);
  EXPECT_EQ(mser_truncation({1, 2, 3}), 0U);
  EXPECT_EQ(mser_truncation(std::vector<double>(40, 3.0)), 0U);
}

TEST(DoesTheShapeMatchTheory, TheEndOfATransientIsFoundWithinBounds) {
  for (const double tau : {500.0, 2000.0, 8000.0}) {
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const auto [end, transient] = detect({tau, 1, 0, seed});
      // At 2 tau 14 % of the transient is left; it must be less, and no more than 25 tau may be spent.
      EXPECT_GT(static_cast<double>(end), 3 * tau) << tau << ' ' << seed;
      EXPECT_LT(static_cast<double>(end), 25 * tau + 4000) << tau << ' ' << seed;
      EXPECT_LE(2 * transient, end) << tau << ' ' << seed;
      EXPECT_GT(static_cast<double>(transient), 1.0 * tau) << tau << ' ' << seed;
      mean += static_cast<double>(end) / 40;
    }
    EXPECT_LT(mean, 16 * tau) << tau;
  }
}

TEST(DoesTheShapeMatchTheory, LittleOfAStationarySeriesIsGivenAway) {
  double ends = 0;
  double transients = 0;
  constexpr int kRuns = 200;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const auto [end, transient] = detect({0, 1, 0, seed});
    ends += static_cast<double>(end) / kRuns;
    transients += static_cast<double>(transient) / static_cast<double>(end) / kRuns;
    EXPECT_LE(end, 16'000U) << seed;
  }
  EXPECT_GE(ends, 2000);
  EXPECT_LT(ends, 3500);
  EXPECT_LT(transients, 0.25);
}

TEST(IsEachRuleObeyed, AGrowingPopulationNeverSettles) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto [end, transient] = detect({0, 1, 0.5, seed}, 50'000);
    EXPECT_GE(end, 50'000U) << seed;
  }
}

TEST(IsEachRuleObeyed, BlocksGrowByDoubling) {
  WarmUpDetector detector(100);
  Rng rng(1, "doubling");
  Cycle now = 0;
  std::vector<Cycle> lengths;
  while (now < 30'000) {
    if (lengths.empty() || lengths.back() != detector.block_cycles())
      lengths.push_back(detector.block_cycles());
    const Cycle cycles = detector.block_cycles();
    detector.add(block({0, 1, 0.5, 1}, rng, now, cycles));
    now += cycles;
  }
  EXPECT_EQ(lengths, (std::vector<Cycle>{100, 200, 400, 800}));
}

/// A queue at 64 terminals that offer 20 flits per cycle and have `accepted` of them taken.
bool seen_saturated(double accepted, double queue, double growth, std::size_t blocks = 20) {
  WarmUpDetector detector(100);
  Rng rng(5, "queue");
  for (std::size_t i = 0; i < blocks; ++i) {
    WarmUpBlock b;
    b.cycles = 100;
    b.flits = static_cast<std::uint64_t>(2000 * accepted);
    b.packets = b.flits / 5;
    b.latency_sum = 60 * b.packets;
    b.queue = noisy_count(rng, queue + growth * static_cast<double>(i), 5);
    detector.add(b);
  }
  return detector.clearly_saturated(20, 64);
}

TEST(IsEachRuleObeyed, SaturationIsClearPast30PacketsPerTerminalOrWithASteadilyGrowingQueue) {
  EXPECT_TRUE(seen_saturated(1, 31 * 64, 0));
  EXPECT_FALSE(seen_saturated(1, 29 * 64, 0));
  EXPECT_TRUE(seen_saturated(0.9, 100, 40));
  EXPECT_FALSE(seen_saturated(0.98, 100, 40));  // accepted is above 0.97
  EXPECT_FALSE(seen_saturated(0.9, 100, 0));    // the queue does not grow
  EXPECT_FALSE(seen_saturated(0.9, 100, 1));    // it grows less than it fluctuates
  EXPECT_FALSE(seen_saturated(1, 31 * 64, 0, 9));
}

TEST(DoesItSurviveBadInput, ASilentNetworkSettlesAtOnce) {
  WarmUpDetector detector(100);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(detector.settled());
    detector.add({100, 0, 0, 0, 0, 0});
  }
  EXPECT_TRUE(detector.settled());
  EXPECT_EQ(detector.transient_cycles(), 0U);
}

TEST(DoesItSurviveBadInput, PacketsThatAreNeverDeliveredDoNotSettle) {
  WarmUpDetector detector(100);
  for (int i = 0; i < 35; ++i) detector.add({100, 0, 0, 0, 64, 0});
  EXPECT_FALSE(detector.settled());
}

}  // namespace
}  // namespace noctule
