#include "fabric/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace noctule {
namespace {

/// Of a router without links.
Cycle own_horizon(const NodeDescription& node) {
  const Pipeline& pipeline = node.pipeline;
  return std::max({Cycle{pipeline.before_vc_allocation()} + 1, Cycle{pipeline.vc_allocation},
                   Cycle{pipeline.behind_switch_allocation()} + node.consumption_delay});
}

}  // namespace

FabricTiming::FabricTiming(const FabricPlan& plan) : plan_(plan), zero_load_(plan) {
  for (const NodeDescription& node : plan.nodes.kinds()) horizon_ = std::max(horizon_, own_horizon(node));
  for (const LinkDescription& link : plan.links.kinds())
    horizon_ = std::max(horizon_, Cycle{link.credit_delay});
  const Cycle flight = zero_load_.longest_flight();
  horizon_ = std::max(horizon_, flight);
  constexpr Cycle kMost = std::numeric_limits<std::uint16_t>::max();
  if (flight > kMost)
    throw ConfigError("link.cycles_per_flit",
                      fmt::format("a flit would take {} cycles to the next router; at most {} are possible: "
                                  "fewer cycles_per_flit, or fewer VCs with slots of their own",
                                  flight, kMost));
}

bool FabricTiming::serialises(RouterId router) const {
  if (plan_.links.all([](const auto& link) { return link.cycles_per_flit == 1; })) return false;
  for (std::size_t p = 0; p < plan_.topology->ports(router); ++p)
    if (const Link* link = plan_.topology->outgoing(router, PortId(p));
        link != nullptr && plan_.links[link->id].cycles_per_flit > 1)
      return true;
  return false;
}

Cycle FabricTiming::horizon(RouterId router) const {
  if (plan_.links.alike() && plan_.nodes.alike()) return horizon_;
  Cycle most = own_horizon(plan_.nodes[router]);
  for (std::size_t p = 0; p < plan_.topology->ports(router); ++p)
    for (const Link* link :
         {plan_.topology->outgoing(router, PortId(p)), plan_.topology->incoming(router, PortId(p))})
      if (link != nullptr) most = std::max({most, flight(link->id), credit_delay(link->id)});
  return most;
}

}  // namespace noctule
