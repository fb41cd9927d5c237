#pragma once
// Messages cut into packets that every router stores whole before it sends them on: how long they take, and
// how long the packets should be. Symons and Narasimhan 1997, section 3, where a packet is called a flit. The
// equations are repaired: as printed, 1 to 4 count a packet too many if the last one is full, 6 and 9 are
// misprinted, and 4 is too large for messages of less than a packet.

#include <cstdint>
#include <span>

namespace noctule {

/// A link of the paper. Data in any unit (bytes, flits), time in any unit (seconds, cycles); both are those
/// of every function below.
struct SerialLink {
  double per_unit = 1;    ///< alpha: time of a unit of data, > 0
  double per_packet = 0;  ///< beta: time of each packet besides, >= 0
  /// K = beta / alpha, in units of data: the length at which a packet costs as much as its data.
  [[nodiscard]] double overhead() const noexcept { return per_packet / per_unit; }
};

/// A message in packets (equation 1). All but the last one are full.
struct PacketCut {
  std::uint64_t packets = 1;  ///< n = ceil(M / B)
  std::uint64_t last = 0;     ///< R = M - (n - 1) B, units of data
};

// In all of these `message` is M and `packet` is B, units of data, >= 1; `links` is D, links on the way,
// >= 1.

[[nodiscard]] PacketCut cut_into_packets(std::uint64_t message, std::uint64_t packet) noexcept;

/// To the next router: alpha M + n beta. Equations 2 and 3. Exact.
[[nodiscard]] double adjacent_time(const SerialLink& link, std::uint64_t message,
                                   std::uint64_t packet) noexcept;

/// alpha M + n beta + (D - 1) (alpha min(B, M) + beta). Equation 4, repaired. Exact where a router takes one
/// packet while it sends the one before: places for two packets, or one that is free when its packet starts
/// to leave.
[[nodiscard]] double overlapping_time(const SerialLink& link, std::uint64_t message, std::uint64_t packet,
                                      std::uint64_t links) noexcept;

/// (2 (n - 1) + D - 2) (alpha B + beta) + 2 (alpha R + beta) for D, n >= 2; else as overlapping_time. Exact
/// where a router has one place, which is free when its packet has left. Not in the paper.
[[nodiscard]] double strict_time(const SerialLink& link, std::uint64_t message, std::uint64_t packet,
                                 std::uint64_t links) noexcept;

/// sum of all lengths + (D - 1) (longest + delay): packets of any lengths one behind the other, overhead
/// included, each forwarded `delay` cycles after its tail is in. Exact with the places of overlapping_time
/// and for `delay` a third one. Of one length it is equation 4. Cycles, links of a flit per cycle; at least
/// one packet.
[[nodiscard]] std::uint64_t stored_cycles(std::span<const std::uint64_t> flits, std::uint64_t links,
                                          std::uint64_t delay) noexcept;

/// The packet length of least time, and that time.
struct BestPacket {
  std::uint64_t packets = 1;
  std::uint64_t packet = 1;  ///< units of data
  double time = 0;
};
/// Of overlapping_time, exact. For n packets the shortest, ceil(M / n), is best; the best n is the smallest
/// with n (n + 1) >= (D - 1) M / K, but for the rounding of M / n, which a search around it makes good. Takes
/// time with the fourth root of M.
[[nodiscard]] BestPacket best_overlapping(const SerialLink& link, std::uint64_t message,
                                          std::uint64_t links) noexcept;
/// Of strict_time, exact; n (n + 1) >= (D - 2) M / (2 K).
[[nodiscard]] BestPacket best_strict(const SerialLink& link, std::uint64_t message,
                                     std::uint64_t links) noexcept;

// Estimates of the paper, which take n for M / B.

/// (M / B + D - 1) (alpha B + beta). Equation 5: for B <= M at most beta below overlapping_time.
[[nodiscard]] double smooth_time(const SerialLink& link, double message, double packet,
                                 double links) noexcept;
/// sqrt(M K / (D - 1)), at most M. Equation 6. On average 0.7 %, at worst 25 %, above the least time
/// (message 100 to 10^6 units, K = 312).
[[nodiscard]] double smooth_best_packet(const SerialLink& link, double message, double links) noexcept;
/// D / (1 + D B / M): how many times longer a message takes that is stored as a whole. Equation 7: for K much
/// less than B, and B than M / D; else too large.
[[nodiscard]] double smooth_speed_up(double message, double packet, double links) noexcept;
/// alpha M (1 + sqrt(K (D - 1) / M))^2. Equation 8: a lower bound of the least time; at most 0.8 % below it
/// from 1000 units on (K = 312, D = 2, 3, 4, 10, 62).
[[nodiscard]] double smooth_least_time(const SerialLink& link, double message, double links) noexcept;
/// alpha (M + 2 sqrt(K M (D - 1))). Equation 9: (D - 1) beta below equation 8, which is 5 % at
/// M = 12 K (D - 1) and 1 % at 80 K (D - 1).
[[nodiscard]] double large_least_time(const SerialLink& link, double message, double links) noexcept;

}  // namespace noctule
