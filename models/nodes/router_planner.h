#pragma once
// From descriptions to the channels and VCs of each router.

#include "nodes/router_plan.h"

namespace noctule {

/// Adds the plan of every router to plan.routers; all else of the plan is there. Routers of the same
/// surroundings share one. Throws ConfigError where a selector names what does not exist.
void plan_routers(FabricPlan& plan);

}  // namespace noctule
