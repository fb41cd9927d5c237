#pragma once
// One wrapped dimension seen as a ring: which of two VC classes breaks its cycle, and which classes minimal
// worms can ever use at a given place.

namespace noctule {

/// How the two classes of a ring are used.
enum class RingRule {
  kWrapAhead,   ///< Dally-Seitz: 0 while the wrap is still ahead (the wrap link included), else 1
  kWrappedBit,  ///< 0 before the wrap, 1 on the wrap link and after
  kBalanced     ///< kWrapAhead for worms that cross the wrap; the others change from 0 to 1 where they like
};

/// Is the wrap link still to come for a worm from coordinate `at` to `to`, the hop at hand included?
[[nodiscard]] constexpr bool wrap_ahead(bool plus, unsigned at, unsigned to) {
  return plus ? to < at : to > at;
}

/// Class of the hop that leaves coordinate `at` for a worm that goes to coordinate `to`.
/// `on_wrap`: this hop is the wrap link; `wrapped`: the worm crossed it earlier.
[[nodiscard]] constexpr unsigned ring_class(RingRule rule, bool plus, unsigned at, unsigned to, bool on_wrap,
                                            bool wrapped) {
  if (rule == RingRule::kWrappedBit) return on_wrap || wrapped ? 1 : 0;
  return wrap_ahead(plus, at, to) ? 0 : 1;
}

/// Coordinate as seen by a worm that travels in the + direction of a mirrored ring.
[[nodiscard]] constexpr unsigned along(bool plus, unsigned radix, unsigned coordinate) {
  return plus ? coordinate : radix - 1 - coordinate;
}

/// Relations of a minimal worm to the wrap of the ring that it travels.
struct RingUse {
  bool never = false;   ///< it does not wrap at all
  bool before = false;  ///< the wrap is still ahead
  bool after = false;   ///< the wrap is behind, or on this hop
};

/// Those possible for worms of at most `reach` hops on the link that leaves a coordinate.
[[nodiscard]] constexpr RingUse ring_use_on_link(bool plus, unsigned radix, unsigned from, unsigned reach) {
  const unsigned x = along(plus, radix, from);
  if (x == radix - 1) return {false, false, true};
  return {true, x + reach >= radix, x + 2 <= reach};
}

/// Those possible for worms of at most `reach` hops that rest at a coordinate while they move in another
/// dimension.
[[nodiscard]] constexpr RingUse ring_use_at(bool plus, unsigned radix, unsigned at, unsigned reach) {
  const unsigned x = along(plus, radix, at);
  return {true, x + reach >= radix, x + 1 <= reach};
}

/// Is the class used by any worm of at most `reach` hops on the link that leaves `from`? Exact for minimal
/// ones.
[[nodiscard]] constexpr bool ring_class_used(RingRule rule, bool plus, unsigned radix, unsigned reach,
                                             unsigned from, unsigned ring_class) {
  const auto use = ring_use_on_link(plus, radix, from, reach);
  const bool wrap_link = !use.never;
  if (rule == RingRule::kBalanced) return ring_class == 0 || !wrap_link;
  if (rule == RingRule::kWrappedBit) return ring_class == 0 ? !wrap_link : use.after;
  return ring_class == 0 ? use.before || wrap_link : !wrap_link;
}

}  // namespace noctule
