#pragma once
// Which of the output VCs that a header may have it takes (node.selection, node.prefer). Compiled in a file
// of its own, so that a new policy does not compile every router again.

#include "blocks/router_layout.h"
#include "core/rng.h"

namespace noctule {

/// Those of the first `prefer` selector that has any; all, if none has.
template <int Words>
[[nodiscard]] Mask<Words> preferred_outputs(const RouterLayout<Words>& layout, const Mask<Words>& feasible);

/// One of `feasible`, which has at least one. `available`: all outputs that are free now. `next`: where the
/// crossbar's last choice ended.
template <int Words>
[[nodiscard]] std::size_t select_output(const RouterLayout<Words>& layout, const Mask<Words>& feasible,
                                        const Mask<Words>& available, std::uint16_t& next, Rng& rng);

}  // namespace noctule
