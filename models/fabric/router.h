#pragma once
// The router: runs the blocks that its plan asks for in the order of the cycle.

#include <memory>
#include <vector>

#include "blocks/consumption_channel.h"
#include "blocks/crossbar.h"
#include "blocks/injection_channel.h"
#include "blocks/input_buffers.h"
#include "blocks/link_mux.h"
#include "blocks/output_buffers.h"
#include "blocks/refusing.h"
#include "blocks/retransmission.h"
#include "blocks/service_groups.h"
#include "blocks/stall.h"
#include "blocks/switch_allocator.h"
#include "blocks/vc_allocator.h"
#include "fabric/router_base.h"
#include "fabric/router_blocks.h"

namespace noctule {

/// Router<C>::step of a router with RouterState::service, `state`. In seldom_steps.cpp; no build with
/// several destinations has one.
template <class C>
bool grouped_step(void* state, Cycle t);
/// The same with Seldom::kNone and RouterLayout::refusing; with Seldom::kTerminals. There as well, for builds
/// of which kSeldomSteps holds.
template <class C>
bool refusing_step(void* state, Cycle t);
template <class C>
bool terminal_step(void* state, Cycle t);
/// Compiled for a shape other than kAny.
template <class C, Shape kShape>
bool shaped_step(void* state, Cycle t);
template <class C>
inline constexpr bool kSeldomSteps = C::kDirect&& C::kWords == 1 && !C::kObserved && !C::kMulticast;

template <class C>
class Router final : public RouterBase {
 public:
  using State = RouterState<C>;
  using M = Mask<C::kWords>;

  /// `with_blocks`: they are objects of the hierarchy, and links go through their ports.
  Router(sc_core::sc_module_name name, State& state, bool with_blocks)
      : RouterBase(name),
        s_(state),
        link_receivers_(state.layout->plan->inbound.size()),
        credit_receivers_(state.layout->plan->outbound.size()) {
    const auto& layout = *state.layout;
    for (std::size_t c = 0; c < link_receivers_.size(); ++c)
      link_receivers_[c].attach(state, layout.plan->inbound[c].first);
    for (std::size_t c = 0; c < credit_receivers_.size(); ++c)
      credit_receivers_[c].attach(state, layout.plan->outbound[c].first);
    if (with_blocks)
      blocks_ = std::make_unique<RouterBlocks>(
          *layout.plan, RouterBlocksOptions{!C::kDirect, layout.switched, layout.retransmission_buffers > 0});
    reset();
  }

  /// One routing cycle (Gravano et al. 1994, V.C). Everything is decided on the state at its start: what may
  /// leave on a link or be consumed is fixed before the crossbar fills buffers, and what the crossbar may
  /// fill before links and consumption empty them.
  bool evaluate(Cycle t) override { return entry().evaluate(&s_, t); }
  [[nodiscard]] Entry entry() override {
    if constexpr (!C::kMulticast)
      if (s_.service != nullptr) return {&grouped_step<C>, &s_};
    const Seldom has = s_.seldom();
    const bool refusing = s_.layout->refusing;
    if constexpr (kSeldomSteps<C>) {
      if (!s_.slotted && !refusing && has != Seldom::kAll) {
        const Shape shape = s_.layout->shape;
        if (shape == Shape::kFew) return {&shaped_step<C, Shape::kFew>, &s_};
        if (shape == Shape::kPlain4) return {&shaped_step<C, Shape::kPlain4>, &s_};
        if (shape == Shape::kPlain8) return {&shaped_step<C, Shape::kPlain8>, &s_};
      }
      if (has == Seldom::kNone && refusing) return {&refusing_step<C>, &s_};
      if (has == Seldom::kTerminals && !refusing) return {&terminal_step<C>, &s_};
    }
    if (has == Seldom::kNone && !refusing)
      return {[](void* self, Cycle t) { return step<Seldom::kNone>(*static_cast<State*>(self), t); }, &s_};
    return {[](void* self, Cycle t) { return step<Seldom::kAll>(*static_cast<State*>(self), t); }, &s_};
  }
  [[nodiscard]] Visited visited() const override {
    const auto at = [this](const void* place) {
      return static_cast<std::size_t>(static_cast<const std::byte*>(place) -
                                      reinterpret_cast<const std::byte*>(&s_));
    };
    return {at(s_.arrivals()), sizeof(typename State::Arrivals), s_.arrivals_mask,
            at(s_.arrivals() + s_.arrivals_mask + 1)};
  }
  /// `kHas`: RouterState::seldom; `kRefusing`: and RouterLayout::refusing. `kGrouped`: RouterState::service
  /// is there. `kShape`: RouterLayout::shape, where no link has a serialiser, else kAny.
  template <Seldom kHas, bool kGrouped = false, bool kRefusing = false, Shape kShape = Shape::kAny>
  static bool step(State& s, Cycle t) {
    constexpr bool kPlain = is_plain(kShape);
    constexpr bool kStalls = OutputBuffers<C>::kStalls && kHas != Seldom::kNone && !kGrouped;
    const auto& layout = *s.layout;
    M consuming = [&] {
      if constexpr (C::kDirect) return s.arrivals()[t & s.arrivals_mask].consumed;
      return s.out_full & layout.consumption_mask;
    }();
    if (kHas == Seldom::kAll ? layout.refusing : kRefusing)
      consuming = Refusing<C>::admitted(s, consuming, t);
    if constexpr (kStalls)
      if (s.idle_draws != 0) Stall<C>::ends(s, t);
    OutputBuffers<C>::wake(s, t);
    s.evaluated = t;
    const M waiting = s.in_waiting;
    auto received = InputBuffers<C>::template receive<kHas, kShape>(s, t);
    M ready = s.out_full & s.out_credit;
    if constexpr (C::kDeep) ready &= s.out_slot;
    if (C::kDeep && s.pending != 0) __builtin_prefetch(s.senders(), 1);  // asked for at the end of the cycle
    const std::uint64_t busy = injection_full(s);
    if (!kPlain && !s.context->births.empty()) note_busy_channels(s, t);

    if constexpr (C::kDeep && kHas != Seldom::kNone)
      if (layout.at_once && s.pending != 0) {
        inject<kHas>(s, busy, t, t);
        s.in_pushed = {};  // they belong to the state at the start
      }
    M bidding;
    [[maybe_unused]] const M came = s.in_waiting & ~waiting;
    [[maybe_unused]] const Rng rng = s.rng;
    [[maybe_unused]] M moves;  // inputs whose flits could move
    if (s.in_waiting.any()) {
      received.template find_routes<kShape>(s, t);
      if constexpr (C::kDirect && kHas == Seldom::kAll)
        if (layout.pipeline.speculative) bidding = VcAllocator<C>::bidding(s);
      if constexpr (C::kDirect && kHas != Seldom::kAll && !kPlain)
        if (layout.release == VcRelease::kNextBufferEmpty) [[unlikely]] {  // asks the counters
          received.count(s);
          received = {};
        }
      if constexpr (kGrouped)
        VcAllocator<C>::allocate_grouped(s, t);
      else
        VcAllocator<C>::template allocate<kShape>(s, t);
    }
    if constexpr (C::kDirect) {
      if (kHas == Seldom::kAll && s.credit_now.any()) count_immediate_credits(s);
      moves =
          Crossbar<C>::template transfer_direct<kHas, kGrouped, kRefusing, kShape>(s, bidding, t, received);
      if constexpr (C::kOpen && kHas == Seldom::kAll)
        if (s.open != nullptr && s.open->any_home()) [[unlikely]]
          s.open->consume_home(
              s, t,
              [&](auto& worms) {
                if (s.layout->refusing) Refusing<C>::keep_taken(s, worms, t);
              },
              [&](std::size_t i, Flit flit) { ConsumptionChannel<C>::absorb(s, i, flit, t); });
    } else {
      Crossbar<C>::transfer(s, t);
      if (ready.any()) LinkMux<C>::template send<kGrouped>(s, ready, t);
    }
    consuming.each([&](std::size_t o) { ConsumptionChannel<C>::consume(s, o, t); });
    if constexpr (C::kDirect && kHas != Seldom::kNone)
      if (kShape == Shape::kFew || layout.consumption_credits)
        OutputBuffers<C>::credit_consumption(s, consuming, t + 1);
    if (kHas == Seldom::kNone || !(C::kDeep && layout.at_once)) {
      const std::uint64_t full = !kPlain && layout.refill_same_cycle ? injection_full(s) : busy;
      if (may_inject(s, full) != 0) inject<kHas>(s, full, t, t + 1);
    }

    const M full = s.in_full | s.out_full;
    if constexpr (kStalls)
      if (moves.none() && layout.stalls && (full.any() || s.pending != 0) &&
          Stall<C>::begins(s, {waiting, came, rng}, t,
                           [&] { return may_inject(s, injection_full(s)) != 0; })) {
        note_held(s);
        return false;
      }
    if (full.any() || s.pending != 0 || !OutputBuffers<C>::sleeps(s)) return true;
    note_held(s);
    return false;
  }

  flit_if& link_receiver(std::size_t inbound) override { return link_receivers_[inbound]; }
  credit_if& credit_receiver(std::size_t outbound) override { return credit_receivers_[outbound]; }
  void bind_link(std::size_t outbound, flit_if& receiver) override {
    if (blocks_)
      blocks_->link(outbound).bind(receiver);
    else
      LinkMux<C>::join(s_, outbound, receiver);
  }
  void bind_credits(std::size_t inbound, credit_if& sender) override {
    if (blocks_)
      blocks_->credit_o(inbound).bind(sender);
    else
      InputBuffers<C>::join(s_, inbound, sender);
  }

  void packet_pending(std::size_t slot, Cycle born) override {
    if (born != kNever && !s_.context->births.empty() && injection_idle(slot)) {
      auto& births = s_.context->births[s_.position];
      if (births.at != born) births.fresh = 0;
      births.at = born;
      births.fresh |= 1ULL << slot;
    }
    s_.pending |= 1ULL << slot;
  }
  [[nodiscard]] std::uint64_t* pending_word() override {
    return s_.context->births.empty() ? &s_.pending : nullptr;
  }
  [[nodiscard]] bool injection_idle(std::size_t slot) const override { return channel_idle(s_, slot); }
  [[nodiscard]] bool injection_was_idle(std::size_t slot, Cycle t) const override {
    if (s_.evaluated != t) return injection_idle(slot);
    return (s_.context->births[s_.position].busy >> slot & 1) == 0;
  }

  void reset() override;
  void settle(Cycle t) override {
    if constexpr (OutputBuffers<C>::kStalls) Stall<C>::settle(s_, t);
    OutputBuffers<C>::settle(s_, t);
  }

  // RouterView
  [[nodiscard]] const RouterPlan& plan() const override { return *s_.layout->plan; }
  void input_flits(std::size_t input, std::vector<Flit>& flits) const override;
  void output_flits(std::size_t output, std::vector<Flit>& flits) const override;
  [[nodiscard]] std::uint64_t flits_ahead() const override;
  [[nodiscard]] bool arriving(std::size_t input, Cycle t) const override {
    return s_.arrivals()[t & s_.arrivals_mask].arrived.test(input);
  }
  [[nodiscard]] bool credit_arriving(std::size_t output, Cycle t) const override {
    const auto& slot = s_.arrivals()[t & s_.arrivals_mask];
    if constexpr (OutputBuffers<C>::kSleeps)
      if (slot.credited != t) return false;
    return slot.credits.test(output);
  }
  [[nodiscard]] Cycle horizon() const override { return s_.arrivals_mask; }
  bool arriving_flit(std::size_t input, Cycle t, Flit& flit) const override;
  [[nodiscard]] bool waiting(std::size_t input) const override { return s_.in_waiting.test(input); }
  void feasible(std::size_t input, std::vector<std::uint16_t>& outputs) const override {
    outputs.clear();
    s_.feasible(input).each([&](std::size_t o) { outputs.push_back(static_cast<std::uint16_t>(o)); });
  }
  [[nodiscard]] std::uint16_t connected_output(std::size_t input) const override {
    return s_.in_connected.test(input) ? s_.in_vc()[input].output : kNoSlot;
  }
  [[nodiscard]] std::uint16_t connected_input(std::size_t output) const override {
    return s_.out_vc()[output].input;
  }
  [[nodiscard]] unsigned credits(std::size_t output) const override {
    if constexpr (C::kDeep) return static_cast<unsigned>(s_.counts.output(output));
    return s_.out_credit.test(output) ? 1 : 0;
  }
  [[nodiscard]] std::uint64_t link_flits(std::size_t channel) const override {
    return s_.outbound()[channel].flits;
  }
  [[nodiscard]] Occupancy occupancy(Cycle t) const override {
    const auto& layout = *s_.layout;
    const M full = s_.in_full | s_.arrivals()[t & s_.arrivals_mask].arrived;
    return {(full & ~M::from(layout.link_inputs)).count(), (s_.out_busy & layout.link_mask).count(),
            s_.in_connected.count() + at_home()};
  }
  void outside(std::vector<OutsideBuffer>& buffers) const override {
    buffers.clear();
    if constexpr (C::kOpen)
      if (s_.open != nullptr) s_.open->outside(s_, buffers);
  }

 private:
  void end_of_elaboration() override {
    if (!blocks_) return;
    for (std::size_t c = 0; c < credit_receivers_.size(); ++c)
      LinkMux<C>::join(s_, c, *blocks_->link(c).operator->());
    for (std::size_t c = 0; c < link_receivers_.size(); ++c)
      InputBuffers<C>::join(s_, c, *blocks_->credit_o(c).operator->());
  }
  /// For FabricContext::held: the router falls asleep.
  static void note_held(State& s) {
    bool held = (s.in_full | s.in_connected | s.out_busy).any();
    if constexpr (C::kOpen) held = held || s.open != nullptr;
    auto& word = s.context->held[s.position >> 6];
    const std::uint64_t mine = 1ULL << (s.position & 63);
    word = held ? word | mine : word & ~mine;
  }
  /// Worms from a terminal to itself or its neighbours at this router, connected without an input.
  [[nodiscard]] std::size_t at_home() const {
    if constexpr (C::kOpen)
      if (s_.open != nullptr) return s_.open->at_home();
    return 0;
  }
  /// Has the terminal an injection channel, with an empty buffer, that nothing of an earlier packet is in or
  /// waits for?
  static bool channel_idle(const State& s, std::size_t slot) {
    const auto& layout = *s.layout;
    if constexpr (C::kOpen)
      if (layout.unlimited_injection) return true;
    const std::uint64_t occupied = injection_occupied(s);
    if (!C::kDeep || layout.single_entry) return ((s.pending | occupied) >> slot & 1) == 0;
    if (s.context->interfaces[s.interface()[slot]].queue_size != 0) return false;
    for (std::size_t n = 0; n < layout.injection_entries(); ++n) {
      if (s.senders()[slot * layout.entries() + n].packet != kNoPacket) continue;
      const std::uint64_t mine = (layout.entry_vcs == 64 ? ~0ULL : (1ULL << layout.entry_vcs) - 1)
                                 << (layout.entry(slot, n) - layout.link_inputs);
      if ((~occupied & mine) != 0) return true;
    }
    return false;
  }
  /// Notes for `injection_was_idle` which terminals had no idle channel at the start of cycle t, apart from
  /// what has just been born.
  static void note_busy_channels(State& s, Cycle t) {
    auto& births = s.context->births[s.position];
    const std::uint64_t fresh = births.at == t ? births.fresh : 0;
    if (!C::kDeep || s.layout->single_entry) {
      births.busy = (s.pending & ~fresh) | injection_occupied(s);
      return;
    }
    births.busy = 0;
    for (std::size_t slot = 0; slot < s.layout->plan->injecting; ++slot)
      if ((fresh >> slot & 1) == 0 && !channel_idle(s, slot)) births.busy |= 1ULL << slot;
  }
  /// Credits of this cycle that came before it was performed here: they count for transfer, but did not for
  /// allocation.
  [[gnu::noinline]] static void count_immediate_credits(State& s) {
    OutputBuffers<C>::add_credits(s, s.credit_now);
    s.credit_now = {};
  }
  /// Injection buffers, as bits from the first on, that hold a flit.
  static std::uint64_t injection_occupied(const State& s) { return from_first_injection(s, s.in_full); }
  /// Of `inputs`, the injection buffers, as bits from the first one on.
  static std::uint64_t from_first_injection(const State& s, const M& inputs) {
    const auto& layout = *s.layout;
    if constexpr (C::kWords == 1)
      return layout.link_inputs < layout.inputs ? inputs.words[0] >> layout.link_inputs : 0;
    std::uint64_t bits = 0;
    for (std::size_t i = layout.link_inputs; i < layout.inputs; ++i)
      bits |= static_cast<std::uint64_t>(inputs.test(i)) << (i - layout.link_inputs);
    return bits;
  }
  /// Those without room; deep ones: if there are flits to inject. Unlimited channels note it themselves.
  [[gnu::always_inline]] static std::uint64_t injection_full(const State& s) {
    if (C::kDeep && s.pending == 0) return 0;
    if constexpr (C::kOpen)
      if (s.open != nullptr) [[unlikely]] {
        s.open->refresh(s);
        return 0;
      }
    if constexpr (C::kDeep)
      return from_first_injection(s, ~s.counts.inputs_other_than(s.layout->most));
    else
      return injection_occupied(s);
  }
  /// Interfaces, by slot, with flits to inject, but for those whose only buffer is full: they go on having
  /// what they could not send.
  static std::uint64_t may_inject(const State& s, std::uint64_t full) {
    return s.pending & ~(!C::kDeep || s.layout->single_entry ? full : 0);
  }
  template <Seldom kHas>
  static void inject(State& s, std::uint64_t full, Cycle t, Cycle from) {
    for (std::uint64_t bits = may_inject(s, full); bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(bits));
      if (!InjectionChannel<C>::template inject<kHas>(s, slot, full, t, from)) s.pending &= ~(1ULL << slot);
    }
  }

  State& s_;
  std::vector<LinkReceiver<C>> link_receivers_;      ///< [inbound channel]
  std::vector<CreditReceiver<C>> credit_receivers_;  ///< [outbound channel]
  std::unique_ptr<RouterBlocks> blocks_;             ///< null: Hierarchy::kRouters
};

}  // namespace noctule

#include "fabric/router_reset.h"
#include "fabric/router_view.h"
