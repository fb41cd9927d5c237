#pragma once
// Crossbar: every connection moves one flit from its input to its output buffer if that had room at the start
// of the cycle; a tail releases the connection (Gravano et al. 1994, V.C, task FreeBuffers). Without output
// buffers the flit goes on the link, if there is room behind it and the switch, the link or the slot is its.

#include "blocks/consumption_channel.h"
#include "blocks/link_mux.h"
#include "blocks/switch_allocator.h"

namespace noctule {

template <class C>
class Crossbar final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  using typename Block<C>::StoredFlit;
  using Received = typename InputBuffers<C>::Received;

  /// All crossbars of a router with output buffers, connections just made included.
  [[gnu::always_inline]] static void transfer(State& s, Cycle t) {
    const M moves = could_move(s);
    if (moves.none()) return;
    if constexpr (C::kDeep)
      move_buffered(s, moves, t);
    else
      move_units(s, moves, t);
  }
  /// Of a router without. `bidding`: where headers speculate, those that bid for a VC in this cycle.
  /// `kHas`: RouterState::seldom; `kRefusing`: and RouterLayout::refusing. `kGrouped`: RouterState::service
  /// is there. `kShape`: see Router::step. Returns the inputs whose flits could move, of which not all have
  /// done.
  template <Seldom kHas, bool kGrouped, bool kRefusing, Shape kShape>
  [[gnu::always_inline]] static M transfer_direct(State& s, const M& bidding, Cycle t,
                                                  const Received& received) {
    if constexpr (kShape == Shape::kFew)
      s.in_blocked = {{s.memory.few.leads.inputs_to(~s.out_credit.words[0])}};
    M moves = could_move(s);
    if (kHas == Seldom::kAll ? s.layout->refusing : kRefusing) moves &= ~Refusing<C>::held(s, moves, t);
    if (kHas != Seldom::kAll && moves.none())
      received.template count<kShape>(s);
    else
      transfer_some<kHas, kGrouped, kShape>(s, moves, bidding, t, received);
    return moves;
  }
  /// Inputs whose foremost flit could move: it has an output, with room behind it.
  [[gnu::always_inline]] static M could_move(const State& s) {
    if constexpr (C::kDeep) return s.in_full & s.in_active & ~s.in_blocked;
    return s.in_full & s.in_connected & ~s.in_blocked;
  }
  /// The foremost flit of input i leaves the router's buffers.
  static void move_direct(State& s, std::size_t i, Cycle t) {
    const std::size_t o = s.in_vc()[i].output;
    const StoredFlit flit = InputBuffers<C>::front(s, i);
    if constexpr (C::kObserved)
      if (o != kNoSlot) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
    if (o < s.layout->link_outputs) {
      OutputBuffers<C>::take_slot(s, o, t);
      if (!OutputBuffers<C>::open(s, o)) s.in_blocked.set(i);
      const auto departure = LinkMux<C>::departure(s, t);
      LinkMux<C>::transmit(s, o, flit, t, departure);
      if (s.context->trains &&
          LinkReceiver<C>::keeps_no_slot(*s.outbound_ends[s.layout->out[o].channel].peer, flit)) {
        const Cycle effect = t + s.outbound_ends[s.layout->out[o].channel].delay;
        OutputBuffers<C>::post_credit(s.arrivals()[effect & s.arrivals_mask], o, effect,
                                      [&]() -> State& { return s; });
      }
    } else if (o == kNoSlot) {
      ConsumptionChannel<C>::absorb(s, i, flit, t);
    } else {
      if (s.layout->consumption_credits) {
        OutputBuffers<C>::take_place(s, o);
        if (!OutputBuffers<C>::open(s, o)) s.in_blocked.set(i);
      }
      deliver(s, o, flit, t);
    }
    if (flit.tail()) {
      s.in_connected.clear(i);
      s.in_active.clear(i);
      s.in_blocked.clear(i);
      if (o != kNoSlot) {
        s.out_busy.clear(o);
        s.out_vc()[o].input = kNoSlot;
      }
    }
    // When it was sent:
    const bool credited = o == kNoSlot && s.context->trains && s.layout->consumed_on_arrival;
    InputBuffers<C>::pop(s, i, flit, t);
    if (i < s.layout->link_inputs && !credited)
      InputBuffers<C>::template give_credit<Seldom::kAll>(s, i, InputBuffers<C>::returning(s, t));
  }

 private:
  /// transfer_direct() of those that could move.
  template <Seldom kHas, bool kGrouped, Shape kShape>
  [[gnu::always_inline]] static void transfer_some(State& s, M moves, const M& bidding, Cycle t,
                                                   const Received& received) {
    const auto& layout = *s.layout;
    if constexpr (kShape != Shape::kFew && kHas != Seldom::kAll && C::kWords == 1 && !C::kObserved)
      if (is_plain(kShape) || layout.port_allocator) [[likely]]
        return move_on_demand<kHas, kShape>(
            s, t, received, [&](auto&& move) __attribute__((always_inline)) {
              return SwitchAllocator<C>::template serve<kShape>(s, moves, move);
            });
    if constexpr (kShape == Shape::kFew) {
      // No two of them compete.
    } else if (layout.switched) {
      if (kHas != Seldom::kAll || moves.any()) {
        if constexpr (kGrouped)
          moves = SwitchAllocator<C>::allocate_grouped(s, moves, t);
        else
          moves = SwitchAllocator<C>::allocate(s, moves);
      }
      if (kHas == Seldom::kAll && bidding.any()) SwitchAllocator<C>::speculate(s, t, bidding, moves);
    } else if (kHas == Seldom::kAll && layout.mixed_sharing) {
      moves = LinkMux<C>::choose_on_demand(s, moves);
    } else if (kHas != Seldom::kAll || (!layout.fixed_slots && moves.any())) {
      moves = choose<kGrouped>(s, moves);
    }
    if (kHas == Seldom::kAll && moves.none()) return;
    if (kHas != Seldom::kAll || layout.on_demand)
      return move_on_demand<kHas, kShape>(
          s, t, received, [&](auto&& move) __attribute__((always_inline)) {
            moves.each(move);
            return moves;
          });
    moves.each([&](std::size_t i) {
      // An immediate credit that came back through a neighbour may have moved it already.
      if (s.in_active.test(i) && !s.in_blocked.test(i)) move_direct(s, i, t);
    });
  }
  /// Of the inputs that could send, those that do, where no switch allocator decides.
  template <bool kGrouped>
  static M choose(State& s, const M& moves) {
    if constexpr (C::kMulticast)
      if (s.layout->shared_consumption) return LinkMux<C>::choose_together(s, moves);
    return LinkMux<C>::template choose<kGrouped>(s, moves);
  }
  /// A flit goes to the consumption output o: through the stages behind the switch, and over the way to the
  /// consumption buffer, to the terminal.
  template <Shape kShape = Shape::kAny>
  static void deliver(State& s, std::size_t o, StoredFlit flit, Cycle t) {
    const unsigned stages = s.layout->to_consumption;
    if (!is_plain(kShape) && stages == 0) return ConsumptionChannel<C>::accept(s, o, flit, t);
    OutputBuffers<C>::push(s, o, flit);
    s.arrivals()[(t + stages) & s.arrivals_mask].consumed.set(o);
  }

  /// The moves of one cycle where nothing that a flit does enables another one in the same cycle: each(move)
  /// calls move(i) for the inputs whose flits move, and returns them. Masks stay in registers.
  template <Seldom kHas, Shape kShape = Shape::kAny, class Each>
  [[gnu::always_inline]] static void move_on_demand(State& s, Cycle t, const Received& received,
                                                    Each&& each) {
    const std::size_t link_outputs = s.layout->link_outputs;
    const std::size_t link_inputs = s.layout->link_inputs;
    M tails;
    M released;
    M sent;
    const auto departure = LinkMux<C>::departure(s, t);
    const auto credits = InputBuffers<C>::returning(s, t);
    const unsigned in_mask = s.layout->template mask<kShape>();
    const unsigned in_shift = s.layout->template shift<kShape>();
    // What happens to one flit in five or six is done without branches, or rarely taken ones.
    const M moves = each([&](std::size_t i) __attribute__((always_inline)) {
      auto& in = s.in_vc()[i];
      const std::size_t o = in.output;
      const StoredFlit flit = s.in_flit()[(i << in_shift) + in.head];
      const bool tail = flit.tail();
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
      if constexpr (C::kMulticast)
        if (s.in_tapped.test(i)) [[unlikely]]
          feed_taps(s, i, flit, t, released);
      in.head = static_cast<std::uint16_t>((in.head + 1U) & in_mask);
      tails.set_if(i, tail);
      s.out_vc()[o].end_if(tail);
      if constexpr (!C::kMulticast) released.set_if(o, tail);
      if (o < link_outputs) {
        sent.set(o);
        LinkMux<C>::template transmit<kShape>(s, o, flit, t, departure);
      } else {
        if (kShape == Shape::kFew || (kHas != Seldom::kNone && s.layout->consumption_credits)) sent.set(o);
        deliver<kShape>(s, o, flit, t);
      }
      if constexpr (C::kMulticast)
        if (tail) end_of_worm(s, i, o, released);
      InputBuffers<C>::template give_credit<kHas>(s, i, credits, i < link_inputs);
    });
    s.in_connected &= ~tails;
    s.in_active &= ~tails;
    const auto left =
        s.counts.template change<planes_of(kShape)>({received.arrived, received.credits}, {moves, sent});
    const M spent = OutputBuffers<C>::close_spent(s, sent, left.outputs);
    if constexpr (kShape != Shape::kFew)
      spent.each([&](std::size_t o) {
        if (const std::uint16_t i = s.out_vc()[o].input; i != kNoSlot) s.in_blocked.set(i);
      });
    s.out_busy &= ~released;
    InputBuffers<C>::empty(s, moves, left.inputs, tails, t);
    if (kShape == Shape::kAny && s.slotted) [[unlikely]]
      (sent & s.layout->link_mask).each([&](std::size_t o) { OutputBuffers<C>::occupy_link(s, o, t); });
  }

  /// The flit is consumed here, too, by each of the terminals that the worm serves in passing.
  static void feed_taps(State& s, std::size_t i, StoredFlit flit, Cycle t, M& released) {
    s.taps()[i].each([&](std::size_t o) {
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
      deliver(s, o, flit, t);
      ++s.context->flits_copied;
      if (!flit.tail()) return;
      released.set(o);
      s.out_vc()[o].input = kNoSlot;
    });
  }
  /// The tail has left input i; it was connected to output o.
  static void end_of_worm(State& s, std::size_t i, std::size_t o, M& released) {
    auto& claim = s.claims()[i];
    if (claim.worm == kNoWorm || !claim.absorbed) released.set(o);
    claim.worm = kNoWorm;
    s.in_tapped.clear(i);
    s.taps()[i] = {};
    if (s.layout->retransmission_buffers > 0 && i >= s.layout->link_inputs) Retransmission<C>::left(s, i);
  }

  /// The moves of one cycle to output buffers.
  [[gnu::always_inline]] static void move_buffered(State& s, const M& moves, Cycle t) {
    const auto credits = InputBuffers<C>::returning(s, t);
    M tails;
    M released;
    M blocked;
    moves.each([&](std::size_t i) __attribute__((always_inline)) {
      auto& in = s.in_vc()[i];
      const std::size_t o = in.output;
      const StoredFlit flit = s.in_flit()[(i << s.layout->in_shift) + in.head];
      in.head = static_cast<std::uint16_t>((in.head + 1U) & s.layout->in_mask);
      const bool full = OutputBuffers<C>::push(s, o, flit);
      const bool tail = flit.tail();
      tails.set_if(i, tail);
      released.set_if(o, tail);
      blocked.set_if(i, full && !tail);
      s.out_vc()[o].end_if(tail);
      InputBuffers<C>::give_credit(s, i, credits, i < s.layout->link_inputs);
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
    });
    s.in_connected &= ~tails;
    s.in_active &= ~tails;
    s.in_blocked |= blocked;
    s.out_busy &= ~released;
    InputBuffers<C>::take_out(s, moves, tails, t);
  }

  /// The same for buffers of one flit: an output that takes a flit is full, so its input is blocked unless
  /// the flit was the tail. Masks stay in registers.
  [[gnu::always_inline]] static void move_units(State& s, const M& moves, Cycle t) {
    const std::size_t link_inputs = s.layout->link_inputs;
    const auto credits = InputBuffers<C>::returning(s, t);
    M filled;
    M tails;
    M released;
    moves.each([&](std::size_t i) __attribute__((always_inline)) {
      const std::size_t o = s.in_vc()[i].output;
      const StoredFlit flit = s.in_flit()[i];
      s.out_flit()[o] = flit;
      filled.set(o);
      const bool tail = flit.tail();
      tails.set_if(i, tail);
      released.set_if(o, tail);
      s.out_vc()[o].end_if(tail);
      InputBuffers<C>::give_credit(s, i, credits, i < link_inputs);
      if constexpr (C::kObserved) Block<C>::report(s, t, FlitEvent::kCross, o, i, flit);
    });
    s.in_full &= ~moves;
    s.in_connected &= ~tails;
    s.in_blocked |= moves & ~tails;
    s.out_full |= filled;
    s.out_busy &= ~released;
  }
};

/// Trains: a credit in cycle t for a slot that is given up in t. What it enables depends on nothing else that
/// happens in the cycle: no other worm can have the VC or its slot, and allocation reads the state at the
/// start. So it does not matter in which order the two routers perform the cycle.
template <class C>
void InputBuffers<C>::immediate_credit(State& sender, std::size_t o, Cycle t) {
  if (sender.evaluated != t) {
    sender.credit_now.set(o);
    return;
  }
  OutputBuffers<C>::add_credits(sender, M::bit(o));
  const std::uint16_t i = sender.out_vc()[o].input;
  if (i == kNoSlot) return;
  const M moves = Crossbar<C>::could_move(sender) & ~sender.in_pushed;
  if (moves.test(i)) Crossbar<C>::move_direct(sender, i, t);
}

}  // namespace noctule
