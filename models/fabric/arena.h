#pragma once
// Routers in memory: one record per router, side by side. Compiled once for each build, in a file of its own.

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>

#include "core/pages.h"
#include "fabric/router.h"
#include "fabric/router_arena.h"
#include "fabric/timing.h"
#include "topology/planes.h"

namespace noctule {

inline constexpr std::size_t kLargeBlock = std::size_t{64} << 10;

/// Lays pieces of a record out one behind the other.
class Carver {
 public:
  explicit Carver(std::byte* base = nullptr) : base_(base) {}
  template <class T>
  T* take(std::size_t count, std::size_t alignment = alignof(T)) {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    const std::size_t at = used_;
    used_ += count * sizeof(T);
    return base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + at);
  }
  [[nodiscard]] std::size_t size() const { return (used_ + kLine - 1) / kLine * kLine; }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

template <class C>
class Arena final : public RouterArena {
 public:
  using State = RouterState<C>;
  using Layout = RouterLayout<C::kWords>;

  Arena(const FabricPlan& plan, const FabricTiming& timing, FabricContext& context,
        const std::function<bool(RouterId)>& holds)
      : plan_(plan), timing_(timing), context_(context) {
    offset_.reserve(plan.routers.size() + 1);
    offset_.push_back(0);
    for (std::uint32_t r = 0; r < plan.routers.size(); ++r) {
      Carver measure;
      if (holds(RouterId{r})) {
        auto& layout = layouts_[plan.routers[r].get()];
        if (!layout) {
          layout = std::make_unique<Layout>(plan.routers[r], plan.nodes[RouterId{r}]);
          layout->refusing = context.refusals != nullptr;
          if (layout->refusing) layout->consumed_on_arrival = false;  // it may keep its place
        }
        carve(measure, *layout, arrival_slots(RouterId{r}), nullptr);
      }
      offset_.push_back(offset_.back() + measure.size());
    }
  }

  std::unique_ptr<RouterBase> build(RouterId router, const char* name, std::uint32_t position,
                                    std::uint64_t seed, bool with_blocks) override {
    if (!memory_) allocate();
    const Layout& layout = *layouts_.at(plan_.routers[index(router)].get());
    std::byte* const base = memory_.get() + offset_[index(router)];
    Carver carver(base);
    State* const s = new (carver.take<State>(1)) State;
    carve_arrays(carver, layout, arrival_slots(router), s);
    s->arrivals_mask = static_cast<std::uint32_t>(arrival_slots(router) - 1);
    s->layout = &layout;
    s->context = &context_;
    s->position = position;
    s->id = router;
    const std::string stream = stream_name(*plan_.topology, router);
    s->rng = Rng(seed, stream);
    if constexpr (C::kDeep)
      if (layout.service.empty()) add_allocators(layout, plan_.nodes[router], s);
    if constexpr (C::kOpen)
      if (layout.unlimited_injection) {
        opens_.push_back(std::make_unique<OpenInjection<C>>());
        s->open = opens_.back().get();
      }
    if (!layout.service.empty()) {  // message classes, or ages
      services_.push_back(std::make_unique<ServiceGroups<C>>(layout, seed, stream));
      s->service = services_.back().get();
      if constexpr (C::kDeep)
        for (std::size_t g = 0; g < layout.service.size(); ++g) {
          add_allocators(layout, plan_.nodes[router], s);
          s->service->give(*s, g);
        }
    }
    s->outbound_ends = beside<typename State::OutboundEnd>(layout.plan->outbound.size());
    s->inbound_ends = beside<typename State::InboundEnd>(layout.plan->inbound.size());
    set_links(layout, router, s);
    std::uint32_t* interface = s->interface;
    const auto add = [&](const std::vector<TerminalEnd>& ends) {
      for (const TerminalEnd& end : ends)
        *interface++ =
            static_cast<std::uint32_t>(end.terminal) * context_.interfaces_per_terminal + end.interface;
    };
    add(plan_.injecting[index(router)]);
    if (!layout.plan->same_terminals) add(plan_.consuming[index(router)]);
    return std::make_unique<Router<C>>(name, *s, with_blocks);
  }
  [[nodiscard]] std::size_t bytes() const override { return offset_.back(); }
  [[nodiscard]] std::size_t injection_bytes() const override {
    std::size_t sum = 0;
    for (const auto& open : opens_) sum += open->bytes();
    return sum;
  }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(std::byte* p) const { Pages::instance().deallocate(p, bytes, kLine); }
  };

  void allocate() {
    memory_ = {static_cast<std::byte*>(Pages::instance().allocate(bytes(), kLine)), Free{bytes()}};
    std::memset(memory_.get(), 0, bytes());
  }
  /// What visits seldom read, out of the record.
  template <class T>
  T* beside(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const first = std::pmr::polymorphic_allocator<T>(&beside_memory_).allocate(count);
    std::uninitialized_default_construct_n(first, count);
    return first;
  }
  /// Trains need rings that are alike.
  [[nodiscard]] std::size_t arrival_slots(RouterId router) const {
    const Cycle horizon = context_.trains ? timing_.horizon() : timing_.horizon(router);
    return std::bit_ceil(horizon + 1);
  }
  void carve(Carver& carver, const Layout& layout, std::size_t slots, State* s) const {
    carver.take<State>(1);
    State scratch;
    carve_arrays(carver, layout, slots, s == nullptr ? &scratch : s);
  }
  void set_links(const Layout& layout, RouterId router, State* s) const {
    s->slotted = layout.fixed_slots;
    for (std::size_t c = 0; c < layout.plan->outbound.size(); ++c) {
      const LinkId id = plan_.topology->outgoing(router, layout.plan->outbound[c].port)->id;
      auto& link = s->outbound_ends[c];
      link.link = id;
      link.delay = static_cast<std::uint16_t>(timing_.flight(id));
      link.slot_cycles = static_cast<std::uint16_t>(timing_.slot_cycles(id));
      s->slotted = s->slotted || link.slot_cycles > 1;
      s->slot_cycles = c == 0 || s->slot_cycles == link.slot_cycles ? link.slot_cycles : std::uint16_t{0};
    }
    s->awaits_credits = s->slotted || context_.trains || layout.unlimited_injection;
    if constexpr (C::kDeep)
      for (std::size_t i = layout.link_inputs; i < layout.inputs; ++i) s->in_vc[i].back = s->arrivals;
    else
      s->inbound[layout.plan->inbound.size()].peer_arrivals = s->arrivals;
    for (std::size_t c = 0; c < layout.plan->inbound.size(); ++c) {
      const LinkId id = plan_.topology->incoming(router, layout.plan->inbound[c].port)->id;
      s->inbound_ends[c].delay = static_cast<std::uint32_t>(timing_.credit_delay(id));
      if (c == 0) s->credit_delay = static_cast<std::uint16_t>(s->inbound_ends[c].delay);
    }
  }
  void carve_arrays(Carver& carver, const Layout& layout, std::size_t slots, State* s) const {
    const std::size_t in = layout.inputs;
    const std::size_t out = layout.outputs;
    const std::size_t outbound = layout.plan->outbound.size();
    // Side by side with what nearly every visit reads: RouterBase::Visited.
    s->arrivals = carver.take<typename State::Arrivals>(slots);
    if constexpr (C::kDeep)
      if (layout.lone_headers) s->vc_turns = carver.take<std::uint8_t>(out + in);
    s->in_vc = carver.take<typename State::InputVc>(in);
    s->out_vc = carver.take<typename State::OutputVc>(out);
    s->outbound = carver.take<typename State::Outbound>(outbound, C::kDeep ? kLine / 2 : alignof(void*));
    if constexpr (!C::kDeep)
      s->inbound = carver.take<typename State::Inbound>(layout.plan->inbound.size() + 1);
    s->feasible = carver.take<typename State::M>(in);
    s->in_flit = carver.take<typename State::StoredFlit>(
        in << layout.in_shift, C::kDeep ? kLine : alignof(typename State::StoredFlit));
    s->out_flit = carver.take<typename State::StoredFlit>(layout.output_buffers() * layout.output_stride);
    if constexpr (C::kDeep) s->out_ring = carver.take<typename State::Ring>(layout.output_buffers());
    s->receivers = carver.take<typename State::Receiver>(out - layout.link_outputs);
    s->senders = carver.take<typename State::Sender>(std::size_t{layout.plan->injecting} * layout.entries());
    s->interface = carver.take<std::uint32_t>(layout.interface_entries());
    s->scan_next = carver.take<std::uint16_t>(layout.crossbars.size());
    s->select_next = carver.take<std::uint16_t>(layout.crossbars.size());
    if constexpr (C::kDeep) {
      for (MaskCounters<C::kWords>* counters : {&s->in_count, &s->out_credits})
        if (layout.far_planes) counters->far = carver.take<typename State::M>(MaskCounters<C::kWords>::kFar);
      if (layout.keeps_order()) s->order = carver.take<std::uint16_t>(2 * in);
    }
    if constexpr (C::kMulticast) {
      s->taps = carver.take<typename State::M>(in);
      s->claims = carver.take<typename State::Claim>(in);
    }
  }
  /// The allocators that the node asks for, for one router.
  void add_allocators(const Layout& layout, const NodeDescription& node, State* s) {
    if (layout.by_age) return;  // serve_by_age, allocate_by_age
    const AllocatorOptions options{node.arbiter, node.allocator_iterations, &beside_memory_};
    AllocatorShape vcs{{}, layout.outputs};
    for (std::size_t i = 0; i < layout.inputs; ++i) vcs.group_of.push_back(static_cast<std::uint16_t>(i));
    if (!layout.lone_headers) s->vc_allocator = add_allocator(node.vc_allocator, "scan", vcs, options);
    const AllocatorShape ports{layout.in_port, layout.out_ports};
    if (!layout.port_allocator)
      s->switch_allocator = add_allocator(node.switch_allocator, "none", ports, options);
    if (node.pipeline.speculative)
      s->speculative_allocator = add_allocator(node.switch_allocator, "none", ports, options);
  }
  Allocator<C::kWords>* add_allocator(const std::string& name, const char* none, const AllocatorShape& shape,
                                      const AllocatorOptions& options) {
    if (name == none) return nullptr;
    allocators_.push_back(
        AllocatorRegistry::instance().at(name).make.factory.template make<C::kWords>(shape, options));
    return allocators_.back().get();
  }

  const FabricPlan& plan_;
  const FabricTiming& timing_;
  FabricContext& context_;
  std::map<const RouterPlan*, std::unique_ptr<Layout>> layouts_;
  std::vector<std::size_t> offset_;
  /// Allocators and ends of links: those of a router lie behind each other, and routers in the order in which
  /// they were built.
  std::pmr::monotonic_buffer_resource beside_memory_{kLargeBlock, &Pages::instance()};
  std::vector<AllocatorPtr<C::kWords>> allocators_;
  std::vector<std::unique_ptr<OpenInjection<C>>> opens_;     ///< unlimited injection channels, by router
  std::vector<std::unique_ptr<ServiceGroups<C>>> services_;  ///< where message classes are served apart
  std::unique_ptr<std::byte, Free> memory_;
};

/// Which routers an arena holds, and how they are compiled.
struct ArenaRequest {
  const FabricPlan& plan;
  const FabricTiming& timing;
  FabricContext& context;
  std::function<bool(RouterId)> holds;
  int words;  ///< 1, 4 or 16
  bool observed;
};

/// Arena of one build. Only the routers with one word, which nearly all are, are compiled without an
/// observer, too.
template <Build Kind>
std::unique_ptr<RouterArena> make_arena(const ArenaRequest& r) {
  const auto make = [&]<class C>(C) -> std::unique_ptr<RouterArena> {
    return std::make_unique<Arena<C>>(r.plan, r.timing, r.context, r.holds);
  };
  if (r.words == 1 && !r.observed) return make(RouterConfig<1, Kind, false>{});
  if (r.words == 1) return make(RouterConfig<1, Kind, true>{});
  if (r.words == 4) return make(RouterConfig<4, Kind, true>{});
  return make(RouterConfig<16, Kind, true>{});
}

extern template std::unique_ptr<RouterArena> make_arena<Build::kUnit>(const ArenaRequest&);
extern template std::unique_ptr<RouterArena> make_arena<Build::kDeep>(const ArenaRequest&);
extern template std::unique_ptr<RouterArena> make_arena<Build::kDirect>(const ArenaRequest&);
extern template std::unique_ptr<RouterArena> make_arena<Build::kMulticast>(const ArenaRequest&);

}  // namespace noctule
