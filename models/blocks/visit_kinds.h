#pragma once
// What the visit of a router is compiled for.

#include <cstdint>

#include "core/mask_counters.h"

namespace noctule {

/// What routers seldom have, and look after in every visit: visits are compiled without what a router has
/// not.
enum class Seldom : std::uint8_t {
  kNone,
  kTerminals,  ///< packets enter injection buffers at once, or there are credits of consumption buffers
  kAll         ///< anything
};

/// What else a visit is compiled for, besides Seldom.
enum class Shape : std::uint8_t {
  kAny,
  /// Few ports, of one VC each, with shallow buffers and credits behind every output: what is done port by
  /// port elsewhere is done at once.
  kFew,
  /// Input-queued routers as most are, with buffers of 3 or 4 flits, or of 5 to 8: nothing is looked up that
  /// they have in common. See RouterLayout::plain.
  kPlain4,
  kPlain8,
};
[[nodiscard]] constexpr bool is_plain(Shape shape) {
  return shape == Shape::kPlain4 || shape == Shape::kPlain8;
}
/// RouterLayout::in_shift of such routers.
[[nodiscard]] constexpr unsigned plain_shift(Shape shape) {
  return shape == Shape::kPlain4 ? 2 : 3;
}
/// Of RouterState::counts.
[[nodiscard]] constexpr CounterPlanes planes_of(Shape shape) {
  if (shape == Shape::kFew) return CounterPlanes::kShallow;
  return is_plain(shape) ? CounterPlanes::kNear : CounterPlanes::kAll;
}

}  // namespace noctule
