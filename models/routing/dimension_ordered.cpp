#include "routing/dimension_ordered.h"

#include <bit>

namespace noctule {

unsigned DimensionOrdered::starts_in(unsigned d, RouterId source, RouterId destination) const {
  const unsigned at = cube().coordinate(source, d);
  const unsigned to = cube().coordinate(destination, d);
  return at == to ? 1U : ring_starts(d, at, to) | 1U;
}

std::uint64_t DimensionOrdered::initial_states(RouterId source, RouterId destination) const {
  std::uint64_t count = 1;
  if (!draws_) return count;
  for (unsigned d = 0; d < cube().dimensions(); ++d)
    count *= static_cast<unsigned>(std::popcount(starts_in(d, source, destination)));
  return count;
}

RouteState DimensionOrdered::initial_state(RouterId source, RouterId destination, std::uint64_t n) const {
  RouteState state = 0;
  if (!draws_) return state;
  for (unsigned d = 0; d < cube().dimensions() && n > 0; ++d) {
    unsigned starts = starts_in(d, source, destination);
    const auto choices = static_cast<unsigned>(std::popcount(starts));
    for (std::uint64_t before = n % choices; before > 0; --before) starts &= starts - 1;
    state |= RouteState(std::countr_zero(starts)) << (kRingStateBits * d);
    n /= choices;
  }
  return state;
}

}  // namespace noctule
