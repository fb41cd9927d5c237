#pragma once
// Headers that draw an output whether it is free or not (Selection::kBlind), where all that they may draw is
// taken: no output can come of it, so that it is enough to draw as many random numbers.

#include "blocks/block.h"

namespace noctule {

template <class C>
struct BlindHeaders {
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// Is none of `available` an output that a waiting header may take? Then they have drawn. `kFew`:
  /// Shape::kFew; what headers may take is not asked again in every cycle.
  template <bool kFew>
  [[gnu::always_inline]] static bool find_all_taken(State& s, const M& available) {
    if constexpr (kFew) {
      auto& known = s.memory.few;
      if (known.seeking != s.in_waiting) [[unlikely]] {
        known.draws = seek(s, known.sought);
        known.seeking = s.in_waiting;
      }
      return find_taken(s, known.sought, known.draws, available);
    }
    M sought;
    const unsigned draws = seek(s, sought);
    return find_taken(s, sought, draws, available);
  }

 private:
  [[gnu::always_inline]] static bool find_taken(State& s, const M& sought, unsigned draws,
                                                const M& available) {
    if ((sought & available).any()) return false;
    s.rng.skip(draws);
    return true;
  }
  /// `sought`: outputs that waiting headers may take; all, where it is not known what they draw. Returns how
  /// many random numbers they draw if none is free.
  static unsigned seek(const State& s, M& sought) {
    const auto& layout = *s.layout;
    sought = {};
    if (layout.crossbars.size() != 1 || !layout.preferred.empty()) {
      sought = ~sought;
      return 0;
    }
    unsigned draws = layout.scan == Scan::kRandomStart ? 1 : 0;
    s.in_waiting.each([&](std::size_t i) {
      const M feasible = s.feasible(i);
      sought |= feasible;
      draws += feasible.any() && !feasible.single() ? 1 : 0;
    });
    return draws;
  }
};

}  // namespace noctule
