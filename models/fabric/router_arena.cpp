#include "fabric/router_arena.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <new>

#include "fabric/router.h"

namespace noctule {
namespace {

constexpr std::size_t kLine = 64;

/// Lays pieces of a record out one behind the other.
class Carver {
 public:
  explicit Carver(std::byte* base = nullptr) : base_(base) {}
  template <class T>
  T* take(std::size_t count) {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
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

  Arena(const FabricPlan& plan, FabricContext& context) : plan_(plan), context_(context) {
    offset_.reserve(plan.routers.size() + 1);
    offset_.push_back(0);
    for (const auto& router : plan.routers) {
      auto& layout = layouts_[router.get()];
      if (!layout) layout = std::make_unique<Layout>(router, plan.node);
      Carver measure;
      carve(measure, *layout, nullptr);
      offset_.push_back(offset_.back() + measure.size());
    }
    memory_.reset(static_cast<std::byte*>(::operator new (bytes(), std::align_val_t{kLine})));
    std::memset(memory_.get(), 0, bytes());
  }

  std::unique_ptr<RouterBase> build(RouterId router, const char* name, std::uint32_t position,
                                    std::uint64_t seed) override {
    const Layout& layout = *layouts_.at(plan_.routers[index(router)].get());
    std::byte* const base = memory_.get() + offset_[index(router)];
    Carver carver(base);
    State* const s = new (carver.take<State>(1)) State;
    carve_arrays(carver, layout, s);
    s->mail_mask = static_cast<std::uint32_t>(mail_slots() - 1);
    s->layout = &layout;
    s->context = &context_;
    s->position = position;
    s->id = router;
    s->rng = Rng(seed, plan_.topology->router_name(router));
    for (std::size_t slot = 0; slot < layout.plan->terminals; ++slot)
      s->terminal[slot] = static_cast<std::uint32_t>(plan_.terminals[index(router)][slot]);
    return std::make_unique<Router<C>>(name, *s);
  }
  [[nodiscard]] std::size_t bytes() const override { return offset_.back(); }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{kLine}); }
  };

  [[nodiscard]] std::size_t mail_slots() const {
    return std::bit_ceil(std::max(context_.flit_delay, context_.credit_delay) + 1);
  }
  void carve(Carver& carver, const Layout& layout, State* s) const {
    carver.take<State>(1);
    State scratch;
    carve_arrays(carver, layout, s == nullptr ? &scratch : s);
  }
  void carve_arrays(Carver& carver, const Layout& layout, State* s) const {
    const std::size_t in = layout.inputs;
    const std::size_t out = layout.outputs;
    s->mail = mail_slots() == 2 ? s->near_mail : carver.take<typename State::Mail>(mail_slots());
    s->outbound = carver.take<typename State::Outbound>(layout.plan->outbound.size());
    s->inbound = carver.take<typename State::Inbound>(layout.plan->inbound.size());
    s->feasible = carver.take<typename State::M>(in);
    s->in_flit = carver.take<Flit>(in * layout.input_depth);
    s->out_flit = carver.take<Flit>(out * layout.output_stride);
    s->terminal = carver.take<std::uint32_t>(layout.plan->terminals);
    s->output_of = carver.take<std::uint16_t>(in);
    s->input_of = carver.take<std::uint16_t>(out);
    s->scan_next = carver.take<std::uint16_t>(layout.crossbars.size());
    s->select_next = carver.take<std::uint16_t>(layout.crossbars.size());
    if (!C::kDeep) return;
    s->in_ring = carver.take<typename State::Ring>(in);
    s->out_ring = carver.take<typename State::Ring>(out);
    s->credits = carver.take<std::uint16_t>(out);
  }

  const FabricPlan& plan_;
  FabricContext& context_;
  std::map<const RouterPlan*, std::unique_ptr<Layout>> layouts_;
  std::vector<std::size_t> offset_;
  std::unique_ptr<std::byte, Free> memory_;
};

template <int Words>
std::unique_ptr<RouterArena> choose(const FabricPlan& plan, FabricContext& context, bool deep,
                                    bool observed) {
  if (deep && observed) return std::make_unique<Arena<RouterConfig<Words, true, true>>>(plan, context);
  if (deep) return std::make_unique<Arena<RouterConfig<Words, true, false>>>(plan, context);
  if (observed) return std::make_unique<Arena<RouterConfig<Words, false, true>>>(plan, context);
  return std::make_unique<Arena<RouterConfig<Words, false, false>>>(plan, context);
}

}  // namespace

std::unique_ptr<RouterArena> make_router_arena(const FabricPlan& plan, FabricContext& context,
                                               bool observed) {
  std::size_t places = 0;
  for (const auto& router : plan.routers)
    places = std::max({places, router->inputs.size(), router->outputs.size()});
  const bool deep =
      plan.node.input_depth > 1 || plan.node.output_depth > 1 || plan.node.consumption_depth > 1;
  if (places <= 64) return choose<1>(plan, context, deep, observed);
  if (places <= 128) return choose<2>(plan, context, deep, observed);
  if (places <= 256) return choose<4>(plan, context, deep, observed);
  if (places <= 1024) return choose<16>(plan, context, deep, observed);
  throw ConfigError("node.lanes",
                    fmt::format("a router would have {} inputs or outputs; at most 1024 are supported: "
                                "use fewer lanes or VC classes",
                                places));
}

void worm_error(RouterId router, const std::string& input, Flit flit, Flit previous) {
  throw InternalError(fmt::format(
      "router {}: flit {} of packet handle {} entered {} behind flit {} of packet "
      "handle {}: worms are interleaved or out of order",
      index(router), flit.number(), index(flit.packet), input, previous.number(), index(previous.packet)));
}

void no_route_error(const RouterPlan& plan, RouterId router, std::size_t input, const Packet& packet) {
  throw ConfigError("node.crossbars",
                    fmt::format("router {}: the header of packet {} from terminal {} to terminal {} waits on "
                                "input {} but the crossbar of that input holds none of the outputs that the "
                                "routing relation offers it",
                                index(router), packet.number, index(packet.source), index(packet.destination),
                                plan.inputs[input].name));
}

void delivery_error(const TerminalState& terminal, TerminalId id, Flit flit, const Packet& packet) {
  throw InternalError(
      fmt::format("terminal {} consumed flit {} of packet {} from terminal {} to terminal {} ({} "
                  "flits) where flit {} of packet handle {} was due",
                  index(id), flit.number(), packet.number, index(packet.source), index(packet.destination),
                  packet.length, terminal.expected, index(terminal.consuming)));
}

}  // namespace noctule
