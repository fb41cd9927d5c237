#include "rtl/hardware_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "multicast/planner.h"
#include "routing/prescribed_routes.h"
#include "rtl/requirements.h"
#include "topology/cube_geometry.h"

namespace noctule {
namespace {

/// The first of these routers of each node.
std::vector<RouterId> one_of_each(const FabricPlan& plan, std::span<const RouterId> routers) {
  std::vector<RouterId> first;
  for (const RouterId router : routers)
    if (std::ranges::none_of(first,
                             [&](RouterId r) { return plan.nodes.kind(r) == plan.nodes.kind(router); }))
      first.push_back(router);
  return first;
}

/// Calls f(link, whether it leaves the router) for all links that begin or end at it.
template <class F>
void each_link_at(const FabricPlan& plan, RouterId router, F&& f) {
  const Topology& topology = *plan.topology;
  for (std::size_t p = 0; p < topology.ports(router); ++p) {
    if (const Link* link = topology.incoming(router, PortId(p))) f(*link, false);
    if (const Link* link = topology.outgoing(router, PortId(p))) f(*link, true);
  }
}

void require_fabric(Requirements& r, const FabricPlan& plan) {
  r.require(dynamic_cast<const PrescribedRoutes*>(plan.relation.get()) == nullptr, PrescribedRoutes::kKey,
            "flits of routers in hardware carry no prescribed routes: another source");
  r.require(!plan.multicast, kPlannerKey,
            "routers in hardware carry messages with one destination: no planner");
  r.require(plan.planes.empty(), "planes", "routers in hardware are of one network: leave out planes");
  r.require(plan.message_classes.interfaces() == 1, "message_classes",
            "a router in hardware has one injection and one consumption channel, for all classes: give each "
            "class the same interface, such as interface: shared");
  r.require(!plan.message_classes.served_apart(), "message_classes",
            "arbiters in hardware serve all classes alike: leave out priority and weight");
}

void require_one_terminal(Requirements& r, const FabricPlan& plan, std::span<const RouterId> routers) {
  const auto single = [&](std::size_t router) {
    return plan.injecting[router].size() == 1 && plan.injecting[router] == plan.consuming[router];
  };
  const auto other =
      std::ranges::find_if_not(routers, [&](RouterId router) { return single(index(router)); });
  if (other == routers.end()) return;
  bool some = false;
  for (std::size_t router = 0; router < plan.routers.size() && !some; ++router) some = single(router);
  if (!some)
    r.refuse({plan.topology->geometry<CubeGeometry>() != nullptr && plan.injecting[index(*other)].size() > 1
                  ? "topology.terminals_per_router"
                  : "topology.kind",
              "a router in hardware has one terminal: a topology with one per router",
              {}});
  else
    r.refuse({"nodes",
              fmt::format("{} is RTL and has {} terminals; a router in hardware has one, and no other: leave "
                          "it to the model, or have one terminal at it",
                          plan.topology->router_name(*other), plan.injecting[index(*other)].size()),
              {}});
}

void require_terminal_keys(Requirements& r, const NodeDescription& node) {
  r.require(node.retransmission_buffers == 0, "node.retransmission_buffers",
            "routers in hardware have no retransmission buffers: 0");
  r.require(node.injection_channels == 1, "node.injection_channels",
            "a router in hardware has one injection channel: 1");
  r.require(node.consumption_channels == 1, "node.consumption_channels",
            "a router in hardware has one consumption channel: 1");
  r.require(!node.injection_interleaved, "node.injection_sharing",
            "terminals put one worm after the other on the pins of a router in hardware: worm");
  r.require(node.injection_delay == 1, "node.injection_delay",
            "a flit that a terminal puts on the pins is in the injection buffer in the next cycle: 1");
  r.require(
      !node.refill_same_cycle, "node.injection_refill",
      "no combinational path leads through a router in hardware, a terminal learns in the next cycle that "
      "there is room: next_cycle");
}

/// Registers on the wires are no concern of a router; what comes and goes on its pins is.
void require_delays(Requirements& r, const FabricPlan& plan, RouterId router) {
  each_link_at(plan, router, [&](const Link& at, bool leaves) {
    const LinkDescription& link = plan.links[at.id];
    r.of(at, router);
    r.require(link.flit_delay >= 1, "link.flit_delay",
              "a flit on the pins of a router in hardware is in the next input buffer one cycle later, or "
              "more: 1");
    r.require(link.credit_delay >= 1, "link.credit_delay",
              "a credit on the pins of a router in hardware counts one cycle later, or more: 1");
    r.require(!leaves || link.cycles_per_flit == 1, "link.cycles_per_flit",
              "a router in hardware shows a whole flit on its pins: 1");
  });
}

void require_link_keys(Requirements& r, const NodeDescription& node) {
  r.require(node.consumption_delay == 0, "node.consumption_delay",
            "routers in hardware give flits to the terminal as they cross: 0");
  r.require(!node.stores(), "node.forwarding",
            "routers in hardware send a worm on as it comes, not once it is stored: wormhole");
  r.require(!node.busy_when_full, "node.vc_busy_when_full",
            "routers in hardware give a VC to a header whether there is room behind it or not: false");
  r.require(node.link_sharing == LinkSharing::kDemand, "node.link_sharing",
            "links of routers in hardware carry one flit per cycle, of any VC: demand");
  r.require(node.parallel_links == 1 || node.link_assignment == LinkAssignment::kMixed,
            "node.link_assignment", "parallel links of routers in hardware carry all classes: mixed");
  r.require(
      node.lanes % node.parallel_links == 0, "node.lanes",
      "lanes spread evenly over the parallel links of routers in hardware: a multiple of parallel_links");
}

/// Are the links at the router what its pins are for, whoever is at their other end?
void require_shapes(Requirements& r, const FabricPlan& plan, RouterId router) {
  const NodeDescription& node = plan.nodes[router];
  each_link_at(plan, router, [&](const Link& link, bool) {
    const auto refuse = [&](const std::string& has, const std::string& remedy) {
      r.refuse({"links",
                fmt::format("{} at {}, which is RTL, has {}: {}", plan.topology->link_name(link),
                            plan.topology->router_name(router), has, remedy),
                {}});
    };
    const auto as_pins = [&](const char* key, unsigned given, unsigned pins) {
      if (given != pins)
        refuse(fmt::format("{} {}", key, given),
               fmt::format("the pins are those of the router's node, {}; set {} of the link to that", pins,
                           key));
    };
    as_pins("lanes", plan.lanes(link.id), node.lanes);
    as_pins("parallel_links", plan.parallel_links(link.id), node.parallel_links);
    if (plan.sharing(link.id) != LinkSharing::kDemand)
      refuse("sharing fixed_slot",
             "one flit per cycle is on the pins, of any VC; set sharing of the link to demand");
    if (node.parallel_links > 1 && plan.sender(link.id).link_assignment != LinkAssignment::kMixed)
      refuse("link_assignment by_class",
             "parallel links of routers in hardware carry all classes; set node.link_assignment mixed at its "
             "sender");
  });
}

/// Who gets an output VC.
void require_vc_allocation(Requirements& r, const NodeDescription& node) {
  const bool scans = node.vc_allocator == "scan";
  r.require(node.prefer.empty(), "node.prefer",
            "hardware chooses among all feasible VCs alike: leave out the selectors");
  r.require(!scans || node.scan == Scan::kRoundRobin, "node.scan",
            "hardware serves headers from the one after the last served on: round_robin");
  r.require(!node.transit_first, "node.transit_first",
            "hardware serves headers of terminals like others: false");
  r.require(!scans || node.selection == Selection::kFirst || node.selection == Selection::kRotating,
            "node.selection", "hardware chooses by rule: first or rotating");
  const bool allocators = !scans || node.switch_allocator != "none";
  r.require(node.arbiter == ArbiterKind::kRoundRobin || (!allocators && node.arbiter != ArbiterKind::kAge),
            "node.arbiter", "arbiters in hardware have rotating pointers: round_robin");
  r.require(!allocators || node.allocator_iterations == 1, "node.allocator_iterations",
            "allocators in hardware match once per cycle: 1");
}

void require_pipeline(Requirements& r, const Pipeline& given, const Pipeline& wanted) {
  r.require(!given.lookahead, "node.lookahead", "routers in hardware compute their own routes: false");
  r.require(!given.early_routing, "node.early_routing",
            "routers in hardware compute the route of the foremost header: false");
  r.require(!given.speculative, "node.speculative",
            "headers in hardware have a VC before they bid for the switch: false");
  r.require(given.routing == wanted.routing, "node.routing_delay",
            "a header in hardware is routed in the cycle in which it bids for a VC: 0");
  r.require(given.vc_allocation == wanted.vc_allocation, "node.vc_allocation_delay",
            wanted.vc_allocation == 0
                ? "with output buffers a header in hardware crosses in the cycle in which it gets a VC: 0"
                : "without output buffers a header in hardware bids for the switch one cycle after it got a "
                  "VC: 1");
  r.require(given.switch_allocation == wanted.switch_allocation, "node.switch_allocation_delay",
            "a flit in hardware crosses in the cycle in which it gets the switch: 0");
  r.require(given.traversal == wanted.traversal, "node.traversal_delay",
            "a flit in hardware is behind the crossbar one cycle after it got the switch: 1");
}

/// Buffers of one flit at inputs and outputs.
void require_unit(Requirements& r, const NodeDescription& node) {
  r.require(
      node.input_depth == 1, "node.input_depth",
      "routers in hardware that have output buffers have input buffers of one flit: 1; or use output_depth "
      "0");
  r.require(node.consumption_depth == 1, "node.consumption_depth",
            "routers in hardware have consumption buffers of one flit: 1");
  r.require(
      node.injection_vcs == 1, "node.injection_vcs",
      "routers in hardware that have output buffers have one injection buffer: 1; or use output_depth 0");
  r.require(
      node.consumption_vcs == 1, "node.consumption_vcs",
      "routers in hardware that have output buffers have one consumption buffer: 1; or use output_depth 0");
  r.require(node.vc_allocator == "scan" || node.vc_allocator == kSeparable, "node.vc_allocator",
            "routers in hardware that have output buffers match headers with VCs by scan or "
            "separable_input_first");
  r.require(node.switch_allocator == "none", "node.switch_allocator",
            "routers in hardware that have output buffers have a crossbar port for every VC: none");
  require_pipeline(r, node.pipeline, {});
}

void require_input_queued(Requirements& r, const NodeDescription& node) {
  r.require(
      node.vc_allocator == kSeparable, "node.vc_allocator",
      "routers in hardware without output buffers match headers with VCs by separable_input_first; or use "
      "output_depth 1");
  r.require(
      node.switch_allocator == kSeparable, "node.switch_allocator",
      "routers in hardware without output buffers have a switch_allocator separable_input_first; or use "
      "output_depth 1");
  r.require(
      node.release == VcRelease::kTailCrossed, "node.release",
      "routers in hardware without output buffers give a VC away once the tail is through: tail_crossed");
  r.require(
      node.parallel_links == 1, "node.parallel_links",
      "routers in hardware without output buffers have one link per direction: 1; or use output_depth 1");
  r.require(node.crossbars.size() <= 1, "node.crossbars",
            "routers in hardware without output buffers have one crossbar: leave out the selectors");
  r.require(node.crossbar_per.empty(), "node.crossbar_per",
            "routers in hardware without output buffers have one crossbar: []");
  Pipeline wanted;
  wanted.vc_allocation = 1;
  require_pipeline(r, node.pipeline, wanted);
}

}  // namespace

std::optional<Diagnostic> hardware_obstacle(const FabricPlan& plan, std::span<const RouterId> routers) {
  Requirements r(plan);
  const auto each_node = [&, kinds = one_of_each(plan, routers)](auto&& f) {
    for (const RouterId router : kinds) {
      r.of(router);
      f(plan.nodes[router]);
    }
  };
  require_fabric(r, plan);
  require_one_terminal(r, plan, routers);
  each_node([&](const NodeDescription& node) { require_terminal_keys(r, node); });
  for (const RouterId router : routers) require_delays(r, plan, router);
  each_node([&](const NodeDescription& node) { require_link_keys(r, node); });
  for (const RouterId router : routers) require_shapes(r, plan, router);
  each_node([&](const NodeDescription& node) {
    r.require(node.output_depth <= 1, "node.output_depth",
              "routers in hardware have output buffers of one flit, or none: 1 or 0");
    if (node.direct())
      require_input_queued(r, node);
    else
      require_unit(r, node);
    require_vc_allocation(r, node);
  });
  return r.broken();
}

void require_refusals(const FabricPlan& plan, std::span<const RouterId> routers, const char* key) {
  const auto direct = std::ranges::find_if(routers, [&](RouterId r) { return plan.nodes[r].direct(); });
  if (direct != routers.end())
    throw ConfigError(
        key,
        fmt::format("{}terminals of routers in hardware can refuse flits only behind output buffers: leave "
                    "it out, or have node.output_depth 1 and RTL with output buffers",
                    plan.nodes.alike() ? "" : plan.topology->router_name(*direct) + ", which is RTL: "));
}

void require_sinks(const FabricPlan& plan, std::span<const RouterId> routers, const char* key) {
  require_refusals(plan, routers, key);
  if (plan.message_classes.size() > 1 && !routers.empty())
    throw ConfigError(
        "message_classes",
        "a terminal of a router in hardware says with one pin whether it takes flits, of whatever "
        "class: have one class, or leave out what limits the buffers of terminals");
}

void require_hardware(const FabricPlan& plan, std::span<const RouterId> routers) {
  if (auto obstacle = hardware_obstacle(plan, routers))
    throw ConfigError(std::vector<Diagnostic>{std::move(*obstacle)});
}

}  // namespace noctule
