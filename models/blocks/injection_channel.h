#pragma once
// Injection channel: feeds the flits of a terminal's packets, one packet after the other, into the injection
// buffer, one flit per cycle if that was empty (Gravano et al. 1994, V.C, task Inject).

#include "blocks/input_buffers.h"

namespace noctule {

template <class C>
class InjectionChannel final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  InjectionChannel(sc_core::sc_module_name name, State& state) : Block<C>(name, state) {}

  static bool pending(const TerminalState& terminal) {
    return terminal.sending != kNoPacket || terminal.queue_size > 0;
  }
  /// End of cycle t for terminal `slot`. `full`: the injection buffer had no room at the start of the cycle.
  /// Returns whether flits remain to be injected.
  static bool inject(State& s, std::size_t slot, bool full, Cycle t) {
    FabricContext& c = *s.context;
    TerminalState& terminal = c.terminals[s.terminal[slot]];
    if (!pending(terminal)) return false;
    if (full) return true;
    if (terminal.sending == kNoPacket) {
      terminal.sending = terminal.dequeue();
      Packet& packet = c.packets[terminal.sending];
      packet.injected = t;
      terminal.sending_length = packet.length;
      terminal.next_flit = 0;
      ++c.packets_injected;
    }
    const std::size_t i = static_cast<std::size_t>(s.layout->link_inputs) + slot;
    const Flit flit = Flit::of(terminal.sending, terminal.next_flit, terminal.sending_length);
    InputBuffers<C>::push(s, i, flit);
    ++c.flits_injected;
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kInject, i, kNoPlace, flit);
    if (++terminal.next_flit == terminal.sending_length) terminal.sending = kNoPacket;
    return pending(terminal);
  }
};

}  // namespace noctule
