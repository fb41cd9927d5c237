#include "routing/prescribed_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/number_lines.h"
#include "routing/initial_states.h"

namespace noctule {
namespace {

RouteState own(RouteState state) {
  if (PrescribedRoutes::is_prescribed(state))
    throw ConfigError("routing.algorithm",
                      "the relation uses bit 63 of its states, which prescribed routes need");
  return state;
}

/// `hop` without its lane, which the relation underneath does not know.
Candidate any_lane(Candidate hop) {
  return {hop.port, hop.vc_class};
}

}  // namespace

PrescribedRoutes::PrescribedRoutes(std::shared_ptr<const Topology> topology,
                                   std::shared_ptr<const RoutingRelation> base,
                                   const std::vector<Route>& routes)
    : topology_(std::move(topology)), base_(std::move(base)) {
  LineFaults faults(kKey);
  for (const Route& route : routes)
    if (auto fault = add(route); !fault.empty()) faults.add(route.place, std::move(fault));
  faults.raise();
}

std::string PrescribedRoutes::add(const Route& route) {
  if (std::max(index(route.source), index(route.destination)) >= topology_->routers())
    return fmt::format("a route from router {} to router {}; routers are 0 to {}", index(route.source),
                       index(route.destination), topology_->routers() - 1);
  const std::string ends = fmt::format("the route from {} to {}", topology_->router_name(route.source),
                                       topology_->router_name(route.destination));
  if (route.source == route.destination) return ends + " has no hop to prescribe; leave the hops out";
  if (route.hops.empty()) return ends + " prescribes no hop; at least one is needed";
  Path best;
  bool any = false;
  for (const RouteState state : initial_states_of(*base_, route.source, route.destination)) {
    Path path = follow(route, own(state));
    if (!any || path.steps.size() > best.steps.size()) best = std::move(path);
    any = true;
    if (best.steps.size() == route.hops.size()) {
      paths_.push_back(std::move(best));
      return {};
    }
  }
  const std::size_t n = best.steps.size();
  RouterId here = route.source;
  if (n != 0)
    if (const Link* last = topology_->outgoing(best.steps.back().at, best.steps.back().hop.port))
      here = last->to;
  if (here == route.destination)
    return fmt::format("{} has {} hops, but is at {} after {}; leave out the others", ends, route.hops.size(),
                       topology_->router_name(here), n);
  return fmt::format(
      "hop {} of {} is '{}'; at {} the routing relation offers: {}", n + 1, ends, name(here, route.hops[n]),
      topology_->router_name(here),
      offered(here, route.destination,
              n == 0 ? initial_states_of(*base_, route.source, route.destination)[0] : best.after));
}

PrescribedRoutes::Path PrescribedRoutes::follow(const Route& route, RouteState state) const {
  Path path{route.source, route.destination, {}, state};
  CandidateList list;
  RouterId here = route.source;
  for (const Candidate& hop : route.hops) {
    if (here == route.destination) break;
    list.clear();
    base_->candidates(here, route.destination, path.after, list);
    if (std::find(list.begin(), list.end(), any_lane(hop)) == list.end()) break;
    const Link* link =
        index(hop.port) < topology_->ports(here) ? topology_->outgoing(here, hop.port) : nullptr;
    if (link == nullptr)
      throw ConfigError("routing.algorithm",
                        fmt::format("the relation offers {} at {}, where no such link leaves",
                                    name(here, hop), topology_->router_name(here)));
    path.steps.push_back({here, hop, path.after});
    path.after = own(base_->next_state(here, route.destination, path.after, any_lane(hop)));
    here = link->to;
  }
  return path;
}

std::string PrescribedRoutes::name(RouterId here, const Candidate& hop) const {
  std::string text;
  const Link* link = index(hop.port) < topology_->ports(here) ? topology_->outgoing(here, hop.port) : nullptr;
  if (link == nullptr || index(hop.vc_class) >= base_->classes(*link))
    text = fmt::format("class {} of port {}", index(hop.vc_class), index(hop.port));
  else
    text = topology_->port_name(here, hop.port) + "." + base_->class_name(*link, hop.vc_class);
  return hop.lane == kAnyLane ? text : fmt::format("{}.{}", text, hop.lane);
}

std::string PrescribedRoutes::offered(RouterId here, RouterId destination, RouteState state) const {
  CandidateList list;
  base_->candidates(here, destination, state, list);
  std::vector<std::string> names;
  std::transform(list.begin(), list.end(), std::back_inserter(names),
                 [&](const Candidate& c) { return name(here, c); });
  return fmt::format("{}", fmt::join(names, ", "));
}

RouteState PrescribedRoutes::start(std::size_t route, RouterId source, RouterId destination) const {
  if (route >= paths_.size())
    throw InternalError(fmt::format("a packet names route {}; there are {}", route, paths_.size()));
  const Path& path = paths_[route];
  if (path.source != source || path.destination != destination)
    throw InternalError(fmt::format("a packet from {} to {} names route {}, which leads from {} to {}",
                                    topology_->router_name(source), topology_->router_name(destination),
                                    route, topology_->router_name(path.source),
                                    topology_->router_name(path.destination)));
  return prescribed_state(route);
}

const PrescribedRoutes::Step& PrescribedRoutes::step(RouteState state) const {
  const std::size_t route = route_of(state);
  const std::size_t position = position_of(state);
  if (route >= paths_.size() || position >= paths_[route].steps.size())
    throw InternalError(fmt::format("there is no position {} of a route {}", position, route));
  return paths_[route].steps[position];
}

RouteState PrescribedRoutes::initial_state(RouterId source, RouterId destination, std::uint64_t n) const {
  return own(base_->initial_state(source, destination, n));
}

RouteState PrescribedRoutes::initial_state_of_class(RouterId source, RouterId destination,
                                                    unsigned message_class, std::uint64_t n) const {
  return own(base_->initial_state_of_class(source, destination, message_class, n));
}

void PrescribedRoutes::candidates(RouterId here, RouterId destination, RouteState state,
                                  CandidateList& list) const {
  if (!is_prescribed(state)) return base_->candidates(here, destination, state, list);
  const Step& next = step(state);
  if (next.at != here)
    throw InternalError(fmt::format("a header at {} should be at {} by its prescribed route",
                                    topology_->router_name(here), topology_->router_name(next.at)));
  list.add(next.hop);
}

RouteState PrescribedRoutes::next_state(RouterId here, RouterId destination, RouteState state,
                                        Candidate taken) const {
  if (!is_prescribed(state)) return own(base_->next_state(here, destination, state, taken));
  const Path& path = paths_[route_of(state)];
  return position_of(state) + 1 < path.steps.size() ? state + 1 : path.after;
}

const RoutingRelation& without_prescriptions(const RoutingRelation& relation) {
  const auto* routes = dynamic_cast<const PrescribedRoutes*>(&relation);
  return routes != nullptr ? routes->base() : relation;
}

}  // namespace noctule
