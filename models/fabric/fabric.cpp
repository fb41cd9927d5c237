#include "fabric/fabric.h"

#include <fmt/format.h>

#include <numeric>
#include <tuple>

#include "core/error.h"
#include "core/foreign_code.h"
#include "core/packet_name.h"
#include "nodes/credit_order.h"
#include "routing/initial_states.h"
#include "routing/prescribed_routes.h"
#include "rtl/hardware_rules.h"
#include "traffic/drawn_sink.h"

namespace noctule {
namespace {

/// Packets of a terminal in one cycle; a source that gives ever more would fill the memory.
constexpr std::size_t kMostAtOnce = 1 << 22;
/// Routers from which the next one's record is fetched ahead: those of fewer stay in the second-level cache.
constexpr std::size_t kFetchedFrom = 256;

/// 0, 1, ..., n-1, shuffled if the seed is not 0.
std::vector<std::uint32_t> order_of(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (seed == 0) return order;
  Rng rng(seed, "order");
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

/// Numbers positions anew: routers by rank, those of one rank as they were.
void put_in_order(std::vector<std::uint32_t>& position, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> routers(position.size());
  for (std::uint32_t r = 0; r < routers.size(); ++r) routers[position[r]] = r;
  std::ranges::stable_sort(routers, {}, [&](std::uint32_t r) { return ranks[r]; });
  for (std::uint32_t p = 0; p < routers.size(); ++p) position[routers[p]] = p;
}

}  // namespace

std::size_t state_bytes(const FabricPlan& plan) {
  const FabricTiming timing(plan);
  FabricContext context;
  context.trains = credit_order(*plan.topology, plan.nodes, plan.links).trains;
  return RouterArenas(plan, timing, context, false).bytes();
}

Fabric::Fabric(sc_core::sc_module_name name, FabricPlan plan, const FabricOptions& options)
    : sc_module(name),
      plan_(std::move(plan)),
      relation_sees_classes_(plan_.relation->sees_message_classes()),
      carried_unasked_(plan_.relation->serves_all() ? longest_packet(plan_.nodes) : 0),
      options_(options),
      timing_(plan_),
      calendar_(plan_.topology->routers(), timing_.horizon() + 1),
      wheel_(plan_.topology->terminals()) {
  if (plan_.multicast && (options.discard || options.queue_packets != kUnlimited))
    throw ConfigError("traffic.source_queue",
                      "the copies of a message wait for each other: multicasts need "
                      "source_queue infinite");
  check_nodes();
  if (options.period == sc_core::SC_ZERO_TIME)
    throw ConfigError("period", "the clock period must be above 0");
  build();
  wire();
  injection.bind(*this);
  SC_METHOD(tick);
}

Fabric::~Fabric() = default;

/// Is stall a share, can routers be RTL, are there those that shall have blocks?
void Fabric::check_nodes() const {
  if (options_.stall < 0 || options_.stall >= 1)
    throw ConfigError("traffic.stall", fmt::format("stall must be in [0, 1); {} is given", options_.stall));
  for (const RouterId router : options_.with_blocks)
    if (index(router) >= plan_.routers.size())
      throw ConfigError(
          "with_blocks",
          fmt::format("FabricOptions::with_blocks names router {}; the fabric has routers 0 to {}",
                      index(router), plan_.routers.size() - 1));
  if (!options_.rtl) return;
  const auto rtl = routers_with(options_.rtl->duts);
  require_hardware(plan_, rtl);
  const auto direct = std::ranges::find_if(rtl, [&](RouterId r) { return plan_.nodes[r].direct(); });
  if ((options_.stall > 0 || options_.sink) && direct != rtl.end())
    throw ConfigError(
        "traffic.stall",
        fmt::format(
            "{}terminals of routers in hardware can refuse flits only behind output buffers: set stall to "
            "0 and leave out what limits the buffers of terminals, or have node.output_depth >= 1",
            plan_.nodes.alike() ? "" : plan_.topology->router_name(*direct) + ", which is RTL: "));
  if (options_.sink && plan_.message_classes.size() > 1)
    throw ConfigError(
        "message_classes",
        "a terminal of a router in hardware says with one pin whether it takes flits, of whatever "
        "class: have one class, or leave out what limits the buffers of terminals");
}

void Fabric::build() {
  const std::size_t terminals = plan_.topology->terminals();
  context_.topology = plan_.topology.get();
  context_.relation = plan_.relation.get();
  context_.relation_has_state =
      plan_.relation->has_state() || (plan_.multicast && plan_.multicast->relation->has_state());
  context_.multicast = plan_.multicast ? &*plan_.multicast : nullptr;
  if (plan_.common_node().retransmission_buffers > 0) context_.absorbed.resize(terminals);
  const CreditOrder credits = credit_order(*plan_.topology, plan_.nodes, plan_.links);
  context_.trains = credits.trains;
  context_.flight = timing_.usual_flight();
  context_.horizon = timing_.horizon();
  if (!timing_.zero_load().by_hops()) context_.paths = &paths_;
  context_.discard = options_.discard;
  if (options_.stall > 0) drawn_ = drawn_sink(options_.stall, options_.seed, options_.sink);
  context_.calendar = &calendar_;
  context_.sink = this;
  const MessageClasses& classes = plan_.message_classes;
  context_.interfaces_per_terminal = classes.interfaces();
  context_.interface_of_class.clear();
  for (const MessageClass& c : classes) context_.interface_of_class.push_back(c.interface);
  context_.interfaces.resize(terminals * classes.interfaces());
  for (const auto& router : plan_.routers)
    context_.consumption_places =
        std::max<std::uint32_t>(context_.consumption_places, router->consumption_vcs);
  if (TerminalSink* const sink = drawn_ ? drawn_.get() : options_.sink.get(); sink != nullptr) {
    refusals_.emplace(*sink, terminals, classes.size(),
                      context_.interfaces.size() * context_.consumption_places);
    context_.refusals = &*refusals_;
  }
  if (classes.named()) totals_.classes.resize(classes.size());
  context_.terminal_flits.resize(terminals);
  upcoming_.resize(terminals);
  asked_.resize(terminals);
  source_number_.resize(terminals);
  packet_number_.resize(terminals);

  const std::size_t n = plan_.topology->routers();
  for (std::size_t r = 0; r < n; ++r) {
    const auto each_interface = [&](const std::vector<TerminalEnd>& ends, auto&& f) {
      std::uint16_t slot = 0;
      for (const TerminalEnd& end : ends)
        f(context_.interfaces[index(end.terminal) * classes.interfaces() + end.interface], slot++);
    };
    each_interface(plan_.injecting[r], [&](NetworkInterface& interface, std::uint16_t slot) {
      interface.router = RouterId(r);
      interface.slot = slot;
    });
    each_interface(plan_.consuming[r], [&](NetworkInterface& interface, std::uint16_t slot) {
      interface.consumption_router = RouterId(r);
      interface.consumption_slot = slot;
    });
  }
  arenas_ = std::make_unique<RouterArenas>(plan_, timing_, context_, options_.observed);
  routers_.resize(n);
  by_position_.resize(n);
  position_ = order_of(n, options_.order_seed);
  if (!credits.ranks.empty()) put_in_order(position_, credits.ranks);
  std::vector<bool> with_blocks(n, hierarchy_of(options_.hierarchy, n) == Hierarchy::kBlocks);
  for (const RouterId router : options_.with_blocks) with_blocks[index(router)] = true;
  for (const auto r : order_of(n, options_.construction_seed)) {
    const RouterId id{r};
    const std::string name = plan_.topology->router_name(id);
    if (options_.rtl && options_.rtl->duts[r]) {
      routers_[r] = std::make_unique<RtlRouter>(name.c_str(), plan_, context_, id, *options_.rtl);
      clocked_.push_back(position_[r]);
      calendar_.wake(position_[r], 0);
    } else {
      routers_[r] = arenas_->of(id).build(id, name.c_str(), position_[r], options_.seed, with_blocks[r]);
    }
    by_position_[position_[r]] = routers_[r]->entry();
  }
}

/// The one loop that binds any node to any graph: every link of the topology, every physical link that the
/// node makes of it.
void Fabric::wire() {
  const auto find = [](const std::vector<ChannelPlan>& channels, PortId port, std::uint16_t replica) {
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].port == port && channels[c].replica == replica) return c;
    throw InternalError("the two ends of a link were planned differently");
  };
  for (const Link& link : plan_.topology->links()) {
    RouterBase& sender = *routers_[index(link.from)];
    RouterBase& receiver = *routers_[index(link.to)];
    const auto& outbound = sender.plan().outbound;
    for (std::size_t out = 0; out < outbound.size(); ++out) {
      if (outbound[out].port != link.out) continue;
      const std::size_t in = find(receiver.plan().inbound, link.in, outbound[out].replica);
      sender.bind_link(out, receiver.link_receiver(in));
      receiver.bind_credits(in, sender.credit_receiver(out));
      physical_links_.push_back({link.id, outbound[out].replica, link.from, static_cast<std::uint16_t>(out)});
    }
  }
}

void Fabric::attach(std::shared_ptr<TrafficSource> source) {
  if (source_) throw ConfigError("traffic", "a fabric has one traffic source");
  if (started_) throw ConfigError("traffic", "a source is attached before the simulation starts");
  source_ = std::move(source);
  if (source_->follows_injection()) context_.begun = &begun_;
}

void Fabric::observe(FlitObserver& observer) {
  if (!options_.observed) throw InternalError("Fabric::observe needs FabricOptions::observed");
  context_.observer = &observer;
}

void Fabric::start_of_simulation() {
  started_ = true;
  if (options_.observed && context_.observer == nullptr)
    throw InternalError("FabricOptions::observed is set but no observer was given");
  if (!source_) return;
  for (std::size_t t = 0; t < upcoming_.size(); ++t) ask_source(TerminalId(t));
}

// --- time ---

void Fabric::advance(Cycle cycles) {
  try {
    sc_core::sc_start(options_.period * static_cast<double>(cycles));
  } catch (const sc_core::sc_report&) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    throw;
  }
}

void Fabric::tick() {
  try {
    perform_due();
  } catch (...) {
    thrown_ = std::current_exception();
    throw;
  }
}

void Fabric::perform_due() {
  if (clk_i.size() > 0) {
    next_trigger(clk_i->posedge_event());
    if (!clk_i->posedge()) return;  // initialization
    cycle(next_cycle_++);
    return;
  }
  const Cycle t = sc_core::sc_time_stamp().value() / options_.period.value();
  if (t < next_cycle_)
    return schedule_next(next_cycle_ - 1);  // woken by a call within a cycle just performed
  totals_.occupancy_samples += idle_samples(t);
  next_cycle_ = t + 1;
  cycle(t);
  schedule_next(t);
}

/// Occupancy samples, all of them zero, that fall into the idle cycles next_cycle_ .. t-1.
std::uint64_t Fabric::idle_samples(Cycle t) const {
  const Cycle interval = options_.occupancy_interval;
  if (interval == 0 || t <= next_cycle_) return 0;
  return (t + interval - 1) / interval - (next_cycle_ + interval - 1) / interval;
}

/// Sleeps to the next cycle in which something can happen; a call from outside wakes earlier.
void Fabric::schedule_next(Cycle t) {
  Cycle next = std::min(calendar_.next(t + 1), wheel_.next(t + 1));
  if (!preparing_.empty()) next = std::min(next, preparing_.top().due);
  if (!calls_.empty() || rst_ni.size() > 0) next = t + 1;
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  if (next == kNever) return next_trigger(call_event_);
  if (next == t + 1 && now.value() == t * options_.period.value()) return next_trigger(options_.period);
  const auto ticks = next * options_.period.value() - now.value();
  next_trigger(sc_core::sc_time::from_value(ticks), call_event_);
}

void Fabric::cycle(Cycle t) {
  last_tick_ = sc_core::sc_time_stamp();
  ticked_ = true;
  if (rst_ni.size() > 0 && !rst_ni->read()) {
    if (!in_reset_) reset(t);
    in_reset_ = true;
  } else if (std::exchange(in_reset_, false) && source_) {
    restart_source(t);
  }
  if (context_.observer != nullptr) context_.observer->on_cycle_start(t);
  if (!calls_.empty()) accept_calls(t);
  generate(t);
  if (!preparing_.empty()) send_prepared(t);
  if (options_.occupancy_interval != 0 && t % options_.occupancy_interval == 0) sample_occupancy(t);
  context_.awake = calendar_.slot(t + context_.flight);
  const auto visit = [t](const RouterBase::Entry& router) { return router.evaluate(router.self, t); };
  const auto soon = [](const RouterBase::Entry& router) __attribute__((always_inline)) {
    router.prefetch();
  };
  totals_.evaluations += by_position_.size() < kFetchedFrom
                             ? calendar_.run(t, by_position_.data(), visit)
                             : calendar_.run(t, by_position_.data(), visit, soon);
  if (refusals_) refusals_->tell(t);
  if (!begun_.empty()) tell_injections(t);
  if (!deliveries_.empty()) tell_deliveries();
  if (context_.observer != nullptr) context_.observer->on_cycle_end(t);
}

Cycle Fabric::cycles() const {
  if (clk_i.size() > 0) return next_cycle_;
  const std::uint64_t period = options_.period.value();
  const std::uint64_t started = (sc_core::sc_time_stamp().value() + period - 1) / period;
  return std::max(next_cycle_, Cycle{started});
}

// --- packets in ---

void Fabric::generate(Cycle t) {
  wheel_.fire(t, [this, t](std::uint32_t terminal) {
    const TerminalId source{terminal};
    std::size_t packets = 0;
    while (upcoming_[terminal].birth == t) {
      if (++packets > kMostAtOnce)
        throw ConfigError("traffic.source",
                          fmt::format("the source gives terminal {} more than {} packets in cycle {}",
                                      terminal, kMostAtOnce, t));
      create(source, upcoming_[terminal], t, true);
      ask_source(source);
      if (upcoming_[terminal].birth != t) break;
      wheel_.remove(terminal);
    }
  });
}

/// Fetches the next packet of a terminal from the source and puts it on the wheel.
void Fabric::ask_source(TerminalId source) {
  const std::size_t s = index(source);
  if (closed_) [[unlikely]] {
    upcoming_[s].birth = kNever;
    return;
  }
  auto packet =
      ask_part("traffic.source", "the source", [&] { return source_->next(source, source_number_[s]); });
  upcoming_[s].birth = kNever;
  if (!packet) return;
  check_generated(source, *packet);
  ++source_number_[s];
  upcoming_[s] = *packet;
  wheel_.add(static_cast<std::uint32_t>(s), packet->birth);
}

/// A packet is born in cycle t; it enters the source queue or, where sources discard, is lost if the
/// injection channel was busy at the start of the cycle. `own`: made by the fabric's source, not called in.
void Fabric::create(TerminalId source, const GeneratedPacket& generated, Cycle t, bool own) {
  const std::size_t s = index(source);
  const NetworkInterface& interface =
      context_.interfaces[context_.interface(source, generated.message_class)];
  const NetworkInterface& end =
      context_.interfaces[context_.interface(generated.destination, generated.message_class)];
  RouterBase& router = *routers_[index(interface.router)];
  Packet packet;
  packet.birth = t;
  packet.number = packet_number_[s]++;
  packet.user = generated.user;
  packet.source = source;
  packet.destination = generated.destination;
  packet.destination_router = end.consumption_router;
  packet.length = generated.length;
  packet.message_class = generated.message_class;
  packet.consumption_slot = end.consumption_slot;
  ++totals_.packets_generated;
  if (!totals_.classes.empty()) ++totals_.classes[packet.message_class].packets_generated;
  if (in_reset_ || full(interface, 0) || (options_.discard && !router.injection_idle(interface.slot))) {
    ++totals_.packets_discarded;
    if (context_.observer != nullptr) report(FlitEvent::kDiscard, kNoPacket, packet, t);
    return;
  }
  births_ += t;
  if (plan_.multicast) return create_message(packet, generated, t, own);
  if (generated.route != 0) [[unlikely]]
    packet.route_state = prescribed_state(packet, interface.router, generated.route);
  else
    packet.route_state = start_state(*plan_.relation, packet);
  const PacketHandle handle = context_.packets.add(packet);
  if (context_.observer != nullptr) report(FlitEvent::kGenerate, handle, packet, t);
  enqueue(source, {&handle, 1}, t, own);
}

/// Packets that are ready to be injected.
void Fabric::enqueue(TerminalId source, std::span<const PacketHandle> packets, Cycle t, bool own) {
  const std::uint8_t message_class = context_.packets[packets.front()].message_class;
  NetworkInterface& interface = context_.interfaces[context_.interface(source, message_class)];
  RouterBase& router = *routers_[index(interface.router)];
  for (const PacketHandle handle : packets) interface.enqueue(handle);
  router.packet_pending(interface.slot, own ? t : kNever);
  calendar_.wake(position_[index(interface.router)], t);
}

void Fabric::report(FlitEvent event, PacketHandle handle, const Packet& packet, Cycle t) {
  const NetworkInterface& at = context_.interfaces[context_.interface(packet.source, packet.message_class)];
  const auto channel = static_cast<std::uint16_t>(routers_[index(at.router)]->plan().injection(at.slot));
  context_.observer->on_flit(t, at.router, event, channel, kNoSlot, Flit::of(handle, 0, packet.length),
                             packet);
}

/// What the header of a packet carries that starts at its source.
RouteState Fabric::start_state(const RoutingRelation& relation, const Packet& packet, std::uint64_t copy) {
  const RouterId start = context_.interfaces[context_.interface(packet.source, packet.message_class)].router;
  if (packet.destination_router == start) return 0;
  if (relation_sees_classes_) [[unlikely]]
    return state_of_class(relation, packet, start, copy);
  const std::uint64_t states = relation.initial_states(start, packet.destination_router);
  if (states == 1) return relation.initial_state(start, packet.destination_router, 0);
  return relation.initial_state(start, packet.destination_router,
                                drawn_state(options_.seed, packet.source, packet.number, copy, states));
}

/// The same where the relation looks at the message class.
RouteState Fabric::state_of_class(const RoutingRelation& relation, const Packet& packet, RouterId start,
                                  std::uint64_t copy) const {
  const auto states = initial_states_of(relation, start, packet.destination_router, packet.message_class);
  if (states.size() == 1) return states[0];
  return states[drawn_state(options_.seed, packet.source, packet.number, copy, states.size())];
}

/// What the header of a packet carries whose source names route `route` (from 1).
RouteState Fabric::prescribed_state(const Packet& packet, RouterId source, std::uint32_t route) const {
  const auto* prescribed = dynamic_cast<const PrescribedRoutes*>(plan_.relation.get());
  if (prescribed == nullptr)
    throw ConfigError(
        "traffic.source",
        fmt::format(
            "the source gives packet {} a route, but the relation of the fabric is no PrescribedRoutes",
            packet_name(packet)));
  return prescribed->start(route - 1, source, packet.destination_router);
}

/// Calls that have not taken effect, into the source queue of this interface.
std::size_t Fabric::calls_of(std::size_t interface) const {
  return static_cast<std::size_t>(std::ranges::count_if(calls_, [&](const PendingCall& call) {
    return context_.interface(call.source, call.packet.message_class) == interface;
  }));
}

/// Has the source queue no room for a packet, with so many on their way into it?
bool Fabric::full(const NetworkInterface& interface, std::size_t coming) const {
  return options_.queue_packets != kUnlimited && interface.queue_size + coming >= options_.queue_packets;
}

bool Fabric::can_accept(TerminalId source, std::uint8_t message_class) const {
  if (index(source) >= upcoming_.size() || message_class >= plan_.message_classes.size()) return false;
  if (!options_.discard && options_.queue_packets == kUnlimited) return true;
  const std::size_t a = context_.interface(source, message_class);
  const NetworkInterface& interface = context_.interfaces[a];
  const std::size_t coming = calls_of(a);
  if (full(interface, coming)) return false;
  if (!options_.discard) return true;
  const RouterBase& router = *routers_[index(interface.router)];
  // Within the instant of a cycle that has been performed already, the state at its start counts.
  const bool performed = ticked_ && last_tick_ == sc_core::sc_time_stamp();
  const bool idle = performed ? router.injection_was_idle(interface.slot, next_cycle_ - 1)
                              : router.injection_idle(interface.slot);
  return idle && coming == 0;
}

bool Fabric::inject(TerminalId source, const GeneratedPacket& packet) {
  const std::size_t terminals = upcoming_.size();
  if (index(source) >= terminals || index(packet.destination) >= terminals)
    throw ConfigError("inject",
                      fmt::format("{}: packet from terminal {} to terminal {}; the fabric has terminals "
                                  "0 to {}",
                                  name(), index(source), index(packet.destination), terminals - 1));
  if (packet.length < 1 || packet.length > Flit::kNumber)
    throw ConfigError("inject", fmt::format("{}: packet of {} flits; 1 to {} are possible", name(),
                                            packet.length, static_cast<std::uint32_t>(Flit::kNumber)));
  if (packet.message_class >= plan_.message_classes.size())
    throw ConfigError("inject", fmt::format("{}: packet of message class {}; the fabric has classes 0 to {}",
                                            name(), packet.message_class, plan_.message_classes.size() - 1));
  if (packet.length > carried_unasked_) check_carried("inject", source, packet);
  check_destinations("inject", source, packet);
  if (!can_accept(source, packet.message_class)) return false;
  calls_.push_back({source, packet, sc_core::sc_time_stamp()});
  if (clk_i.size() == 0) {
    const auto period = options_.period.value();
    const auto now = sc_core::sc_time_stamp().value();
    call_event_.notify(sc_core::sc_time::from_value((now / period + 1) * period - now));
  }
  return true;
}

/// Calls made before this instant take effect.
void Fabric::accept_calls(Cycle t) {
  const auto& now = sc_core::sc_time_stamp();
  const auto later = std::stable_partition(calls_.begin(), calls_.end(),
                                           [&](const PendingCall& call) { return call.at < now; });
  for (auto call = calls_.begin(); call != later; ++call) create(call->source, call->packet, t, false);
  calls_.erase(calls_.begin(), later);
}

// --- packets out ---

std::uint64_t Fabric::zero_load_of(PacketHandle handle) const {
  const Packet& packet = context_.packets[handle];
  const ZeroLoad& zero_load = timing_.zero_load();
  if (zero_load.by_hops()) return zero_load.latency(packet.hops, packet.length);
  return zero_load.latency(plan_.injection_router(packet.source, packet.message_class),
                           packet.hops == 0 ? std::span<const LinkId>{} : paths_[index(handle)],
                           packet.length);
}

void Fabric::packet_delivered(PacketHandle handle, Cycle t) {
  const Packet& packet = context_.packets[handle];
  ++totals_.packets_delivered;
  ends_ += t;
  last_delivery_ = t;
  totals_.hops += packet.hops;
  totals_.header_wait += packet.waited;
  totals_.zero_load += zero_load_of(handle);
  totals_.record_latency(packet.birth, packet.injected, t,
                         [&] { return delivery_of(packet, packet.destination, 0, t); });
  if (!totals_.classes.empty()) {
    ClassCounters& of_class = totals_.classes[packet.message_class];
    ++of_class.packets_delivered;
    of_class.flits_delivered += packet.length;
    of_class.total_latency.record(t - packet.birth);
    of_class.network_latency.record(t - packet.injected);
  }
  ++totals_.copies;
  ++totals_.destinations;
  totals_.message_flits += packet.length;
  tell(packet, packet.destination, 0, t);
  context_.packets.remove(handle);
}

Delivery Fabric::delivery_of(const Packet& packet, TerminalId destination, std::uint32_t remaining, Cycle t) {
  return {packet.source,   destination, packet.number, packet.length,        packet.hops, packet.birth,
          packet.injected, t,           remaining,     packet.message_class, packet.user};
}

void Fabric::tell(const Packet& packet, TerminalId destination, std::uint32_t remaining, Cycle t) {
  const std::uint64_t pair = static_cast<std::uint64_t>(index(packet.source)) << 32 | index(destination);
  digest_ += mix64(mix64(pair + 0x9e3779b97f4a7c15ULL) ^ mix64(packet.number + (t << 24) + (t >> 40)));
  if (consumption.size() > 0 || (source_ && source_->listens()))
    deliveries_.push_back(delivery_of(packet, destination, remaining, t));
}

/// Told in the order of terminals, then of sources, whatever the order of evaluation was.
void Fabric::tell_deliveries() {
  std::sort(deliveries_.begin(), deliveries_.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.destination, a.source, a.number) < std::tie(b.destination, b.source, b.number);
  });
  for (const Delivery& delivery : deliveries_) {
    for (int i = 0; i < consumption.size(); ++i) consumption[i]->delivered(delivery);
    if (!source_ || !source_->listens()) continue;
    woken_.clear();
    ask_part("traffic.source", "the source", [&] { source_->delivered(delivery, woken_); });
    ask_woken();
  }
  deliveries_.clear();
}

/// The source is asked anew for the terminals that it woke, of each once, however often it woke it: what it
/// gave before would be lost.
void Fabric::ask_woken() {
  for (const TerminalId terminal : woken_) {
    if (index(terminal) >= upcoming_.size())
      throw ConfigError("traffic.source", fmt::format("the source wakes terminal {}; there are 0 to {}",
                                                      index(terminal), upcoming_.size() - 1));
    if (asked_[index(terminal)]) continue;
    asked_[index(terminal)] = true;
    wheel_.remove(static_cast<std::uint32_t>(terminal));
    ask_source(terminal);
  }
  for (const TerminalId terminal : woken_) asked_[index(terminal)] = false;
}

/// After a reset.
void Fabric::restart_source(Cycle t) {
  if (!ask_part("traffic.source", "the source", [&] { return source_->restart(t); })) return;
  woken_.clear();
  for (std::uint32_t n = 0; n < upcoming_.size(); ++n) woken_.push_back(TerminalId{n});
  ask_woken();
}

/// Told in the order of terminals, then of packets.
void Fabric::tell_injections(Cycle t) {
  const PacketTable& packets = context_.packets;
  std::ranges::sort(begun_, {}, [&](PacketHandle handle) {
    return std::tuple(packets[handle].source, packets[handle].number);
  });
  woken_.clear();
  for (const PacketHandle handle : begun_)
    ask_part("traffic.source", "the source",
             [&] { source_->injected(packets[handle].source, packets[handle].user, t, woken_); });
  begun_.clear();
  ask_woken();
}

}  // namespace noctule
