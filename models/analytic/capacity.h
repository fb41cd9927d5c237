#pragma once
// How much traffic a network can carry at most, in closed form.

#include <cstdint>
#include <utility>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// Cycles for which a worm of `flits` occupies each virtual channel on its way, T_b of Gravano et al. 1994,
/// V.B: with buffers of one flit a flit moves on in every other cycle, 2b-1. Taken for routers with deeper
/// buffers too, so that a load in units of tau_max is the same load for every router. Means over mixtures of
/// lengths may be given.
[[nodiscard]] constexpr double worm_cycles(double flits) noexcept {
  return 2 * flits - 1;
}

/// Fraction of the messages that cross the bisection, as the paper takes it.
inline constexpr double kCrossingFraction = 0.5;

/// Largest rate per node, in packets per cycle, that the bisection bears: tau_max = 2 B / (N c T), Gravano et
/// al. 1994, equation 2. B: bidirectional channels that cross the bisection, N: nodes, c: fraction of the
/// messages that cross, T: cycles for which a message holds a channel.
/// It counts one message per channel, so that links shared by several VCs may carry more.
[[nodiscard]] constexpr double tau_max(double bisection, double nodes, double crossing,
                                       double cycles) noexcept {
  return 2 * bisection / (nodes * crossing * cycles);
}

/// Flits per terminal and cycle that the network bears of uniform traffic, self included, where links carry
/// as many flits per cycle as `rates` says, by LinkId. Where these are alike, Topology::capacity times that.
/// Else the least of what that is for the fastest links, of what all links together bear at the mean
/// distance, and of what the slow links bear: between the parts that faster ones hold together, and, in
/// networks that are not too large for it, of all packets that no way of faster links leads to their end, and
/// out of every set of routers that they cannot leave. No routing does better.
[[nodiscard]] double capacity_of(const Topology& topology, const std::vector<double>& rates);

/// Weights as cumulative probabilities in units of 2^-32; the last one is 2^32. Weights are above 0.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>> cumulative(
    const std::vector<std::pair<std::uint32_t, double>>& weighted);

}  // namespace noctule
