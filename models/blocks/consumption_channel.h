#pragma once
// Consumption channel: drains the consumption buffer of a terminal, one flit per cycle, one worm at a time,
// and checks that every worm comes out as it went in.

#include "blocks/output_buffers.h"

namespace noctule {

[[noreturn]] void delivery_error(const TerminalState& terminal, TerminalId id, Flit flit,
                                 const Packet& packet);

template <class C>
class ConsumptionChannel final : public Block<C> {
 public:
  using typename Block<C>::State;

  ConsumptionChannel(sc_core::sc_module_name name, State& state) : Block<C>(name, state) {}

  /// Cycle t for the consumption output `o`, which held a flit at the start of the cycle.
  static void consume(State& s, std::size_t o, Cycle t) {
    FabricContext& c = *s.context;
    const std::uint32_t id = s.terminal[o - s.layout->link_outputs];
    TerminalState& terminal = c.terminals[id];
    const Flit flit = OutputBuffers<C>::pop(s, o);
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kConsume, o, kNoPlace, flit);
    if (flit.head()) {
      if (terminal.consuming != kNoPacket) [[unlikely]]
        delivery_error(terminal, TerminalId{id}, flit, c.packets[flit.packet]);
      terminal.consuming = flit.packet;
      terminal.expected = 0;
    }
    if (flit.packet != terminal.consuming || flit.number() != terminal.expected) [[unlikely]]
      delivery_error(terminal, TerminalId{id}, flit, c.packets[flit.packet]);
    ++terminal.expected;
    ++c.flits_delivered;
    ++c.terminal_flits[id];
    if (!flit.tail()) return;
    const Packet& packet = c.packets[flit.packet];
    if (packet.length != terminal.expected || packet.destination != TerminalId{id}) [[unlikely]]
      delivery_error(terminal, TerminalId{id}, flit, packet);
    terminal.consuming = kNoPacket;
    c.sink->packet_delivered(flit.packet, t);
  }
};

}  // namespace noctule
