#pragma once
// Proofs that were found before: are they still proofs of this plan?

#include <string>
#include <vector>

#include "verify/certificate.h"

namespace noctule {

/// Can the proof be checked from its numbering alone, in less time than finding it again takes? Those ring by
/// ring and those without a numbering cannot.
[[nodiscard]] bool can_recheck(const Certificate& certificate);

/// Follows every worm of the plan and checks that `numbering` (Certificate::numbering) is a proof by `method`
/// ("acyclic" or "escape_network"), conditions on the node included. False for any other content.
[[nodiscard]] bool recheck(const FabricPlan& plan, const std::string& method,
                           const std::vector<std::uint32_t>& numbering);

}  // namespace noctule
