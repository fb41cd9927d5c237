// Do messages in packets take what the repaired equations of Symons and Narasimhan 1997 say? Against the
// paper's numbers, against a search over all packet lengths, and against a network that is stepped flit by
// flit.

#include "analytic/packetised.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace noctule {
namespace {

/// The paper's transputer link: seconds and bytes.
constexpr SerialLink kTransputer{5.64e-7, 1.76e-4};

/// A chain of nodes that store packets whole, cycle by cycle; decisions read the state at the start of a
/// cycle. Knows of no equation.
class Chain {
 public:
  /// `places`: packets that a node between the ends holds; 0: any number. A place is taken as a packet starts
  /// to come and is free again when its last flit has left.
  Chain(std::size_t links, std::size_t places) : nodes_(links + 1), places_(places) {}

  std::uint64_t run(const std::vector<std::uint64_t>& lengths) {
    for (const auto length : lengths) nodes_.front().whole.push_back(length);
    std::uint64_t cycle = 0;
    for (std::size_t arrived = 0; arrived < lengths.size(); ++cycle) arrived += step();
    return cycle;
  }

 private:
  struct Node {
    std::deque<std::uint64_t> whole;  ///< lengths of packets that are in
    std::size_t held = 0;             ///< places taken
    std::uint64_t left = 0;           ///< flits of the packet on its way out that have not gone yet
  };
  /// Packets that came to the last node in this cycle.
  std::size_t step() {
    const std::vector<Node> before = nodes_;
    std::size_t arrived = 0;
    for (std::size_t n = 0; n + 1 < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      const bool last = n + 2 == nodes_.size();
      if (before[n].left == 0) {
        if (before[n].whole.empty()) continue;
        if (!last && places_ > 0 && before[n + 1].held >= places_) continue;
        node.left = before[n].whole.front();
        ++nodes_[n + 1].held;
      }
      if (--node.left > 0) continue;
      if (last)
        ++arrived;
      else
        nodes_[n + 1].whole.push_back(before[n].whole.front());
      node.whole.pop_front();
      if (n > 0) --node.held;
    }
    return arrived;
  }

  std::vector<Node> nodes_;
  std::size_t places_;
};

std::vector<std::uint64_t> lengths_of(std::uint64_t message, std::uint64_t packet, std::uint64_t overhead) {
  const PacketCut cut = cut_into_packets(message, packet);
  std::vector<std::uint64_t> lengths(cut.packets, packet + overhead);
  lengths.back() = cut.last + overhead;
  return lengths;
}

TEST(PacketisedMessages, TakeTheCyclesOfTheTable) {
  // Messages of 1000 flits, 39 flits of overhead a packet.
  struct Row {
    std::uint64_t packet, packets;
    std::vector<std::uint64_t> cycles;  ///< over 1, 2, 3, 4, 10 and 62 links
    std::uint64_t strict;               ///< over 3
  };
  const std::vector<Row> rows{{125, 8, {1312, 1476, 1640, 1804, 2788, 11316}, 2788},
                              {140, 8, {1312, 1491, 1670, 1849, 2923, 12231}, 2803},
                              {143, 7, {1273, 1455, 1637, 1819, 2911, 12375}, 2728},
                              {1000, 1, {1039, 2078, 3117, 4156, 10390, 64418}, 3117}};
  constexpr SerialLink kLink{1, 39};
  const std::vector<std::uint64_t> links{1, 2, 3, 4, 10, 62};
  for (const Row& row : rows) {
    const auto lengths = lengths_of(1000, row.packet, 39);
    EXPECT_EQ(lengths.size(), row.packets);
    for (std::size_t i = 0; i < links.size(); ++i) {
      SCOPED_TRACE(std::to_string(row.packet) + " flits over " + std::to_string(links[i]) + " links");
      EXPECT_EQ(overlapping_time(kLink, 1000, row.packet, links[i]), static_cast<double>(row.cycles[i]));
      EXPECT_EQ(stored_cycles(lengths, links[i], 0), row.cycles[i]);
      EXPECT_EQ(Chain(links[i], 2).run(lengths), row.cycles[i]);
      EXPECT_EQ(Chain(links[i], 0).run(lengths), row.cycles[i]) << "a third place gains nothing";
    }
    EXPECT_EQ(strict_time(kLink, 1000, row.packet, 3), static_cast<double>(row.strict));
    EXPECT_EQ(Chain(3, 1).run(lengths), row.strict);
  }
}

TEST(PacketisedMessages, TakeWhatAChainOfNodesTakes) {
  std::mt19937 random(7);
  const auto draw = [&](std::uint64_t least, std::uint64_t most) {
    return least + random() % (most - least + 1);
  };
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t message = draw(1, 60), packet = draw(1, 70), links = draw(1, 7),
                        overhead = draw(0, 9);
    SCOPED_TRACE(std::to_string(message) + " in " + std::to_string(packet) + " over " +
                 std::to_string(links) + ", overhead " + std::to_string(overhead));
    const SerialLink link{1, static_cast<double>(overhead)};
    const auto lengths = lengths_of(message, packet, overhead);
    ASSERT_EQ(overlapping_time(link, message, packet, links),
              static_cast<double>(Chain(links, 2).run(lengths)));
    ASSERT_EQ(strict_time(link, message, packet, links), static_cast<double>(Chain(links, 1).run(lengths)));
    ASSERT_LE(overlapping_time(link, message, packet, links), strict_time(link, message, packet, links));
  }
}

TEST(PacketisedMessages, OfMixedLengthsAreHeldUpByTheLongest) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint64_t> lengths(1 + random() % 6);
    for (auto& length : lengths) length = 1 + random() % 12;
    const std::size_t links = 1 + random() % 5;
    ASSERT_EQ(stored_cycles(lengths, links, 0), Chain(links, 0).run(lengths));
  }
}

TEST(TheSecondFigure, TakesOneAndAHalfUnits) {
  // Four packets over three links, no start-up cost; a unit is the message on one link.
  constexpr SerialLink kFree{0.25, 0};
  EXPECT_EQ(overlapping_time(kFree, 4, 1, 3), 1.5);
  EXPECT_EQ(overlapping_time(kFree, 4, 4, 3), 3);
  EXPECT_EQ(strict_time(kFree, 4, 1, 3), 2.25);
}

TEST(TheBestPacket, IsThePapersEstimateAndABetterOne) {
  EXPECT_NEAR(kTransputer.overhead(), 312.06, 0.005);
  EXPECT_NEAR(smooth_best_packet(kTransputer, 8000, 3), 1117.24, 0.5);
  EXPECT_NEAR(smooth_best_packet(kTransputer, 8000, 4), 912, 0.5);
  EXPECT_NEAR(smooth_best_packet({5.67e-7, 1.76e-4}, 8000, 3), 1114, 0.5);
  const std::vector<std::pair<std::uint64_t, double>> milliseconds{
      {100, 19.057}, {500, 8.244},  {1000, 7.400}, {1117, 7.532},
      {1143, 7.385}, {1600, 7.549}, {2000, 7.824}, {8000, 14.064}};
  for (const auto& [packet, time] : milliseconds)
    EXPECT_NEAR(1e3 * overlapping_time(kTransputer, 8000, packet, 3), time, 0.001) << packet;
  const BestPacket best = best_overlapping(kTransputer, 8000, 3);
  EXPECT_EQ(best.packet, 1143U);
  EXPECT_EQ(best.packets, 7U);
  EXPECT_EQ(best_strict(kTransputer, 8000, 3).packet, 2000U);
}

TEST(TheBestPacket, IsThatOfTheTable) {
  struct Cell {
    std::uint64_t message, links;
    double estimate;
    std::uint64_t packet;
    double loss;  ///< of the estimate, per cent
  };
  const std::vector<Cell> cells{{100, 2, 100, 100, 0},
                                {100, 3, 100, 100, 0},
                                {100, 10, 59, 50, 2.03},
                                {100, 62, 23, 25, 0.87},
                                {1000, 2, 559, 500, 2.42},
                                {1000, 3, 395, 334, 3.78},
                                {1000, 10, 186, 200, 2.60},
                                {1000, 62, 72, 77, 0.03},
                                {8000, 2, 1580, 1600, 2.55},
                                {8000, 3, 1117, 1143, 1.99},
                                {8000, 10, 527, 534, 1.23},
                                {8000, 62, 202, 200, 0.24},
                                {1000000, 2, 17665, 17544, 0.01},
                                {1000000, 3, 12491, 12500, 0.03},
                                {1000000, 10, 5888, 5848, 0.00},
                                {1000000, 62, 2262, 2278, 0.02}};
  for (const Cell& cell : cells) {
    SCOPED_TRACE(std::to_string(cell.message) + " over " + std::to_string(cell.links));
    const double estimate =
        smooth_best_packet(kTransputer, static_cast<double>(cell.message), static_cast<double>(cell.links));
    EXPECT_NEAR(estimate, cell.estimate, 0.5);
    const BestPacket best = best_overlapping(kTransputer, cell.message, cell.links);
    EXPECT_EQ(best.packet, cell.packet);
    const auto rounded = static_cast<std::uint64_t>(std::lround(estimate));
    const double loss = overlapping_time(kTransputer, cell.message, rounded, cell.links) / best.time - 1;
    EXPECT_NEAR(100 * loss, cell.loss, 0.01);
  }
}

TEST(TheBestPacket, IsTheBestOfAll) {
  double worst = 0;
  for (std::uint64_t message = 1; message < 2500; message += 1 + message / 23)
    for (const std::uint64_t links : {1, 2, 3, 4, 10, 62})
      for (const double overhead : {0.0, 1.0, 39.0, 312.0638}) {
        const SerialLink link{1, overhead};
        double least = 1e300, strict = 1e300;
        for (std::uint64_t packet = 1; packet <= message; ++packet) {
          least = std::min(least, overlapping_time(link, message, packet, links));
          strict = std::min(strict, strict_time(link, message, packet, links));
        }
        SCOPED_TRACE(std::to_string(message) + " over " + std::to_string(links) + ", overhead " +
                     std::to_string(overhead));
        const BestPacket best = best_overlapping(link, message, links);
        ASSERT_DOUBLE_EQ(best.time, least);
        ASSERT_EQ(best.packets, cut_into_packets(message, best.packet).packets);
        ASSERT_DOUBLE_EQ(best_strict(link, message, links).time, strict);
        if (overhead < 300) continue;
        worst = std::max(
            worst, overlapping_time(link, message,
                                    static_cast<std::uint64_t>(std::lround(smooth_best_packet(
                                        link, static_cast<double>(message), static_cast<double>(links)))),
                                    links) /
                           least -
                       1);
      }
  EXPECT_GT(worst, 0.1) << "the estimate is a bad integer";
  EXPECT_LT(worst, 0.25);
}

TEST(TheRuleForTheNumberOfPackets, LosesNextToNothing) {
  // The rule alone, without its neighbours.
  const double overhead = kTransputer.overhead();
  double worst = 0;
  for (double grown = 100; grown <= 1e6; grown *= 1.05)
    for (std::uint64_t links = 2; links <= 62; ++links) {
      const auto message = static_cast<std::uint64_t>(grown);
      const double x = static_cast<double>((links - 1) * message) / overhead;
      std::uint64_t n = 1;
      while (static_cast<double>(n) * static_cast<double>(n + 1) < x) ++n;
      n = std::min(n, message);
      const double time = overlapping_time(kTransputer, message, (message + n - 1) / n, links);
      worst = std::max(worst, time / best_overlapping(kTransputer, message, links).time - 1);
    }
  EXPECT_LE(worst, 0.0021);
}

TEST(ThePapersEstimates, HoldWhereTheyAreSaidTo) {
  const double k = kTransputer.overhead();
  for (double message = 1000; message <= 1e6; message *= 1.3)
    for (const std::uint64_t links : {2, 3, 4, 10, 62}) {
      const auto units = static_cast<std::uint64_t>(message);
      const auto m = static_cast<double>(units);
      const auto d = static_cast<double>(links);
      const double least = best_overlapping(kTransputer, units, links).time;
      const double bound = smooth_least_time(kTransputer, m, d);
      if (smooth_best_packet(kTransputer, m, d) <
          m) {  // else one packet, which equation 5 counts as less than one
        EXPECT_LE(bound, least * (1 + 1e-12));
        EXPECT_LE(least, bound * 1.008) << units << " over " << links;
      }
      EXPECT_NEAR(bound - large_least_time(kTransputer, m, d), (d - 1) * kTransputer.per_packet, 1e-9);
      for (const std::uint64_t packet : {units / 7 + 1, units / 3 + 1, units}) {
        const double exact = overlapping_time(kTransputer, units, packet, links);
        const double smooth = smooth_time(kTransputer, m, static_cast<double>(packet), d);
        EXPECT_LE(smooth, exact * (1 + 1e-12));
        EXPECT_LT(exact - smooth, kTransputer.per_packet * (1 + 1e-9));
      }
    }
  EXPECT_NEAR(1 - large_least_time({1, k}, 3800, 2) / smooth_least_time({1, k}, 3800, 2), 0.05, 0.005);
  EXPECT_NEAR(1 - large_least_time({1, k}, 25000, 2) / smooth_least_time({1, k}, 25000, 2), 0.01, 0.001);
}

TEST(ThePapersEstimates, AreFarOffElsewhere) {
  // Equation 7 at 100 bytes says 2.9; the whole message is sooner there than its packets.
  const double whole = overlapping_time(kTransputer, 8000, 8000, 3);
  EXPECT_NEAR(whole / overlapping_time(kTransputer, 8000, 100, 3), 0.74, 0.01);
  EXPECT_GT(smooth_speed_up(8000, 100, 3), 2.8);
  EXPECT_NEAR(whole / overlapping_time(kTransputer, 8000, 1117, 3), 1.87, 0.01);
  EXPECT_NEAR(smooth_speed_up(8000, 1117.24, 3), 2.11, 0.01);
}

TEST(ALongerWay, CostsTheSquareRootOnlyOfTheExcess) {
  // The time over 62 links against that over 10, each with its own best packet, and with 1000 bytes.
  struct Row {
    std::uint64_t message;
    double best, fixed;
  };
  for (const Row& row : std::vector<Row>{{100, 5.50, 6.20},
                                         {1000, 4.02, 6.20},
                                         {8000, 2.55, 4.06},
                                         {100000, 1.51, 1.48},
                                         {1000000, 1.17, 1.05}}) {
    EXPECT_NEAR(best_overlapping(kTransputer, row.message, 62).time /
                    best_overlapping(kTransputer, row.message, 10).time,
                row.best, 0.01);
    EXPECT_NEAR(overlapping_time(kTransputer, row.message, 1000, 62) /
                    overlapping_time(kTransputer, row.message, 1000, 10),
                row.fixed, 0.01);
  }
  struct Loss {
    std::uint64_t message, links;
    double more;
  };
  for (const Loss& loss :
       std::vector<Loss>{{8000, 3, 0.002}, {8000, 10, 0.099}, {8000, 62, 0.75}, {1000, 62, 1.83}})
    EXPECT_NEAR(overlapping_time(kTransputer, loss.message, 1000, loss.links) /
                        best_overlapping(kTransputer, loss.message, loss.links).time -
                    1,
                loss.more, 0.01);
}

TEST(EquationEight, GivesTheTimesOfTheTopologies) {
  // 8 kB over the diameters of networks of 64 and 1024 nodes, in milliseconds.
  struct Row {
    double links, milliseconds;
  };
  for (const Row& row :
       std::vector<Row>{{14, 13.23}, {62, 29.17}, {8, 10.46}, {32, 19.89}, {6, 9.38}, {10, 11.44}, {4, 8.13}})
    EXPECT_NEAR(1e3 * smooth_least_time(kTransputer, 8000, row.links), row.milliseconds, 0.01);
}

}  // namespace
}  // namespace noctule
