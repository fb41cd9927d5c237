#pragma once
// Lemma 1 of Boppana and Chalasani 1993: worms do not deadlock if ranks rise with every hop.

#include <functional>
#include <string>

#include "verify/graph/channel_index.h"

namespace noctule {

/// Follows every worm, of every message class, through every choice and checks that each virtual channel it
/// may take next has a higher rank than the one it took last. The rank of a channel is (b, l), compared in
/// this order: its VC class and the label of the router that sends on it (BufferClasses::label, for relations
/// derived from buffer classes). Returns the first hop that breaks this, in words; empty: none does.
///
/// Sufficient, not necessary: a breach means that these ranks prove nothing, not that worms can deadlock.
/// ConfigError where the relation breaks its contract (RoutingRelation).
std::string rank_breach(const FabricPlan& plan, const ChannelIndex& channels,
                        const std::function<unsigned(RouterId)>& label);

}  // namespace noctule
