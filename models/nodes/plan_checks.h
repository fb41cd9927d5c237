#pragma once
// What a plan asks of its parts before routers are planned. Each throws ConfigError of the key that is wrong.

#include <cstdint>
#include <memory>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// Are there no more VCs than a router can have, as many classes as its parallel links need, and do links of
/// their own shape go with the routers that they leave? Needs topology, relation, nodes and links. `planner`:
/// there is one.
void check_vcs(const FabricPlan& plan, bool planner);
/// Consumption channels that worms share, and keys that are about multicasts. `planner`: there is one.
void check_ends(const NodeDescription& node, bool planner);
/// By router, its plane (FabricPlan::planes). Do planes and message classes go together?
[[nodiscard]] std::vector<std::uint8_t> planes_of_routers(const Topology& topology,
                                                          const MessageClasses& classes);
/// Buffers of the terminals of a router. Needs `injecting`.
void check_places(const FabricPlan& plan);

/// Routers that store packets, and links whose credits do not go with that. Needs nodes and links.
void check_storing(const FabricPlan& plan);

/// Can routers and links serve some message classes before others, if the plan asks for it? Needs nodes and
/// links.
void check_service(const FabricPlan& plan);

/// What a planner and the routers make of messages with several destinations. Worms carry the order in which
/// they acquire channels, and the classes of consumption channels, from router to router: these keys of the
/// node (Boppana et al. 1998, 3) are the same everywhere, all others may differ. Needs topology, relation and
/// nodes.
[[nodiscard]] MulticastPlan plan_multicast(const FabricPlan& plan,
                                           std::shared_ptr<const MulticastPlanner> planner,
                                           bool plans_unicasts);

}  // namespace noctule
