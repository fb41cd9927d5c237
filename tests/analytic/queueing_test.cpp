// Do queues wait as the models say? Against simulated ones.

#include "analytic/queueing.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace noctule {
namespace {

TEST(OneServer, WaitsAsPollaczekAndKhinchineSay) {
  // Lindley's recursion.
  for (const double load : {0.3, 0.5, 0.7}) {
    std::mt19937_64 random(11);
    std::exponential_distribution<double> between(load);
    double wait = 0, sum = 0;
    constexpr int kPackets = 2'000'000;
    for (int i = 0; i < kPackets; ++i) {
      sum += wait;
      wait = std::max(0.0, wait + 1 - between(random));
    }
    EXPECT_NEAR(sum / kPackets, md1_wait(load), 0.015 * md1_wait(load)) << load;
  }
  EXPECT_DOUBLE_EQ(md1_wait(0.9), 4.5);
}

TEST(OneServer, WaitsAsMeislingSaysOfPacketsThatComeWithOneProbability) {
  const std::vector<std::vector<double>> shares{{1}, {0, 1}, {0, 0, 0, 0, 1}, {0.7, 0, 0, 0, 0, 0, 0, 0.3}};
  for (const auto& share : shares)
    for (const double load : {0.3, 0.7}) {
      double mean = 0;
      double square = 0;
      for (std::size_t n = 0; n < share.size(); ++n) {
        mean += share[n] * static_cast<double>(n + 1);
        square += share[n] * static_cast<double>((n + 1) * (n + 1));
      }
      std::mt19937_64 random(17);
      std::geometric_distribution<int> after(load / mean);  // cycles between, but one
      std::discrete_distribution<int> length(share.begin(), share.end());
      double wait = 0;
      double sum = 0;
      constexpr int kPackets = 1'000'000;
      for (int i = 0; i < kPackets; ++i) {
        sum += wait;
        wait = std::max(0.0, wait + (length(random) + 1) - (after(random) + 1));
      }
      const double said = bernoulli_wait(load, mean, square);
      EXPECT_NEAR(sum / kPackets, said, 0.03 * said) << load << " " << mean;
    }
}

TEST(AnOutputQueue, WaitsAsKruskalAndSnirSay) {
  for (const unsigned k : {2U, 4U, 8U}) {
    constexpr double kLoad = 0.6;
    std::mt19937_64 random(k);
    std::bernoulli_distribution arrives(kLoad / k);
    std::uint64_t queue = 0, waits = 0, packets = 0;
    for (int cycle = 0; cycle < 1'000'000; ++cycle) {
      for (unsigned input = 0; input < k; ++input)
        if (arrives(random)) {
          waits += queue;  // cycles until those before it have gone
          ++queue;
          ++packets;
        }
      if (queue > 0) --queue;
    }
    const double wait = static_cast<double>(waits) / static_cast<double>(packets);
    EXPECT_NEAR(wait, output_queue_wait(kLoad, k), 0.02 * output_queue_wait(kLoad, k)) << k;
  }
  EXPECT_GT(output_queue_wait(0.5, 4, 4), 4 * output_queue_wait(0.5, 4));
}

TEST(FifoInputQueues, SaturateWhereKarolHluchyjAndMorganSay) {
  // Inputs that never run dry; one destination each at the head.
  for (const unsigned n : {2U, 3U, 4U, 8U}) {
    std::mt19937_64 random(n);
    std::vector<unsigned> head(n);
    for (auto& to : head) to = static_cast<unsigned>(random() % n);
    constexpr int kCycles = 300'000;
    std::uint64_t passed = 0;
    for (int cycle = 0; cycle < kCycles; ++cycle) {
      std::vector<std::vector<unsigned>> asking(n);
      for (unsigned input = 0; input < n; ++input) asking[head[input]].push_back(input);
      for (const auto& inputs : asking)
        if (!inputs.empty()) {
          head[inputs[random() % inputs.size()]] = static_cast<unsigned>(random() % n);
          ++passed;
        }
    }
    EXPECT_NEAR(static_cast<double>(passed) / kCycles / n, fifo_saturation(n), 0.003) << n;
  }
  EXPECT_NEAR(fifo_saturation(1000), 0.586, 0.001);
}

}  // namespace
}  // namespace noctule
