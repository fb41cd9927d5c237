#pragma once
// The narrowest cut of a network that a search finds.

#include "topology/topology.h"

namespace noctule {

/// Of the splits found of the routers into two sets, where the terminals that inject differ by at most those
/// of one router, and those that consume. An upper bound: the problem is NP-complete. The search swaps
/// routers between halves, from several starts (Fiduccia and Mattheyses 1982); the same for the same graph
/// always.
[[nodiscard]] Bisection find_bisection(const Topology& topology);

}  // namespace noctule
