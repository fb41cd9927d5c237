#pragma once
// A message's worms, as a planner makes them, held to its contract.

#include <span>
#include <vector>

#include "multicast/planner.h"

namespace noctule {

/// MulticastPlanner::plan, checked: `worms` is emptied first. Throws ConfigError (key "multicast.planner")
/// where the worms do not serve each destination once, serve another one, stop where no router is, end
/// without serving, or are of a group that the planner does not name.
void plan_worms(const MulticastPlanner& planner, const Topology& topology, TerminalId source,
                std::span<const TerminalId> destinations, std::vector<PlannedWorm>& worms);

}  // namespace noctule
