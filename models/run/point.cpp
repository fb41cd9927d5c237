#include "run/point.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "core/user_time.h"
#include "patterns/loop_ends.h"
#include "run/deadlock_watch.h"
#include "stats/tables.h"
#include "stats/verdict.h"
#include "topology/planes.h"
#include "trace/waveform.h"

namespace noctule {
namespace {

/// Name of the fabric, under which waveforms have it.
constexpr const char* kFabric = "fabric";

/// Memory that is allocated now, in bytes; 0 where the C library does not say. Not what the process holds:
/// that does not grow where earlier work, such as a proof, has left room.
double allocated_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
#else
  return 0;
#endif
}

/// Without the last digit of a double, which is seldom right in a product of decimals: 0.09 packets of 5
/// flits are 0.45 flits.
double as_decimal(double value) {
  const std::string digits = fmt::format("{:.15g}", value);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// What building something took.
class Cost {
 public:
  [[nodiscard]] double seconds() const { return user_seconds() - seconds_; }
  [[nodiscard]] double bytes() const { return allocated_bytes() - bytes_; }

 private:
  double seconds_ = user_seconds();
  double bytes_ = allocated_bytes();
};

std::vector<PlaneContext> planes_of(const Fabric& fabric) {
  std::vector<PlaneContext> list;
  const FabricPlan& plan = fabric.plan();
  const auto* planes = plan.topology->geometry<Planes>();
  if (planes == nullptr) return list;
  for (const auto& plane : *planes) list.push_back({plane.name, plane.network->routers(), 0, 0, {}});
  const auto& links = fabric.physical_links();
  for (std::size_t l = links.size(); l-- > 0;) {  // plane by plane
    PlaneContext& of = list[plan.plane(links[l].from)];
    of.first_link = l;
    ++of.links;
  }
  for (std::size_t c = 0; c < plan.message_classes.size(); ++c)
    list[plan.message_classes[c].attachment].message_classes.push_back(c);
  return list;
}

LinkName link_name(const Fabric& fabric, const PhysicalLink& physical) {
  const Topology& topology = *fabric.plan().topology;
  const Link& link = topology.links()[index(physical.link)];
  const Position from = topology.position(link.from);
  const Position to = topology.position(link.to);
  return {topology.router_name(link.from),
          topology.router_name(link.to),
          topology.port_name(link.from, link.out),
          std::to_string(physical.replica),
          fabric.plan().links[link.id].cycles_per_flit,
          {from.x, from.y, to.x, to.y},
          to_string(topology.kind(link.id)),
          topology.plane(link.from),
          topology.plane(link.to)};
}

/// Runs a fabric to the end of its measurement.
class PointRunner {
 public:
  PointRunner(const PointSpec& spec, const std::function<void(double)>& progress,
              const std::function<bool()>& interrupted)
      : spec_(spec),
        progress_(progress),
        interrupted_(interrupted),
        ends_(ends_of(spec)),
        workload_(workload_of(spec)),
        fabric_(*new Fabric(kFabric, plan_of(spec), fabric_options(spec))),
        controller_(spec.measurement, workload_) {
    fabric_.attach(spec.source);
    if (spec.trace.any()) trace_.emplace(spec.trace, fabric_);
    if (spec.deadlock_interval != 0) watch_.emplace(fabric_, spec.deadlock_interval, !spec.rtl.empty());
  }

  PointRecord run(std::size_t number) {
    while (controller_.phase() != MeasurementController::Phase::kDone) block();
    if (watch_ && controller_.outcome().status != Status::kDeadlocked && !interrupted())
      if (auto found = watch_->look()) controller_.overrule(Status::kDeadlocked, std::move(*found));
    const double used = user_seconds() - start_;
    fabric_.check_conservation();
    if (trace_) trace_->close();

    PointRecord record;
    PointResult result = make_point(controller_.outcome(), workload_, context(used));
    result.flows = fabric_.flows();
    record.point = to_json(result);
    record.point["speed"]["elaboration_s"] = elaboration_s_;
    record.point["speed"]["memory_kb_per_router"] =
        std::max(0.0, elaborated_bytes_) / 1024 / static_cast<double>(spec_.topology->routers());
    const Autopsy autopsy = watch_ ? watch_->autopsy() : Autopsy{};
    if (autopsy.deadlocked) record.point["deadlock"] = to_json(autopsy);
    const LinkNames names{fabric_.physical_links().size(), [this](std::size_t link) {
                            return link_name(fabric_, fabric_.physical_links()[link]);
                          }};
    for (const auto& table : point_tables()) record.tables[table.file] = table.rows(number, result, names);
    record.batches = result.batch_records;
    record.terminals = workload_.counted_terminals();
    if (autopsy.deadlocked) record.autopsy = to_text(autopsy, 3);
    if (!spec_.rtl.empty() && controller_.outcome().status != Status::kDeadlocked) check_left();
    return record;
  }

 private:
  [[nodiscard]] MeasuredWorkload workload_of(const PointSpec& spec) const {
    MeasuredWorkload workload;
    workload.finite = spec.source->finite();
    workload.closed_loop = spec.source->closed_loop();
    workload.source_queue = !spec.fabric.discard && spec.fabric.queue_packets == kUnlimited;
    workload.unlimited_injection =
        spec.nodes.any([](const auto& node) { return node.injection_channels == kUnlimited; });
    workload.terminals = spec.topology->terminals();
    workload.injecting_terminals = static_cast<std::uint64_t>(std::ranges::count(ends_.injecting, true));
    workload.offered_flits_per_node_cycle =
        spec.offered_packets_per_node_cycle.value_or(0) * spec.mean_length_flits;
    workload.mean_length_flits = spec.mean_length_flits;
    return workload;
  }

  [[nodiscard]] PointContext context(double used) const {
    PointContext context;
    context.label = spec_.label;
    context.set = spec_.set;
    context.routers = spec_.topology->routers();
    if (spec_.offered_packets_per_node_cycle) {
      context.offered_packets_per_node_cycle = spec_.offered_packets_per_node_cycle;
      context.offered_flits_per_node_cycle =
          as_decimal(*spec_.offered_packets_per_node_cycle * spec_.mean_length_flits);
    }
    context.tau_max_packets_per_node_cycle = spec_.tau_max_packets_per_node_cycle;
    context.packet_length = spec_.packet_length;
    context.finite_source_queue = !spec_.fabric.discard && spec_.fabric.queue_packets != kUnlimited;
    context.addressed = ends_.addressed;
    if (const auto& links = fabric_.plan().links; !links.alike() || links.kinds()[0].cycles_per_flit > 1)
      for (const auto& physical : fabric_.physical_links())
        context.link_cycles.push_back(links[physical.link].cycles_per_flit);
    for (const auto& router : fabric_.plan().routers) {
      context.input_vcs += router->link_inputs();
      context.output_vcs += router->link_outputs();
    }
    if (spec_.message_classes.named())
      for (const MessageClass& c : spec_.message_classes) context.message_classes.push_back(c.name);
    context.planes = planes_of(fabric_);
    context.transactions = spec_.source->transactions().has_value();
    if (const auto loop = claims_of(spec_).loop()) context.requesters = loop->requesters;
    context.rtl = !spec_.rtl.empty();
    context.digest = fabric_.digest();
    context.user_s = used;
    context.simulated_cycles = fabric_.cycles() - 1;  // without the one that elaborated
    const TraceOptions& trace = spec_.trace;
    for (const auto& [kind, path] :
         {std::pair{"vcd", trace.vcd}, {"gtkw", trace.gtkw}, {"events", trace.events}})
      if (!path.empty()) context.files[kind] = path;
    return context;
  }

  /// Simulates the next block that the controller wants, in pieces between which deadlocks are looked for.
  void block() {
    const Cycle end = fabric_.cycles() + controller_.next_block();
    while (fabric_.cycles() < end) {
      Cycle piece = std::min<Cycle>(end - fabric_.cycles(), piece_of_queues());
      if (watch_) piece = std::min(piece, watch_->next() - fabric_.cycles());
      if (trace_ && workload_.finite) piece = std::min(piece, kTracedPiece);
      if (fabric_.cycles() == 0) piece = 1;  // elaborates, which is accounted for apart
      fabric_.advance(piece);
      if (fabric_.cycles() == 1) {
        elaboration_s_ = building_.seconds();
        elaborated_bytes_ = building_.bytes();
        start_ = user_seconds();
      }
      if (progress_ && controller_.expected_end() > 0)
        progress_(std::min(
            1.0, static_cast<double>(fabric_.cycles()) / static_cast<double>(controller_.expected_end())));
      if (workload_.finite && fabric_.drained()) return drained();
      if (interrupted()) return stop({Status::kNotConverged, "not_converged: the run was interrupted."});
      if (kQueuedBytes * static_cast<double>(fabric_.queued()) > spec_.most_queued_bytes)
        return stop(queues_are_too_long());
      if (watch_ && watch_->due())
        if (auto found = watch_->look()) return stop({Status::kDeadlocked, std::move(*found)});
    }
    if (watch_) watch_->look_for_moves();
    if (controller_.observe(fabric_.cycles(), fabric_.counters(), fabric_.queued(), fabric_.longest_queue()))
      fabric_.begin_window();
  }

  /// The workload was over before the piece of the run was: what was sampled behind its end does not count.
  void drained() {
    const Cycle end = fabric_.last_delivery() + 1;
    FabricCounters counters = fabric_.counters();
    if (const Cycle interval = fabric_.options().occupancy_interval; interval != 0)
      counters.occupancy_samples = (end + interval - 1) / interval;
    controller_.drained(end, counters);
  }

  /// While flits move, a flit or a credit that a router in hardware keeps cannot be told from one that is
  /// late: lets the network run empty, after all that is reported.
  void check_left() {
    fabric_.close();
    const Cycle end = fabric_.cycles() + kLongestDrain;
    Cycle at_rest = 0;
    while (!fabric_.drained() && at_rest < kPiece && fabric_.cycles() < end && !interrupted()) {
      const std::uint64_t moves = fabric_.moves();
      fabric_.advance(kPiece / 10);
      at_rest = fabric_.moves() == moves ? at_rest + kPiece / 10 : 0;
    }
    if (fabric_.drained()) fabric_.advance(kPiece);
    fabric_.check_conservation();
    if (at_rest >= kPiece) fabric_.check_left();
  }

  /// kPiece, or fewer cycles in which what comes to source queues takes a part of what they may.
  [[nodiscard]] Cycle piece_of_queues() const {
    const double per_cycle = kQueuedBytes * spec_.offered_packets_per_node_cycle.value_or(0) *
                             static_cast<double>(workload_.injecting_terminals);
    return static_cast<Cycle>(
        std::clamp(spec_.most_queued_bytes / per_cycle / 16, 1.0, static_cast<double>(kPiece)));
  }
  [[nodiscard]] StatusVerdict queues_are_too_long() const {
    const double mean = static_cast<double>(fabric_.queued()) /
                        static_cast<double>(std::max<std::uint64_t>(1, workload_.injecting_terminals));
    const bool saturated =
        workload_.source_queue && !workload_.finite && !workload_.closed_loop && mean > kSaturatedQueue;
    const Status status = saturated ? Status::kSaturated : Status::kNotConverged;
    return {
        status,
        fmt::format("{}: after {} cycles {:.0f} packets wait in the mean source queue, and more would not "
                    "keep limits.memory_mb; to go on, give source queues an end, or raise the limit.",
                    to_string(status), fabric_.cycles(), mean)};
  }
  [[nodiscard]] bool interrupted() const { return interrupted_ && interrupted_(); }

  void stop(const StatusVerdict& verdict) {
    if (controller_.stop(fabric_.cycles(), fabric_.counters(), fabric_.queued(), verdict.status,
                         verdict.rule))
      fabric_.begin_window();
  }

  static constexpr Cycle kPiece = 5000;
  static constexpr Cycle kTracedPiece = 100;  ///< a waveform goes on for less than that behind the last flit
  static constexpr Cycle kLongestDrain = 100'000;
  Cost building_;  ///< of the fabric: first, so that it starts before it
  const PointSpec& spec_;
  const std::function<void(double)>& progress_;
  const std::function<bool()>& interrupted_;
  const TrafficSource::Ends ends_;
  MeasuredWorkload workload_;
  // Never deleted: the kernel takes its objects out of lists one by one, 100 s for 65,536 routers (SystemC
  // 2.3.4), while the process that ran the point is about to end.
  Fabric& fabric_;
  MeasurementController controller_;
  std::optional<TraceSession> trace_;
  std::optional<DeadlockWatch> watch_;
  double elaboration_s_ = 0;
  double elaborated_bytes_ = 0;
  double start_ = 0;  ///< user time when the simulation proper began
};

}  // namespace

SourceClaims claims_of(const PointSpec& spec) {
  return {*spec.source, spec.topology->terminals(), std::max<std::size_t>(1, spec.message_classes.size())};
}

TrafficSource::Ends ends_of(const PointSpec& spec) {
  if (auto ends = claims_of(spec).ends()) return *std::move(ends);
  const std::size_t n = spec.topology->terminals();
  if (!spec.pattern) return {std::vector<bool>(n, true), std::vector<bool>(n, true)};
  if (const auto loop = claims_of(spec).loop()) {
    LoopEnds ends = ends_of_loop(*loop, *spec.pattern);
    return {std::move(ends.injecting), std::move(ends.addressed)};
  }
  TrafficSource::Ends ends{std::vector<bool>(n), std::vector<bool>(n)};
  std::optional<RouterId> sender;  // of the first terminal that injects
  bool several = false;            // routers with terminals that inject
  for (std::size_t t = 0; t < n; ++t) {
    const auto source = TerminalId(t);
    if (!spec.pattern->injects(source)) continue;
    ends.injecting[t] = true;
    const RouterId router = spec.topology->injection_router(source);
    several = several || (sender && *sender != router);
    sender = router;
  }
  if (spec.multicasts && sender)
    for (std::size_t t = 0; t < n; ++t)
      ends.addressed[t] = several || spec.topology->consumption_router(TerminalId(t)) != *sender;
  add_destinations(ends.injecting, *spec.pattern, ends.addressed);
  return ends;
}

FabricPlan plan_of(const PointSpec& spec) {
  return plan_fabric({spec.topology, spec.relation, spec.nodes, spec.links, spec.planner, spec.plans_unicasts,
                      spec.message_classes});
}

FabricOptions fabric_options(const PointSpec& spec) {
  FabricOptions options = spec.fabric;
  options.observed = spec.trace.any();
  options.with_blocks = spec.trace.traced(*spec.topology, kFabric);
  options.sink = spec.sink;
  if (options.sink) options.sink->reset();
  // The sink is a part of the source, and lives as long.
  if (TerminalSink* const sink = spec.source->sink())
    options.sink = std::shared_ptr<TerminalSink>(spec.source, sink);
  if (!spec.rtl.empty()) {
    const FabricPlan plan = plan_of(spec);
    const auto traced = spec.recorder ? std::optional(spec.recorder->router()) : std::nullopt;
    const auto nodes = build_rtl_nodes(plan, spec.rtl, traced, spec.compiling);
    nodes->seed = options.seed;
    nodes->tap = spec.recorder.get();
    if (traced) spec.recorder->open(*nodes->duts[index(*traced)]->pins());
    options.rtl = nodes;
  }
  return options;
}

void check_waveform(PointSpec spec) {
  if (spec.trace.vcd.empty()) return;
  spec.rtl.clear();
  const Fabric& fabric = *new Fabric(kFabric, plan_of(spec), fabric_options(spec));
  const Waveform nowhere("/dev/null", fabric, spec.trace.scope, spec.trace.window);
}

PointRecord run_point(const PointSpec& spec, std::size_t number, const std::function<void(double)>& progress,
                      const std::function<bool()>& interrupted) {
  return PointRunner(spec, progress, interrupted).run(number);
}

}  // namespace noctule
