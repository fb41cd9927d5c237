#pragma once
// The phases of a measured run: warm-up, measurement in batches, verdict. A plain state machine that is fed
// with snapshots of the counters at the ends of the blocks that it asks for.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "stats/batch_means.h"
#include "stats/counters.h"
#include "stats/status.h"
#include "stats/warm_up.h"

namespace noctule {

/// How long to warm up and to measure.
struct MeasurementSettings {
  std::optional<Cycle> warm_up_cycles;   ///< absent: detected (see WarmUpDetector)
  Cycle warm_up_limit_cycles = 200'000;  ///< detection gives up here, and the point is `not_converged`
  Cycle measure_cycles = 30'000;         ///< fixed length; with a precision the first length tried
  /// Relative half width of the 95 % intervals of accepted throughput and mean total latency at which the
  /// measurement may end; absent: fixed length.
  std::optional<double> precision;
  Cycle measure_limit_cycles = 1'000'000;  ///< with a precision, or until a finite workload has drained
  unsigned batches = 32;                   ///< within measure_cycles
  Cycle block_cycles = 100;                ///< first blocks of warm-up detection
};

/// What the verdict needs to know of the traffic.
struct MeasuredWorkload {
  bool finite = false;        ///< a static workload: measured from cycle 0 until drained
  bool source_queue = false;  ///< unlimited queue at the sources; else they discard
  std::uint64_t terminals = 0;
  std::uint64_t injecting_terminals = 0;
  double offered_flits_per_node_cycle = 0;  ///< the rate set, per injecting terminal
  double mean_length_flits = 1;             ///< of a message, once for each destination
  bool unlimited_injection = false;         ///< what waits to enter waits in injection channels
  bool closed_loop = false;                 ///< no load is offered: what is sent follows what was delivered

  /// Terminals that loads are divided by: those that inject; all, where none does.
  [[nodiscard]] std::uint64_t counted_terminals() const noexcept {
    return injecting_terminals > 0 ? injecting_terminals : terminals;
  }
};

/// Sums over one batch of the measurement: cycles begin .. end-1.
struct BatchRecord {
  Cycle begin = 0;
  Cycle end = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packets_generated = 0;
  std::uint64_t total_latency = 0;
  std::uint64_t network_latency = 0;
  std::uint64_t hops = 0;
  std::uint64_t queued = 0;                   ///< packets in source queues at the end
  std::uint64_t queued_packet_cycles = 0;     ///< the same, summed over the cycles of the batch
  std::uint64_t under_way_packet_cycles = 0;  ///< likewise in queues or in the network
  std::uint64_t longest_queue = 0;            ///< packets in the longest source queue at the end
  std::uint64_t transactions = 0;             ///< of a closed loop, that ended
  std::uint64_t transaction_cycles = 0;       ///< that these took

  friend bool operator==(const BatchRecord&, const BatchRecord&) = default;
};

/// Ratios of the batches: flits and packets per terminal and cycle, mean latencies and round trips in cycles.
[[nodiscard]] std::vector<RatioSample> accepted_flits(const std::vector<BatchRecord>& batches,
                                                      std::uint64_t terminals);
[[nodiscard]] std::vector<RatioSample> accepted_packets(const std::vector<BatchRecord>& batches,
                                                        std::uint64_t terminals);
[[nodiscard]] std::vector<RatioSample> total_latency(const std::vector<BatchRecord>& batches);
[[nodiscard]] std::vector<RatioSample> network_latency(const std::vector<BatchRecord>& batches);
[[nodiscard]] std::vector<RatioSample> round_trips(const std::vector<BatchRecord>& batches);

/// What a run measured. `window` is the difference of the snapshots at its ends.
struct MeasurementOutcome {
  Status status = Status::kStable;
  std::string rule;  ///< the rule that gave the status, as a sentence with its numbers
  Cycle warm_up_cycles = 0;
  /// Detected end of the transient, at most warm_up_cycles; absent if warm-up was fixed or did not settle.
  std::optional<Cycle> transient_cycles;
  Cycle measured_cycles = 0;
  std::optional<Cycle> time_to_drain_cycles;  ///< finite workloads that drained
  FabricCounters window;
  FabricCounters final;  ///< snapshot at the end: counts from cycle 0
  std::vector<BatchRecord> batches;
  double mean_queue_packets = 0;  ///< per injecting terminal, over all cycles of the window
};

class MeasurementController {
 public:
  enum class Phase { kWarmUp, kMeasure, kDone };

  /// Throws ConfigError for lengths and precisions that make no sense.
  MeasurementController(MeasurementSettings settings, MeasuredWorkload workload);

  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  /// Cycles to simulate before the next observe(); 0: done.
  [[nodiscard]] Cycle next_block() const;
  /// State after the block, all its cycles simulated; packets in all source queues, and in the longest. True
  /// if the measurement starts here: the caller then calls begin_window() of its latency histograms.
  bool observe(Cycle now, const FabricCounters& snapshot, std::uint64_t source_queue_packets,
               std::uint64_t longest_queue = 0);
  /// Instead of observe() in a finite workload: everything generated has been delivered; the last tail was
  /// consumed in cycle now-1.
  void drained(Cycle now, const FabricCounters& snapshot);
  /// Ends the run early: a deadlock, or an interrupt (then kNotConverged). True as for observe(): of a run
  /// that stops in its warm-up nothing is measured.
  bool stop(Cycle now, const FabricCounters& snapshot, std::uint64_t source_queue_packets, Status status,
            std::string rule);
  /// After the end: what the network is found in then says more than the window does. The figures stay.
  void overrule(Status status, std::string rule);
  /// Cycle at which the run will end by what is known now, for progress: a limit where the length is open.
  [[nodiscard]] Cycle expected_end() const noexcept;

  /// Valid once done.
  [[nodiscard]] const MeasurementOutcome& outcome() const;

 private:
  void observe_warm_up(Cycle now, const FabricCounters& snapshot, std::uint64_t queue);
  void begin_measurement(Cycle now, const FabricCounters& snapshot);
  void add_batch(Cycle now, const FabricCounters& snapshot, std::uint64_t queue,
                 std::uint64_t longest_queue = 0);
  void finish(const FabricCounters& snapshot, Status status, std::string rule);
  void judge(const FabricCounters& snapshot);
  [[nodiscard]] Cycle batch_end(std::size_t batch) const;

  MeasurementSettings settings_;
  MeasuredWorkload workload_;
  Phase phase_ = Phase::kWarmUp;
  Cycle now_ = 0;
  Cycle start_ = 0;          ///< of the measurement
  std::size_t planned_ = 0;  ///< batches until the next verdict
  bool unsettled_ = false;   ///< warm-up detection hit its limit
  WarmUpDetector warm_up_;
  FabricCounters at_start_;
  BatchRecord last_;  ///< cumulative sums at the last observation
  MeasurementOutcome outcome_;
};

}  // namespace noctule
