#pragma once
// The gate: no fabric runs whose freedom of deadlock is not proved, unless the user says so.

#include <string>

#include "verify/verifier.h"

namespace noctule {

/// Why a fabric that is not proved is refused, with the cycle and the remedy; in one paragraph.
std::string refusal(const Certificate& certificate);

/// For programs that build fabrics themselves: verifies the plan and returns the certificate. Throws
/// ConfigError under the key routing.algorithm unless it is proved.
Certificate require_proof(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options = {});

}  // namespace noctule
