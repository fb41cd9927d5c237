#pragma once
// Immediate credits (link.credit_delay 0) count in the cycle in which they are given. Where they are
// accepted, the result does not depend on the order in which routers are evaluated, or that order is fixed.

#include <cstdint>
#include <vector>

#include "nodes/link_description.h"
#include "nodes/node_description.h"
#include "topology/topology.h"

namespace noctule {

/// What immediate credits ask of the evaluation of a cycle.
struct CreditOrder {
  /// All credits are immediate, and flits compete for nothing: worms advance as trains, whatever the order
  /// (Boppana and Chalasani 1993, section 3).
  bool trains = false;
  /// By RouterId: the receiver of a link whose credits are immediate comes before its sender, which so sees
  /// what the receiver has freed in this very cycle (Greenberg and Oh 1997: the links up). Empty: any order.
  std::vector<std::uint32_t> ranks = {};
};

/// Throws ConfigError where a flit takes no cycle on a link, and where immediate credits go round in a circle
/// of routers and flits compete (any node but fixed slots without output buffers, alike in all routers, with
/// immediate credits on all links).
[[nodiscard]] CreditOrder credit_order(const Topology& topology, const NodeDescriptions& nodes,
                                       const LinkDescriptions& links);

}  // namespace noctule
