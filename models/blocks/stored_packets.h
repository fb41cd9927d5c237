#pragma once
// Store and forward: a packet that came over a link and goes on asks for its way once it is in as a whole.

#include <algorithm>

#include "blocks/router_state.h"

namespace noctule {

/// Of routers with RouterLayout::stores. Injection channels and packets at their destination are not stored:
/// a packet is stored between links only. Every packet fits into the buffer (FabricPlan::longest_packet).
template <class C>
class StoredPackets {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// The cycle, `from` or later, from which the header at the front of input i from `from` on bids for a VC,
  /// the stage of route computation behind it; kNever: its tail is not in yet. A stored packet's way is found
  /// while others before it leave.
  static Cycle bids_from(const State& s, std::size_t i, Flit header, Cycle from) {
    const Cycle stage = s.layout->pipeline.before_vc_allocation();
    const Packet& packet = s.context->packets[header.packet];
    if (i >= s.layout->link_inputs || packet.destination_router == s.id) return from + stage;
    if (s.counts.input(i) < packet.length) return kNever;
    return std::max(from, s.context->stored_at[static_cast<std::size_t>(header.packet)] + stage);
  }

  /// Of the inputs that flits have reached in cycle t, which have been counted: those with a header at the
  /// front that asks for its way from now on. `foremost`: those whose header came into an empty buffer.
  static M newly_whole(const State& s, const M& arrived, const M& foremost, Cycle t) {
    M result;
    arrived.each([&](std::size_t i) {
      const std::size_t head = s.in_vc()[i].head;
      const std::size_t count = s.counts.input(i);
      const auto* const fifo = &s.in_flit()[i << s.layout->in_shift];
      if (const Flit last = fifo[(head + count - 1) & s.layout->in_mask]; last.tail())
        s.context->of_packet(s.context->stored_at, last.packet) = t;
      const Flit front = fifo[head];
      if (!front.head()) return;
      const Packet& packet = s.context->packets[front.packet];
      if (packet.destination_router == s.id)
        result.set_if(i, foremost.test(i));
      else
        result.set_if(i, count == packet.length);  // with this flit
    });
    return result;
  }
};

}  // namespace noctule
