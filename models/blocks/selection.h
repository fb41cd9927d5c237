#pragma once
// Which of the output VCs that a header may have it takes (node.selection, node.prefer). Compiled in a file
// of its own, so that a new policy does not compile every router again.

#include "blocks/router_layout.h"
#include "core/rng.h"

namespace noctule {

/// Those of the first `prefer` selector that has any; all, if none has.
template <int Words>
[[nodiscard]] Mask<Words> preferred_outputs(const RouterLayout<Words>& layout, const Mask<Words>& feasible);

/// One of `set`, which has at least one. One of one is not drawn.
template <int Words>
[[gnu::always_inline]] inline std::size_t random_of(const Mask<Words>& set, Rng& rng) {
  const unsigned count = set.count();
  Rng drawn = rng;
  const std::uint64_t n = drawn.below(count);
  rng = count == 1 ? rng : drawn;
  if constexpr (Words == 1)
    if (count <= 4) [[likely]] {  // no branch predictor knows how many there are
      // The lowest bit goes where n is above `skipped`. Written so that compilers make no branch of it.
      const auto without = [n](std::uint64_t bits, std::int64_t skipped) {
        return bits &
               ((bits - 1) | static_cast<std::uint64_t>((static_cast<std::int64_t>(n) - 1 - skipped) >> 63));
      };
      return Mask<1>{{without(without(without(set.words[0], 0), 1), 2)}}.lowest();
    }
  return set.nth(n);
}

/// One of `feasible`, which has at least one. `available`: all outputs that are free now. `next`: where the
/// crossbar's last choice ended.
template <int Words>
[[nodiscard]] std::size_t select_output(const RouterLayout<Words>& layout, const Mask<Words>& feasible,
                                        const Mask<Words>& available, std::uint16_t& next, Rng& rng);

}  // namespace noctule
