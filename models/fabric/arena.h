#pragma once
// Routers in memory: one record per router, side by side. Compiled once for each build, in a file of its own.

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>

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
  template <class T>
  RecordPlace take(std::size_t count, std::size_t alignment = alignof(T)) {
    const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    used_ = at + count * sizeof(T);
    return RecordPlace{static_cast<std::uint32_t>(at)};
  }
  [[nodiscard]] std::size_t size() const { return (used_ + kLine - 1) / kLine * kLine; }

 private:
  std::size_t used_ = 0;
};

template <class C>
class Arena final : public RouterArena {
 public:
  using State = RouterState<C>;
  using Layout = RouterLayout<C::kWords>;
  using M = Mask<C::kWords>;

  Arena(const FabricPlan& plan, const FabricTiming& timing, FabricContext& context,
        const std::function<bool(RouterId)>& holds)
      : plan_(plan), timing_(timing), context_(context) {
    offset_.reserve(plan.routers.size() + 1);
    offset_.push_back(0);
    for (std::uint32_t r = 0; r < plan.routers.size(); ++r) {
      std::size_t bytes = 0;
      if (holds(RouterId{r})) {
        auto& layout = layouts_[key_of(RouterId{r})];
        if (!layout) {
          layout = std::make_unique<Layout>(plan.routers[r], plan.nodes[RouterId{r}]);
          layout->refusing = context.refusals != nullptr;
          if (layout->refusing) layout->consumed_on_arrival = false;  // it may keep its place
          layout->headers_wait = headers_wait(*layout, context);
          if (layout->headers_wait && layout->plain() && !layout->refusing && context.births.empty())
            layout->shape = layout->in_shift == plain_shift(Shape::kPlain4) ? Shape::kPlain4 : Shape::kPlain8;
          layout->places = carve(*layout, arrival_slots(RouterId{r}));
        }
        bytes = layout->places.record;
      }
      offset_.push_back(offset_.back() + bytes);
    }
    let_stall();
  }

  std::unique_ptr<RouterBase> build(RouterId router, const char* name, std::uint32_t position,
                                    std::uint64_t seed, bool with_blocks) override {
    if (!memory_) allocate();
    const Layout& layout = *layouts_.at(key_of(router));
    State* const s = new (memory_.get() + offset_[index(router)]) State;
    s->arrivals_mask = static_cast<std::uint32_t>(arrival_slots(router) - 1);
    s->layout = &layout;
    find_arrays(*s);
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
    set_links(layout, router, s);
    std::uint32_t* interface = s->interface();
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

  /// Not where what a header's route is found in is fetched as it comes.
  static bool headers_wait(const Layout& layout, const FabricContext& context) {
    return C::kDeep && !C::kMulticast && layout.seldom() != Seldom::kAll &&
           layout.pipeline.before_vc_allocation() > 0 && !context.relation_has_tables;
  }
  /// If all of them give credits that wake (InputBuffers::give_credit).
  void let_stall() {
    const auto wakes = [](const auto& layout) {
      return layout.second->seldom() != Seldom::kNone && !layout.second->refusing;
    };
    if (OutputBuffers<C>::kStalls && !context_.trains && std::ranges::all_of(layouts_, wakes))
      for (const auto& layout : layouts_) layout.second->stalls = true;
  }
  void allocate() {
    memory_ = {static_cast<std::byte*>(Pages::instance().allocate(bytes(), kLine)), Free{bytes()}};
    std::memset(memory_.get(), 0, bytes());
  }
  /// Those that a record has pointers to.
  static void find_arrays(State& s) {
    const RecordPlaces& p = s.layout->places;
    s.bases.in_vc = s.template at<typename State::InputVc>(p.in_vc);
    s.bases.in_flit = s.template at<typename State::StoredFlit>(p.in_flit);
    s.bases.out_vc = s.template at<typename State::OutputVc>(p.out_vc);
    s.bases.outbound = s.template at<typename State::Outbound>(p.outbound);
    if constexpr (!C::kDeep) s.bases.out_flit = s.template at<typename State::StoredFlit>(p.out_flit);
    if constexpr (C::kDeep)
      if (s.layout->far_planes)
        s.counts.set_far(s.template at<typename State::Counters::Plane>(p.far_counts));
  }
  /// What visits seldom read, out of the record: the ends of all links.
  void add_ends(State& s) {
    using Outbound = typename State::OutboundEnd;
    using Inbound = typename State::InboundEnd;
    static_assert(std::is_trivially_destructible_v<Outbound> && std::is_trivially_destructible_v<Inbound>);
    static_assert(alignof(Outbound) % alignof(Inbound) == 0);
    const std::size_t out = s.layout->plan->outbound.size();
    const std::size_t in = s.layout->plan->inbound.size();
    s.outbound_ends = static_cast<Outbound*>(
        beside_memory_.allocate(out * sizeof(Outbound) + in * sizeof(Inbound), alignof(Outbound)));
    std::uninitialized_default_construct_n(s.outbound_ends, out);
    std::uninitialized_default_construct_n(s.inbound_ends(), in);
  }
  /// Trains need rings that are alike.
  [[nodiscard]] std::size_t arrival_slots(RouterId router) const {
    const Cycle horizon = context_.trains ? timing_.horizon() : timing_.horizon(router);
    return std::bit_ceil(horizon + 1);
  }
  /// Routers of one layout have records of one form.
  using Key = std::pair<const RouterPlan*, std::size_t>;  ///< the other: arrival_slots
  [[nodiscard]] Key key_of(RouterId router) const {
    return {plan_.routers[index(router)].get(), arrival_slots(router)};
  }
  void set_links(const Layout& layout, RouterId router, State* s) {
    add_ends(*s);
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
    s->ways_back()[layout.plan->inbound.size()] = typename State::WayBack(s->arrivals());
    for (std::size_t c = 0; c < layout.plan->inbound.size(); ++c) {
      const LinkId id = plan_.topology->incoming(router, layout.plan->inbound[c].port)->id;
      s->inbound_ends()[c].delay = static_cast<std::uint32_t>(timing_.credit_delay(id));
      const auto delay = static_cast<std::uint16_t>(s->inbound_ends()[c].delay);
      s->credit_delay = c == 0 ? delay : std::min(s->credit_delay, delay);
    }
  }
  static RecordPlaces carve(const Layout& layout, std::size_t slots) {
    const std::size_t in = layout.inputs;
    const std::size_t out = layout.outputs;
    const std::size_t outbound = layout.plan->outbound.size();
    Carver carver;
    RecordPlaces p{};
    carver.take<State>(1);
    // Side by side with what nearly every visit reads: RouterBase::Visited.
    carver.take<typename State::Arrivals>(slots);
    if constexpr (C::kDeep)
      if (layout.lone_headers) p.vc_turns = carver.take<std::uint8_t>(out + in);
    p.ways_back = carver.take<typename State::WayBack>(layout.plan->inbound.size() + 1);
    p.in_vc = carver.take<typename State::InputVc>(in);
    p.out_vc = carver.take<typename State::OutputVc>(out);
    p.interface = carver.take<std::uint32_t>(layout.interface_entries());
    p.scan_next = carver.take<std::uint16_t>(layout.crossbars.size());
    p.select_next = carver.take<std::uint16_t>(layout.crossbars.size());
    p.outbound = carver.take<typename State::Outbound>(outbound, C::kDeep ? kLine / 2 : alignof(void*));
    p.feasible = layout.half_words() ? carver.take<std::uint32_t>(in) : carver.take<M>(in);
    if constexpr (C::kDeep) p.out_ring = carver.take<typename State::Ring>(layout.output_buffers());
    p.in_flit = carver.take<typename State::StoredFlit>(
        in << layout.in_shift, C::kDeep ? kLine : alignof(typename State::StoredFlit));
    p.out_flit = carver.take<typename State::StoredFlit>(layout.output_buffers() * layout.output_stride);
    p.receivers = carver.take<typename State::Receiver>(out - layout.link_outputs);
    p.senders = carver.take<typename State::Sender>(std::size_t{layout.plan->injecting} * layout.entries());
    if constexpr (C::kDeep) {
      using Counters = typename State::Counters;
      if (layout.far_planes) p.far_counts = carver.take<typename Counters::Plane>(Counters::kFar);
      if (layout.keeps_order()) {
        p.ordered = carver.take<typename State::Ordered>(1);
        p.order = carver.take<std::uint16_t>(2 * in);
      }
      if (layout.has_allocators()) p.allocators = carver.take<typename State::Allocators>(1);
    }
    if constexpr (C::kMulticast) {
      p.taps = carver.take<M>(in);
      p.claims = carver.take<typename State::Claim>(in);
    }
    p.record = carver.size();
    return p;
  }
  /// The allocators that the node asks for, for one router.
  void add_allocators(const Layout& layout, const NodeDescription& node, State* s) {
    if (layout.by_age || !layout.has_allocators()) return;  // serve_by_age, allocate_by_age
    const AllocatorOptions options{node.arbiter, node.allocator_iterations, &beside_memory_};
    AllocatorShape vcs{{}, layout.outputs};
    for (std::size_t i = 0; i < layout.inputs; ++i) vcs.group_of.push_back(static_cast<std::uint16_t>(i));
    auto& own = s->allocators();
    if (!layout.lone_headers) own.vc = add_allocator(node.vc_allocator, "scan", vcs, options);
    const AllocatorShape ports{layout.in_port, layout.out_ports};
    if (!layout.port_allocator) own.ports = add_allocator(node.switch_allocator, "none", ports, options);
    if (node.pipeline.speculative)
      own.speculative = add_allocator(node.switch_allocator, "none", ports, options);
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
  std::map<Key, std::unique_ptr<Layout>> layouts_;
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
