#pragma once
// The rule that gives a measured window its status, where the sources have queues without limit.
//
// In the long run all that is generated is delivered, or the source queues grow: the network itself holds a
// limited number of flits. So the rule looks at the source queues, and at all packets under way, in queues or
// in the network, since deep buffers fill before the queues do. Both in packets per injecting terminal. Where
// injection channels are unlimited there are no source queues: all packets under way take their place.
//
// saturated      The mean of the source queues is above kSaturatedQueue; or less than kSaturatedAccepted of
//                the offered load is accepted, beyond the interval of batches, and at least half of the rest
//                went into the queues; or the queues grow, and pass kSaturatedQueue within another window
//                even at the lower end of the trend's interval.
// not_converged  Nothing was delivered; or the queues would pass kSaturatedQueue if they grew as the packets
//                under way do, at the upper end of that trend's interval, for kHorizonWindows windows, or for
//                kHorizonPackets packets per injecting terminal, whichever is longer; or the longest queue is
//                one that comes and goes more slowly than the window lasts (kMemories); or less than
//                kSaturatedAccepted of what was generated was delivered, although nothing grows.
// stable         Otherwise.

#include <optional>
#include <string>
#include <vector>

#include "stats/batch_means.h"
#include "stats/measurement.h"
#include "stats/status.h"

namespace noctule {

/// A window stands for a run that is so many times as long (tested on runs 20 times as long: what fills the
/// network first grows faster later),
inline constexpr double kHorizonWindows = 30;
/// and in which each injecting terminal generates so many packets.
inline constexpr double kHorizonPackets = 1000;

/// A queue of q packets that a random surplus of arrivals made comes and goes over about q^2 / rate cycles:
/// the window holds as many of these times.
inline constexpr double kMemories = 10;

/// A closed loop comes to its balance over some round trips: the window holds so many.
inline constexpr double kRoundTrips = 5;

struct StatusVerdict {
  Status status = Status::kStable;
  std::string rule;  ///< the part of the rule that gave the status, as a sentence with its numbers
};

/// Mean number of packets in source queues, per injecting terminal; 0 without batches. Not what the rule
/// looks at where injection channels are unlimited.
[[nodiscard]] double mean_source_queue(const std::vector<BatchRecord>& batches,
                                       const MeasuredWorkload& workload);

/// Saturation that longer measuring would not change: the first two parts of the rule.
[[nodiscard]] std::optional<StatusVerdict> overloaded(const std::vector<BatchRecord>& batches,
                                                      const MeasuredWorkload& workload);

/// `not_converged` if nothing was delivered although something was offered, whatever the sources do.
[[nodiscard]] std::optional<StatusVerdict> nothing_delivered(const std::vector<BatchRecord>& batches,
                                                             const MeasuredWorkload& workload);

/// The rest of the rule, for a window that is over.
[[nodiscard]] StatusVerdict judge_queues(const std::vector<BatchRecord>& batches,
                                         const MeasuredWorkload& workload);

/// Why the intervals are not as narrow as `wanted`, relative half width, though no more may be measured than
/// these `cycles`, and about how many would do.
[[nodiscard]] std::string too_wide(const std::optional<Estimate>& accepted,
                                   const std::optional<Estimate>& latency, double wanted, Cycle cycles);

/// Of a closed loop, where no more can wait than is open: `stable`, unless nothing was delivered, or nothing
/// in the last batch though much was before, or the interval of the throughput or of the round trip is wider
/// than the mean, or the window holds less than kRoundTrips of these.
[[nodiscard]] StatusVerdict judge_closed_loop(const std::vector<BatchRecord>& batches,
                                              const MeasuredWorkload& workload);

}  // namespace noctule
