#include "fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/foreign_code.h"
#include "core/packet_name.h"
#include "routing/initial_states.h"
#include "routing/prescribed_routes.h"
#include "traffic/source_claims.h"

namespace noctule {
namespace {

/// Routers from which what the next visit reads is fetched ahead: of fewer, all stays in the second-level
/// cache.
constexpr std::size_t kFetchedFrom = 256;
/// Bytes of records from which at least the state of the next router is: fewer stay in the first-level cache.
constexpr std::size_t kStateFetchedFrom = std::size_t{64} << 10;

}  // namespace

void Fabric::attach(std::shared_ptr<TrafficSource> source) {
  if (!source) throw ConfigError("traffic", "a fabric is given no traffic source: the pointer is null");
  if (source_) throw ConfigError("traffic", "a fabric has one traffic source");
  if (started_) throw ConfigError("traffic", "a source is attached before the simulation starts");
  source_ = std::move(source);
  named_ends_ =
      SourceClaims(*source_, sending_.size(), std::max<std::size_t>(1, plan_.message_classes.size())).ends();
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
  for (std::size_t t = 0; t < sending_.size(); ++t) ask_source(TerminalId(t));
}

// --- time ---

void Fabric::advance(Cycle cycles) {
  const sc_core::sc_time span = options_.period * static_cast<double>(cycles);
  advanced_to_ = sc_core::sc_time_stamp() + span;
  try {
    sc_core::sc_start(span);
    advanced_to_ = sc_core::SC_ZERO_TIME;
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

/// A cycle is performed now, by the kernel's time.
void Fabric::note_tick() {
  last_tick_ = sc_core::sc_time_stamp();
  ticked_ = true;
}

void Fabric::perform_due() {
  if (clk_i.size() > 0) {
    next_trigger(clk_i->posedge_event());
    if (!clk_i->posedge()) return;  // initialization
    note_tick();
    cycle(next_cycle_++);
    return;
  }
  Cycle t = sc_core::sc_time_stamp().value() / options_.period.value();
  if (t < next_cycle_) return schedule(next_due());  // woken by a call within a cycle just performed
  note_tick();
  do {
    if (const std::uint64_t samples = idle_samples(t); samples != 0) {
      add_occupancy(totals_, next_cycle_, samples);
      next_sample_ += samples * options_.occupancy_interval;
    }
    if (const Cycle together = cycles_together(t); together > 1) {
      skewed_cycles(t, together);
    } else {
      next_cycle_ = t + 1;
      cycle(t);
    }
    t = next_due();
  } while (undisturbed_until(t));
  schedule(t);
}

/// The next cycle in which something can happen, unless it is called.
Cycle Fabric::next_due() const {
  if (!calls_.empty() || rst_ni.size() > 0) return next_cycle_;
  Cycle next = calendar_.next(next_cycle_);
  if (next == next_cycle_) return next;
  next = std::min(next, wheel_.next(next_cycle_));
  return preparing_.empty() ? next : std::min(next, preparing_.top().due);
}

/// Sleeps to cycle `next`; a call from outside wakes earlier.
void Fabric::schedule(Cycle next) {
  if (next == kNever) return next_trigger(call_event_);
  const std::uint64_t left = next * options_.period.value() - sc_core::sc_time_stamp().value();
  if (left == options_.period.value()) return next_trigger(options_.period);
  next_trigger(sc_core::sc_time::from_value(left), call_event_);
}

/// Within `advance`: will nobody else act before cycle `next`, nor at its time, and can nobody tell that the
/// kernel's time stands still meanwhile? Then it may be performed at once, which spares the kernel's work for
/// a cycle.
bool Fabric::undisturbed_until(Cycle next) const {
  if (next == kNever || context_.observer != nullptr || refusals_ || consumption.size() > 0) return false;
  const std::uint64_t period = options_.period.value();
  if ((next + 1) * period > advanced_to_.value()) return false;
  const std::uint64_t left = next * period - sc_core::sc_time_stamp().value();
  return left < sc_core::sc_time_to_pending_activity().value();
}

/// How many cycles from t on, which is due, may be performed in the order of bands_: nobody else acts, looks
/// on or is told anything before they are over.
Cycle Fabric::cycles_together(Cycle t) const {
  if (bands_.count == 1 || !source_ || source_->listens() || context_.begun != nullptr || !calls_.empty() ||
      consumption.size() > 0 || rst_ni.size() > 0)
    return 1;
  const std::uint64_t period = options_.period.value();
  const Cycle end = advanced_to_.value() / period;
  if (t + 1 >= end) return 1;
  Cycle most = std::min(bands_.cycles, end - t);
  most = std::min(most, t == next_sample_ ? options_.occupancy_interval : next_sample_ - t);
  const std::uint64_t last = (t + most - 1) * period - sc_core::sc_time_stamp().value();
  return last < sc_core::sc_time_to_pending_activity().value() ? most : 1;
}

void Fabric::skewed_cycles(Cycle t, Cycle cycles) {
  sample_occupancy(t);
  bands_.each(t, cycles, [this](std::size_t band, Cycle at) {
    next_cycle_ = at + 1;  // of this band
    generate(at, band);
    const std::size_t from = band * bands_.words;
    visit_routers(at, from, std::min(from + bands_.words, calendar_.words()));
  });
  next_cycle_ = t + cycles;
}

/// Those due at positions in the words [from, to) of the calendar.
void Fabric::visit_routers(Cycle t, std::size_t from, std::size_t to) {
  context_.awake = calendar_.slot(t + context_.flight);
  const auto visit = [t](const RouterBase::Entry& router) { return router.evaluate(router.self, t); };
  const std::size_t due = visited_.due(t);
  const RouterBase::Entry* const routers = by_position_.data();
  const auto all =
      [ due, vcs = visited_.vcs ](const RouterBase::Entry& router) __attribute__((always_inline)) {
    router.prefetch(due, vcs);
  };
  const auto state = [due](const RouterBase::Entry& router) __attribute__((always_inline)) {
    router.prefetch_state(due);
  };
  if (by_position_.size() >= kFetchedFrom)
    totals_.evaluations += calendar_.run(t, from, to, routers, visit, all);
  else if (state_bytes_ >= kStateFetchedFrom)
    totals_.evaluations += calendar_.run(t, from, to, routers, visit, state);
  else
    totals_.evaluations += calendar_.run(t, from, to, routers, visit);
}

void Fabric::cycle(Cycle t) {
  if (rst_ni.size() > 0 && !rst_ni->read()) {
    if (!in_reset_) reset(t);
    in_reset_ = true;
  } else if (std::exchange(in_reset_, false) && source_) {
    restart_source(t);
  }
  if (context_.observer != nullptr) context_.observer->on_cycle_start(t);
  if (!calls_.empty()) accept_calls(t);
  for (std::size_t band = 0; band < bands_.count; ++band) generate(t, band);
  if (!preparing_.empty()) send_prepared(t);
  sample_occupancy(t);
  visit_routers(t, 0, calendar_.words());
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

/// The packets of terminals of a band that are born in cycle t.
void Fabric::generate(Cycle t, std::size_t band) {
  const auto send = [this, t, band](std::uint32_t terminal) {
    const TerminalId source{terminal};
    std::size_t packets = 0;
    while (sending_[terminal].next.birth == t) {
      if (++packets > kMostPacketsAtOnce)
        throw ConfigError("traffic.source",
                          fmt::format("the source gives terminal {} more than {} packets in cycle {}",
                                      terminal, kMostPacketsAtOnce, t));
      create(source, sending_[terminal].next, t, true);
      ask_source(source);
      if (sending_[terminal].next.birth != t) break;
      wheel_.remove(terminal, band);
    }
  };
  wheel_.fire(t, send, band);
}

/// Fetches the next packet of a terminal from the source and puts it on the wheel.
void Fabric::ask_source(TerminalId source) {
  const std::size_t s = index(source);
  if (closed_) [[unlikely]] {
    sending_[s].next.birth = kNever;
    return;
  }
  auto packet =
      ask_part("traffic.source", "the source", [&] { return source_->next(source, sending_[s].asked); });
  sending_[s].next.birth = kNever;
  if (!packet) return;
  check_generated(source, *packet);
  ++sending_[s].asked;
  sending_[s].next = std::move(*packet);
  wheel_.add(static_cast<std::uint32_t>(s), sending_[s].next.birth, band_of(source));
}

/// A packet is born in cycle t; it enters the source queue or, where sources discard, is lost if the
/// injection channel was busy at the start of the cycle. `own`: made by the fabric's source, not called in.
void Fabric::create(TerminalId source, const GeneratedPacket& generated, Cycle t, bool own) {
  const std::size_t s = index(source);
  const NetworkInterface& interface =
      context_.interfaces[context_.interface(source, generated.message_class)];
  const NetworkInterface& end =
      context_.interfaces[context_.interface(generated.destination, generated.message_class)];
  Packet packet;
  packet.birth = t;
  packet.number = sending_[s].generated++;
  packet.user = generated.user;
  packet.source = source;
  packet.destination = generated.destination;
  packet.destination_router = end.consumption_router;
  packet.length = generated.length;
  packet.message_class = generated.message_class;
  packet.consumption_slot = end.consumption_slot;
  ++totals_.packets_generated;
  if (!totals_.classes.empty()) ++totals_.classes[packet.message_class].packets_generated;
  if (flows_) [[unlikely]]
    count_flows(source, generated);
  if (in_reset_ || full(interface, 0) ||
      (options_.discard && !routers_[index(interface.router)]->injection_idle(interface.slot))) {
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
  for (const PacketHandle handle : packets) interface.enqueue(handle);
  if (interface.pending_word != nullptr) [[likely]]
    *interface.pending_word |= 1ULL << interface.slot;
  else
    routers_[index(interface.router)]->packet_pending(interface.slot, own ? t : kNever);
  calendar_.wake(interface.position, t);
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
  if (index(source) >= sending_.size() || message_class >= plan_.message_classes.size()) return false;
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
  const std::size_t terminals = sending_.size();
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
  if (packet.route != 0 && !plan_.multicast) check_called_route(source, packet);
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

}  // namespace noctule
