#pragma once
// Crossbar: every connection moves one flit from its input to its output buffer if that had room at the start
// of the cycle; a tail releases the connection (Gravano et al. 1994, V.C, task FreeBuffers).

#include "blocks/input_buffers.h"
#include "blocks/output_buffers.h"

namespace noctule {

template <class C>
class Crossbar final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  Crossbar(sc_core::sc_module_name name, State& state, std::size_t crossbar)
      : Block<C>(name, state), crossbar_(crossbar) {}

  /// All crossbars of the router, connections just made included.
  static void transfer(State& s, Cycle t) {
    const M moves = s.in_full & s.in_connected & ~s.in_blocked;
    if (moves.none()) return;
    if constexpr (C::kDeep) {
      moves.each([&](std::size_t i) { move(s, i, t); });
    } else {
      move_units(s, moves, t);
    }
  }

  void trace(sc_core::sc_trace_file* file) const override {
    const auto& masks = this->state_.layout->crossbars[crossbar_];
    masks.inputs.each([&](std::size_t i) {
      sc_core::sc_trace(file, this->state_.output_of[i],
                        std::string(this->name()) + ".output_of_" + std::to_string(i));
    });
  }

 private:
  static void move(State& s, std::size_t i, Cycle t) {
    const std::size_t o = s.output_of[i];
    const Flit flit = InputBuffers<C>::front(s, i);
    const bool full = OutputBuffers<C>::push(s, o, flit);
    if (flit.tail()) {
      s.in_connected.clear(i);
      s.out_busy.clear(o);
      s.input_of[o] = kNoPlace;
    } else if (full) {
      s.in_blocked.set(i);
    }
    InputBuffers<C>::pop(s, i);
    if (i < s.layout->link_inputs) InputBuffers<C>::give_credit(s, i, t);
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
  }

  /// The same for buffers of one flit: an output that takes a flit is full, so its input is blocked unless
  /// the flit was the tail. Masks stay in registers.
  static void move_units(State& s, const M& moves, Cycle t) {
    const std::size_t link_inputs = s.layout->link_inputs;
    M filled;
    M tails;
    M released;
    moves.each([&](std::size_t i) __attribute__((always_inline)) {
      const std::size_t o = s.output_of[i];
      const Flit flit = s.in_flit[i];
      s.out_flit[o] = flit;
      filled.set(o);
      if (flit.tail()) {
        tails.set(i);
        released.set(o);
        s.input_of[o] = kNoPlace;
      }
      if (i < link_inputs) InputBuffers<C>::give_credit(s, i, t);
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
    });
    s.in_full &= ~moves;
    s.in_connected &= ~tails;
    s.in_blocked |= moves & ~tails;
    s.out_full |= filled;
    s.out_busy &= ~released;
  }

  std::size_t crossbar_;
};

}  // namespace noctule
