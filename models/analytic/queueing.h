#pragma once
// Queues that are not wormhole networks: models to judge a number by, never bounds for one.

#include <cmath>
#include <cstdint>

namespace noctule {

/// Mean wait before service, in service times, of Poisson arrivals at one server with constant service and
/// an infinite queue (Pollaczek and Khinchine; M/D/1): rho / (2 (1 - rho)). Load 0 to below 1.
[[nodiscard]] constexpr double md1_wait(double load) noexcept {
  return load / (2 * (1 - load));
}

/// Mean wait in cycles where a packet comes with probability p in every cycle, whatever came before, and
/// takes S cycles, E[S] > 0 (Meisling 1958): p (E[S^2] - E[S]) / (2 (1 - p E[S])). `load`: p E[S], 0 to
/// below 1.
[[nodiscard]] constexpr double bernoulli_wait(double load, double mean, double mean_square) noexcept {
  return md1_wait(load) * (mean_square / mean - 1);
}

/// Mean wait in cycles in the output queues of the first stage of a network of k x k switches: load (m - 1/k)
/// / (2 (1 - load)). Packets of one flit, m = 1: Kruskal and Snir 1983, uniform traffic, independent arrivals
/// in every cycle. Packets of m flits that arrive whole: own derivation; those that come in flit by flit wait
/// 0.43 (k = 2) to 0.91 (k = 8) of that. Load in flits per cycle and link, 0 to below 1.
[[nodiscard]] constexpr double output_queue_wait(double load, double inputs, double flits = 1) noexcept {
  return load * (flits - 1 / inputs) / (2 * (1 - load));
}

/// Load per input at which a switch of N inputs with one FIFO queue each saturates: packets of one size,
/// uniform traffic, no virtual channels (Karol, Hluchyj and Morgan 1987, table I); from 9 inputs on the limit
/// of many, 2 - sqrt(2), at most 0.03 too low. N >= 1.
[[nodiscard]] inline double fifo_saturation(std::uint64_t inputs) noexcept {
  constexpr double kSmall[] = {1, 1, 0.75, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};
  constexpr std::uint64_t kTabulated = sizeof kSmall / sizeof kSmall[0];
  return inputs < kTabulated ? kSmall[inputs] : 2 - std::sqrt(2.0);
}

}  // namespace noctule
