#pragma once
// Which fabrics can have routers in hardware: what rtl/ implements, by the keys of a node.

#include <optional>

#include "core/error.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// What keeps the routers of the fabric from being the ones in rtl/, as the key and the remedy; empty:
/// nothing. Two kinds of routers are there: with buffers of one flit at inputs and outputs (Gravano et al.
/// 1994, V), and input-queued ones without output buffers (Dally and Towles 2004, chapter 16). What terminals
/// do with packets that they cannot inject is no concern of the routers.
[[nodiscard]] std::optional<Diagnostic> hardware_obstacle(const FabricPlan& plan);

/// Throws a ConfigError where there is an obstacle.
void require_hardware(const FabricPlan& plan);

/// As hardware_obstacle, for the shipped router of the node model's name: its keys are those that the RTL was
/// written for.
[[nodiscard]] std::optional<Diagnostic> shipped_obstacle(const FabricPlan& plan);

}  // namespace noctule
