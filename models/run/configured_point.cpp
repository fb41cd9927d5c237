#include "run/configured_point.h"

#include <fmt/format.h>

#include <filesystem>

#include "config/model.h"
#include "config/planes.h"
#include "fabric/carried_by.h"
#include "nodes/named_routes.h"
#include "rtl/dut.h"
#include "rtl/hardware_rules.h"
#include "topology/builder.h"

namespace noctule {
namespace {

TraceOptions trace_options(const TraceConfig& config, const TraceRequest& request) {
  TraceOptions options;
  options.scope = config.scope;
  options.window.from = config.from;
  if (config.cycles) options.window.cycles = *config.cycles;
  options.events = request.events;
  if (!request.wanted || (!request.first_of_series && !config.all_points)) return options;
  if (config.vcd) options.vcd = request.stem + ".vcd";
  if (config.vcd && config.gtkw) options.gtkw = request.stem + ".gtkw";
  if (config.events && options.events.empty()) options.events = request.stem + ".events.csv";
  return options;
}

/// Lays the routes that the source prescribes over the relation.
void add_routes(PointSpec& spec) {
  const auto written = spec.source->routes();
  if (written.empty()) return;
  if (spec.topology->attachments() > 1)
    throw ConfigError("traffic.source",
                      "routes are prescribed in one network, from one attachment of each terminal; leave the "
                      "hops out, or planes and attachments");
  if (spec.planner)
    throw ConfigError(
        "traffic.source",
        "routes are prescribed to packets that no multicast.planner plans; leave the hops out, or "
        "the planner");
  std::vector<NamedRoute> routes;
  routes.reserve(written.size());
  for (const PrescribedRoute& route : written)
    routes.push_back({spec.topology->injection_router(route.source),
                      spec.topology->consumption_router(route.destination), route.hops, route.place});
  spec.relation = prescribe(plan_of(spec), routes);
}

/// Can the fabric have RTL routers? Compiles nothing.
void check_hardware(const PointSpec& spec) {
  const FabricPlan plan = plan_of(spec);
  const auto routers = routers_with(spec.rtl);
  require_hardware(plan, routers);
  for (const auto& group : rtl_groups(plan, spec.rtl))
    (void)complete_source(*spec.rtl[index(group.front())], plan, group, PinMap(plan, group.front()));
  if (spec.fabric.stall > 0) require_refusals(plan, routers, "traffic.stall");
  if (spec.sink) require_sinks(plan, routers, "traffic.sink");
  if (spec.source->sink() != nullptr) require_sinks(plan, routers, "message_classes");
}

/// The same of a network of which something may be taken away.
void check_hardware(const PointSpec& spec, const ModelConfig& model) {
  try {
    check_hardware(spec);
  } catch (const MissingGeometry&) {
    if (model.without.empty()) throw;
    throw ConfigError("without",
                      "routers in hardware know a mesh or torus by its regular shape, which is gone: "
                      "leave out without, or rtl");
  }
}

/// Is the routing relation for all pairs between which the source draws? Files say at which line it is not.
void check_pairs(const PointSpec& spec, const Carried& carried) {
  const SourceClaims claims = claims_of(spec);
  if (!carried.serves || claims.ends() || !spec.pattern) return;
  auto demand = claims.demand();
  if (demand.empty()) demand.push_back(demand_of(*spec.topology, *spec.pattern));
  for (const ClassDemand& of_class : demand)
    for (std::uint32_t source = 0; source < of_class.sent.size(); ++source) {
      const auto ask = [&](TerminalId destination) {
        if (TerminalId{source} == destination) return;
        if (auto wrong = carried.refuses_pair(TerminalId{source}, destination, of_class.message_class);
            !wrong.empty())
          throw ConfigError("traffic", std::move(wrong));
      };
      const auto& sent = of_class.sent[source];
      if (sent.uniform > 0 || (spec.multicasts && flits_of(sent) > 0))
        for (std::uint32_t to = 0; to < of_class.sent.size(); ++to) ask(TerminalId{to});
      for (const auto& [to, rate] : sent.rest)
        if (rate > 0) ask(to);
    }
}

PointSpec build(const PointConfig& point, const TraceRequest& trace) {
  const ModelConfig model = model_from_json(point.resolved);
  PointSpec spec;
  spec.label = point.label;
  spec.set = point.set;
  spec.topology = make_topology(model);
  spec.relation = make_routing(model, spec.topology);
  spec.planner = make_planner(model, spec.topology);
  spec.plans_unicasts = model.plans_unicasts;
  spec.message_classes = make_message_classes(model, *spec.topology);
  spec.nodes = make_nodes(model, *spec.topology);
  spec.links = make_links(model, *spec.topology);
  spec.fabric.seed = model.seed;
  spec.fabric.discard = model.traffic.discard;
  spec.fabric.queue_packets = model.traffic.queue_packets.value_or(kUnlimited);
  spec.fabric.stall = model.traffic.stall;
  spec.fabric.hierarchy = model.hierarchy;
  spec.rtl = rtl_routers(model, *spec.topology);
  spec.fabric.occupancy_interval = model.measurement.occupancy_interval;
  spec.fabric.flows = model.measurement.flows;
  const TrafficNetwork network = traffic_network(model, spec.topology, spec.links);
  spec.pattern = make_pattern(model, network.topology);
  spec.multicasts = model.traffic.multicasts.share > 0;
  const OfferedLoad load = offered_load(model, *network.topology, network.links);
  const Carried carried =
      carried_by(spec.topology, spec.relation, spec.nodes, spec.message_classes, spec.planner != nullptr);
  spec.source = make_source(model, network.topology, spec.pattern, load, carried);
  check_pairs(spec, carried);
  spec.sink = make_sink(model, *spec.topology);
  if (spec.sink && spec.source->sink() != nullptr)
    throw ConfigError(
        "traffic.sink",
        fmt::format("traffic.source {} says itself what its terminals take, by the buffers of depends; "
                    "leave out traffic.sink",
                    model.traffic.source.name));
  const SourceClaims claims = claims_of(spec);
  spec.mean_length_flits = model.traffic.mean_length * model.traffic.mean_destinations;
  if (model.traffic.lengths.size() == 1 && !claims.ends())
    spec.packet_length = model.traffic.lengths.front().first;
  const auto offered = claims.offered();
  if (offered) spec.mean_length_flits = offered->mean_length_flits;
  if (!spec.source->finite() && !spec.source->closed_loop())
    spec.offered_packets_per_node_cycle =
        offered ? offered->packets_per_node_cycle : load.packets_per_node_cycle;
  if (!spec.planner && !spec.source->closed_loop() && !offered && !claims.ends())
    spec.tau_max_packets_per_node_cycle = load.tau_max_packets_per_node_cycle;
  spec.measurement = model.measurement.settings;
  spec.deadlock_interval = model.measurement.deadlock_interval;
  spec.most_queued_bytes = static_cast<double>(model.limits.memory_mb) * 1024 * 1024;
  spec.trace = trace_options(model.trace, trace);
  add_routes(spec);
  if (!spec.rtl.empty()) check_hardware(spec, model);
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

namespace {

/// In a unit in which it is a number that can be read.
std::string time_text(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  static constexpr Unit kUnits[] = {{3600, "hours"}, {60, "minutes"}, {1, "s"}, {1e-3, "ms"}};
  for (const Unit& unit : kUnits)
    if (seconds >= unit.seconds) return fmt::format("{:.1f} {}", seconds / unit.seconds, unit.name);
  return fmt::format("{:.2g} ms", seconds * 1000);
}

void require_within_limits(const LimitsConfig& limits, const PointEstimate& estimate, const char* least) {
  const double megabytes = estimate.bytes / (1024 * 1024);
  const double hours = estimate.seconds / 3600;
  if (megabytes > static_cast<double>(limits.memory_mb))
    throw ConfigError(
        "limits.memory_mb",
        fmt::format(
            "the fabric would take {} {:.0f} MB, the limit is {} MB; make it smaller, or raise the limit "
            "if the machine has the memory",
            least, megabytes, limits.memory_mb));
  if (hours > limits.time_h)
    throw ConfigError("limits.time_h",
                      fmt::format("the run may take up to about {}, the limit is {} hours; measure "
                                  "fewer cycles, or raise the limit",
                                  time_text(estimate.seconds), limits.time_h));
}

/// Bytes of a trace in memory, at about 16 characters a message.
double trace_bytes(const ModelConfig& model) {
  const auto* source = SourceRegistry::instance().find(model.traffic.source.name);
  const bool given = source != nullptr && source->make.traffic == SourceKind::Traffic::kGiven;
  if (!given || !model.traffic.source.keys.has("file")) return 0;
  std::error_code error;
  const auto size = std::filesystem::file_size(model.traffic.source.keys.get<std::string>("file"), error);
  return error ? 0 : 2.0 * static_cast<double>(size);
}

/// Of the fabric's network, or of its planes together; nothing of kinds that do not say how large they are.
PointEstimate least_of_networks(const ModelConfig& model) {
  std::vector<const NetworkConfig*> networks{&model};
  if (!model.planes.empty()) networks.clear();
  for (const PlaneConfig& plane : model.planes) networks.push_back(&plane.network);
  std::vector<std::pair<NetworkSize, const NodeDescription*>> sizes;
  double routers = 0;
  for (const NetworkConfig* network : networks) {
    const auto& kind = TopologyRegistry::instance().at(network->topology.name).make;
    if (!kind.size) continue;
    sizes.emplace_back(kind.size(network->topology.keys), &network->node);
    routers += sizes.back().first.routers;
  }
  PointEstimate least;
  if (sizes.empty()) return least;
  const Hierarchy hierarchy = hierarchy_of(model.hierarchy, static_cast<std::size_t>(routers));
  for (const auto& [size, node] : sizes) least.bytes += least_estimate(size, *node, hierarchy).bytes;
  least.seconds = run_seconds(model.measurement.settings, routers);
  return least;
}

}  // namespace

void check_size(const PointConfig& point) {
  try {
    const ModelConfig model = model_from_json(point.resolved);
    PointEstimate least = least_of_networks(model);
    least.bytes += trace_bytes(model);
    require_within_limits(model.limits, least, "at least");
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

PointEstimate check_limits(const PointConfig& point, const PointSpec& spec) {
  try {
    const PointEstimate estimate = estimate_point(spec);
    require_within_limits(model_from_json(point.resolved).limits, estimate, "about");
    return estimate;
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

}  // namespace noctule
