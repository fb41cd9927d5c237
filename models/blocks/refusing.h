#pragma once
// Terminals that refuse flits: which consumption outputs and inputs have to hold theirs back in a cycle.

#include "blocks/input_buffers.h"
#include "blocks/output_buffers.h"

namespace noctule {

/// Used where FabricContext::refusals is set, and only there.
template <class C>
struct Refusing {
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// Of the consumption outputs that hold flits, or (without output buffers) that one more flit has come to,
  /// those whose foremost flit the terminal takes in cycle t.
  static M admitted(State& s, const M& offered, Cycle t) {
    if constexpr (C::kDirect)
      if (s.layout->to_consumption == 0) return offered;
    // Without output buffers none but consumption outputs are full.
    return (C::kDirect ? offered | s.out_full : offered).any() ? ask(s, offered, t) : M{};
  }

  /// Does the terminal that the flit goes to take it?
  static bool wanted(const State& s, Flit flit, Cycle t) {
    const Packet& packet = s.context->packets[flit.packet];
    return s.context->refusals->takes(packet.destination, packet.message_class, flit.head(), t);
  }
  /// Without output buffers: inputs of `moves` whose flit would reach a terminal that does not take it, or
  /// the stages before one while they are full.
  static M held(State& s, const M& moves, Cycle t) {
    const M bound = to_terminals(s, moves);
    return bound.any() ? refused(s, bound, t) : M{};
  }

 private:
  [[gnu::noinline]] static M ask(State& s, const M& offered, Cycle t) {
    M taken;
    if constexpr (C::kDirect) {
      offered.each([&](std::size_t o) { ++due(s, o); });
      (s.out_full & s.layout->consumption_mask).each([&](std::size_t o) {
        if (due(s, o) == 0 || !takes(s, o, front(s, o), t)) return;
        --due(s, o);
        taken.set(o);
      });
    } else {
      offered.each([&](std::size_t o) { taken.set_if(o, takes(s, o, front(s, o), t)); });
    }
    return taken;
  }
  /// Of the inputs `moves`, those that lead to a terminal, as far as one can tell without reading flits.
  static M to_terminals(const State& s, const M& moves) {
    if (C::kMulticast || s.layout->unlimited_consumption) return moves;
    M inputs;
    (s.out_busy & s.layout->consumption_mask).each([&](std::size_t o) { inputs.set(s.out_vc[o].input); });
    return inputs & moves;
  }
  [[gnu::noinline]] static M refused(State& s, const M& inputs, Cycle t) {
    M held;
    inputs.each([&](std::size_t i) {
      const std::size_t o = s.in_vc[i].output;
      const bool tapped = [&] {
        if constexpr (C::kMulticast) return s.in_tapped.test(i);
        return false;
      }();
      if (o < s.layout->link_outputs && !tapped) return;
      const Flit flit = InputBuffers<C>::front(s, i);
      bool free = true;
      if (o == kNoSlot) {
        free = wanted(s, flit, t);
      } else if (o >= s.layout->link_outputs) {
        free = may_enter(s, o, flit, t);
      }
      if constexpr (C::kMulticast)
        if (tapped) s.taps[i].each([&](std::size_t tap) { free = free && may_enter(s, tap, flit, t); });
      held.set_if(i, !free);
    });
    return held;
  }
  static bool may_enter(State& s, std::size_t o, Flit flit, Cycle t) {
    const auto& layout = *s.layout;
    if (layout.consumption_credits) return true;  // they say
    if (layout.to_consumption == 0) return takes(s, o, flit, t);
    return s.out_ring[layout.buffer_of_output(o)].count < layout.depth_of_output(o);
  }
  static bool takes(State& s, std::size_t o, Flit flit, Cycle t) {
    const FabricContext& c = *s.context;
    const TerminalId terminal{s.receivers[o - s.layout->link_outputs].terminal};
    return c.refusals->takes(terminal, c.packets[flit.packet].message_class, flit.head(), t);
  }
  /// The foremost flit in the buffer of a consumption output.
  static Flit front(const State& s, std::size_t o) {
    if constexpr (C::kDeep) {
      const std::size_t place = s.layout->buffer_of_output(o);
      return s.out_flit[place * s.layout->output_stride + s.out_ring[place].head];
    } else {
      return s.out_flit[o];
    }
  }
  static std::uint16_t& due(State& s, std::size_t o) {
    const auto& layout = *s.layout;
    const std::size_t n = o - layout.link_outputs;
    const std::size_t vcs = layout.plan->consumption_vcs;
    return s.context->refusals->due(
        s.interface[layout.consumers() + n / vcs] * std::size_t{s.context->consumption_places} + n % vcs);
  }
};

}  // namespace noctule
