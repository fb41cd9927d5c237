// Is the tail of a worm as far behind its header as the formula says? Against a chain of buffers, stepped.

#include "analytic/cut_through.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace noctule {
namespace {

/// When the last of so many flits is over `links` links that take `flight` cycles, with `places` places
/// behind each, free again `flight + credit` cycles after a flit was sent. The last link ends in a sink.
std::uint64_t last_arrival(std::uint64_t flits, std::uint64_t places, std::uint64_t flight,
                           std::uint64_t credit, std::size_t links) {
  // sent[k][f]: cycle in which flit f leaves on link k; the earliest that the one before it, its own arrival
  // and the credits allow.
  std::vector<std::vector<std::uint64_t>> sent(links, std::vector<std::uint64_t>(flits));
  for (std::uint64_t f = 0; f < flits; ++f)
    for (std::size_t k = 0; k < links; ++k)
      for (std::uint64_t t = 0;; ++t) {
        const bool in = k == 0 || sent[k - 1][f] + flight <= t;
        const bool free = f == 0 || sent[k][f - 1] + 1 <= t;
        // A place of the next buffer: the flit that had it has left, and its credit is back.
        const bool room = k + 1 == links || f < places || sent[k + 1][f - places] + credit <= t;
        if (!in || !free || !room) continue;
        sent[k][f] = t;
        break;
      }
  return sent.back().back() + flight;
}

TEST(TheTailLag, IsThatOfAChainOfBuffers) {
  std::mt19937 random(5);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t flits = 1 + random() % 30, places = 1 + random() % 9, flight = 1 + random() % 4,
                        credit = 1 + random() % 4;
    const std::size_t links = 2 + random() % 4;
    ASSERT_EQ(
        last_arrival(flits, places, flight, credit, links) - last_arrival(1, places, flight, credit, links),
        tail_lag(flits, places, flight + credit))
        << flits << " flits, " << places << " places, round trip " << flight + credit;
  }
}

TEST(TheTailLag, GivesThePapersFormulas) {
  for (std::uint64_t b = 1; b < 40; ++b) {
    // Gravano et al. 1994: 2 (d + b), buffers of one flit, two cycles a hop.
    EXPECT_EQ(tail_lag(b, 1, 2), 2 * (b - 1));
    // Enough places for a round trip: a flit per cycle.
    EXPECT_EQ(tail_lag(b, 4, 4), b - 1);
  }
  // Boppana et al. 1998: 7 hops of 4 cycles, 20 flits: 52 cycles, and 70 with two places.
  EXPECT_EQ(1 + 4 * (7 + 1) + tail_lag(20, 4, 4), 52U);
  EXPECT_EQ(1 + 4 * (7 + 1) + tail_lag(20, 2, 4), 70U);
}

TEST(BackToBack, PacketsFollowWithTheirFlits) {
  // Packets of 5, 7 and 4 flits as one train over three links of two cycles.
  EXPECT_EQ(last_arrival(5 + 7 + 4, 9, 2, 1, 3), back_to_back(last_arrival(5, 9, 2, 1, 3), 7 + 4, 2, 0));
  EXPECT_EQ(back_to_back(10, 12, 2, 3), 28U);
}

TEST(TheSerialFlit, IsThePacketOfEquationSix) {
  EXPECT_NEAR(best_serial_flit(8000, 312.06, 3), 1117.24, 0.05);
  EXPECT_EQ(best_serial_flit(8000, 312.06, 1), 8000);
  EXPECT_EQ(best_serial_flit(100, 312.06, 3), 100);
}

}  // namespace
}  // namespace noctule
