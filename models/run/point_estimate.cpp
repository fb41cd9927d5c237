// What a point takes, before it runs.

#include <algorithm>

#include "nodes/router_plan.h"
#include "run/point.h"
#include "traffic/holds_memory.h"

namespace noctule {
namespace {

/// Measured. What a router takes besides its state record: its module, its part of the plan, of the schedule
/// and of the counters; for each end of a link; for each terminal; for each input and output where allocators
/// keep state of their own. With blocks besides: each name, the module of the input buffers, each port.
constexpr double kRouterBytes = 1000;
constexpr double kLinkEndBytes = 74;
constexpr double kTerminalBytes = 350;
constexpr double kAllocatorBytes = 16;
constexpr double kNameBytes = 360;
constexpr double kModuleBytes = 1000;
constexpr double kPortBytes = 410;

bool matches(const NodeDescription& node) {
  return node.switch_allocator != "none" || node.vc_allocator != "scan";
}

double object_bytes(Hierarchy hierarchy, const NodeDescription& node, double crossbars, double link_ends) {
  if (hierarchy == Hierarchy::kRouters) return 0;
  const double names = 3 + 2 * crossbars + (node.switch_allocator != "none" ? 1 : 0) +
                       (node.retransmission_buffers > 0 ? 1 : 0);
  return kNameBytes * names + kModuleBytes + kPortBytes * link_ends;
}

/// At least that of a router with `vcs` input VCs and as many output VCs.
double least_record_bytes(const NodeDescription& node, double vcs) {
  return 500 + vcs * (32 + 8.0 * (node.input_depth + node.output_depth));
}

/// Of what is offered above the bound on throughput, and waits in source queues at the end of the shortest
/// run.
double queued_bytes(const PointSpec& spec) {
  const MeasurementSettings& m = spec.measurement;
  if (spec.fabric.discard || spec.fabric.queue_packets != kUnlimited) return 0;
  if (!spec.offered_packets_per_node_cycle || !spec.tau_max_packets_per_node_cycle) return 0;
  const double above = *spec.offered_packets_per_node_cycle - *spec.tau_max_packets_per_node_cycle;
  const auto injecting = static_cast<double>(std::ranges::count(ends_of(spec).injecting, true));
  const auto cycles = static_cast<double>(m.warm_up_cycles.value_or(0) + m.measure_cycles);
  return std::max(0.0, above) * injecting * cycles * kQueuedBytes;
}

}  // namespace

double run_seconds(const MeasurementSettings& m, double routers) {
  // One router-cycle at full load takes up to 100 ns (docs: scripts/bench).
  const double cycles = static_cast<double>(m.warm_up_cycles.value_or(m.warm_up_limit_cycles)) +
                        static_cast<double>(m.precision ? m.measure_limit_cycles : m.measure_cycles);
  return 100e-9 * cycles * routers;
}

PointEstimate least_estimate(const NetworkSize& size, const NodeDescription& node,
                             std::optional<Hierarchy> hierarchy) {
  const double links = size.links / size.routers * node.parallel_links;  // that leave a router, and enter it
  PointEstimate estimate;
  estimate.hierarchy = hierarchy_of(hierarchy, static_cast<std::size_t>(size.routers));
  estimate.record_bytes = least_record_bytes(node, size.links / size.routers * node.lanes);
  estimate.router_bytes =
      estimate.record_bytes + kRouterBytes + object_bytes(estimate.hierarchy, node, 1, 2 * links);
  estimate.bytes = size.routers * estimate.router_bytes;
  return estimate;
}

PointEstimate estimate_point(const PointSpec& spec) {
  const FabricPlan plan = plan_of(spec);
  const auto routers = static_cast<double>(plan.routers.size());
  PointEstimate estimate;
  estimate.hierarchy = hierarchy_of(spec.fabric.hierarchy, plan.routers.size());
  const auto records = static_cast<double>(state_bytes(plan));
  double rest = 0;
  for (std::uint32_t r = 0; r < plan.routers.size(); ++r) {
    const RouterPlan& router = *plan.routers[r];
    const NodeDescription& node = plan.nodes[RouterId{r}];
    const auto link_ends = static_cast<double>(router.outbound.size() + router.inbound.size());
    const auto places = static_cast<double>(router.inputs.size() + router.outputs.size());
    rest += kRouterBytes + kLinkEndBytes * link_ends + kTerminalBytes * router.injecting +
            (matches(node) ? kAllocatorBytes * places : 0) +
            object_bytes(estimate.hierarchy, node, router.crossbars, link_ends);
  }
  estimate.record_bytes = records / routers;
  estimate.router_bytes = (records + rest) / routers;
  estimate.bytes = records + rest;
  if (const auto* holder = dynamic_cast<const HoldsMemory*>(spec.source.get()))
    estimate.bytes += holder->memory_bytes();
  estimate.queued_bytes = queued_bytes(spec);
  estimate.seconds = run_seconds(spec.measurement, routers);
  return estimate;
}

}  // namespace noctule
