#pragma once
// Who comes first among headers that begin to bid in the same cycle, where headers are served first come,
// first served. Decided by the router alone, on what it knew at the start of the cycle.

#include <algorithm>
#include <utility>

#include "blocks/router_state.h"

namespace noctule {

/// Brings the headers in [first, last), which came in one cycle and are in an order of their own, into the
/// order of service. `port_of(header)`: link input, or number of link inputs + slot of the terminal.
/// Not for Ties::kPort, whose order is that in which the headers are found.
template <class C, class Iterator, class PortOf>
void break_ties(RouterState<C>& s, Iterator first, Iterator last, PortOf&& port_of) {
  const auto count = last - first;
  if (count < 2) return;
  if (s.layout->ties == Ties::kRandom) {
    for (auto n = count; n > 1; --n)
      std::swap(first[n - 1], first[static_cast<std::ptrdiff_t>(s.rng.below(static_cast<std::uint64_t>(n)))]);
    return;
  }
  const std::size_t ports = std::size_t{s.layout->link_inputs} + s.layout->plan->injecting;
  const auto behind = [&](const auto& header) {
    const std::size_t port = port_of(header);
    return port >= s.tie_next ? port - s.tie_next : port + ports - s.tie_next;
  };
  std::stable_sort(first, last, [&](const auto& a, const auto& b) { return behind(a) < behind(b); });
  const std::size_t next = port_of(*first) + 1;
  s.tie_next = static_cast<std::uint16_t>(next == ports ? 0 : next);
}

}  // namespace noctule
