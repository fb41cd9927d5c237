#pragma once
// Proofs leg by leg, where worms go to drawn routers first (routing/two_phase.h).
//
// Why it is sound. Each leg is followed alone, between all routers. That is more than its worms do: they
// begin and end where the whole worm has its source, its destination, or a router that can be drawn. The legs
// share no VC, and no worm goes back to a leg that it has ended. So numbers that rise along the dependencies
// of each leg, those of the second behind those of the first and consumption behind all, rise along all. What
// is checked before it is used: that no channel belongs to both legs, and drawn worms of the whole fabric hop
// by hop. Header states are those of pairs of routers, not of triples.

#include <optional>

#include "verify/certificate.h"

namespace noctule {

/// Do worms have two legs, and are triples of source, router in between and destination so many that
/// following each takes more than about a second?
[[nodiscard]] bool too_many_but_by_legs(const FabricPlan& plan);

struct ProofByLegs {
  RoutingFacts facts;  ///< longest_path: of both legs; minimal and hops_exact: of drawn worms
  std::vector<std::uint32_t> numbering;  ///< by ChannelId
};

/// Nothing where worms have one leg, the node is partitioned, a leg has a cycle, or its states are above the
/// limit. Throws ConfigError if a drawn worm does not do what its legs say.
std::optional<ProofByLegs> prove_by_legs(const FabricPlan& plan, const ChannelIndex& channels,
                                         std::uint64_t most_header_states);

}  // namespace noctule
