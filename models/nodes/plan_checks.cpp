#include "nodes/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/flit.h"
#include "nodes/credit_order.h"
#include "topology/planes.h"

namespace noctule {
namespace {

constexpr std::size_t kMostVcs = 60'000;  ///< inputs, or outputs, of a router: they have numbers of 16 bits

/// Two relations on one fabric take the same virtual channels.
void require_same_classes(const Topology& topology, const RoutingRelation& one,
                          const RoutingRelation& other) {
  for (const Link& link : topology.links()) {
    bool same = one.classes(link) == other.classes(link);
    for (unsigned c = 0; same && c < one.classes(link); ++c)
      same = one.exists(link, VcClass(c)) == other.exists(link, VcClass(c));
    if (!same)
      throw ConfigError(
          kPlannerKey,
          fmt::format("the planner's worms are routed on {} VC class(es) per link, unicasts on {}; "
                      "give routing.algorithm one with as many, or leave it to the planner",
                      other.classes(link), one.classes(link)));
  }
}

/// The first of the keys that are about multicasts in which two nodes differ, or null.
const char* multicast_difference(const NodeDescription& one, const NodeDescription& other) {
  if (one.consumption_classes != other.consumption_classes) return "node.consumption_classes";
  if (one.consumption_access != other.consumption_access) return "node.consumption_access";
  if (one.unicast_access != other.unicast_access) return "node.unicast_access";
  if (one.consumption_wait != other.consumption_wait) return "node.consumption_wait";
  if (one.acquisition != other.acquisition) return "node.acquisition";
  if (one.retransmission_buffers != other.retransmission_buffers) return "node.retransmission_buffers";
  return nullptr;
}

/// A key of the node that differs from its default and is about multicasts, or null.
const char* multicast_key(const NodeDescription& node) {
  return multicast_difference(node, NodeDescription{});
}

/// Do all routers keep to the same rules, where a worm may go on from a destination?
void require_same_rules(const FabricPlan& plan) {
  if (plan.nodes.alike()) return;
  const NodeDescription& usual = plan.common_node();
  for (std::uint32_t r = 0; r < plan.topology->routers(); ++r) {
    const NodeDescription& node = plan.nodes[RouterId{r}];
    const char* key = multicast_difference(usual, node);
    if (node.consumption_channels != usual.consumption_channels) key = "node.consumption_channels";
    if (node.consumption_vcs != usual.consumption_vcs) key = "node.consumption_vcs";
    if (key != nullptr)
      throw ConfigError(
          "nodes",
          fmt::format("{} has a {} that most routers do not have; with a multicast.planner it is the same at "
                      "all routers: set it under node, or leave out the planner",
                      plan.topology->router_name(RouterId{r}), key));
  }
}

/// Does the shape of a link, of so many VC classes, go with itself and with the node of its sender?
void check_shape(const FabricPlan& plan, const Link& link, unsigned classes, bool planner) {
  const NodeDescription& node = plan.nodes[link.from];
  const unsigned lanes = plan.lanes(link.id);
  const unsigned replicas = plan.parallel_links(link.id);
  const auto refuse = [&](bool wrong, const std::string& why) {
    if (wrong) throw ConfigError("links", fmt::format("link {}: {}", plan.topology->link_name(link), why));
  };
  const bool by_class = node.link_assignment == LinkAssignment::kByClass;
  refuse(
      !by_class && lanes < replicas,
      fmt::format("{} parallel links but {} lane(s): with node.link_assignment mixed each link needs a lane "
                  "of its own; set lanes of these links too",
                  replicas, lanes));
  refuse(
      by_class && classes < replicas,
      fmt::format("{} parallel links but only {} VC class(es): with node.link_assignment by_class each link "
                  "needs a class of its own; set fewer parallel_links",
                  replicas, classes));
  if (plan.sharing(link.id) != LinkSharing::kFixedSlot) return;
  refuse(node.switch_allocator != "none",
         "a switch allocator gives an output port to one flit per cycle, on demand; set sharing: demand");
  refuse(planner && node.link_sharing == LinkSharing::kDemand,
         "multicasts need links that are shared on demand; set sharing: demand");
}

}  // namespace

MulticastPlan plan_multicast(const FabricPlan& fabric, std::shared_ptr<const MulticastPlanner> planner,
                             bool plans_unicasts) {
  require_same_rules(fabric);
  const Topology& topology = *fabric.topology;
  const auto& relation = fabric.relation;
  MulticastPlan plan;
  plan.relation = planner->relation() ? planner->relation() : relation;
  plan.consumption = std::make_shared<const ConsumptionRule>(topology, *planner, fabric.common_node());
  plan.plans_unicasts = plans_unicasts;
  if (planner->relation()) require_same_classes(topology, *relation, *plan.relation);
  if (planner->several_destinations() && plan.relation->has_state())
    throw ConfigError(
        kPlannerKey,
        "worms with several destinations need a routing relation whose header carries nothing but "
        "the destination; use planner individual, or a mesh with dimension_order");
  for (const NodeDescription& node : fabric.nodes.kinds())
    if (planner->several_destinations() || multicast_key(node) != nullptr)
      if (auto obstacle = multicast_obstacle(node))
        throw ConfigError(std::vector<Diagnostic>{std::move(*obstacle)});
  plan.planner = std::move(planner);
  return plan;
}

void check_vcs(const FabricPlan& plan, bool planner) {
  const Topology& topology = *plan.topology;
  std::vector<unsigned> classes(plan.nodes.kinds().size());
  for (std::uint32_t r = 0; r < topology.routers(); ++r) {
    const NodeDescription& node = plan.nodes[RouterId{r}];
    unsigned& most = classes[plan.nodes.kind(RouterId{r})];
    std::size_t vcs = 0;
    for (std::size_t p = 0; p < topology.ports(RouterId{r}); ++p) {
      const Link* link = topology.outgoing(RouterId{r}, PortId(p));
      if (link == nullptr) continue;
      const unsigned of_link = plan.relation->classes(*link);
      most = std::max(most, of_link);
      vcs += std::size_t{of_link} * plan.lanes(link->id);
      if (plan.links[link->id].shape != LinkShape{}) check_shape(plan, *link, of_link, planner);
    }
    if (vcs > kMostVcs)
      throw ConfigError(
          node.lanes > 1 ? "node.lanes" : "routing.algorithm",
          fmt::format(
              "a router would have up to {} virtual channels, {} lanes of the classes of the relation; "
              "at most {} are possible",
              vcs, node.lanes, kMostVcs));
  }
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const NodeDescription& node = plan.nodes.kinds()[k];
    if (node.link_assignment == LinkAssignment::kByClass && node.parallel_links > classes[k])
      throw ConfigError(
          "node.parallel_links",
          fmt::format("{} parallel links but only {} VC class(es): with link_assignment 'by_class' "
                      "each link needs a class of its own; use fewer links or 'mixed'",
                      node.parallel_links, classes[k]));
  }
}

void check_ends(const NodeDescription& node, bool planner) {
  if (node.consumption_vcs > 1 && node.switch_allocator == "none" && (!planner || multicast_obstacle(node)))
    throw ConfigError(
        "node.consumption_vcs",
        "worms that share a consumption channel need a switch_allocator, which gives it to one flit "
        "per cycle, or a multicast.planner and a node that can send worms to several destinations: "
        "output_depth 0, vc_allocator scan, link_sharing demand");
  if (const char* key = multicast_key(node); key != nullptr && !planner)
    throw ConfigError(key,
                      "has no effect where every message has one destination: it needs a multicast.planner");
}

void check_places(const FabricPlan& plan) {
  for (std::uint32_t r = 0; r < plan.topology->routers(); ++r) {
    const NodeDescription& node = plan.nodes[RouterId{r}];
    const std::size_t places = std::max<std::size_t>(
        1, std::size_t{node.injection_channels} * node.injection_vcs + node.retransmission_buffers);
    const std::size_t terminals = std::max<std::size_t>(1, terminals_of(plan.injecting[r]));
    const std::size_t interfaces = (plan.injecting[r].size() + terminals - 1) / terminals;
    if (plan.injecting[r].size() * places > 64)
      throw ConfigError(
          places > 1       ? "node.injection_channels"
          : interfaces > 1 ? "message_classes"
                           : "topology",
          fmt::format("a router has {} terminals with {} injection and retransmission buffers each; "
                      "at most 64 per router are supported",
                      terminals, interfaces * places));
  }
}

std::vector<std::uint8_t> planes_of_routers(const Topology& topology, const MessageClasses& classes) {
  const auto* planes = topology.geometry<Planes>();
  if (planes != nullptr && classes.attachments() != planes->size())
    throw ConfigError("planes",
                      fmt::format("the network has {} plane(s), and the message classes use {}; give "
                                  "every plane a class",
                                  planes->size(), classes.attachments()));
  if (classes.attachments() != topology.attachments())
    throw ConfigError(
        "topology", fmt::format("each terminal has {} attachment(s) to the network, and the message classes "
                                "use {}; give every attachment a class",
                                topology.attachments(), classes.attachments()));
  std::vector<std::uint8_t> of;
  for (std::uint32_t r = 0; planes != nullptr && r < topology.routers(); ++r)
    of.push_back(static_cast<std::uint8_t>(planes->number_of(RouterId{r})));
  return of;
}

std::uint32_t longest_packet(const NodeDescriptions& nodes) {
  std::uint32_t longest = Flit::kNumber;
  for (const NodeDescription& node : nodes.kinds())
    if (node.stores()) longest = std::min(longest, node.input_depth);
  return longest;
}

void check_storing(const FabricPlan& plan) {
  if (std::ranges::none_of(plan.nodes.kinds(), &NodeDescription::stores)) return;
  if (credit_order(*plan.topology, plan.nodes, plan.links).trains)
    throw ConfigError(
        "node.forwarding",
        "with immediate credits on all links worms advance as trains, and store_and_forward waits "
        "for tails: give link.credit_delay 1 or more, or forwarding wormhole");
}

namespace {

/// What has no place in the order by age, or an order of its own.
void check_by_age(const FabricPlan& plan) {
  const auto refuse = [](bool wrong, const std::string& key, const std::string& why) {
    if (wrong)
      throw ConfigError(key, fmt::format("node.arbiter is age, the oldest packet goes first, and {}; or "
                                         "write node.arbiter: round_robin",
                                         why));
  };
  bool some = false;
  for (const NodeDescription& node : plan.nodes.kinds()) {
    if (node.arbiter != ArbiterKind::kAge) continue;
    some = true;
    refuse(node.scan != Scan::kRoundRobin, "node.scan",
           "another order in which headers are served contradicts that: round_robin, the default, which then "
           "orders nothing");
    refuse(node.injection_channels == kUnlimited, "node.injection_channels",
           "headers of unlimited injection channels wait in a line of their own: give their number");
    refuse(node.pipeline.speculative, "node.speculative",
           "a header that speculates comes after all flits, however old it is: false");
    for (const auto& [key, name] : {std::pair("node.vc_allocator", node.vc_allocator),
                                    std::pair("node.switch_allocator", node.switch_allocator)})
      refuse(name != "scan" && name != "none" && !name.starts_with("separable_"), key,
             fmt::format("{} has an order of its own by definition: separable_input_first", name));
    refuse(node.allocator_iterations != 1, "node.allocator_iterations",
           "then allocators match all that can be matched in one round: 1");
  }
  if (!some) return;
  for (const Link& link : plan.topology->links())
    refuse(plan.nodes[link.from].arbiter == ArbiterKind::kAge &&
               plan.sharing(link.id) == LinkSharing::kFixedSlot,
           "node.link_sharing",
           "with fixed_slot every VC has its own share of the link, used or not: demand");
}

}  // namespace

void check_service(const FabricPlan& plan) {
  check_by_age(plan);
  if (!plan.message_classes.served_apart()) return;
  const auto refuse = [](bool wrong, const char* key, const char* why) {
    if (wrong)
      throw ConfigError(key, fmt::format("message_classes have priorities or weights, and {}; or leave "
                                         "priority and weight out",
                                         why));
  };
  for (const NodeDescription& node : plan.nodes.kinds()) {
    refuse(node.injection_channels == kUnlimited, "node.injection_channels",
           "headers of unlimited injection channels wait in one line: give their number");
    refuse(node.pipeline.speculative, "node.speculative",
           "a header that speculates comes after all flits, whatever its class: false");
    refuse((node.scan == Scan::kFirstCome || node.scan == Scan::kFarthestFirst) &&
               node.connections_per_cycle != 0,
           "node.connections_per_cycle",
           "headers that are served in an order of their own would take the connections of a cycle whatever "
           "their class: all, or another scan");
  }
  for (const Link& link : plan.topology->links())
    refuse(plan.sharing(link.id) == LinkSharing::kFixedSlot, "node.link_sharing",
           "with fixed_slot every VC has its own share of the link, used or not: demand");
}

std::optional<Diagnostic> multicast_obstacle(const NodeDescription& node) {
  const auto of = [](const char* key, const char* text) { return Diagnostic{key, text, {}}; };
  if (!node.direct())
    return of(
        "node.output_depth",
        "worms with several destinations, or classes of consumption channels, need a router without output "
        "buffers, whose flits leave on the link and to the terminal at once: output_depth 0");
  if (node.consumption_delay > 0)
    return of("node.consumption_delay",
              "a flit for a destination and the link behind it leaves for both at once: consumption_delay 0");
  if (node.stores())
    return of("node.forwarding",
              "a worm is consumed where it goes on from, while its tail is still on its way: wormhole");
  if (node.busy_when_full)
    return of("node.vc_busy_when_full",
              "worms with several destinations acquire one thing after the other, free or full: false");
  if (node.selection == Selection::kBlind)
    return of("node.selection", "worms with several destinations take what is free: any selection but blind");
  if (node.arbiter == ArbiterKind::kAge)
    return of("node.arbiter", "routers serve worms with several destinations in turn: round_robin");
  if (node.scan == Scan::kFarthestFirst)
    return of("node.scan", "worms with several destinations have no one path: any scan but farthest_first");
  if (node.switch_allocator != "none")
    return of(
        "node.switch_allocator",
        "a switch allocator gives a flit one output port, a flit for a destination and the link behind it "
        "needs two: switch_allocator none");
  if (node.vc_allocator != "scan")
    return of("node.vc_allocator",
              "an allocator gives a header one output, a worm that goes on from a destination needs two: "
              "vc_allocator scan");
  if (node.link_sharing == LinkSharing::kFixedSlot)
    return of("node.link_sharing", "multicasts need links that are shared on demand: link_sharing demand");
  if (node.consumption_channels == kUnlimited)
    return of("node.consumption_channels",
              "multicasts are about worms that wait for consumption channels: give their number");
  if (node.injection_channels == kUnlimited)
    return of("node.injection_channels",
              "a worm that goes on from a destination holds several outputs, an unlimited injection channel "
              "one: give their number, 1 to 64");
  return {};
}

}  // namespace noctule
