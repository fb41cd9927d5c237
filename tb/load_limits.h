#pragma once
// Load of the links and bounds on throughput of a point, for people and for programs.

#include <optional>
#include <string>

#include "config/decode.h"
#include "run/point.h"
#include "verify/throughput_limits.h"

namespace noctule {

/// Nothing where the traffic is not drawn from a pattern. Throws ConfigError where the relation breaks its
/// contract.
std::optional<ThroughputLimits> load_limits(const PointSpec& spec, const PointConfig& point,
                                            const FabricPlan& plan, const ChannelIndex& channels,
                                            std::uint64_t most_header_states);

/// Lines that begin with two blanks; empty without load.
std::string load_text(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology);
/// The bound alone, in a line; empty without load.
std::string bound_text(const ThroughputLimits& limits);
/// "load" of verify --json; null without load.
Json load_json(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology);

}  // namespace noctule
