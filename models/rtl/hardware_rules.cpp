#include "rtl/hardware_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "multicast/planner.h"
#include "routing/cube_relation.h"
#include "routing/initial_states.h"
#include "routing/prescribed_routes.h"

namespace noctule {
namespace {

constexpr const char* kSeparable = "separable_input_first";

/// Keeps the first requirement that does not hold.
class Requirements {
 public:
  void require(bool holds, const char* key, const char* remedy) {
    if (!holds && !broken_) broken_ = Diagnostic{key, remedy, {}};
  }
  [[nodiscard]] const std::optional<Diagnostic>& broken() const { return broken_; }

 private:
  std::optional<Diagnostic> broken_;
};

void require_links(Requirements& r, const NodeDescription& node, const LinkDescriptions& links) {
  for (const LinkDescription& link : links.kinds()) {
    r.require(link.flit_delay == 1, "link.flit_delay",
              "a flit on the pins of a router in hardware is in the next input buffer one cycle later: 1");
    r.require(link.credit_delay == 1, "link.credit_delay",
              "a credit on the pins of a router in hardware counts one cycle later: 1");
    r.require(link.cycles_per_flit == 1, "link.cycles_per_flit",
              "a router in hardware shows a whole flit on its pins: 1");
    r.require(link.shape == LinkShape{}, "links",
              "the pins of routers in hardware know links that are what the node says: set none of lanes, "
              "parallel_links and sharing of some links");
  }
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

void require_terminals(Requirements& r, const FabricPlan& plan) {
  const NodeDescription& node = plan.common_node();
  r.require(dynamic_cast<const PrescribedRoutes*>(plan.relation.get()) == nullptr, PrescribedRoutes::kKey,
            "flits of routers in hardware carry no prescribed routes: another source");
  r.require(!plan.multicast, kPlannerKey,
            "routers in hardware carry messages with one destination: no planner");
  r.require(!plan.message_classes.named(), "message_classes",
            "flits of routers in hardware carry no message class: leave out message_classes");
  r.require(node.retransmission_buffers == 0, "node.retransmission_buffers",
            "routers in hardware have no retransmission buffers: 0");
  const auto single = [](const auto& terminals) { return terminals.size() == 1; };
  r.require(std::all_of(plan.injecting.begin(), plan.injecting.end(), single) &&
                std::all_of(plan.consuming.begin(), plan.consuming.end(), single),
            "topology.kind", "a router in hardware has one terminal: a topology with one per router");
  r.require(node.injection_channels == 1, "node.injection_channels",
            "a router in hardware has one injection channel: 1");
  r.require(node.consumption_channels == 1, "node.consumption_channels",
            "a router in hardware has one consumption channel: 1");
  r.require(node.injection_delay == 1, "node.injection_delay",
            "a flit that a terminal puts on the pins is in the injection buffer in the next cycle: 1");
  r.require(
      !node.refill_same_cycle, "node.injection_refill",
      "no combinational path leads through a router in hardware, a terminal learns in the next cycle that "
      "there is room: next_cycle");
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

std::optional<Diagnostic> hardware_obstacle(const FabricPlan& plan) {
  const NodeDescription& node = plan.common_node();
  Requirements r;
  r.require(plan.nodes.alike(), "nodes",
            "the routers of a fabric with some in hardware are alike: no entry with 'set'");
  require_terminals(r, plan);
  require_links(r, node, plan.links);
  r.require(node.output_depth <= 1, "node.output_depth",
            "routers in hardware have output buffers of one flit, or none: 1 or 0");
  if (node.direct())
    require_input_queued(r, node);
  else
    require_unit(r, node);
  require_vc_allocation(r, node);
  return r.broken();
}

void require_hardware(const FabricPlan& plan) {
  if (auto obstacle = hardware_obstacle(plan))
    throw ConfigError(std::vector<Diagnostic>{std::move(*obstacle)});
}

namespace {

/// Pairs of different routers, so many at most, spread evenly. `look`: false ends it. True: it never did.
template <class F>
bool all_pairs(const FabricPlan& plan, std::size_t most, F&& look) {
  const std::size_t n = plan.routers.size();
  const std::size_t step = std::max<std::size_t>(1, n * n / most) | 1;
  for (std::size_t pair = 0; pair < n * n; pair += step)
    if (pair / n != pair % n && !look(RouterId(pair / n), RouterId(pair % n))) return false;
  return true;
}

/// Does the state of every injected header name one crossbar?
bool state_names_crossbar(const FabricPlan& plan) {
  CandidateList candidates;
  return all_pairs(plan, 100'000, [&](RouterId from, RouterId to) {
    const RouterPlan& router = *plan.routers[index(from)];
    for (const RouteState state : initial_states_of(*plan.relation, from, to)) {
      candidates.clear();
      plan.relation->candidates(from, to, state, candidates);
      std::int32_t crossbar = -1;
      for (const Candidate candidate : candidates)
        for (const auto output :
             router.outputs_of[index(candidate.port) * router.classes + index(candidate.vc_class)]) {
          if (crossbar >= 0 && router.outputs[output].crossbar != crossbar) return false;
          crossbar = router.outputs[output].crossbar;
        }
    }
    return true;
  });
}

/// Do two relations offer the same to a worm, all the way, and change its state alike?
bool same_way(const Topology& topology, const RoutingRelation& a, const RoutingRelation& b, RouterId here,
              RouterId to, RouteState state) {
  CandidateList of_a;
  CandidateList of_b;
  for (std::size_t hop = 0; here != to; ++hop) {
    of_a.clear();
    of_b.clear();
    a.candidates(here, to, state, of_a);
    b.candidates(here, to, state, of_b);
    if (!std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end())) return false;
    const Candidate taken = of_a[(index(here) + hop) % of_a.size()];
    const RouteState next = a.next_state(here, to, state, taken);
    if (b.next_state(here, to, state, taken) != next) return false;
    here = topology.outgoing(here, taken.port)->to;
    state = next;
  }
  return true;
}

/// Is the fabric's relation the one of that name, with those keys?
bool routes_by(const FabricPlan& plan, const std::string& name, const Parameters& keys) {
  const auto& entry = RoutingRegistry::instance().at(name);
  Parameters all = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : keys.json().items()) all.set(key, value);
  std::unique_ptr<RoutingRelation> relation;
  try {
    relation = entry.make(plan.topology, all);
  } catch (const ConfigError&) {
    return false;
  }
  return all_pairs(plan, 10'000, [&](RouterId from, RouterId to) {
    return std::ranges::all_of(initial_states_of(*plan.relation, from, to), [&](RouteState state) {
      return same_way(*plan.topology, *plan.relation, *relation, from, to, state);
    });
  });
}

}  // namespace

std::optional<Diagnostic> shipped_obstacle(const FabricPlan& plan) {
  const NodeDescription& node = plan.common_node();
  Requirements r;
  const bool star = node.model == "star_channels";
  const bool partitioned = node.model == "four_classes" || node.model == "linder_harden";
  const bool queued = node.model == "input_queued";
  if (!star && !partitioned && !queued && node.model != "oblivious") return {};
  const CubeGeometry& cube = require_cube(*plan.topology, "the shipped RTL");
  r.require(cube.dimensions() == 2, "topology.radix", "the shipped RTL has two dimensions: [columns, rows]");
  r.require(!queued || (!cube.wraps(0) && (cube.dimensions() < 2 || !cube.wraps(1))), "topology.kind",
            "the shipped RTL of this model has no VC classes for wrap links: mesh");
  const NodeDescription shipped = node_from_parameters(keys_of_model(node.model));
  r.require(node.crossbars == shipped.crossbars && node.crossbar_per == shipped.crossbar_per,
            shipped.crossbars.empty() ? "node.crossbar_per" : "node.crossbars",
            "the shipped RTL has the crossbars of its node model: leave the key out");
  if (star || partitioned) {
    r.require(node.vc_allocator == "scan", "node.vc_allocator", "the shipped RTL of this model scans: scan");
    r.require(node.connections_per_cycle == 1, "node.connections_per_cycle",
              "the shipped RTL of this model makes one connection per crossbar and cycle: 1");
    r.require(node.release == (star ? VcRelease::kNextBufferEmpty : VcRelease::kTailCrossed), "node.release",
              star ? "the shipped RTL of this model waits for the next buffer to be empty: next_buffer_empty"
                   : "the shipped RTL of this model gives a VC away once the tail is through: tail_crossed");
    r.require(node.parallel_links == 1, "node.parallel_links",
              "the shipped RTL of this model has one link: 1");
    r.require(node.lanes == (star ? 2U : 1U), "node.lanes",
              star ? "the shipped RTL of this model has two lanes: 2"
                   : "the shipped RTL of this model has one lane: 1");
    r.require(state_names_crossbar(plan), "routing.tie",
              "a header that may enter several crossbars goes into one of them in the shipped RTL: drawn");
  } else if (node.model == "oblivious") {
    r.require(node.vc_allocator == kSeparable, "node.vc_allocator",
              "the shipped RTL of this model matches all headers at once: separable_input_first");
    r.require(node.release == VcRelease::kTailCrossed, "node.release",
              "the shipped RTL of this model gives a VC away once the tail is through: tail_crossed");
    r.require(node.lanes == 4, "node.lanes", "the shipped RTL of this model has four lanes: 4");
    r.require(node.parallel_links == 2, "node.parallel_links",
              "the shipped RTL of this model has two links per direction: 2");
  } else {
    r.require(node.direct(), "node.output_depth", "the shipped RTL of this model has no output buffers: 0");
    r.require(node.lanes >= 2, "node.lanes", "the shipped RTL of this model has two lanes or more: 2");
    r.require(node.injection_vcs == node.lanes, "node.injection_vcs",
              "the shipped RTL of this model has as many injection VCs as lanes");
    r.require(node.consumption_vcs == node.lanes, "node.consumption_vcs",
              "the shipped RTL of this model has as many consumption VCs as lanes");
  }
  const NodePreset preset = NodeRegistry::instance().at(node.model).make();
  Parameters routing = preset.routing_keys;
  if (node.model == "four_classes") routing.set("tie", "drawn");
  const std::string relation = preset.routing.empty() ? "dimension_order" : preset.routing;
  if (!r.broken() && !routes_by(plan, relation, routing))
    return Diagnostic{"routing.algorithm",
                      fmt::format("the shipped RTL of this model routes by {}, as its keys are by default{}",
                                  relation, node.model == "four_classes" ? ", and tie: drawn" : ""),
                      {}};
  return r.broken();
}

}  // namespace noctule
