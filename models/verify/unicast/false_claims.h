#pragma once
// What a routing relation says of itself (RoutingClaims, hops), held against what its worms do.

#include <string>
#include <vector>

#include "verify/certificate.h"

namespace noctule {

/// One sentence for each claim that does not hold; empty where a limit was reached, as not all is known then.
/// What a node's crossbars take from the relation is not held against it.
[[nodiscard]] std::vector<std::string> false_claims(const Certificate& certificate);

}  // namespace noctule
