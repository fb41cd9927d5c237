#pragma once
// Worms and virtual cut-through without contention, in closed form. Cycles and flits; links of a flit per
// cycle.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace noctule {

/// Cycles by which the tail of a lone packet follows its header over links: floor((L - 1) / q) max(R, q) +
/// (L - 1) mod q for L flits, q places in each input buffer, and R cycles from the sending of a flit until
/// its place can be taken again. L - 1 if q >= R. Exact where header and other flits take the same time
/// through a router, and no other buffer is narrower; else an upper bound. L, q >= 1.
[[nodiscard]] constexpr std::uint64_t tail_lag(std::uint64_t flits, std::uint64_t places,
                                               std::uint64_t round_trip) noexcept {
  return (flits - 1) / places * std::max(round_trip, places) + (flits - 1) % places;
}

/// Cycles from the birth of the first of several packets of one source to the end of the last, over one way,
/// buffers of a round trip: `first`, what the first takes alone, the flits of the `others`, and `idle` cycles
/// of the link before each of these. Exact where the last packet is not longer than the ones before, or
/// header and other flits take the same time.
[[nodiscard]] constexpr std::uint64_t back_to_back(std::uint64_t first, std::uint64_t flits_of_others,
                                                   std::uint64_t others, std::uint64_t idle) noexcept {
  return first + flits_of_others + others * idle;
}

/// Length of flit that takes a message of M bits in least time over D links, each flit with h bits of its
/// own and sent on when it is in: sqrt(M h / (D - 1)), at most M. Symons and Narasimhan 1997, equation 6,
/// with flits for packets. Holds where a flit takes much longer over a link than through a router. D >= 1.
[[nodiscard]] inline double best_serial_flit(double message, double own, double links) noexcept {
  return links > 1 ? std::min(message, std::sqrt(message * own / (links - 1))) : message;
}

}  // namespace noctule
