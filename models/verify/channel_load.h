#pragma once
// How evenly a relation spreads a traffic pattern over the links, and what throughput that allows: without a
// simulation.

#include <cstdint>
#include <optional>
#include <vector>

#include "patterns/pattern.h"
#include "verify/channel_index.h"

namespace noctule {

/// Expected flits per cycle on each directed physical direction, all its VCs, lanes and parallel links
/// together, while every terminal that injects offers one flit per cycle and the network never refuses one
/// (Dally and Towles 2004, 3.2).
///
/// Headers are taken to divide evenly over the initial states of the relation and, at each hop, over the
/// channels (ChannelIndex) on offer. That is exact for relations with one choice; for adaptive ones it is an
/// assumption, and a router that chooses better may carry more.
struct ChannelLoad {
  std::vector<double> by_link;  ///< by LinkId
  double mean = 0;              ///< over the links on which the relation has a VC
  double max = 0;
  LinkId busiest{};  ///< the first of those that carry `max`
  /// Flits per injecting terminal and cycle at which the busiest link is full: parallel_links / max. Blocking
  /// lowers it, and so may injection and consumption, one flit per cycle each, which do not enter here.
  /// Infinite without load.
  double throughput_bound = 0;
  /// The same if all links were equally busy: links * parallel_links / (injecting terminals * mean_hops). No
  /// selection and no minimal relation over these links can beat it. Infinite without load.
  double distance_bound = 0;
  /// Links that a flit crosses. Equals mean_distance(topology, pattern) for minimal relations.
  double mean_hops = 0;
};

/// Nothing if more than `most_header_states` (router, destination, routing state) would have to be followed,
/// or if a header can come back to where it was in the same state, which leaves the number of hops open.
/// Throws ConfigError where the relation breaks its contract (see verify).
std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const TrafficPattern& pattern, std::uint64_t most_header_states);

}  // namespace noctule
