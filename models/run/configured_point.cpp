#include "run/configured_point.h"

#include <fmt/format.h>

#include <set>

#include "config/model.h"

namespace noctule {
namespace {

constexpr std::size_t kReachabilityPairs = 4096;

TraceOptions trace_options(const TraceConfig& config, const TraceRequest& request) {
  TraceOptions options;
  options.scope = config.scope;
  options.window.from = config.from;
  if (config.cycles) options.window.cycles = *config.cycles;
  options.events = request.events;
  if (!request.first_of_series && !config.all_points) return options;
  if (config.vcd) options.vcd = request.stem + ".vcd";
  if (config.vcd && config.gtkw) options.gtkw = request.stem + ".gtkw";
  if (config.events && options.events.empty()) options.events = request.stem + ".events.csv";
  return options;
}

/// Can every header go on wherever it gets? Looked into once for all points that have the same fabric; the
/// processes forked for the points know it from their parent.
void check_fabric(const Json& resolved, const PointSpec& spec) {
  static std::set<std::string> checked;
  std::string key;
  for (const char* part : {"topology", "node", "routing"}) key += resolved.at(part).dump() + '\n';
  if (checked.count(key) != 0) return;
  check_reachability(plan_fabric(spec.topology, spec.relation, spec.node), kReachabilityPairs);
  checked.insert(std::move(key));
}

PointSpec build(const PointConfig& point, const TraceRequest& trace) {
  const ModelConfig model = model_from_json(point.resolved);
  PointSpec spec;
  spec.label = point.label;
  spec.set = point.set;
  spec.topology = make_topology(model);
  spec.relation = make_routing(model, spec.topology);
  spec.node = model.node;
  spec.fabric.seed = model.seed;
  spec.fabric.flit_delay = model.link.flit_delay;
  spec.fabric.credit_delay = model.link.credit_delay;
  spec.fabric.discard = model.traffic.discard;
  spec.fabric.occupancy_interval = model.measurement.occupancy_interval;
  spec.pattern = make_pattern(model, spec.topology);
  spec.source = make_source(model, spec.topology, spec.pattern);
  spec.mean_length_flits = model.traffic.mean_length;
  const OfferedLoad load = offered_load(model, *spec.topology);
  if (!spec.source->finite()) spec.offered_packets_per_node_cycle = load.packets_per_node_cycle;
  spec.tau_max_packets_per_node_cycle = load.tau_max_packets_per_node_cycle;
  spec.measurement = model.measurement.settings;
  spec.deadlock_interval = model.measurement.deadlock_interval;
  spec.trace = trace_options(model.trace, trace);
  check_fabric(point.resolved, spec);
  return spec;
}

}  // namespace

PointSpec configured_point(const PointConfig& point, const TraceRequest& trace) {
  try {
    return build(point, trace);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

PointEstimate check_limits(const PointConfig& point, const PointSpec& spec) {
  const LimitsConfig limits = model_from_json(point.resolved).limits;
  const PointEstimate estimate = estimate_point(spec);
  const double megabytes = estimate.bytes / (1024 * 1024);
  const double hours = estimate.seconds / 3600;
  if (megabytes > static_cast<double>(limits.memory_mb))
    throw point.annotate(
        ConfigError("limits.memory_mb",
                    fmt::format("the fabric would take about {:.0f} MB, the limit is {} MB; make it smaller, "
                                "or raise the limit if the machine has the memory",
                                megabytes, limits.memory_mb)));
  if (hours > limits.time_h)
    throw point.annotate(ConfigError(
        "limits.time_h",
        fmt::format("the run may take up to about {:.1f} hours, the limit is {} hours; measure fewer "
                    "cycles, or raise the limit",
                    hours, limits.time_h)));
  return estimate;
}

}  // namespace noctule
