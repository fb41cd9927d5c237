#pragma once
// Which routers can be the ones that are shipped in rtl/.

#include <optional>
#include <span>

#include "core/error.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// What keeps these routers, which have one node and no hardware_obstacle, from being the shipped one of the
/// node model's name: its keys are those that the RTL was written for, and it counts on as many places behind
/// its links as in its own buffers. Key and remedy; empty: nothing.
[[nodiscard]] std::optional<Diagnostic> shipped_obstacle(const FabricPlan& plan,
                                                         std::span<const RouterId> routers);

}  // namespace noctule
