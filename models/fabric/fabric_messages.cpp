// Fabric: messages that are planned, carried by several worms, and complete when each destination has them.

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/packet_name.h"
#include "fabric/fabric.h"
#include "multicast/plan_worms.h"
#include "routing/prescribed_routes.h"

namespace noctule {
namespace {

/// Every destination of a message with several has it.
void count_multicast(FabricCounters& totals, const Message& message, Cycle t) {
  ++totals.multicasts_delivered;
  totals.multicast_total_latency += t - message.birth;
  totals.multicast_network_latency += t - message.injected;
  totals.multicast_hops += message.hops;
}

}  // namespace

void Fabric::check_carried(const char* key, TerminalId source, const GeneratedPacket& packet) const {
  for (const auto& wrong : {carried_.refuses_length(packet.length),
                            carried_.refuses_pair(source, packet.destination, packet.message_class)})
    if (!wrong.empty()) throw ConfigError(key, fmt::format("{}: {}", name(), wrong));
}

/// What a source hands out must be possible, and later than what it handed out before.
void Fabric::check_generated(TerminalId source, const GeneratedPacket& packet) const {
  const std::size_t terminals = sending_.size();
  const Cycle earliest = next_cycle_ == 0 ? 0 : next_cycle_ - 1;
  const bool possible = index(packet.destination) < terminals && packet.length >= 1 &&
                        packet.length <= Flit::kNumber && packet.birth >= earliest;
  if (!possible)
    throw ConfigError("traffic.source",
                      fmt::format("the source gives packet {}: {} flits to terminal {}, born in cycle {}; "
                                  "possible are 1 to {} flits, "
                                  "terminals 0 to {}, and cycles from {} on, in ascending order",
                                  packet_name(source, sending_[index(source)].asked), packet.length,
                                  index(packet.destination), packet.birth,
                                  static_cast<std::uint32_t>(Flit::kNumber), terminals - 1, earliest));
  if (packet.message_class >= plan_.message_classes.size())
    throw ConfigError(
        "traffic.source",
        fmt::format("the source gives packet {} message class {}; the fabric has classes 0 to {}",
                    packet_name(source, sending_[index(source)].asked), packet.message_class,
                    plan_.message_classes.size() - 1));
  if (packet.length > carried_unasked_) check_carried("traffic.source", source, packet);
  check_destinations("traffic.source", source, packet);
  if (named_ends_) check_ends(source, packet);
  if (packet.route == 0 || plan_.multicast) return;
  const auto routes = source_->routes();
  if (routes.empty()) return;  // then the relation may know the route by itself (prescribed_state)
  const bool known = packet.route <= routes.size();
  if (known && routes[packet.route - 1].source == source &&
      routes[packet.route - 1].destination == packet.destination)
    return;
  throw ConfigError(
      "traffic.source",
      known ? fmt::format("the source gives packet {}, to terminal {}, a route between others",
                          packet_name(source, sending_[index(source)].asked), index(packet.destination))
            : fmt::format("the source gives packet {} route {}, and it has {}",
                          packet_name(source, sending_[index(source)].asked), packet.route, routes.size()));
}

/// Of a packet that is called in: its route has to be one that the relation prescribes between its ends.
void Fabric::check_called_route(TerminalId source, const GeneratedPacket& packet) const {
  const auto* prescribed = dynamic_cast<const PrescribedRoutes*>(plan_.relation.get());
  if (prescribed == nullptr)
    throw ConfigError("inject",
                      fmt::format("{}: packet with route {}, but the relation of the fabric prescribes "
                                  "none; leave it 0",
                                  name(), packet.route));
  const RouterId from = plan_.injection_router(source, packet.message_class);
  const RouterId to = plan_.consumption_router(packet.destination, packet.message_class);
  if (!prescribed->joins(packet.route - 1, from, to))
    throw ConfigError(
        "inject",
        fmt::format("{}: packet with route {} from terminal {} to terminal {}; there are routes 1 to "
                    "{}, and it has to be one between these",
                    name(), packet.route, index(source), index(packet.destination), prescribed->routes()));
}

/// What a source says of its ends goes into proofs.
void Fabric::check_ends(TerminalId source, const GeneratedPacket& packet) const {
  const auto addressed = [this](TerminalId terminal) { return named_ends_->addressed[index(terminal)]; };
  if (named_ends_->injecting[index(source)] && addressed(packet.destination) &&
      std::ranges::all_of(packet.destinations, addressed))
    return;
  throw ConfigError("traffic.source",
                    fmt::format("the source gives packet {}, from terminal {} to terminal {}; it says itself "
                                "that there is no such packet (TrafficSource::ends)",
                                packet_name(source, sending_[index(source)].asked), index(source),
                                index(packet.destination)));
}

/// A message with several destinations can be planned, and serves each once.
void Fabric::check_destinations(const char* key, TerminalId source, const GeneratedPacket& packet) const {
  const auto& list = packet.destinations;
  if (list.empty() && packet.preparation == 0) return;
  if (auto wrong = carried_.refuses_planned(index(source), list.size(), packet.preparation); !wrong.empty())
    throw ConfigError(key, std::move(wrong));
  if (!list.empty() && std::find(list.begin(), list.end(), packet.destination) == list.end())
    throw ConfigError(key, fmt::format("a message of terminal {} goes to terminal {}, which is not among its "
                                       "destinations",
                                       index(source), index(packet.destination)));
  for (auto t = list.begin(); t != list.end(); ++t) {
    const auto refuse = [&](const std::string& why) {
      throw ConfigError(key,
                        fmt::format("a multicast of terminal {} has terminal {} among its destinations, {}",
                                    index(source), index(*t), why));
    };
    if (index(*t) >= sending_.size())
      refuse(fmt::format("which does not exist; there are 0 to {}", sending_.size() - 1));
    if (*t == source) refuse("which is its source");
    if (plan_.topology->consumption_router(*t) == plan_.topology->injection_router(source))
      refuse("which is at the router of its source");
    if (std::find(list.begin(), t, *t) != t) refuse("twice");
  }
}

/// The copies of a message, planned, and queued once they are prepared.
void Fabric::create_message(const Packet& packet, const GeneratedPacket& generated, Cycle t, bool own) {
  const MulticastPlan& multicast = *plan_.multicast;
  const bool unicast = generated.destinations.size() < 2;
  const bool planned =
      !(unicast && (!multicast.plans_unicasts ||
                    packet.destination_router == plan_.topology->injection_router(packet.source)));
  if (generated.route != 0)
    throw ConfigError("traffic.source", "a prescribed route belongs to fabrics without a multicast planner");
  planned_.clear();
  const std::span<const TerminalId> one(&generated.destination, 1);
  if (planned)
    plan_worms(*multicast.planner, *plan_.topology, packet.source, unicast ? one : generated.destinations,
               planned_);
  else
    planned_.push_back(
        {{{packet.destination_router, packet.destination}}, multicast.consumption->unicast_group()});
  Message message;
  message.birth = t;
  message.copies = static_cast<std::uint32_t>(planned_.size());
  message.destinations = message.left =
      static_cast<std::uint32_t>(std::max<std::size_t>(1, generated.destinations.size()));
  const std::uint32_t number = context_.messages.add(message);
  std::vector<PacketHandle> copies;
  for (PlannedWorm& plan : planned_) {
    Worm worm;
    worm.left = destinations(plan.stops);
    worm.served.resize(plan.stops.size());
    worm.message = number;
    worm.group = plan.group;
    worm.several = worm.left > 1;
    worm.relation = planned ? multicast.relation.get() : plan_.relation.get();
    worm.stops = std::move(plan.stops);
    Packet copy = packet;
    head_for(copy, worm.stops, 0);
    copy.consumption_slot = context_.interfaces[index(copy.destination)].consumption_slot;
    copy.route_state = start_state(*worm.relation, copy, copies.size());
    copy.worm = context_.worms.add(std::move(worm));
    copies.push_back(context_.packets.add(copy));
    if (context_.observer != nullptr) report(FlitEvent::kGenerate, copies.back(), copy, t);
  }
  if (generated.preparation == 0) return enqueue(packet.source, copies, t, own);
  preparing_.push({t + generated.preparation, prepared_++, packet.source, std::move(copies)});
}

void Fabric::send_prepared(Cycle t) {
  while (!preparing_.empty() && preparing_.top().due <= t) {
    Prepared next = preparing_.top();
    preparing_.pop();
    enqueue(next.source, next.copies, t, true);
  }
}

/// One destination has all of a planned worm.
void Fabric::stop_served(PacketHandle handle, TerminalId terminal, Cycle t) {
  const Packet& packet = context_.packets[handle];
  Worm& worm = context_.worms[packet.worm];
  std::size_t stop = 0;
  while (stop < worm.stops.size() && (worm.served[stop] || worm.stops[stop].terminal != terminal)) ++stop;
  if (stop == worm.stops.size())
    throw InternalError(
        fmt::format("terminal {} consumed packet {}, which is not for it, or which it had already",
                    index(terminal), packet_name(packet)));
  worm.served[stop] = true;
  Message& message = context_.messages[worm.message];
  --message.left;
  if (message.destinations > 1) {
    ++totals_.multicast_destinations;
    totals_.multicast_reached_latency += t - message.birth;
  }
  last_delivery_ = std::max(last_delivery_, t);
  tell(packet, terminal, message.left, t);
  if (--worm.left > 0) return;
  message.hops += packet.hops;
  totals_.header_wait += packet.waited;
  if (message.left == 0) {
    ++totals_.packets_delivered;
    ends_ += t;
    totals_.hops += message.hops;
    totals_.copies += message.copies;
    totals_.destinations += message.destinations;
    totals_.message_flits += std::uint64_t{message.destinations} * packet.length;
    totals_.record_latency(message.birth, message.injected, t, [&] {
      Delivery last = delivery_of(packet, terminal, 0, t);
      last.injected = message.injected;
      return last;
    });
    if (message.destinations > 1) count_multicast(totals_, message, t);
    context_.messages.remove(worm.message);
  }
  context_.worms.remove(packet.worm);
  context_.packets.remove(handle);
}

}  // namespace noctule
