#pragma once
// The gate: no fabric runs whose freedom of deadlock is not proved, unless the user says so.

#include <string>

#include "core/error.h"
#include "verify/verifier.h"

namespace noctule {

/// Why a fabric that is not proved is refused, with the cycle and the remedy, in one paragraph; by the key of
/// the cause: routing.algorithm, or depends where the cycle goes through terminals.
[[nodiscard]] ConfigError refusal(const Certificate& certificate);

/// For programs that build fabrics themselves: verifies the plan and returns the certificate. Throws the
/// refusal unless it is proved.
Certificate require_proof(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options = {});

}  // namespace noctule
