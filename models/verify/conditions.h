#pragma once
// What proofs rest on besides the order of the channels: what a node does with headers and flits that wait.

#include <vector>

#include "nodes/router_plan.h"
#include "verify/certificate.h"

namespace noctule {

/// "node.release tail_crossed".
[[nodiscard]] const char* release_text(VcRelease release);

/// What every proof rests on, compared with each kind of node.
[[nodiscard]] std::vector<ProofCondition> common_conditions(const FabricPlan& plan);

/// What proofs by escape channels rest on as well.
[[nodiscard]] ProofCondition empty_vc_condition(const NodeDescription& node);

}  // namespace noctule
