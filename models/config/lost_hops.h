#pragma once
// What a relation misses where routers and links are taken away.

#include <string>

#include "routing/relation.h"

namespace noctule {

/// Of packets between terminals that are still there, the first hop found for which `relation`, made for the
/// whole network, offers nothing that is left: "a packet from A to B has no candidate at C, where it takes
/// C.port". Empty: none was found. Routers and links of both networks are known by their names.
[[nodiscard]] std::string first_lost_hop(const Topology& whole, const RoutingRelation& relation,
                                         const Topology& left);

}  // namespace noctule
