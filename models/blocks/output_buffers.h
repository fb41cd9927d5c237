#pragma once
// Output buffers: one FIFO per output VC and consumption channel, between the crossbar and the links. Keeps
// account of the slots in the buffers behind the links. Without output buffers (node.output_depth 0) the
// account is what remains; consumption channels keep theirs, as the stages between switch and terminal.

#include "blocks/block.h"

namespace noctule {

/// The sending end of one outbound link, where its receiver's credits come in.
template <class C>
class CreditReceiver final : public credit_if {
 public:
  void attach(RouterState<C>& state, std::uint16_t first) {
    state_ = &state;
    first_ = first;
  }
  /// Wakes nobody but who waits for it: see OutputBuffers::sleeps, and Stall.
  void credit(std::uint16_t vc, Cycle effect) override;

  [[nodiscard]] RouterState<C>& state() const { return *state_; }
  [[nodiscard]] std::uint16_t first() const { return first_; }

 private:
  RouterState<C>* state_ = nullptr;
  std::uint16_t first_ = 0;
};

template <class C>
class OutputBuffers final : public Block<C> {
 public:
  using typename Block<C>::State;
  using typename Block<C>::M;
  using typename Block<C>::StoredFlit;

  /// Credits wake nobody. With deep buffers a router may sleep while some are on their way (`sleeps`).
  static constexpr bool kSleeps = C::kDeep && !C::kMulticast && !C::kObserved;

  /// A slot behind output o becomes free in cycle `effect`. `slot`: that cycle's arrivals. `owner`(): the
  /// router, asked for where it has slept for so long that the arrivals hold credits of an earlier cycle,
  /// which is over. Not `given`: none does, in a router that is awake.
  template <class Owner>
  [[gnu::always_inline]] static void post_credit(typename State::Arrivals& slot, std::size_t o, Cycle effect,
                                                 Owner&& owner, bool given = true) {
    if constexpr (kSleeps) {
      if (where(slot.credited != effect, slot.credits).any()) [[unlikely]]
        collect(owner(), slot);
      slot.credited = effect;
    }
    slot.credits.set_if(o, given);
  }
  /// Routers may sleep although they hold flits, which wait for credits (Stall).
  static constexpr bool kStalls = kSleeps && C::kDirect && C::kWords == 1;
  /// A credit has been posted for cycle `effect`: whoever waits for it asleep has work then.
  [[gnu::always_inline]] static void wake_stalled(const FabricContext& c,
                                                  const typename State::Arrivals& slot, Cycle effect) {
    if constexpr (kStalls)
      if (slot.stalled != 0) c.calendar->wake(slot.stalled - 1, effect);
  }
  /// The router's own consumption buffers: places become free in the next cycle, `effect`.
  static void credit_consumption(State& s, const M& outputs, Cycle effect) {
    auto& slot = s.arrivals()[effect & s.arrivals_mask];
    slot.credits |= outputs;
    if constexpr (kSleeps) slot.credited = effect;
  }
  /// May the router, which has nothing to do, sleep? While credits are on their way its arrivals, which are a
  /// ring, keep them.
  static bool sleeps(const State& s) { return (kSleeps && !s.awaits_credits) || all_home(s); }
  /// Start of cycle t in a router that has slept: the credits of the cycles before.
  static void settle(State& s, Cycle t) {
    if constexpr (kSleeps) {
      constexpr std::uint32_t kAtOnce = 4;
      const std::uint32_t slots = s.arrivals_mask + 1;
      for (std::uint32_t from = 0; from < slots; from += kAtOnce) {
        M ones;
        M twos;
        M fours;
        M some;
        for (std::uint32_t m = from; m < slots && m < from + kAtOnce; ++m) {
          auto& slot = s.arrivals()[m];
          const M over = where(slot.credited < t, slot.credits);
          slot.credits ^= over;
          some |= over;
          const M second = ones & over;
          ones ^= over;
          fours |= twos & second;
          twos ^= second;
        }
        if (some.none()) continue;
        s.counts.add_outputs(ones, twos, fours);
        open_again(s, some);
      }
    }
  }
  /// The same where it sleeps no longer.
  static void wake(State& s, Cycle t) {
    if constexpr (kSleeps)
      if (t != s.evaluated + 1) settle(s, t);
  }
  /// A slot has become free behind each of some outputs.
  [[gnu::always_inline]] static void add_credits(State& s, const M& outputs) {
    s.counts.add_outputs(outputs);
    open_again(s, outputs);
  }
  /// The same but for the counters.
  [[gnu::always_inline]] static void open_again(State& s, const M& outputs) {
    const M had_none = outputs & ~s.out_credit;
    s.out_credit |= outputs;
    if constexpr (C::kDirect) had_none.each([&](std::size_t o) { unblock(s, o); });
  }
  /// A flit goes on the link from output o in cycle t: it takes a slot behind and occupies the link.
  static void take_slot(State& s, std::size_t o, Cycle t) {
    take_place(s, o);
    if (s.slotted) occupy_link(s, o, t);
  }
  /// A place in the buffer behind.
  static void take_place(State& s, std::size_t o) { take_places(s, M::bit(o)); }
  /// The same of several outputs.
  [[gnu::always_inline]] static void take_places(State& s, const M& outputs) {
    close_spent(s, outputs, s.counts.change({}, {{}, outputs}).outputs);
  }
  /// Flits have taken places behind `outputs`, which have been counted; some are left behind `left`. Returns
  /// those that have none.
  [[gnu::always_inline]] static M close_spent(State& s, const M& outputs, const M& left) {
    const M spent = outputs & ~left;
    s.out_credit &= ~spent;
    return spent;
  }
  /// Outputs behind which all slots are free, as far as the router knows.
  static M drained(const State& s) {
    if constexpr (C::kDeep) return ~s.counts.outputs_other_than(s.layout->most);
    return s.out_credit;
  }
  /// Has every slot that the router took behind an output come back?
  [[gnu::always_inline]] static bool all_home(const State& s) {
    if constexpr (C::kDeep) return s.counts.outputs_other_than(s.layout->most).none();
    return s.out_credit == s.layout->home;
  }
  /// With fixed slots the VC's share of it; else, where it has a serialiser, the whole link.
  static void occupy_link(State& s, std::size_t o, Cycle t) {
    const auto& layout = *s.layout;
    if (!layout.slot_outputs.test(o)) return serialise(s, o, t);
    Cycle cycles = s.slot_cycles;
    if (cycles == 0) [[unlikely]]
      cycles = s.outbound_ends[layout.out[o].channel].slot_cycles;
    s.out_slot.clear(o);
    s.arrivals()[(t + cycles) & s.arrivals_mask].slots.set(o);
  }
  static void free_slot(State& s, std::size_t o) {
    s.out_slot.set(o);
    if constexpr (C::kDirect) unblock(s, o);
  }
  /// May a flit leave through output o now? (Direct routers)
  static bool open(const State& s, std::size_t o) {
    if (o >= s.layout->link_outputs) return !s.layout->consumption_credits || s.out_credit.test(o);
    return s.out_credit.test(o) && s.out_slot.test(o);
  }
  /// All outputs through which one may.
  static M all_open(const State& s) {
    const auto& layout = *s.layout;
    const M consuming =
        layout.consumption_credits ? s.out_credit & layout.consumption_mask : layout.consumption_mask;
    return (s.out_credit & s.out_slot & layout.link_mask) | consuming;
  }

  /// Of an output that has a buffer: which one is it, and how many flits does it hold?
  static std::size_t place_of(const State& s, std::size_t o) {
    return C::kDirect ? o - s.layout->link_outputs : o;
  }
  static std::uint16_t depth_of(const State& s, std::size_t o) {
    const auto& layout = *s.layout;
    return C::kDirect || o >= layout.link_outputs ? layout.consumption_depth : layout.output_depth;
  }
  /// Has it room for one more?
  static bool has_room(const State& s, std::size_t o) {
    if constexpr (C::kDeep) return s.out_ring()[place_of(s, o)].count < depth_of(s, o);
    return !s.out_full.test(o);
  }
  /// A flit comes out of the crossbar; there is room. Returns whether the buffer is now full.
  static bool push(State& s, std::size_t o, StoredFlit flit) {
    s.out_full.set(o);
    if constexpr (C::kDeep) {
      const std::size_t place = place_of(s, o);
      auto& ring = s.out_ring()[place];
      const std::uint16_t depth = depth_of(s, o);
      const unsigned tail = unsigned{ring.head} + ring.count;
      s.out_flit()[place * s.layout->output_stride + (tail < depth ? tail : tail - depth)] = flit;
      return ++ring.count == depth;
    } else {
      s.out_flit()[o] = flit;
      return true;
    }
  }
  /// The foremost flit; there is one.
  static StoredFlit front(const State& s, std::size_t o) {
    if constexpr (C::kDeep) {
      const std::size_t place = place_of(s, o);
      return s.out_flit()[place * s.layout->output_stride + s.out_ring()[place].head];
    }
    return s.out_flit()[o];
  }
  /// Takes the foremost flit, at the end of the cycle: there is room again from the next one on.
  static StoredFlit pop(State& s, std::size_t o) {
    if constexpr (!C::kDirect)
      if (const std::uint16_t i = s.out_vc()[o].input; i != kNoSlot) s.in_blocked.clear(i);
    if constexpr (C::kDeep) {
      const std::size_t place = place_of(s, o);
      auto& ring = s.out_ring()[place];
      const std::uint16_t depth = depth_of(s, o);
      const StoredFlit flit = s.out_flit()[place * s.layout->output_stride + ring.head];
      ring.head = next_place(ring.head, depth);
      if (--ring.count == 0) s.out_full.clear(o);
      return flit;
    } else {
      s.out_full.clear(o);
      return s.out_flit()[o];
    }
  }

 private:
  /// In a ring of `depth` places, without a branch.
  static std::uint16_t next_place(std::uint16_t place, std::uint16_t depth) {
    const unsigned next = place + 1U;
    return static_cast<std::uint16_t>(next & -static_cast<unsigned>(next != depth));
  }
  [[gnu::noinline]] static void collect(State& s, typename State::Arrivals& slot) {
    add_credits(s, slot.credits);
    slot.credits = {};
  }
  /// Without a branch, as no predictor knows which routers sleep: `mask`, or none.
  [[gnu::always_inline]] static M where(bool condition, M mask) {
    for (auto& word : mask.words) word &= -static_cast<std::uint64_t>(condition);
    return mask;
  }
  [[gnu::noinline]] static void serialise(State& s, std::size_t o, Cycle t) {
    const std::size_t channel = s.layout->out[o].channel;
    const std::uint16_t cycles = s.outbound_ends[channel].slot_cycles;
    if (cycles == 1) return;
    const M& all = s.layout->channel_mask[channel];
    s.out_slot &= ~all;
    s.arrivals()[(t + cycles) & s.arrivals_mask].slots |= all;
    if constexpr (C::kDirect)
      all.each([&](std::size_t other) {
        if (const std::uint16_t i = s.out_vc()[other].input; i != kNoSlot) s.in_blocked.set(i);
      });
  }
  static void unblock(State& s, std::size_t o) {
    if (const std::uint16_t i = s.out_vc()[o].input; i != kNoSlot && open(s, o)) s.in_blocked.clear(i);
  }
};

template <class C>
void CreditReceiver<C>::credit(std::uint16_t vc, Cycle effect) {
  auto& slot = state_->arrivals()[effect & state_->arrivals_mask];
  OutputBuffers<C>::post_credit(slot, static_cast<std::size_t>(first_) + vc, effect,
                                [this]() -> RouterState<C>& { return *state_; });
  OutputBuffers<C>::wake_stalled(*state_->context, slot, effect);
}

}  // namespace noctule
