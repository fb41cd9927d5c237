#pragma once
// What throughput a closed loop reaches at most, and what limits it: without a simulation.
//
// Transactions of a requester go where the pattern says, in the mean, whatever they meet; how fast each
// requester goes on is open. So the rates of the requesters are what is sought: each uses a known share of
// every link, of the channels and servers of terminals, and of what it may have open. The most that all of
// them come to is a linear program (core/linear_bound.h), and no run can be above it.

#include <cstdint>
#include <functional>

#include "core/closed_loop.h"
#include "verify/throughput_limits.h"

namespace noctule {

/// Cycles from the birth of a packet to its consumption, at least: from one router to another, or the same
/// one, by its flits.
using LeastLatency = std::function<double(RouterId from, RouterId to, std::uint32_t length)>;

/// Bounds as ThroughputLimits says, per terminal that sends (ends_of_loop): the one of all capacities
/// together first, named by what takes the largest share in it, then those of single ones. Links count where
/// the links of worms are given (ChannelLoad), and where up to `most_header_states` header states are
/// enough. `refused` where chains of three messages and more are too many to follow. Throws ConfigError where
/// the relation breaks its contract.
ThroughputLimits closed_loop_limits(const FabricPlan& plan, const ChannelIndex& channels,
                                    const ClosedLoop& loop, const TrafficPattern& pattern,
                                    const TakenRates& taken, const LeastLatency& least_latency,
                                    std::uint64_t most_header_states);

}  // namespace noctule
