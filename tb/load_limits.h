#pragma once
// Load of the links and bounds on throughput of a point, for people and for programs.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/decode.h"
#include "run/point.h"
#include "verify/throughput_limits.h"

namespace noctule {

/// Header states that are followed where nobody has asked for a verdict; verify follows as many as its limit
/// allows.
inline constexpr std::uint64_t kQuickHeaderStates = 1'000'000;
/// For explain: a second or two of one core.
inline constexpr std::uint64_t kExplainHeaderStates = 4'000'000;
/// Before a run, which only warns.
inline constexpr std::uint64_t kFewHeaderStates = 200'000;

/// Of what the source sends: by the pattern, at rates of its own (TrafficSource::demand), or as transactions
/// (TrafficSource::loop). `refused` where it says nothing of the kind. Throws ConfigError where the relation
/// breaks its contract.
ThroughputLimits load_limits(const PointSpec& spec, const PointConfig& point, const FabricPlan& plan,
                             const ChannelIndex& channels, std::uint64_t most_header_states);

/// Lines that begin with two blanks; empty without load, one line where it is refused.
std::string load_text(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology);
/// The bound alone, in a line; empty without load.
std::string bound_text(const ThroughputLimits& limits);
/// The least round trips of a closed loop, in cycles: the mean, and the requesters with the least and the
/// most.
std::string round_trips_text(const ThroughputLimits::RoundTrips& trips);
/// Of which load the estimate is, as "if headers divide evenly".
std::string estimate_condition(const ThroughputLimits& limits);
/// That this load is above the bound, in a sentence; empty if it is not.
std::string above_bound_text(const ThroughputLimits& limits, double offered_flits_per_node_cycle);
/// "load" of verify --json; null without load and where it is not refused.
Json load_json(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology);

/// Of the fabric, the files that it names, and the traffic but for the load that is offered: points with the
/// same key have the same limits.
std::string load_key(const PointConfig& point);

/// Limits of many points: those that differ in the load alone share them.
class KnownLimits {
 public:
  explicit KnownLimits(std::uint64_t most_header_states) : most_header_states_(most_header_states) {}
  /// As load_limits, of a plan made for it. The reference is good until the next call.
  const ThroughputLimits& of(const PointSpec& spec, const PointConfig& point);

 private:
  std::uint64_t most_header_states_;
  std::map<std::string, ThroughputLimits> all_;
};

/// Series that offer more than some bound allows at every point, for a warning: a sweep that goes from below
/// the bound to above it means to.
class LoadWarnings {
 public:
  /// Does this point? None where the configuration expects to be saturated, or expects a deadlock, nor where
  /// terminals discard what they cannot send at once: of these the limits are not asked.
  void look_at(const PointConfig& point, const PointSpec& spec, KnownLimits& known_limits);
  /// Says on standard error which do, one line for each series.
  void print() const;

 private:
  struct Series {
    std::size_t points = 0;
    std::size_t above = 0;
    std::string first;  ///< what is said of the first of these
  };
  std::vector<std::pair<std::string, Series>> all_;  ///< by label
};

}  // namespace noctule
