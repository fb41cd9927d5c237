#pragma once
// Does a pattern keep its contract (TrafficPattern)?

#include "patterns/pattern.h"

namespace noctule {

/// Throws ConfigError (key "traffic.pattern"): no terminal injects, a distribution names a terminal that does
/// not exist, has a probability that is none or a sum other than 1, or a draw gives a terminal that the
/// distribution does not have. Looks at every terminal as long as that is cheap, else at some.
void check_pattern(const Topology& topology, const TrafficPattern& pattern);

}  // namespace noctule
