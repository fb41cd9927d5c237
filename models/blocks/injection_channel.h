#pragma once
// Injection channel: feeds the flits of a terminal's packets, one packet after the other, into an injection
// buffer, one flit per cycle if that was empty (Gravano et al. 1994, V.C, task Inject). A terminal may have
// several, which take packets from one queue; a channel may have several buffers, of which a worm takes the
// next one with room.

#include "blocks/input_buffers.h"

namespace noctule {

template <class C>
class InjectionChannel final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  InjectionChannel(sc_core::sc_module_name name, State& state) : Block<C>(name, state) {}

  /// Cycle t for terminal `slot`; the flits are in their buffers from the start of cycle `from` on. `full`:
  /// the router's injection buffers that had no room at the start of t. Returns whether flits remain.
  static bool inject(State& s, std::size_t slot, std::uint64_t full, Cycle t, Cycle from) {
    FabricContext& c = *s.context;
    TerminalState& terminal = c.terminals[s.terminal[slot]];
    if constexpr (C::kDeep) {
      const std::size_t channels = s.layout->injection_channels;
      for (std::size_t n = 0; n < channels; ++n) {
        auto& sender = s.senders[slot * channels + n];
        if (sender.packet == kNoPacket) {
          if (terminal.queue_size == 0 || !find_room(s, slot * channels + n, full)) continue;
          begin(s, terminal, sender, t);
        } else if ((full >> (sender.input - s.layout->link_inputs) & 1) != 0) {
          continue;
        }
        send(s, terminal, sender, sender.input, t, from);
      }
    } else {
      if ((full >> slot & 1) != 0 || !terminal.pending()) return terminal.pending();
      auto& sender = s.senders[slot];
      if (sender.packet == kNoPacket) begin(s, terminal, sender, t);
      send(s, terminal, sender, s.layout->link_inputs + slot, t, from);
    }
    return terminal.pending();
  }

 private:
  static void send(State& s, TerminalState& terminal, typename State::Sender& sender, std::size_t input,
                   Cycle t, Cycle from) {
    const Flit flit = Flit::of(sender.packet, sender.next_flit, sender.length);
    InputBuffers<C>::push(s, input, flit, from);
    ++s.context->flits_injected;
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kInject, input, kNoPlace, flit);
    if (++sender.next_flit == sender.length) {
      sender.packet = kNoPacket;
      --terminal.sending;
    }
  }
  /// Chooses the injection buffer of the channel's next worm, round robin among those with room.
  static bool find_room(State& s, std::size_t channel, std::uint64_t full) {
    auto& sender = s.senders[channel];
    const std::size_t vcs = s.layout->injection_vcs;
    const std::size_t first = channel * vcs;
    if (vcs == 1) {
      sender.input = static_cast<std::uint16_t>(s.layout->link_inputs + first);
      return (full >> first & 1) == 0;
    }
    for (std::size_t n = 0; n < vcs; ++n) {
      const std::size_t vc = sender.next_vc + n < vcs ? sender.next_vc + n : sender.next_vc + n - vcs;
      if ((full >> (first + vc) & 1) != 0) continue;
      sender.input = static_cast<std::uint16_t>(s.layout->link_inputs + first + vc);
      sender.next_vc = static_cast<std::uint16_t>(vc + 1 == vcs ? 0 : vc + 1);
      return true;
    }
    return false;
  }
  static void begin(State& s, TerminalState& terminal, typename State::Sender& sender, Cycle t) {
    FabricContext& c = *s.context;
    sender.packet = terminal.dequeue();
    ++terminal.sending;
    Packet& packet = c.packets[sender.packet];
    packet.injected = t;
    sender.length = packet.length;
    sender.next_flit = 0;
    ++c.packets_injected;
  }
};

}  // namespace noctule
