#pragma once
// Absorb and retransmit (Boppana et al. 1998, 3.1): a destination takes a message in completely, and sends it
// on from one of a few buffers. The consumption channel keeps the message until one of them is free.

#include "blocks/input_buffers.h"

namespace noctule {

template <class C>
class Retransmission final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;

  /// Output `o` holds all of a message that has more destinations.
  static void absorbed(State& s, std::size_t o, PacketHandle packet) {
    const std::size_t slot = (o - s.layout->link_outputs) / s.layout->plan->consumption_vcs;
    const auto& layout = *s.layout;
    for (std::size_t n = layout.injection_entries(); n < layout.entries(); ++n)
      if (s.senders()[slot * layout.entries() + n].packet == kNoPacket &&
          !s.in_full.test(layout.entry(slot, n)))
        return send_on(s, slot, n, o, packet);
    s.context->absorbed[s.interface()[slot]].push_back({packet, static_cast<std::uint16_t>(o)});
  }
  /// The tail of a message has left input i. If that is a retransmission buffer, the next one may have it.
  static void left(State& s, std::size_t i) {
    const auto& layout = *s.layout;
    const std::size_t slot = (i - layout.link_inputs) / layout.plan->injection_vcs;
    const std::size_t within = i - layout.plan->injection(slot);
    const std::size_t ordinary = layout.injection_entries() * layout.entry_vcs;
    auto& waiting = s.context->absorbed[s.interface()[slot]];
    if (within < ordinary || waiting.empty()) return;
    const Absorbed first = waiting.front();
    waiting.erase(waiting.begin());
    send_on(s, slot, layout.injection_entries() + within - ordinary, first.output, first.packet);
  }

 private:
  static void send_on(State& s, std::size_t slot, std::size_t n, std::size_t o, PacketHandle handle) {
    FabricContext& c = *s.context;
    s.out_busy.clear(o);
    Packet& packet = c.packets[handle];
    const Worm& worm = c.worms[packet.worm];
    head_for(packet, worm.stops, worm.next);
    s.senders()[slot * s.layout->entries() + n] = {
        handle, 0, packet.length, static_cast<std::uint16_t>(s.layout->entry(slot, n)), 0, 0};
    ++c.interfaces[s.interface()[slot]].sending;
    s.pending |= 1ULL << slot;
  }
};

}  // namespace noctule
