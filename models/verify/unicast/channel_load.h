#pragma once
// How evenly a relation spreads a traffic pattern over the links, and what throughput that allows: without a
// simulation.

#include <cstdint>
#include <optional>
#include <vector>

#include "patterns/demand.h"
#include "verify/graph/channel_index.h"

namespace noctule {

/// Expected flits per cycle on each directed physical direction, all its VCs, lanes and parallel links
/// together, while every terminal that injects offers one flit per cycle and the network never refuses one
/// (Dally and Towles 2004, 3.2).
///
/// Headers are taken to divide evenly over the initial states of the relation and, at each hop, over the
/// channels (ChannelIndex) on offer. That is exact for relations with one choice (`links_given`); for
/// adaptive ones it is an assumption, and a router that chooses better may carry more.
struct ChannelLoad {
  std::vector<double> by_link;     ///< by LinkId
  std::vector<double> by_channel;  ///< the same by ChannelId, virtual channels only
  bool links_given = true;         ///< source, destination and initial state decide over the links of a worm
  bool classes_given = true;       ///< and over its VC classes
  double mean = 0;                 ///< over the links on which the relation has a VC
  double max = 0;
  LinkId busiest{};  ///< the first of those that carry `max`
  /// Flits per injecting terminal and cycle at which the busiest link is full: parallel_links / max. A bound
  /// only where the links are given; what routers, injection and consumption add is in throughput_limits.h.
  /// Infinite without load.
  double links_full = 0;
  /// The same if all links were equally busy and every header went the shortest way that it may: links *
  /// parallel_links / (injecting terminals * least_hops). No selection over these links can beat it. Infinite
  /// without load.
  double distance_bound = 0;
  /// Links that a flit crosses. Equals mean_distance(topology, pattern) for minimal relations.
  double mean_hops = 0;
  double least_hops = 0;  ///< if every header goes the shortest way that the relation lets it
};

/// Nothing where worms go to drawn routers first and are too many to follow each (legs.h): the loads of
/// single legs say too much, since a worm that passes its destination ends there. Nothing if more than
/// `most_header_states` (router, destination, routing state) would have to be followed
/// and their loads do not follow from single rings (factored_load.h), or if a header can come back to where
/// it was in the same state, which leaves the number of hops open. Throws ConfigError where the relation
/// breaks its contract (see verify).
std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const TrafficPattern& pattern, std::uint64_t most_header_states);
/// The same of what terminals send of a message class, at its own rates; what is said per terminal is per
/// terminal that sends, and mean_hops and least_hops are links times flits per cycle.
std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const ClassDemand& sent, std::uint64_t most_header_states);

/// Physical links that are built, all parallel ones of all directions counted.
std::size_t built_links(const FabricPlan& plan);

}  // namespace noctule
