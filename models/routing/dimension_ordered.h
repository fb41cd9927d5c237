#pragma once
// Relations on k-ary n-cubes that correct one dimension after the other and, within a dimension, look at
// nothing but that dimension. Who derives from this declares a factorization: what a fabric of these worms
// can do follows from its rings, each looked at once, which is how networks of any size are verified.

#include <cstdint>
#include <vector>

#include "routing/cube_relation.h"

namespace noctule {

/// Dimension 0 first. The rules of a dimension get its number and coordinates along it, and cannot depend on
/// anything else: the functions that see routers are final.
class DimensionOrdered : public CubeRelation {
 public:
  using CubeRelation::CubeRelation;

  /// What the header carries about one dimension.
  using RingState = std::uint8_t;
  static constexpr unsigned kRingStateBits = 2;
  struct RingHop {
    bool minus;  ///< direction
    VcClass vc_class;
    bool or_next = false;  ///< the class after it is on offer, too
  };
  /// What the header may carry about dimension d, which it has to correct from `at` to `to`, when it is
  /// injected: bit s is set if it may be s. One of them is drawn uniformly; 0 is always among them. Asked
  /// only of relations that have said `draw_starts`.
  [[nodiscard]] virtual unsigned ring_starts(unsigned d, unsigned at, unsigned to) const {
    (void)d;
    (void)at;
    (void)to;
    return 1;
  }
  /// The hop that a worm makes from `at`, which is not `to`: one link.
  [[nodiscard]] virtual RingHop ring_hop(unsigned d, unsigned at, unsigned to, RingState state) const = 0;
  /// What the header carries after a hop from `at`.
  [[nodiscard]] virtual RingState ring_next(unsigned d, unsigned at, RingHop hop, RingState state) const {
    (void)d;
    (void)at;
    (void)hop;
    return state;
  }
  /// RoutingRelation::exists for the link that leaves coordinate `from`.
  [[nodiscard]] virtual bool ring_exists(unsigned d, unsigned from, RingHop hop) const = 0;

  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const final {
    const unsigned d = CubeGeometry::dimension_of(link.out);
    return ring_exists(d, cube().coordinate(link.from, d), {!CubeGeometry::is_plus(link.out), vc_class});
  }
  [[nodiscard]] std::uint64_t initial_states(RouterId source, RouterId destination) const final;
  /// Digits of n: which of its starts each dimension has, dimension 0 lowest.
  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination, std::uint64_t n) const final;
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const final {
    const unsigned d = cube().first_difference(here, destination);
    const RingHop hop =
        ring_hop(d, cube().coordinate(here, d), cube().coordinate(destination, d), of_dimension(state, d));
    list.add(port_of(d, hop.minus), hop.vc_class);
    if (hop.or_next)
      list.add(port_of(d, hop.minus), VcClass(static_cast<std::uint16_t>(index(hop.vc_class) + 1)));
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId, RouteState state,
                                      Candidate taken) const final {
    const unsigned d = CubeGeometry::dimension_of(taken.port);
    const RingState before = of_dimension(state, d);
    const RingState after = ring_next(d, cube().coordinate(here, d),
                                      {!CubeGeometry::is_plus(taken.port), taken.vc_class}, before);
    return state ^ RouteState { static_cast<RingState>(before ^ after) } << (kRingStateBits * d);
  }

  /// For whoever looks at the rings.
  [[nodiscard]] const CubeGeometry& shape() const { return cube(); }
  [[nodiscard]] bool draws() const { return draws_; }

 protected:
  /// For constructors: some worms have more than one initial state.
  void draw_starts() { draws_ = true; }

 private:
  static RingState of_dimension(RouteState state, unsigned d) {
    return static_cast<RingState>(state >> (kRingStateBits * d) & ((1U << kRingStateBits) - 1));
  }
  /// `ring_starts`, 0 always among them, of a worm from source to destination.
  [[nodiscard]] unsigned starts_in(unsigned d, RouterId source, RouterId destination) const;
  bool draws_ = false;
};

}  // namespace noctule
