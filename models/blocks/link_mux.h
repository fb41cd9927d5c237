#pragma once
// Link multiplexer: one flit per physical link and cycle, round robin over the output VCs that hold a flit
// and have room behind (Gravano et al. 1994, V.C, link cycle); or every VC in its own slots (Boppana and
// Chalasani 1993, section 3).

#include "blocks/input_buffers.h"
#include "blocks/service_groups.h"

namespace noctule {

template <class C>
class LinkMux final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  using typename Block<C>::StoredFlit;

  /// All links of a router with output buffers. `ready`: outputs that could send at the start of cycle t.
  /// `kGrouped`: RouterState::service is there.
  template <bool kGrouped>
  [[gnu::always_inline]] static void send(State& s, M ready, Cycle t) {
    const auto& layout = *s.layout;
    const typename State::Departure leaving = departure(s, t);
    M sent;
    M unblocked;  // inputs
    if constexpr (C::kDeep)
      if (layout.fixed_slots) {
        sent = ready & layout.slot_outputs;
        sent.each([&](std::size_t o) { transmit(s, o, OutputBuffers<C>::pop(s, o), t, leaving); });
        ready &= ~layout.slot_outputs;
      }
    while (ready.any()) {
      const std::size_t channel = layout.out[ready.lowest()].channel;
      const M& mine = layout.channel_mask[channel];
      auto& link = s.outbound()[channel];
      const std::size_t o = next<kGrouped>(s, channel, ready & mine);
      ready &= ~mine;
      sent.set(o);
      if constexpr (C::kDeep) {
        transmit(s, o, OutputBuffers<C>::pop(s, o), t, leaving);
      } else {
        const StoredFlit flit = s.out_flit()[o];
        const std::uint16_t i = s.out_vc()[o].input;
        unblocked.set_if(i == kNoSlot ? 0 : i, i != kNoSlot);
        transmit(s, link, o, flit, t, leaving);
        ++link.flits;
      }
    }
    if constexpr (C::kDeep) {
      OutputBuffers<C>::take_places(s, sent);
      if (s.slotted) [[unlikely]]
        sent.each([&](std::size_t o) { OutputBuffers<C>::occupy_link(s, o, t); });
    } else {
      s.in_blocked &= ~unblocked;
      s.out_full &= ~sent;
      s.out_credit &= ~sent;
    }
  }

  /// Without output buffers: of the inputs that could send, at most one for each link, round robin over the
  /// output VCs. Consumption channels have one output each.
  template <bool kGrouped = false>
  [[gnu::always_inline]] static M choose(State& s, const M& moves) {
    if (!kGrouped && s.layout->lone_vcs) return moves;
    return choose_in_turn<kGrouped>(s, moves);
  }
  template <bool kGrouped>
  [[gnu::noinline]] static M choose_in_turn(State& s, const M& moves) {
    const auto& layout = *s.layout;
    M ready;
    M chosen;
    moves.each([&](std::size_t i) {
      const std::size_t o = s.in_vc()[i].output;
      if (o < layout.link_outputs)
        ready.set(o);
      else
        chosen.set(i);
    });
    while (ready.any()) {
      const std::size_t channel = layout.out[ready.lowest()].channel;
      const M& mine = layout.channel_mask[channel];
      const std::size_t o = next<kGrouped>(s, channel, ready & mine);
      ready &= ~mine;
      chosen.set(s.out_vc()[o].input);
    }
    return chosen;
  }

  /// The same where some links have fixed slots: there flits compete for nothing.
  [[gnu::noinline]] static M choose_on_demand(State& s, const M& moves) {
    M contending;
    moves.each([&](std::size_t i) {
      const std::size_t o = s.in_vc()[i].output;
      contending.set_if(i, o < s.layout->link_outputs && !s.layout->slot_outputs.test(o));
    });
    return (moves & ~contending) | choose(s, contending);
  }

  /// The same where flits leave by several ports at once, and outputs share consumption channels: round robin
  /// over the inputs, whoever finds all of its ports free. Who is refused first comes first in the next
  /// cycle.
  static M choose_together(State& s, const M& moves) {
    const auto& layout = *s.layout;
    M taken;  // output ports
    M chosen;
    bool refused = false;
    const M late = M::from(s.together_next);
    for (const M& part : {moves & late, moves & ~late})
      part.each([&](std::size_t i) {
        M ports = M::bit(layout.out_port[s.in_vc()[i].output]);
        s.taps()[i].each([&](std::size_t o) { ports.set(layout.out_port[o]); });
        if ((ports & taken).none()) {
          taken |= ports;
          chosen.set(i);
        } else if (!refused) {
          refused = true;
          s.together_next = static_cast<std::uint16_t>(i);
        }
      });
    return chosen;
  }

  /// The flit leaves output o on its link in cycle t.
  [[gnu::always_inline]] static void transmit(State& s, typename State::Outbound& link, std::size_t o,
                                              StoredFlit flit, Cycle t,
                                              const typename State::Departure& departure) {
    const std::uint16_t vc = s.layout->out[o].vc;
    if (link.peer_arrivals == nullptr) [[unlikely]] {
      const auto& end = s.outbound_ends[s.layout->out[o].channel];
      end.sink->put(vc, flit, t + end.delay);
    } else {
      const std::size_t i = static_cast<std::size_t>(link.peer_first) + vc;
      if (!flit.follows(link.peer_flit[vc].due())) [[unlikely]]
        LinkReceiver<C>::check(*s.outbound_ends[s.layout->out[o].channel].peer, i, flit, link.peer_flit[vc]);
      link.peer_flit[vc] = flit;
      link.peer_arrivals[departure.slot].arrived.set(i);
      departure.wake(link.peer_position);
    }
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kLink, o, kNoSlot, flit);
  }
  /// The same with deep buffers. `kShape`: see Router::step.
  template <Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static void transmit(State& s, std::size_t o, StoredFlit flit, Cycle t,
                                              const typename State::Departure& departure) {
    const auto& layout = *s.layout;
    const auto place = layout.out[o];
    auto& link = s.outbound()[place.channel];
    ++link.flits;
    if (link.peer_flit == nullptr) [[unlikely]] {
      const auto& end = s.outbound_ends[place.channel];
      end.sink->put(place.vc, flit, t + end.delay);
    } else {
      const unsigned mask = layout.template mask<kShape>();
      auto& out = s.out_vc()[o];
      StoredFlit* const fifo = link.peer_flit + (std::size_t{place.vc} << layout.template shift<kShape>());
      const unsigned tail = out.tail;
      if (!flit.follows(out.due)) [[unlikely]]
        worm_error(s.id, layout.plan->outputs[o].name, flit, fifo[(tail - 1U) & mask]);
      out.due = flit.due();
      out.tail = static_cast<std::uint16_t>((tail + 1U) & mask);
      fifo[tail] = flit;
      link.peer_arrivals[departure.slot].arrived.set(static_cast<std::size_t>(link.peer_first) + place.vc);
      departure.wake(link.peer_position);
    }
    if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kLink, o, kNoSlot, flit);
  }
  /// Whose flit goes on the link, of the outputs `asking`.
  template <bool kGrouped>
  [[gnu::always_inline]] static std::size_t next(State& s, std::size_t channel, const M& asking) {
    if constexpr (kGrouped) return s.service->next(s, channel, asking);
    auto& link = s.outbound()[channel];
    const std::size_t o = asking.next_from(link.next);
    link.next = static_cast<std::uint16_t>(o + 1);
    return o;
  }
  static typename State::Departure departure(const State& s, Cycle t) {
    const Cycle effect = t + s.context->flight;
    return {effect & s.arrivals_mask, s.context->awake};
  }

  /// The flits of an outbound link go to `end`, whose router has been built.
  static void join(State& s, std::size_t outbound, flit_if& end) {
    auto& link = s.outbound()[outbound];
    auto& far = s.outbound_ends[outbound];
    far.sink = &end;
    const auto* receiver = dynamic_cast<LinkReceiver<C>*>(&end);
    if (receiver != nullptr && receiver->state().arrivals_mask == s.arrivals_mask) {
      far.peer = &receiver->state();
      const auto& behind = *far.peer->layout;
      if (far.delay != s.context->flight || (C::kDeep && behind.in_mask != s.layout->in_mask)) return;
      link.peer_arrivals = far.peer->arrivals();
      link.peer_flit = far.peer->in_flit() + (std::size_t{receiver->first()} << behind.in_shift);
      link.peer_position = far.peer->position;
      link.peer_first = receiver->first();
    } else if (s.context->trains) {
      other_kind_error(*s.context->topology, s.id, "link_", outbound);
    }
  }
};

}  // namespace noctule
