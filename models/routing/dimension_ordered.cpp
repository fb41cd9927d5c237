#include "routing/dimension_ordered.h"

namespace noctule {

void DimensionOrdered::initial_states(RouterId source, RouterId destination,
                                      std::vector<RouteState>& states) const {
  states.assign(1, RouteState{0});
  if (!draws_) return;
  for (unsigned d = 0; d < cube().dimensions(); ++d) {
    const unsigned at = cube().coordinate(source, d);
    const unsigned to = cube().coordinate(destination, d);
    if (at == to) continue;
    const unsigned starts = ring_starts(d, at, to);
    const auto known = states.size();
    for (RouteState s = 1; starts >> s != 0; ++s)
      if ((starts >> s & 1) != 0)
        for (std::size_t i = 0; i < known; ++i) states.push_back(states[i] | s << (kRingStateBits * d));
  }
}

}  // namespace noctule
