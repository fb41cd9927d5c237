#pragma once
// Prescribed routes as people write them: hops by the names of output VCs.

#include <memory>
#include <string>
#include <vector>

#include "nodes/router_plan.h"
#include "routing/prescribed_routes.h"

namespace noctule {

struct NamedRoute {
  RouterId source{};
  RouterId destination{};
  /// VcPlan::name of the output to take at each router ("x_plus.class0.1"), or that without the lane: any.
  std::vector<std::string> hops;
  std::string place;  ///< where it is written ("file:line"), for messages
};

/// The relation of `plan`, over which the routes are laid; takes the place of plan.relation, and the plan of
/// a fabric is otherwise the same with it. Throws ConfigError (PrescribedRoutes::kKey) for every route, with
/// its place, that names an output that does not exist, takes a hop that the relation does not offer, passes
/// its destination, or needs an output that is not in the crossbar of the input it arrives on.
std::shared_ptr<const PrescribedRoutes> prescribe(const FabricPlan& plan,
                                                  const std::vector<NamedRoute>& routes);

}  // namespace noctule
