#pragma once
// The narrowest cut of a network that a search finds.

#include "topology/topology.h"

namespace noctule {

/// Links in the direction that has fewer, of the cheapest split found of the routers into two sets whose
/// terminals differ by at most those of one router. An upper bound: the problem is NP-complete. The search
/// swaps routers between halves, from several starts (Fiduccia and Mattheyses 1982); the same for the same
/// graph always.
[[nodiscard]] unsigned find_bisection(const Topology& topology);

}  // namespace noctule
