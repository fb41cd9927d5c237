#pragma once
// Routers that hold flits of which none can move. What they would do until a flit or a credit comes is to
// draw random numbers for headers that find all outputs taken; how many is known. So they sleep meanwhile.

#include "blocks/crossbar.h"
#include "blocks/vc_allocator.h"

namespace noctule {

/// Used where OutputBuffers::kStalls holds.
template <class C>
struct Stall {
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// What a cycle began with.
  struct Before {
    const M& waiting;  ///< headers
    const M& came;   ///< headers that have come since, until allocation: they are put in an order, which may
                     ///< be drawn, once, and may have been given an output
    const Rng& rng;  ///< random numbers as they were before allocation
  };

  /// End of cycle t, in which no flit could move: will none do, and nobody be given an output, before
  /// something comes? Then the router is woken for the cycles in which something does, also by credits
  /// (RouterState::Stages::stalled). `injects`(): may a terminal's flits enter?
  template <class Injects>
  [[gnu::always_inline]] static bool begins(State& s, const Before& before, Cycle t, Injects&& injects) {
    if (before.came.any() || s.in_waiting != before.waiting || Crossbar<C>::could_move(s).any()) return false;
    if (s.pending != 0 && injects()) return false;
    return sleeps(s, before.rng, t);
  }
  /// Start of cycle t in a router that has slept, and wakes.
  static void ends(State& s, Cycle t) {
    settle(s, t);
    s.idle_draws = 0;
  }
  /// Cycle t is the next one: what the cycles before it would have drawn has been.
  static void settle(State& s, Cycle t) {
    if (s.idle_draws == 0) return;
    s.rng.skip(s.idle_draws * (t - s.evaluated - 1));
    s.evaluated = t - 1;
  }

 private:
  [[gnu::noinline]] static bool sleeps(State& s, const Rng& rng, Cycle t) {
    if (s.awaits_credits || !s.context->births.empty()) return false;
    if (s.in_waiting.any() && VcAllocator<C>::bidding(s).any()) return false;
    // What this cycle drew for these headers the next ones would draw as well.
    s.idle_draws = static_cast<std::uint16_t>(s.rng.draws_since(rng));
    for (Cycle at = t + 1; at <= t + s.arrivals_mask + 1; ++at) {
      auto& slot = s.arrivals()[at & s.arrivals_mask];
      slot.stalled = s.position + 1;
      if ((slot.arrived | slot.credits | slot.routed | slot.allocated | slot.consumed).any())
        s.context->calendar->wake(s.position, at);
    }
    return true;
  }
};

}  // namespace noctule
