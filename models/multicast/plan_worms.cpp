#include "multicast/plan_worms.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/foreign_code.h"

namespace noctule {
namespace {

/// What is wrong with a stop of a worm; empty: nothing.
std::string wrong_stop(const Topology& topology, const Stop& stop, std::span<const TerminalId> destinations) {
  if (index(stop.router) >= topology.routers())
    return fmt::format("stops at router {}, and there are 0 to {}", index(stop.router),
                       topology.routers() - 1);
  if (!stop.serves()) return {};
  if (std::find(destinations.begin(), destinations.end(), stop.terminal) == destinations.end())
    return fmt::format("serves terminal {}, which is no destination of the message", index(stop.terminal));
  if (topology.consumption_router(stop.terminal) != stop.router)
    return fmt::format("serves terminal {} at {}, where it is not", index(stop.terminal),
                       topology.router_name(stop.router));
  return {};
}

std::string wrong_worm(const MulticastPlanner& planner, const Topology& topology, const PlannedWorm& worm,
                       std::span<const TerminalId> destinations) {
  if (worm.stops.empty()) return "has no stop";
  if (worm.group >= planner.groups().size())
    return fmt::format("is of group {}, and the planner names {}", worm.group, planner.groups().size());
  for (const Stop& stop : worm.stops)
    if (auto text = wrong_stop(topology, stop, destinations); !text.empty()) return text;
  if (!worm.stops.back().serves()) return "ends where it serves no destination";
  return {};
}

/// Destinations that are not served once; empty: all are.
std::string wrongly_served(const std::vector<PlannedWorm>& worms, std::span<const TerminalId> destinations) {
  for (const TerminalId destination : destinations) {
    std::size_t times = 0;
    for (const auto& worm : worms)
      for (const Stop& stop : worm.stops) times += stop.terminal == destination ? 1 : 0;
    if (times != 1) return fmt::format("terminal {} is served {} times", index(destination), times);
  }
  return {};
}

std::string text_of(TerminalId source, std::span<const TerminalId> destinations) {
  std::string list;
  for (const TerminalId d : destinations) list += (list.empty() ? "" : ", ") + std::to_string(index(d));
  return fmt::format("{} -> {{{}}}", index(source), list);
}

}  // namespace

void plan_worms(const MulticastPlanner& planner, const Topology& topology, TerminalId source,
                std::span<const TerminalId> destinations, std::vector<PlannedWorm>& worms) {
  worms.clear();
  ask_part(kPlannerKey, "the planner", [&] { planner.plan(source, destinations, worms); });
  std::string wrong;
  for (const auto& worm : worms)
    if (auto text = wrong_worm(planner, topology, worm, destinations); wrong.empty() && !text.empty())
      wrong = "a worm " + text;
  if (wrong.empty()) wrong = wrongly_served(worms, destinations);
  if (!wrong.empty())
    throw ConfigError(kPlannerKey, fmt::format("the planner breaks its contract: of the message {}, {}",
                                               text_of(source, destinations), wrong));
}

}  // namespace noctule
