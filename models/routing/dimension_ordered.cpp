#include "routing/dimension_ordered.h"

namespace noctule {

void DimensionOrdered::initial_states(RouterId source, RouterId destination,
                                      std::vector<RouteState>& states) const {
  states.assign(1, RouteState{0});
  std::vector<RingState> starts;
  for (unsigned d = 0; d < cube().dimensions(); ++d) {
    const unsigned at = cube().coordinate(source, d);
    const unsigned to = cube().coordinate(destination, d);
    if (at == to) continue;
    starts.clear();
    ring_starts(d, at, to, starts);
    const auto known = states.size();
    for (std::size_t s = 1; s < starts.size(); ++s)
      for (std::size_t i = 0; i < known; ++i)
        states.push_back(states[i] | RouteState{starts[s]} << (kRingStateBits * d));
  }
}

}  // namespace noctule
