#pragma once
// What a fabric carries, for its source.

#include <memory>

#include "nodes/message_class.h"
#include "nodes/node_description.h"
#include "routing/relation.h"
#include "traffic/carried.h"

namespace noctule {

/// `planned`: Carried::planned.
[[nodiscard]] Carried carried_by(std::shared_ptr<const Topology> topology,
                                 std::shared_ptr<const RoutingRelation> relation,
                                 const NodeDescriptions& nodes, MessageClasses message_classes, bool planned);

}  // namespace noctule
