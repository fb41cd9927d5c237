#pragma once
// Is a graph that somebody else has written one?

#include "topology/topology.h"

namespace noctule {

/// Throws ConfigError (key "topology.kind"): no routers or fewer than two terminals, a link that joins
/// routers or ports that do not exist, or that its ends do not know, a terminal at a router that does not
/// exist, two links at one port, or two routers of one name.
void check_topology(const Topology& topology);

}  // namespace noctule
