#pragma once
// Consumption channel: takes the flits of worms that have arrived, one flit per cycle, and checks that every
// worm comes out as it went in.

#include "blocks/retransmission.h"

namespace noctule {

/// `expected`: number of the flit that is due, of packet `due`.
[[noreturn]] void delivery_error(TerminalId id, Flit flit, const Packet& packet, PacketHandle due,
                                 std::uint32_t expected);

template <class C>
class ConsumptionChannel final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  /// Cycle t for the consumption output `o`, which held a flit at the start of the cycle.
  static void consume(State& s, std::size_t o, Cycle t) { accept(s, o, OutputBuffers<C>::pop(s, o), t); }

  /// The terminal takes a flit of the worm that has the consumption output `o`.
  static void accept(State& s, std::size_t o, Flit flit, Cycle t) {
    FabricContext& c = *s.context;
    auto& due = s.receivers()[o - s.layout->link_outputs];
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kConsume, o, kNoSlot, flit);
    if (flit.head() && due.packet == kNoPacket) {
      due.packet = flit.packet;
      due.expected = 0;
    }
    if (flit.packet != due.packet || !is_number(flit, due.expected)) [[unlikely]]
      delivery_error(TerminalId{due.terminal}, flit, c.packets[flit.packet], due.packet, due.expected);
    ++due.expected;
    c.count_consumed(due.terminal, flit.packet);
    if (c.refusals != nullptr && c.refusals->tells(flit)) [[unlikely]]
      tell_sink(c, TerminalId{due.terminal}, flit);
    if (!flit.tail()) return;
    const Packet& packet = c.packets[flit.packet];
    const bool planned = packet.worm != kNoWorm;  // then the sink knows where it goes
    if (packet.length != due.expected || (!planned && packet.destination != TerminalId{due.terminal}))
        [[unlikely]]
      delivery_error(TerminalId{due.terminal}, flit, packet, due.packet, due.expected);
    due.packet = kNoPacket;
    if (!planned) return c.sink->packet_delivered(flit.packet, t);
    if constexpr (C::kMulticast)
      if (const Worm& worm = c.worms[packet.worm];
          s.layout->retransmission_buffers > 0 && worm.next < worm.stops.size())
        Retransmission<C>::absorbed(s, o, flit.packet);
    c.sink->stop_served(flit.packet, TerminalId{due.terminal}, t);
  }

  /// Unlimited consumption: the terminal takes a flit straight from input `i`, whose flits are known to be in
  /// order (LinkReceiver::check).
  static void absorb(State& s, std::size_t i, Flit flit, Cycle t) {
    FabricContext& c = *s.context;
    const Packet& packet = c.packets[flit.packet];
    if constexpr (C::kObserved)
      Block<C>::report(s, t, FlitEvent::kConsume, kNoSlot, static_cast<std::uint16_t>(i), flit);
    auto& taken = c.of_packet(c.taken, flit.packet);
    const bool complete = taken + 1 == packet.length;
    if (packet.destination_router != s.id || !is_number(flit, taken) || complete != flit.tail()) [[unlikely]]
      delivery_error(packet.destination, flit, packet, flit.packet, taken);
    taken = complete ? 0 : taken + 1;
    c.count_consumed(index(packet.destination), flit.packet);
    if (c.refusals != nullptr && c.refusals->tells(flit)) [[unlikely]]
      tell_sink(c, packet.destination, flit);
    if (!flit.tail()) return;
    if (packet.worm == kNoWorm)
      c.sink->packet_delivered(flit.packet, t);
    else
      c.sink->stop_served(flit.packet, packet.destination, t);
  }

 private:
  /// As far as the flit says: modulo 4.
  static bool is_number(Flit flit, std::uint32_t expected) { return ((flit.number() ^ expected) & 3) == 0; }
  [[gnu::noinline, gnu::cold]] static void tell_sink(FabricContext& c, TerminalId terminal, Flit flit) {
    c.refusals->took(terminal, flit, c.packets[flit.packet]);
  }
};

}  // namespace noctule
