#include "blocks/selection.h"

namespace noctule {
namespace {

/// The feasible VCs of the directions with the most free VCs.
template <int Words>
Mask<Words> least_busy(const RouterLayout<Words>& layout, const Mask<Words>& feasible,
                       const Mask<Words>& available) {
  Mask<Words> best;
  unsigned most = 0;
  for (const Mask<Words>& direction : layout.directions) {
    if ((feasible & direction).none()) continue;
    const unsigned free = (available & direction).count();
    if (free > most) {
      most = free;
      best = {};
    }
    if (free == most) best |= feasible & direction;
  }
  return best.any() ? best : feasible;  // a consumption channel has no direction
}

}  // namespace

template <int Words>
Mask<Words> preferred_outputs(const RouterLayout<Words>& layout, const Mask<Words>& feasible) {
  for (const Mask<Words>& selector : layout.preferred)
    if (const Mask<Words> some = feasible & selector; some.any()) return some;
  return feasible;
}

template <int Words>
std::size_t select_output(const RouterLayout<Words>& layout, const Mask<Words>& feasible,
                          const Mask<Words>& available, std::uint16_t& next, Rng& rng) {
  const Mask<Words> preferred = preferred_outputs(layout, feasible);
  switch (layout.selection) {
    case Selection::kFirst:
      return preferred.lowest();
    case Selection::kRotating: {
      const std::size_t o = preferred.next_from(next);
      next = static_cast<std::uint16_t>(o + 1);
      return o;
    }
    case Selection::kLeastBusy:
      return random_of(least_busy(layout, preferred, available), rng);
    case Selection::kRandom:
    case Selection::kBlind:
      break;
  }
  return random_of(preferred, rng);
}

#define NOCTULE_INSTANTIATE(Words)                                                                       \
  template Mask<Words> preferred_outputs(const RouterLayout<Words>&, const Mask<Words>&);                \
  template std::size_t select_output(const RouterLayout<Words>&, const Mask<Words>&, const Mask<Words>&, \
                                     std::uint16_t&, Rng&);
NOCTULE_INSTANTIATE(1)
NOCTULE_INSTANTIATE(4)
NOCTULE_INSTANTIATE(16)
#undef NOCTULE_INSTANTIATE

}  // namespace noctule
