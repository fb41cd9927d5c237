#pragma once
// Follows every worm that a relation allows on a topology, through every choice, and reports what it saw.
// For small networks: cost grows with routers^2 times the states of a header.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "routing/relation.h"

namespace noctule {

struct SurveyLimits {
  /// More routers than this are refused with a ConfigError.
  std::size_t routers = 256;
  /// Follow the dependencies between escape channels through the others (the costly part).
  bool escape_dependencies = true;
};

/// A dependency graph over channels (link, VC class) in three numbers.
struct DependencyCount {
  std::size_t channels = 0;            ///< channels that are used
  std::size_t dependencies = 0;        ///< edges
  std::size_t channels_in_cycles = 0;  ///< in strongly connected components with a cycle
  [[nodiscard]] bool acyclic() const { return channels_in_cycles == 0; }
};

struct RelationSurvey {
  /// Is this class taken by any worm on this link?
  [[nodiscard]] bool is_used(LinkId link, VcClass vc_class) const {
    const auto c = first_channel[index(link)] + index(vc_class);
    return c < first_channel[index(link) + 1] && used[c] != 0;
  }
  /// Classes used on a directed link.
  [[nodiscard]] unsigned used_on(LinkId link) const;
  /// Classes used on a link and on the one that runs back beside it.
  [[nodiscard]] unsigned used_on_bidirectional(const Topology& topology, const Link& link) const;
  /// Classes used on the links that leave a router.
  [[nodiscard]] unsigned used_driven_by(const Topology& topology, RouterId router) const;
  /// Classes used on the links that leave or enter a router.
  [[nodiscard]] unsigned used_at(const Topology& topology, RouterId router) const;

  std::vector<std::size_t> first_channel;  ///< channel of class 0 of each link; one more element at the end
  std::vector<std::uint8_t> used;          ///< by channel
  std::vector<std::uint8_t> used_as_escape;

  /// Every choice of every worm leads to its destination.
  bool always_arrives = true;
  /// Every hop leads closer to the destination.
  bool minimal = true;
  /// Every shortest continuation is on offer, at every router and in every state that a worm can reach.
  bool fully_adaptive = true;
  /// Every path of every worm is as long as `hops` says.
  bool hops_exact = true;
  unsigned longest_path = 0;       ///< links; 0 unless always_arrives
  std::size_t configurations = 0;  ///< (router, destination, state) seen

  /// Direct dependencies: a worm holds one channel and may ask for the other next.
  DependencyCount direct;
  /// Between escape channels: a worm that took one may later ask for the other, having taken only non-escape
  /// channels in between (CDG* of Gravano et al. 1994, III; its longer dependencies are paths of these).
  /// Meaningful only if escape_surveyed.
  DependencyCount escape;
  bool escape_surveyed = false;
  /// Some escape channel is on offer at every configuration.
  bool escape_always_offered = true;

  /// Breaches of the contract of RoutingRelation, in words; the first few.
  std::vector<std::string> faults;
};

/// Throws ConfigError if the network is larger than the limits.
RelationSurvey survey(const Topology& topology, const RoutingRelation& relation,
                      const SurveyLimits& limits = {});

}  // namespace noctule
