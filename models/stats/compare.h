#pragma once
// Differences between series at the same sweep point, simulated with common random numbers.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "stats/measurement.h"
#include "stats/status.h"

namespace noctule {

/// One series at one sweep point.
struct ComparedRun {
  std::string label;
  Json set = Json::object();    ///< the sweep point
  std::uint64_t terminals = 0;  ///< that inject: accepted throughput is divided by them
  Status status = Status::kStable;
  std::vector<BatchRecord> batches;
  /// Source queues have no end: once they grow, mean total latency only says how long the run was.
  bool endless_queues = false;
  std::optional<Cycle> time_to_drain = {};  ///< of a finite workload that drained
};

/// `run` minus the baseline of its sweep point.
struct Difference {
  double mean = 0;
  std::optional<double> ci95;      ///< half width
  std::optional<double> relative;  ///< mean over the baseline's mean; absent where that is 0

  /// Does the 95 % interval exclude zero?
  [[nodiscard]] bool significant() const noexcept;
};

struct ComparedPoint {
  Json set;
  std::string label;
  std::string baseline;
  Status status = Status::kStable;
  Status baseline_status = Status::kStable;
  std::size_t pairs = 0;  ///< batches of the same cycles
  /// Empty: they were paired. Else why not; then the intervals are those of independent runs, which are
  /// wider.
  std::string unpaired;
  bool cycles_differ = false;  ///< that is because they do, or there are too few batches
  bool finite = false;         ///< both drained: they last as long as they do, and there is nothing to pair
  /// Every batch of both is the same: what differs between them has no effect at this point.
  bool alike = false;
  Cycle warm_up = 0;   ///< cycles after which both are measured; 0: some has no batches
  Cycle measured = 0;  ///< cycles of the longer measurement of the two
  std::optional<Difference> accepted_flits_per_node_cycle;
  std::optional<Difference> latency_total_cycles;
  std::optional<Difference> latency_network_cycles;
  std::optional<Difference> round_trip_cycles;     ///< of closed loops
  std::optional<Difference> time_to_drain_cycles;  ///< if `finite`
  /// In one of them total latency grows with the length of the run: the difference has no interval.
  bool latency_total_grows = false;
};

/// Compares every run with the first one that has its sweep point (`set`), in the order given.
[[nodiscard]] std::vector<ComparedPoint> compare_runs(const std::vector<ComparedRun>& runs);

[[nodiscard]] Json to_json(const std::vector<ComparedPoint>& comparison);
/// Aligned columns for a terminal, '*' at differences whose interval excludes zero; then the verdicts.
[[nodiscard]] std::string to_table(const std::vector<ComparedPoint>& comparison);

/// Relative differences up to this count as equal in a verdict.
inline constexpr double kEqualWithin = 0.01;
/// A sentence for each series and its baseline, in order of appearance: total latency, round trip and
/// accepted throughput where both are stable; and accepted throughput where they are not.
[[nodiscard]] std::vector<std::string> verdicts(const std::vector<ComparedPoint>& comparison);

}  // namespace noctule
