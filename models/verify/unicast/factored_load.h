#pragma once
// Loads of the channels of networks of any size, where a relation corrects one dimension after the other
// (routing/dimension_ordered.h) and the traffic is uniform: then all rows of a dimension are alike, and each
// is a ring (or a line) in which every pair of coordinates sends the same.

#include <optional>

#include "verify/unicast/channel_load.h"

namespace noctule {

/// What channel_load finds for these, but for its summary: `mean` and all that follows from loads and rates.
/// `least_hops` is still the sum over the terminals. Nothing where the relation does not declare dimension
/// order, the node is partitioned, some router has not exactly one terminal, or a terminal sends other than
/// a flit per cycle, uniformly to all others. Follows radix^2 worms in each dimension.
std::optional<ChannelLoad> factored_load(const FabricPlan& plan, const ChannelIndex& channels,
                                         const ClassDemand& sent);

}  // namespace noctule
