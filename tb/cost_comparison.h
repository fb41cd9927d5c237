#pragma once
// Series on one clock and on one silicon area: cycles become nanoseconds, routers square millimetres.

#include <string>
#include <vector>

#include "core/parameters.h"

namespace noctule {

/// Points of results.json that carry a "cost". `situations`, by point: what they have in common with points
/// of other series but for the load, e.g. "traffic.packet_length=5"; may be empty. For each situation and
/// each scale ("equal_time": flits per node and ns; "equal_area": flits per ns and mm2 of router) a few loads
/// with the mean latency in ns of every series, its highest throughput, and who is ahead. Every figure is a
/// range: of the mappings, and the 95 % intervals of the simulation; "high" is null where only some mappings
/// reach the throughput.
Json compare_costs(const Json& points, const std::vector<std::string>& situations);

/// The same, for people.
std::string cost_comparison_table(const Json& comparison);

}  // namespace noctule
