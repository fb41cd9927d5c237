#pragma once
// The physical links of a fabric: how long flits and credits are on their way, and how wide the wires are.

#include "core/kinds.h"
#include "topology/topology.h"

namespace noctule {

/// A directed link between two routers. All in cycles.
struct LinkDescription {
  unsigned flit_delay = 1;    ///< from the sender to the receiver, for a flit that goes over at once; >= 1
  unsigned credit_delay = 1;  ///< back; 0: immediate, see CreditOrder
  /// A serialiser: a flit goes over in so many parts. The next one may start as many cycles later, and the
  /// receiver has the flit with its last part. >= 1.
  unsigned cycles_per_flit = 1;
  friend bool operator==(const LinkDescription&, const LinkDescription&) = default;
};

using LinkDescriptions = Kinds<LinkDescription, LinkId>;

/// The description with what is given in its place.
[[nodiscard]] LinkDescription with(LinkDescription description, const LinkAttributes& given);

/// What the topology says of its links, and `otherwise` where it is silent.
[[nodiscard]] LinkDescriptions links_of(const Topology& topology, const LinkDescription& otherwise = {});

}  // namespace noctule
