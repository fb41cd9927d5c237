#pragma once
// A picture of a fabric: its routers where the topology has them, its links, where terminals are.

#include <string>

#include "nodes/router_plan.h"

namespace noctule {

/// Routers that a picture may have.
inline constexpr std::size_t kMostDrawnRouters = 1024;

/// As SVG. Terminals are told by number inside their router; links that are slower than most are drawn apart.
/// Throws ConfigError ("topology.kind") if the network is larger than kMostDrawnRouters.
[[nodiscard]] std::string draw_network(const FabricPlan& plan);

}  // namespace noctule
