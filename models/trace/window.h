#pragma once
// A range of cycles.

#include "core/ids.h"

namespace noctule {

/// Cycles from, from+1, ..., from+cycles-1.
struct CycleWindow {
  Cycle from = 0;
  Cycle cycles = kNever;  ///< kNever: without end

  [[nodiscard]] bool contains(Cycle t) const { return t >= from && t - from < cycles; }
  /// First cycle after the window, kNever if there is none.
  [[nodiscard]] Cycle end() const { return cycles >= kNever - from ? kNever : from + cycles; }
};

}  // namespace noctule
