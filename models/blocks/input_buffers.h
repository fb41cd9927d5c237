#pragma once
// Input buffers: one FIFO per input VC and injection channel. Receives flits from the links, gives credits
// back through one port per inbound link.

#include <algorithm>
#include <memory>

#include "blocks/open_injection.h"
#include "blocks/output_buffers.h"
#include "blocks/route_computation.h"
#include "blocks/stored_packets.h"

namespace noctule {

/// The receiving end of one inbound link.
template <class C>
class LinkReceiver final : public flit_if {
 public:
  using StoredFlit = typename RouterState<C>::StoredFlit;

  void attach(RouterState<C>& state, std::uint16_t first) {
    state_ = &state;
    first_ = first;
  }

  void put(std::uint16_t vc, Flit flit, Cycle effect) override {
    store(*state_, static_cast<std::size_t>(first_) + vc, StoredFlit(flit), effect);
    state_->context->calendar->wake(state_->position, effect);
  }
  [[nodiscard]] RouterState<C>& state() const { return *state_; }
  [[nodiscard]] std::uint16_t first() const { return first_; }

  /// The flit is in the buffer of input i, visible from the start of cycle `effect` on. Wakes nobody.
  [[gnu::always_inline]] static void store(RouterState<C>& s, std::size_t i, StoredFlit flit, Cycle effect) {
    if constexpr (C::kDeep) {
      auto& ring = s.in_vc()[i];
      const std::uint16_t mask = s.layout->in_mask;
      StoredFlit* const fifo = &s.in_flit()[i << s.layout->in_shift];
      check(s, i, flit, fifo[(ring.tail - 1U) & mask]);
      fifo[ring.tail] = flit;
      ring.tail = static_cast<std::uint16_t>((ring.tail + 1U) & mask);
    } else {
      check(s, i, flit, s.in_flit()[i]);
      s.in_flit()[i] = flit;
    }
    s.arrivals()[effect & s.arrivals_mask].arrived.set(i);
  }
  /// Where worms advance as trains and consumption is unlimited, a flit that reaches its destination is gone
  /// as it arrives: its slot is free at the start of that cycle, for the allocation of the VC too (Boppana
  /// and Chalasani 1993: a VC is held until the tail arrives). The next flit may be on its way before this
  /// one has been taken out: RouterLayout adds a slot. Not where it may arrive behind another worm.
  static bool keeps_no_slot(const RouterState<C>& s, Flit flit) {
    return s.layout->consumed_on_arrival && s.context->packets[flit.packet].destination_router == s.id;
  }
  static void check(const RouterState<C>& s, std::size_t i, StoredFlit flit, StoredFlit previous) {
    if (!flit.follows(previous.due())) [[unlikely]]
      worm_error(s.id, s.layout->plan->inputs[i].name, flit, previous);
  }

 private:
  RouterState<C>* state_ = nullptr;
  std::uint16_t first_ = 0;
};

template <class C>
class InputBuffers final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  using typename Block<C>::StoredFlit;

  /// What came at the start of a cycle and is dealt with later in it. Flits and credits are not in the
  /// counters yet: most flits leave as others come, and it is less work to count both at once.
  struct Received {
    M arrived;
    M credits;
    M routed;  ///< inputs whose header bids for a VC from now on, but has no route yet
    template <Shape kShape = Shape::kAny>
    [[gnu::always_inline]] void count(State& s) const {
      s.counts.template add<planes_of(kShape)>({arrived, credits});
    }
    template <Shape kShape = Shape::kAny>
    [[gnu::always_inline]] void find_routes(State& s, Cycle t) const {
      routed.each([&](std::size_t i) { find_route<kShape>(s, i, t); });
    }
  };
  /// Start of cycle t: arrivals and credits take effect, headers come to the front, or begin to bid.
  /// `kHas`: RouterState::seldom. `kShape`: see Router::step.
  template <Seldom kHas, Shape kShape = Shape::kAny>
  [[gnu::always_inline]] static Received receive(State& s, Cycle t) {
    auto& arrivals = s.arrivals()[t & s.arrivals_mask];
    Received received;
    if constexpr (C::kDeep) {
      if constexpr (kDealsLate<kHas>)
        received = {arrivals.arrived, arrivals.credits, kRoutesLate ? arrivals.routed : M{}};
      if (kHas != Seldom::kAll || !s.layout->ordered_arrivals)
        receive_deep<kHas, kShape, false>(s, arrivals, t);
      else if (C::kDirect && C::kOpen && s.layout->stores)
        receive_deep<kHas, kShape, true, true>(s, arrivals, t);
      else
        receive_deep<kHas, kShape, true>(s, arrivals, t);
      arrivals = {};
    } else {
      const M headers = to_front(s, arrivals.arrived);
      s.in_full |= arrivals.arrived;
      s.out_credit |= arrivals.credits;
      arrivals = {};
      if (headers.any()) {
        headers.each([&](std::size_t i) {
          compute_route(s, i, s.in_flit()[i]);
          s.context->packets[Flit(s.in_flit()[i]).packet].bids_from(t);
        });
        s.in_waiting |= headers;
      }
    }
    return received;
  }
  template <Shape kShape = Shape::kAny>
  static StoredFlit front(const State& s, std::size_t i) {
    if constexpr (C::kDeep) return s.in_flit()[(i << s.layout->template shift<kShape>()) + s.in_vc()[i].head];
    return s.in_flit()[i];
  }
  /// Takes the foremost flit, `flit`, out at the end of cycle t. What follows it is at the front from t+1 on.
  static void pop(State& s, std::size_t i, StoredFlit flit, Cycle t) {
    if constexpr (C::kDeep) {
      auto& ring = s.in_vc()[i];
      ring.head = static_cast<std::uint16_t>((ring.head + 1U) & s.layout->in_mask);
      take_out(s, M::bit(i), flit.tail() ? M::bit(i) : M{}, t);
    } else {
      s.in_full.clear(i);
    }
  }
  /// The foremost flit of each of these inputs has been taken out in cycle t. `tails`: of them, those where
  /// it was the last one of its worm, which has no output any more. What follows is at the front from t+1 on.
  [[gnu::always_inline]] static void take_out(State& s, const M& inputs, const M& tails, Cycle t) {
    empty(s, inputs, s.counts.change({}, {inputs, {}}).inputs, tails, t);
  }
  /// The same where they have been counted; some flits are left in `left`.
  [[gnu::always_inline]] static void empty(State& s, const M& inputs, const M& left, const M& tails,
                                           Cycle t) {
    s.in_full &= ~inputs | left;
    (tails & s.in_full).each([&](std::size_t i) { follow_to_front(s, i, t); });
  }
  /// The foremost flit of input i, a header, is at the front from the start of cycle `from` on, which is this
  /// cycle or the next.
  [[gnu::always_inline]] static void come_to_front(State& s, std::size_t i, Cycle from) {
    start_waiting(s, i, front(s, i), from, from + s.layout->pipeline.before_vc_allocation());
  }
  /// The same, in a function of its own: few flits of a terminal are headers.
  [[gnu::noinline]] static void header_enters(State& s, std::size_t i, Cycle from) {
    come_to_front(s, i, from);
  }
  /// The same where it has been in the buffer behind another worm whose tail leaves in cycle t.
  static void follow_to_front(State& s, std::size_t i, Cycle t) {
    const Flit header = front(s, i);
    const std::uint16_t delay = s.layout->follower_delay;
    if (delay == kNoSlot) [[unlikely]] {  // RouterLayout::stores
      const Cycle bids = StoredPackets<C>::bids_from(s, i, header, t + 1);
      if (bids != kNever) start_waiting(s, i, header, t + 1, bids);
      return;
    }
    start_waiting(s, i, header, t + 1, t + 1 + delay);
  }
  /// A flit of the router's own terminal enters; it is in the buffer from the start of cycle `from` on.
  /// `kHas`: RouterState::seldom.
  template <Seldom kHas>
  [[gnu::always_inline]] static void push(State& s, std::size_t i, StoredFlit flit, Cycle from) {
    bool foremost = true;
    if constexpr (C::kDeep) {
      auto& ring = s.in_vc()[i];
      s.in_flit()[(i << s.layout->in_shift) + ring.tail] = flit;
      ring.tail = static_cast<std::uint16_t>((ring.tail + 1U) & s.layout->in_mask);
      foremost = !s.in_full.test(i);
      s.counts.add_inputs(M::bit(i));
      if constexpr (kHas == Seldom::kAll) s.in_pushed.set_if(i, foremost);
    } else {
      s.in_flit()[i] = flit;
    }
    s.in_full.set(i);
    if (flit.head() && foremost) [[unlikely]]
      header_enters(s, i, from);
  }
  /// All flits of a packet do, up to kMostAtOnce; the buffer is empty.
  [[gnu::always_inline]] static void push_whole(State& s, std::size_t i, PacketHandle packet,
                                                std::uint32_t length, Cycle from) {
    auto& ring = s.in_vc()[i];
    StoredFlit* const fifo = &s.in_flit()[i << s.layout->in_shift];
    unsigned tail = ring.tail;
    for (std::uint32_t n = 0; n < length; ++n, tail = (tail + 1U) & s.layout->in_mask)
      fifo[tail] = StoredFlit::of(packet, n, length);
    ring.tail = static_cast<std::uint16_t>(tail);
    s.counts.start_input(i, length);
    s.in_full.set(i);
    header_enters(s, i, from);
  }
  static constexpr std::size_t kMostAtOnce = MaskCounters<C::kWords>::kMostNear;

  /// When credits that are given in one cycle on usual links take effect.
  struct Returning {
    Cycle given;
    Cycle effect;
    std::size_t slot;  ///< of the arrivals
  };
  static Returning returning(const State& s, Cycle t) {
    const Cycle effect = t + s.credit_delay;
    return {t, effect, effect & s.arrivals_mask};
  }
  /// A slot of input i becomes free; the sender may use it once the credit has come back. `given`: it is the
  /// input of a link. Of others nothing is told, and which they are is known to no branch predictor.
  /// `kHas`: RouterState::seldom; if something, and without output buffers, credits may take longer than
  /// usual (WayBack::later), and whoever they go to may wait for them asleep (Stall).
  template <Seldom kHas = Seldom::kNone>
  [[gnu::always_inline]] static void give_credit(State& s, std::size_t i, const Returning& credits,
                                                 bool given = true) {
    const auto back = s.ways_back()[s.layout->in[i].channel];
    if (back.call()) [[unlikely]]
      return credit_by_call(s, i, credits.given);
    const std::uintptr_t later = kHas == Seldom::kNone ? 0 : back.later();
    const Cycle effect = credits.effect + later;
    auto& slot = back.arrivals(later)[kHas == Seldom::kNone ? credits.slot : effect & s.arrivals_mask];
    OutputBuffers<C>::post_credit(
        slot, s.in_vc()[i].behind, effect,
        [&]() -> State& { return *s.inbound_ends()[s.layout->in[i].channel].peer; }, given);
    if constexpr (kHas != Seldom::kNone) OutputBuffers<C>::wake_stalled(*s.context, slot, effect);
  }

  /// Credits of an inbound link go to `sender`, whose router has been built.
  static void join(State& s, std::size_t inbound, credit_if& sender) {
    auto& far = s.inbound_ends()[inbound];
    far.sink = &sender;
    const auto* peer = dynamic_cast<CreditReceiver<C>*>(&sender);
    if (peer != nullptr && peer->state().arrivals_mask == s.arrivals_mask) {
      far.peer = &peer->state();
      const std::uintptr_t later = far.delay - s.credit_delay;
      const bool immediate = far.delay == 0 && s.context->trains;
      const bool usual = !C::kDirect || s.seldom() == Seldom::kNone;
      if (!immediate && later <= (usual ? 0 : State::WayBack::kMostLater))
        s.ways_back()[inbound] = typename State::WayBack(far.peer->arrivals(), later);
      const auto& channel = s.layout->plan->inbound[inbound];
      for (std::size_t v = 0; v < channel.count; ++v)
        s.in_vc()[channel.first + v].behind = static_cast<typename State::Number>(peer->first() + v);
    } else if (s.context->trains) {
      other_kind_error(*s.context->topology, s.id, "input_buffers.credit_o_", inbound);
    }
  }

 private:
  template <Seldom kHas>
  static constexpr bool kDealsLate = kHas != Seldom::kAll&& C::kDirect && !C::kObserved;
  /// The route of a header is found as it begins to bid for a VC, when what it is found in has been fetched;
  /// else as the header comes to the front. Worms with several destinations take what they need as they
  /// arrive; headers in unlimited injection channels are listed by their route.
  static constexpr bool kRoutesLate = C::kDeep && !C::kMulticast;

  [[gnu::noinline]] static void credit_by_call(const State& s, std::size_t i, Cycle t) {
    const auto& place = s.layout->in[i];
    const auto& far = s.inbound_ends()[place.channel];
    if constexpr (C::kDirect)
      if (far.delay == 0 && s.context->trains) return immediate_credit(*far.peer, s.in_vc()[i].behind, t);
    far.sink->credit(place.vc, t + far.delay);
  }
  /// Of the inputs that a flit reaches, those where it is a header that comes to the front: nothing is before
  /// it, and it belongs to no worm that has an output.
  static M to_front(const State& s, const M& arrived) { return arrived & ~s.in_full & ~s.in_connected; }
  /// A header is at the front of input i from the start of cycle `from` on, which is t or t+1: it bids for an
  /// output VC from cycle `bids` on, after the stage of route computation. Where consumption is unlimited, at
  /// its destination, its worm needs none.
  [[gnu::always_inline]] static void start_waiting(State& s, std::size_t i, Flit header, Cycle from,
                                                   Cycle bids) {
    if constexpr (C::kOpen)
      if (s.open != nullptr && i >= s.layout->link_inputs) [[unlikely]]
        return s.open->leave_seat(s, i, from, bids);
    if constexpr (!kRoutesLate) compute_route(s, i, header);
    FabricContext& c = *s.context;
    Packet& packet = c.packets[header.packet];
    if constexpr (C::kDeep) {
      const auto& layout = *s.layout;
      if constexpr (C::kDirect) {
        if (layout.unlimited_consumption &&
            (kRoutesLate ? packet.destination_router == s.id : s.feasible(i).none())) {
          s.in_connected.set(i);
          s.in_active.set(i);
          s.in_vc()[i].output = kNoSlot;
          return;
        }
      }
      if constexpr (!kRoutesLate) packet.bids_from(bids);
      if (kRoutesLate && c.relation_has_tables && bids != from && packet.destination_router != s.id)
          [[unlikely]]
        c.relation->fetch(s.id, packet.destination_router, packet.route_state);
      // Who comes first is decided at the start of a cycle: moves may be made in any order.
      if (bids != from || (layout.scan == Scan::kFirstCome && s.evaluated + 1 == from))
        s.arrivals()[bids & s.arrivals_mask].routed.set(i);
      else
        start_bidding(s, i, true, bids);
    } else {
      (void)bids;
      packet.bids_from(from);
      s.in_waiting.set(i);
    }
  }
  /// The header at the front of input i bids for a VC from cycle t on.
  template <Shape kShape = Shape::kAny>
  static void find_route(State& s, std::size_t i, Cycle t) {
    const Flit header = front<kShape>(s, i);
    compute_route(s, i, header);
    s.context->packets[header.packet].bids_from(t);
  }
  /// The same; it is put in its place among those that bid. `arrived`: it came to the front at the start of
  /// this very cycle.
  static void start_bidding(State& s, std::size_t i, bool arrived, Cycle t) {
    if constexpr (kRoutesLate) find_route(s, i, t);
    s.in_waiting.set(i);
    if (s.layout->scan != Scan::kFirstCome) return;
    if constexpr (C::kOpen)
      if (s.open != nullptr) return s.open->join(i, arrived);
    const std::size_t queue = s.layout->transit_first && i >= s.layout->link_inputs ? 1 : 0;
    s.order()[queue * s.layout->inputs + s.ordered().entries[queue]++] = static_cast<std::uint16_t>(i);
  }

  /// `kHas`, `kShape`: see receive(). `ordered`: RouterLayout::ordered_arrivals. `stores`:
  /// RouterLayout::stores.
  template <Seldom kHas, Shape kShape, bool ordered, bool stores = false, class Arrivals>
  [[gnu::always_inline]] static void receive_deep(State& s, const Arrivals& arrivals, Cycle t) {
    if constexpr (kHas == Seldom::kAll) s.in_pushed = {};
    // No branch predictor knows whether there are credits and arrivals: it is not asked.
    if constexpr (!kDealsLate<kHas>) s.counts.add({arrivals.arrived, arrivals.credits});
    if constexpr (kShape == Shape::kFew)
      s.out_credit |= arrivals.credits;  // who is blocked is found before flits move
    else
      OutputBuffers<C>::open_again(s, arrivals.credits);
    s.in_active |= arrivals.allocated;
    if (kShape == Shape::kAny && s.slotted) [[unlikely]]
      arrivals.slots.each([&](std::size_t o) { OutputBuffers<C>::free_slot(s, o); });
    if (kHas != Seldom::kAll || s.layout->scan != Scan::kFirstCome) {
      s.in_waiting |= arrivals.routed;
      if constexpr (kRoutesLate && !kDealsLate<kHas>) Received{{}, {}, arrivals.routed}.find_routes(s, t);
    } else {
      in_turn<ordered>(s, arrivals.routed, t, [&](std::size_t i) { start_bidding(s, i, false, t); });
    }
    M headers = to_front(s, arrivals.arrived);
    if constexpr (stores)
      if (arrivals.arrived.any()) headers = StoredPackets<C>::newly_whole(s, arrivals.arrived, headers, t);
    s.in_full |= arrivals.arrived;
    if (is_plain(kShape) || (kHas != Seldom::kAll && s.layout->headers_wait))
      // No branch predictor knows whether there are any.
      s.arrivals()[(t + s.layout->template header_delay<kShape>()) & s.arrivals_mask].routed |= headers;
    else
      in_turn<ordered>(s, headers, t, [&](std::size_t i) { come_to_front(s, i, t); });
    if constexpr (ordered && C::kOpen)
      if (s.open != nullptr) s.open->begin_cycle(s, t);
  }
  /// Ascending; where headers are served first come, first served, ties by port: from an input on that moves
  /// every cycle.
  template <bool ordered, class F>
  static void in_turn(const State& s, const M& inputs, Cycle t, F&& f) {
    if (!ordered || !s.layout->in_port_order) return inputs.each(f);
    if (inputs.none()) return;
    const M late = M::from(static_cast<std::size_t>(t % s.layout->tie_span));
    (inputs & late).each(f);
    (inputs & ~late).each(f);
  }
  /// The router at the other end of the link may send into the slot in this very cycle.
  static void immediate_credit(State& sender, std::size_t o, Cycle t);
};

}  // namespace noctule
