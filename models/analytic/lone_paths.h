#pragma once
// Ways that lone worms take through a fabric.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rng.h"
#include "nodes/router_plan.h"

namespace noctule {

/// Cycles by which a lone header may be late at a router that speculates, where it may leave by several
/// ports: its VC allocation. 0: the router does not.
[[nodiscard]] inline std::uint64_t speculation_delay(const Pipeline& pipeline) {
  return pipeline.speculative ? pipeline.vc_allocation : 0;
}

struct LonePath {
  std::vector<LinkId> links;  ///< in their order
  bool only = true;           ///< the relation has no other for this pair
  /// Cycles by which the worm may be later than ZeroLoad says: a header that speculates, and may leave a
  /// router by several ports of the switch, may ask for another one than its VC is on.
  std::uint64_t late = 0;
};

/// A way from one router to another, of a worm with one destination, of this message class, that follows the
/// relation of the fabric; where it has a choice, drawn among what the relation offers the class. Nothing
/// after 4 times as many hops as there are routers: a relation may send worms in circles.
[[nodiscard]] std::optional<LonePath> draw_path(const FabricPlan& plan, RouterId source, RouterId destination,
                                                std::uint8_t message_class, Rng& rng);

}  // namespace noctule
