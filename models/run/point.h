#pragma once
// One point of a sweep or comparison: from its parts to its result, within one process.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "fabric/fabric.h"
#include "nodes/node_description.h"
#include "patterns/pattern.h"
#include "routing/relation.h"
#include "run/rtl_recording.h"
#include "stats/measurement.h"
#include "stats/results.h"
#include "topology/network_size.h"
#include "topology/topology.h"
#include "trace/trace_session.h"
#include "traffic/source_claims.h"

namespace noctule {

/// Everything that a point is made of. Building one from C++ needs no configuration file.
struct PointSpec {
  std::string label;
  Json set = Json::object();  ///< the keys in which it differs from the other points
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
  std::shared_ptr<const MulticastPlanner> planner;  ///< null: every message has one destination
  bool plans_unicasts = true;
  MessageClasses message_classes;
  NodeDescriptions nodes;
  LinkDescriptions links;
  FabricOptions fabric;
  std::vector<std::optional<RtlSource>> rtl;      ///< by RouterId; empty: every router is of the model
  Compiling compiling;                            ///< of `rtl`; may be empty
  std::shared_ptr<RtlRecorder> recorder;          ///< of one of `rtl`; null: none
  std::shared_ptr<const TrafficPattern> pattern;  ///< null: whatever the source does
  bool multicasts = false;  ///< besides those of the pattern, messages to any terminals of other routers
  std::shared_ptr<TrafficSource> source;
  std::shared_ptr<TerminalSink> sink;  ///< null: that of the source; without one terminals take every flit
  std::optional<double> offered_packets_per_node_cycle;  ///< per injecting terminal; absent: no rate set
  double mean_length_flits = 1;                          ///< of a message, once for each destination
  std::optional<std::uint32_t> packet_length;            ///< flits, where all packets have one
  std::optional<double> tau_max_packets_per_node_cycle;
  MeasurementSettings measurement;
  Cycle deadlock_interval = 5000;  ///< cycles between searches for a deadlock; 0: none
  /// Bytes that packets in source queues may take; beyond them the run ends early (not_converged).
  double most_queued_bytes = std::numeric_limits<double>::infinity();
  TraceOptions trace;
};

/// The fabric of a point. Throws ConfigError where its parts do not fit.
[[nodiscard]] FabricPlan plan_of(const PointSpec& spec);

/// How that fabric runs, RTL routers compiled. Throws ConfigError where these cannot be.
[[nodiscard]] FabricOptions fabric_options(const PointSpec& spec);

/// Builds the fabric as far as its waveform needs it. Throws ConfigError (key "trace.scope") where that would
/// show nothing of what is asked for. Routers in RTL are taken for those of the model: nothing is compiled.
/// Elaborates SystemC, as run_point does.
void check_waveform(PointSpec spec);

/// What its source says of itself.
[[nodiscard]] SourceClaims claims_of(const PointSpec& spec);

/// Terminals that its source lets send, and those that it sends to.
[[nodiscard]] TrafficSource::Ends ends_of(const PointSpec& spec);

/// What a point leaves behind.
struct PointRecord {
  Json point;                                 ///< as in results.json
  std::map<std::string, std::string> tables;  ///< rows of each CSV table, by file name
  std::vector<BatchRecord> batches;           ///< for paired comparisons
  std::uint64_t terminals = 0;                ///< that inject; all, where none does
  std::string autopsy;                        ///< text on the worms that wait for ever; empty: no deadlock
};

/// Memory that the fabric of a point will take, in bytes, and the time that it may take, in seconds of one
/// core at full load: estimates, for refusing what cannot work before it starts.
struct PointEstimate {
  double bytes = 0;         ///< without queued_bytes
  double queued_bytes = 0;  ///< of what is offered above the bound on throughput, and waits at the sources
  double seconds = 0;
  Hierarchy hierarchy = Hierarchy::kBlocks;
  double record_bytes = 0;  ///< per router, mean: the state record
  double router_bytes = 0;  ///< and all that the fabric has for it
};
PointEstimate estimate_point(const PointSpec& spec);
/// The least that any fabric of this size takes with these node models, without time; nothing is built.
/// `hierarchy`: FabricOptions.
PointEstimate least_estimate(const NetworkSize& size, const NodeDescription& node,
                             std::optional<Hierarchy> hierarchy);
/// Seconds of one core at full load, at most.
double run_seconds(const MeasurementSettings& measurement, double routers);

/// Runs the point. Elaborates SystemC, so a process can do this once. `number`: place in results.json.
/// `progress` is told the fraction done, now and then; `interrupted` is asked now and then, and ends the run
/// (not_converged) if it says so. Throws ConfigError, InternalError.
PointRecord run_point(const PointSpec& spec, std::size_t number,
                      const std::function<void(double)>& progress = {},
                      const std::function<bool()>& interrupted = {});

}  // namespace noctule
