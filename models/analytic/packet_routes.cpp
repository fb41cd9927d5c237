#include "analytic/packet_routes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::size_t kMostDrawn = 65536;  // ways that are kept, of those that headers draw

/// A message class has no more VCs of a link.
std::size_t vcs_of_class(const FabricPlan& plan, const Link& link) {
  return std::size_t{plan.lanes(link.id)} * plan.parallel_links(link.id) *
         std::max(1U, plan.relation->classes(link));
}

}  // namespace

PacketRoutes::PacketRoutes(const FabricPlan& plan, const ZeroLoad& zero_load)
    : plan_(plan), zero_load_(zero_load) {
  const auto number = [this](std::vector<std::uint32_t>& first, std::size_t channels) {
    first.push_back(static_cast<std::uint32_t>(channels_));
    channels_ += channels;
  };
  for (const Link& link : plan.topology->links()) {
    number(link_, plan.parallel_links(link.id));
    vc_.push_back(static_cast<std::uint32_t>(vcs_));
    vcs_ += plan.message_classes.size() * vcs_of_class(plan, link);
  }
  // Classes that share an interface are in one plane.
  std::vector<std::size_t> some_class(plan.message_classes.interfaces());
  for (std::size_t c = 0; c < plan.message_classes.size(); ++c)
    some_class[plan.message_classes[c].interface] = c;
  for (std::uint32_t t = 0; t < plan.topology->terminals(); ++t)
    for (const std::size_t c : some_class) {
      number(injection_, plan.nodes[plan.injection_router(TerminalId{t}, c)].injection_channels);
      injection_vc_.push_back(static_cast<std::uint32_t>(vcs_));
      vcs_ += plan.nodes[plan.injection_router(TerminalId{t}, c)].injection_channels;
      consumption_vc_.push_back(static_cast<std::uint32_t>(vcs_));
      vcs_ += plan.nodes[plan.consumption_router(TerminalId{t}, c)].consumption_slots();
      number(consumption_, plan.nodes[plan.consumption_router(TerminalId{t}, c)].consumption_channels);
    }
}

std::uint64_t PacketRoutes::key_of(TerminalId from, TerminalId to, std::uint8_t message_class) const {
  return (index(from) * std::uint64_t{plan_.topology->terminals()} + index(to)) *
             plan_.message_classes.size() +
         message_class;
}

PacketRoute& PacketRoutes::route(TerminalId from, TerminalId to, std::uint8_t message_class) {
  const auto [place, fresh] = known_.emplace(key_of(from, to, message_class), nullptr);
  if (!fresh) return *place->second;
  routes_.push_back(made(from, to, message_class, 0));
  return *(place->second = &routes_.back());
}

std::uint64_t PacketRoutes::states(TerminalId from, TerminalId to, std::uint8_t message_class) const {
  const RouterId here = plan_.injection_router(from, message_class);
  const RouterId end = plan_.consumption_router(to, message_class);
  return here == end ? 1 : plan_.relation->initial_states_of_class(here, end, message_class);
}

PacketRoute& PacketRoutes::drawn(TerminalId from, TerminalId to, std::uint8_t message_class,
                                 std::uint64_t state) {
  const std::pair key(key_of(from, to, message_class), state);
  if (const auto known = drawn_.find(key); known != drawn_.end()) return known->second;
  if (drawn_.size() >= kMostDrawn) drawn_.clear();
  return drawn_.emplace(key, made(from, to, message_class, state)).first->second;
}

PacketRoute PacketRoutes::made(TerminalId from, TerminalId to, std::uint8_t message_class,
                               std::uint64_t state) const {
  PacketRoute route;
  route.message_class = message_class;
  follow(route, plan_.injection_router(from, message_class), plan_.consumption_router(to, message_class),
         state);
  route.hops = route.links.size();
  add_stops(route, from, to);
  return route;
}

void PacketRoutes::follow(PacketRoute& route, RouterId here, RouterId end, std::uint64_t number) const {
  if (here == end) return;
  const RoutingRelation& relation = *plan_.relation;
  RouteState state = relation.initial_state_of_class(here, end, route.message_class, number);
  CandidateList list;
  while (here != end) {
    list.clear();
    relation.candidates(here, end, state, list);
    const RouterPlan& router = *plan_.routers[index(here)];
    const auto taken = std::ranges::find_if(
        list, [&](const Candidate& candidate) { return router.choices(candidate, route.message_class) > 0; });
    if (taken == list.end() || route.links.size() > 4 * plan_.routers.size())
      throw ConfigError("routing.algorithm",
                        fmt::format("the way that it prefers to {} does not end; at {} packets of class {} "
                                    "go on without end, or not at all",
                                    plan_.topology->router_name(end), plan_.topology->router_name(here),
                                    plan_.message_classes[route.message_class].name));
    const Link* const link = plan_.topology->outgoing(here, taken->port);
    route.links.push_back(link->id);
    route.vcs.push_back(static_cast<std::uint32_t>(router.choices(*taken, route.message_class)));
    state = relation.next_state(here, end, state, *taken);
    here = link->to;
  }
}

void PacketRoutes::add_stops(PacketRoute& route, TerminalId from, TerminalId to) const {
  const RouterId source = plan_.injection_router(from, route.message_class);
  const RouterId destination = plan_.consumption_router(to, route.message_class);
  const NodeDescription& first = plan_.nodes[source];
  const NodeDescription& last = plan_.nodes[destination];
  const unsigned interfaces = plan_.message_classes.interfaces();
  const unsigned interface = plan_.message_classes[route.message_class].interface;
  const ZeroLoad::EndParts ends = zero_load_.ends(source, destination);
  if (first.injection_channels != kUnlimited) {
    const std::size_t number = index(from) * interfaces + interface;
    RouteStop& stop = route.stops.emplace_back();
    stop.first = injection_[number];
    stop.replicas = stop.vcs = first.injection_channels;
    stop.vc = injection_vc_[number];
    stop.alone = true;
    stop.places = first.input_depth;
    stop.flight = std::uint64_t{first.injection_delay} + first.pipeline.behind_switch_allocation();
    // A place is taken again in the next cycle, or in the one after.
    const unsigned again = first.injection_delay == 0 || first.refill_same_cycle ? 1 : 2;
    stop.lead = stop.places + stop.flight - std::min<std::uint64_t>(stop.places + stop.flight, again);
  }
  std::uint64_t offset = ends.injection;
  for (std::size_t n = 0; n < route.links.size(); ++n) {
    const LinkId link = route.links[n];
    const ZeroLoad::HopParts hop = zero_load_.hop(link);
    const Link& wire = plan_.topology->links()[index(link)];
    offset += hop.sum() - hop.wire;
    RouteStop& stop = route.stops.emplace_back();
    stop.first = link_[index(link)];
    stop.replicas = plan_.parallel_links(link);
    stop.vc = static_cast<std::uint32_t>(vc_[index(link)] + route.message_class * vcs_of_class(plan_, wire));
    stop.vcs = route.vcs[n];
    stop.offset = offset;
    stop.slot = zero_load_.slot_cycles(link);
    stop.places = plan_.nodes[wire.to].input_depth;
    stop.turn = hop.vc_allocation;
    stop.flight = zero_load_.flight(link);
    const std::uint64_t credit = plan_.links[link].credit_delay;
    stop.lead = stop.places * stop.slot - std::min(stop.places * stop.slot, credit);
    offset += hop.wire;
  }
  if (last.consumption_channels != kUnlimited) {
    const std::size_t number = index(to) * interfaces + interface;
    RouteStop& stop = route.stops.emplace_back();
    stop.first = consumption_[number];
    stop.replicas = last.consumption_channels;
    stop.vc = consumption_vc_[number];
    stop.vcs = last.consumption_slots();
    stop.alone = last.consumption_vcs == 1;
    stop.offset = offset + ends.router;
    stop.turn = last.pipeline.vc_allocation;
  }
}

std::uint64_t PacketRoutes::by_path(PacketRoute& route, TerminalId from, std::uint32_t flits) const {
  constexpr std::uint32_t kKept = 4096;  // lengths whose latency is remembered
  const auto latency = [&] {
    return zero_load_.latency(plan_.injection_router(from, route.message_class), route.links, flits);
  };
  if (flits >= kKept) return latency();
  if (flits >= route.zero_load.size()) route.zero_load.resize(flits + 1, 0);
  std::uint64_t& known = route.zero_load[flits];
  if (known == 0) known = latency();
  return known;
}

}  // namespace noctule
