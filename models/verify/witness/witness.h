#pragma once
// Worms that should deadlock: constructed, with their paths, so that a simulation of the same fabric can show
// whether they do.

#include "verify/certificate.h"
#include "verify/graph/dependency_graph.h"
#include "verify/witness/deadlocked_set.h"

namespace noctule {

struct WitnessSearch {
  std::uint64_t most_worms = 400'000;  ///< tried
  std::uint64_t worms = 0;             ///< counts those tried
  bool cut = false;                    ///< set where most_worms ended a part of the search
};

/// A shortest cycle of the graph, with a worm for each of its dependencies.
std::vector<Dependency> describe_cycle(const std::vector<HeaderGraph>& graphs,
                                       const std::vector<ChannelId>& cycle);

/// Worms on paths that share no lane, at most a few from each source, one after the other, such that every
/// header waits, in all its alternatives and all lanes of each, for channels that the others hold. Paths lie
/// anywhere, headers wait in `set` (largest_deadlocked_set). Fills witness.cycle with a shortest cycle among
/// those that wait. False: none found before search.most_worms were tried, or at all.
bool find_waiting_worms(const FabricPlan& plan, const ChannelIndex& channels,
                        std::vector<HeaderGraph>& graphs, const std::vector<bool>& set, WitnessSearch& search,
                        DeadlockWitness& witness);

/// For nodes that let a header into a VC which another worm has not left: worms that hold the channels of
/// `cycle` and commit themselves to the next channel of it, behind the worm that is in there.
bool find_committed_worms(const FabricPlan& plan, const ChannelIndex& channels,
                          std::vector<HeaderGraph>& graphs, const std::vector<ChannelId>& cycle,
                          WitnessSearch& search, DeadlockWitness& witness);

}  // namespace noctule
