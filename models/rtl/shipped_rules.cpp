#include "rtl/shipped_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/json.h"
#include "routing/cube_relation.h"
#include "routing/initial_states.h"
#include "rtl/requirements.h"

namespace noctule {
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

/// Does the state of every header that is injected in a router of this kind name one crossbar?
bool state_names_crossbar(const FabricPlan& plan, std::size_t kind) {
  CandidateList candidates;
  return all_pairs(plan, 100'000, [&](RouterId from, RouterId to) {
    if (plan.nodes.kind(from) != kind) return true;
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

constexpr unsigned kMostShippedLanes = 8;  // Verilator needs half a minute for them, and does not end with 16
constexpr unsigned kMostClassVcs = 31;     // bits of the parameter ClassVcs

/// Lanes of each message class, link by link, as bits: all the same?
bool same_lanes_everywhere(const FabricPlan& plan, std::span<const RouterId> routers) {
  std::vector<std::uint64_t> known(plan.message_classes.size());
  for (const RouterId router : routers) {
    const RouterPlan& of = *plan.routers[index(router)];
    for (std::size_t c = 0; c < known.size(); ++c)
      for (const ChannelPlan& channel : of.outbound) {
        std::uint64_t lanes = 0;
        for (const std::uint16_t o : of.of_message_class[c])
          if (of.outputs[o].port == channel.port) lanes |= std::uint64_t{1} << of.outputs[o].lane;
        if (lanes == 0 || (known[c] != 0 && known[c] != lanes)) return false;
        known[c] = lanes;
      }
  }
  return true;
}

/// Which VCs the classes of messages may take.
void require_classes(Requirements& r, const FabricPlan& plan, std::span<const RouterId> routers,
                     const NodeDescription& node) {
  const MessageClasses& classes = plan.message_classes;
  const bool queued = node.direct();
  if (queued)
    r.require(
        std::bit_ceil(classes.size()) * node.lanes <= kMostClassVcs || classes.size() == 1, "message_classes",
        "the shipped RTL of this model has room for 31 bits that say which lanes a class may take: fewer "
        "classes or lanes");
  if (!classes.restricted() || r.broken()) return;
  r.require(queued, "message_classes",
            "in the shipped RTL of this model every class may take all VCs: leave out vcs");
  r.require(!queued || same_lanes_everywhere(plan, routers), "message_classes",
            "in the shipped RTL of this model a class has the same lanes on every link: vcs by lane only");
}

/// The RTL counts on as many places behind its links as it has itself.
void require_depths(Requirements& r, const FabricPlan& plan, std::span<const RouterId> routers) {
  if (plan.nodes.alike()) return;
  const Topology& topology = *plan.topology;
  for (const RouterId router : routers)
    for (std::size_t p = 0; p < topology.ports(router); ++p) {
      const Link* const link = topology.outgoing(router, PortId(p));
      if (link == nullptr) continue;
      const unsigned own = plan.nodes[router].input_depth;
      const unsigned behind = plan.nodes[link->to].input_depth;
      if (behind != own)
        r.refuse(
            {"nodes",
             fmt::format("{} has node.input_depth {}, and {}, which is shipped RTL, sends to it with the "
                         "credits of its own, {}: give both the same, or the RTL files of your own",
                         topology.router_name(link->to), behind, topology.router_name(router), own),
             {}});
    }
}

}  // namespace

std::optional<Diagnostic> shipped_obstacle(const FabricPlan& plan, std::span<const RouterId> routers) {
  const NodeDescription& node = plan.nodes[routers.front()];
  Requirements r(plan);
  r.of(routers.front());
  const bool star = node.model == "star_channels";
  const bool partitioned = node.model == "four_classes" || node.model == "linder_harden";
  const bool queued = node.model == "input_queued";
  if (!star && !partitioned && !queued && node.model != "oblivious") return {};
  const CubeGeometry& cube = require_cube(*plan.topology, "the shipped RTL");
  r.require(cube.dimensions() == 2, "topology.kind",
            "the shipped RTL has two dimensions: a mesh or torus of [columns, rows]");
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
    r.require(state_names_crossbar(plan, plan.nodes.kind(routers.front())), "routing.tie",
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
    r.require(
        node.lanes <= kMostShippedLanes, "node.lanes",
        "the shipped RTL of this model is compiled with up to 8 lanes; more take minutes and gigabytes: 8");
    r.require(node.injection_vcs == node.lanes, "node.injection_vcs",
              "the shipped RTL of this model has as many injection VCs as lanes");
    r.require(node.consumption_vcs == node.lanes, "node.consumption_vcs",
              "the shipped RTL of this model has as many consumption VCs as lanes");
  }
  require_depths(r, plan, routers);
  require_classes(r, plan, routers, node);
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
