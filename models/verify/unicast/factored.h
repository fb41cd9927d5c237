#pragma once
// Networks of any size, where a relation corrects one dimension after the other
// (routing/dimension_ordered.h).
//
// Why it is sound. The rules of such a relation get a dimension and coordinates along it and nothing else, so
// all rows of a dimension are alike, and every worm that moves in it is a worm of one ring. A worm that has
// taken a channel of dimension d asks for channels of d, as its ring says, or of higher dimensions, or for
// consumption; never for lower ones. So the graph of the fabric is acyclic if and only if that of every ring
// is, and the numbers of dimension 0's ring, then those of dimension 1's, and so on, rise along every
// dependency. What is checked before it is used: that the object is of that base (its functions that see
// routers are final), that no partition of the node adds anything, each ring exhaustively, and sampled worms
// of the whole fabric hop by hop against their rings.

#include <optional>

#include "routing/dimension_ordered.h"
#include "verify/certificate.h"

namespace noctule {

struct FactoredProof {
  RoutingFacts facts;
  std::vector<std::uint32_t> numbering;  ///< by ChannelId
  /// A dimension whose ring has a cycle; then nothing is proved, and facts and numbering mean nothing.
  std::optional<unsigned> cyclic_dimension;
};

/// Nothing where the relation does not declare dimension order, the node is partitioned, or there is but one
/// dimension. Throws ConfigError if a sampled worm leaves the path of its rings, or hops() is wrong.
std::optional<FactoredProof> prove_by_factors(const FabricPlan& plan, const ChannelIndex& channels);

/// Is the link in the row of its dimension that stands for all, where the other coordinates are 0? Of a k-ary
/// n-cube.
[[nodiscard]] bool in_first_row(const Topology& topology, const Link& link);

}  // namespace noctule
