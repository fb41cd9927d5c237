#pragma once
// The physical links of a fabric: how long flits and credits are on their way, and how wide the wires are.

#include <array>
#include <cstdint>
#include <optional>

#include "core/kinds.h"
#include "topology/topology.h"

namespace noctule {

/// How the VCs of a physical link share it.
enum class LinkSharing : std::uint8_t {
  kDemand,    ///< one flit per cycle, of any VC that has one and room behind
  kFixedSlot  ///< every VC has its own share: a flit takes as many cycles as there are VCs, used or not
              ///< (FabricPlan::slots), and may start in any cycle (Boppana and Chalasani 1993, section 3)
};

inline constexpr std::array<const char*, 2> kLinkSharings{"demand", "fixed_slot"};
inline constexpr unsigned kMostLanes = 64;
inline constexpr unsigned kMostParallelLinks = 16;

/// What a link is made of. Where it says nothing, the node of the sending router does.
struct LinkShape {
  std::optional<unsigned> lanes = {};           ///< replicas of every VC class, 1 to kMostLanes
  std::optional<unsigned> parallel_links = {};  ///< one flit per cycle each, 1 to kMostParallelLinks
  std::optional<LinkSharing> sharing = {};
  friend bool operator==(const LinkShape&, const LinkShape&) = default;
};

/// A directed link between two routers. Delays in cycles.
struct LinkDescription {
  unsigned flit_delay = 1;    ///< from the sender to the receiver, for a flit that goes over at once; >= 1
  unsigned credit_delay = 1;  ///< back; 0: immediate, see CreditOrder
  /// A serialiser: a flit goes over in so many parts. The next one may start as many cycles later, and the
  /// receiver has the flit with its last part. >= 1.
  unsigned cycles_per_flit = 1;
  LinkShape shape = {};
  friend bool operator==(const LinkDescription&, const LinkDescription&) = default;
};

using LinkDescriptions = Kinds<LinkDescription, LinkId>;

/// The description with what is given in its place.
[[nodiscard]] LinkDescription with(LinkDescription description, const LinkAttributes& given);

[[nodiscard]] LinkShape with(LinkShape shape, const LinkShape& given);

/// What the topology says of its links, and `otherwise` where it is silent.
[[nodiscard]] LinkDescriptions links_of(const Topology& topology, const LinkDescription& otherwise = {});

}  // namespace noctule
