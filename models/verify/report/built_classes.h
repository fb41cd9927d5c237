#pragma once
// The virtual channels that a plan builds, in words.

#include <cstdint>
#include <string>

#include "nodes/router_plan.h"

namespace noctule {

/// "4", or "2 to 4".
[[nodiscard]] std::string spread_text(std::uint64_t least, std::uint64_t most);

/// "VC classes per bidirectional link, dimension 0: 2, dimension 1: 2 to 3; 1 lane of each", counted on the
/// plan, by the groups of its links (LinkGroups). A network without links: empty.
[[nodiscard]] std::string built_classes_text(const FabricPlan& plan);

}  // namespace noctule
