#pragma once
// The router that a node description makes of a routing relation at one place of a topology: which inputs
// and outputs there are, in which crossbar each belongs, on which physical link it rides. Plain data, shared
// by all routers that are built alike; simulated and verified alike.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "nodes/consumption_rule.h"
#include "nodes/link_description.h"
#include "nodes/message_class.h"
#include "nodes/node_description.h"
#include "routing/relation.h"
#include "topology/topology.h"

namespace noctule {

inline constexpr std::uint16_t kNoSlot = 0xffff;

/// One virtual channel as seen at one end of its link, or one of an injection or consumption channel.
struct VcPlan {
  PortId port{};              ///< direction; injection and consumption: none
  std::uint16_t channel = 0;  ///< index into inbound / outbound of the RouterPlan: the physical link; of an
                              ///< injection or consumption channel: its number in the router
  std::uint16_t vc = 0;       ///< number within that physical link, the same at both ends
  VcClass vc_class{};
  std::uint16_t lane = 0;
  std::int32_t crossbar = -1;  ///< index of its crossbar; injection and consumption channels: -1, all
  std::string name;            ///< "x_plus.star0.1", for waveforms, events and messages
  /// Of a link's VC: the port and the rest of the name.
  [[nodiscard]] std::pair<std::string_view, std::string_view> parts() const {
    const std::string_view whole = name;
    const auto dot = whole.find('.');
    return {whole.substr(0, dot), whole.substr(dot + 1)};
  }
  friend bool operator==(const VcPlan&, const VcPlan&) = default;
};

/// One physical link at one end: VCs first .. first+count-1 of the inputs or outputs ride on it.
struct ChannelPlan {
  PortId port{};
  std::uint16_t replica = 0;  ///< which of the parallel links
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  std::uint16_t depth = 0;  ///< flits in each input buffer at the receiving end
  LinkSharing sharing = LinkSharing::kDemand;
  friend bool operator==(const ChannelPlan&, const ChannelPlan&) = default;
};

/// A service group (MessageClasses) at one router.
struct ServicePlan {
  std::uint8_t level = 0;
  std::uint32_t weight = 1;
  std::vector<std::uint16_t> outputs;  ///< that its packets take, consumption channels included
  friend bool operator==(const ServicePlan&, const ServicePlan&) = default;
};

/// Where an interface of a terminal (MessageClasses) enters or leaves the network.
struct TerminalEnd {
  TerminalId terminal{};
  std::uint8_t interface = 0;
  friend bool operator==(const TerminalEnd&, const TerminalEnd&) = default;
};

/// Different terminals of a list in which those of one terminal stand together.
[[nodiscard]] std::size_t terminals_of(const std::vector<TerminalEnd>& ends);

/// Inputs: the VCs of all inbound channels, then those of the injection channels, interface by interface
/// (MessageClasses; mostly each terminal has one), each with its retransmission buffers at the end. Unlimited
/// injection channels: for each interface the place where headers wait, any number of them, then one input
/// for the worm that has output o, for each output. Outputs: the VCs of all outbound channels, then those of
/// the consumption channels (none if unlimited).
struct RouterPlan {
  std::vector<VcPlan> inputs;
  std::vector<VcPlan> outputs;
  std::vector<ChannelPlan> inbound;
  std::vector<ChannelPlan> outbound;
  std::uint16_t injecting = 0;  ///< interfaces of terminals that inject here, terminal by terminal
  std::uint16_t consuming = 0;
  bool same_terminals = true;         ///< those that consume are those that inject, in the same order
  std::uint16_t injection_vcs = 1;    ///< inputs per interface, retransmission buffers included
  std::uint16_t consumption_vcs = 1;  ///< outputs per interface
  std::uint16_t crossbars = 1;
  std::uint16_t classes = 0;  ///< stride of `outputs_of`
  /// outputs_of[port * classes + class]: the output VCs (all lanes, all parallel links) of a candidate.
  std::vector<std::vector<std::uint16_t>> outputs_of;
  /// For each `prefer` selector of the description, the outputs that match it.
  std::vector<std::vector<std::uint16_t>> preferred;
  /// By message class, the outputs on links that its packets may take; empty: each may take all.
  std::vector<std::vector<std::uint16_t>> of_message_class;
  /// Service groups, which share no output; empty: there is one, and arbiters know no classes.
  std::vector<ServicePlan> service;
  friend bool operator==(const RouterPlan&, const RouterPlan&) = default;

  /// May packets of this message class take this output on a link?
  [[nodiscard]] bool may_take(std::uint16_t output, std::uint8_t message_class) const;
  /// Calls f(output) for those that a header of this message class may take by this candidate.
  template <class F>
  void each_choice(Candidate candidate, std::uint8_t message_class, F&& f) const {
    for (const std::uint16_t output : outputs_of[index(candidate.port) * classes + index(candidate.vc_class)])
      if ((candidate.lane == kAnyLane || outputs[output].lane == candidate.lane) &&
          may_take(output, message_class))
        f(output);
  }
  /// How many are there?
  [[nodiscard]] std::size_t choices(Candidate candidate, std::uint8_t message_class) const;

  /// Inputs and outputs below these ride on links.
  [[nodiscard]] std::size_t link_inputs() const {
    return inputs.size() - std::size_t{injecting} * injection_vcs;
  }
  [[nodiscard]] std::size_t link_outputs() const {
    return outputs.size() - std::size_t{consuming} * consumption_vcs;
  }
  /// First input of the interface that injects there with this number, first output of one that consumes.
  [[nodiscard]] std::size_t injection(std::size_t slot) const { return link_inputs() + slot * injection_vcs; }
  [[nodiscard]] std::size_t consumption(std::size_t slot) const {
    return link_outputs() + slot * consumption_vcs;
  }
};

/// How a fabric carries messages with several destinations.
struct MulticastPlan {
  std::shared_ptr<const MulticastPlanner> planner;
  std::shared_ptr<const RoutingRelation> relation;  ///< of planned worms, between their stops
  std::shared_ptr<const ConsumptionRule> consumption;
  /// Messages with one destination are planned as well; else they follow the relation of the fabric.
  bool plans_unicasts = true;
};

/// Plans of all routers of a fabric; equal ones are one object.
struct FabricPlan {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
  NodeDescriptions nodes;                                  ///< by RouterId
  LinkDescriptions links;                                  ///< by LinkId
  std::vector<std::shared_ptr<const RouterPlan>> routers;  ///< by RouterId
  std::vector<std::vector<TerminalEnd>> injecting;         ///< by RouterId: what injects there, by slot
  std::vector<std::vector<TerminalEnd>> consuming;         ///< by RouterId
  std::optional<MulticastPlan> multicast;                  ///< absent: every message has one destination
  MessageClasses message_classes;
  std::vector<std::uint8_t> planes = {};  ///< by RouterId: its plane (Planes); empty: there are none
  /// By lanes and parallel links: VCs of the link with fixed slots that has most.
  std::map<std::pair<unsigned, unsigned>, unsigned> most_slots = {};

  /// Number of the plane that the router is in.
  [[nodiscard]] std::size_t plane(RouterId router) const {
    return planes.empty() ? 0 : planes[index(router)];
  }
  /// May packets of the class come to the router? They stay in one plane.
  [[nodiscard]] bool carries(RouterId router, std::size_t message_class) const {
    return planes.empty() || planes[index(router)] == message_classes[message_class].attachment;
  }
  /// Calls f(terminal) for those that inject, or consume, packets of the class at the router.
  template <class F>
  void each_injecting(RouterId router, std::size_t message_class, F&& f) const {
    for (const TerminalEnd& end : injecting[index(router)])
      if (end.interface == message_classes[message_class].interface) f(end.terminal);
  }
  template <class F>
  void each_consuming(RouterId router, std::size_t message_class, F&& f) const {
    for (const TerminalEnd& end : consuming[index(router)])
      if (end.interface == message_classes[message_class].interface) f(end.terminal);
  }
  /// Is there one?
  [[nodiscard]] bool injects(RouterId router, std::size_t message_class) const {
    bool any = false;
    each_injecting(router, message_class, [&](TerminalId) { any = true; });
    return any;
  }
  [[nodiscard]] bool consumes(RouterId router, std::size_t message_class) const {
    bool any = false;
    each_consuming(router, message_class, [&](TerminalId) { any = true; });
    return any;
  }
  /// Where packets of a class enter and leave.
  [[nodiscard]] RouterId injection_router(TerminalId terminal, std::size_t message_class) const {
    return topology->injection_router(terminal, message_classes[message_class].attachment);
  }
  [[nodiscard]] RouterId consumption_router(TerminalId terminal, std::size_t message_class) const {
    return topology->consumption_router(terminal, message_classes[message_class].attachment);
  }
  /// What most routers are like; of a key that is the same at all of them, what all are like.
  [[nodiscard]] const NodeDescription& common_node() const { return nodes.kinds().front(); }
  /// Largest over all routers.
  template <class F>
  [[nodiscard]] unsigned most(F&& of_node) const {
    unsigned most = 0;
    for (const NodeDescription& node : nodes.kinds()) most = std::max<unsigned>(most, of_node(node));
    return most;
  }
  [[nodiscard]] const NodeDescription& sender(LinkId link) const {
    return nodes[topology->links()[index(link)].from];
  }
  // What both ends agree on is the link's, else its sender's.
  [[nodiscard]] unsigned lanes(LinkId link) const {
    return links[link].shape.lanes.value_or(sender(link).lanes);
  }
  [[nodiscard]] unsigned parallel_links(LinkId link) const {
    return links[link].shape.parallel_links.value_or(sender(link).parallel_links);
  }
  [[nodiscard]] LinkSharing sharing(LinkId link) const {
    return links[link].shape.sharing.value_or(sender(link).link_sharing);
  }
  /// VCs that share the link in fixed slots, used or not: as many as any such link has that is made alike. 1:
  /// they share it on demand.
  [[nodiscard]] unsigned slots(LinkId link) const {
    if (sharing(link) != LinkSharing::kFixedSlot) return 1;
    const auto found = most_slots.find({lanes(link), parallel_links(link)});
    return found == most_slots.end() ? 1 : found->second;
  }
  /// No link has more.
  [[nodiscard]] unsigned most_lanes() const {
    unsigned lanes = most([](const NodeDescription& node) { return node.lanes; });
    for (const LinkDescription& link : links.kinds()) lanes = std::max(lanes, link.shape.lanes.value_or(1));
    return lanes;
  }
};

/// What a fabric is planned from.
struct FabricParts {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
  NodeDescriptions nodes = {};
  LinkDescriptions links = {};
  std::shared_ptr<const MulticastPlanner> planner = nullptr;  ///< null: every message has one destination
  bool plans_unicasts = true;                                 ///< see MulticastPlan
  MessageClasses message_classes = {};
};

/// Throws ConfigError where the partition does not fit the relation: unknown field or value, a VC that
/// matches no crossbar or two, a class whose lanes cannot be spread over the parallel links; where the links
/// do not fit the nodes (credit_order); and with a planner, where its worms need what the node or the
/// relation does not give.
FabricPlan plan_fabric(FabricParts parts);

/// Can worms of this node serve several destinations, or wait for classes of consumption channels? Empty:
/// yes; else what keeps them from it, as the key and the remedy.
[[nodiscard]] std::optional<Diagnostic> multicast_obstacle(const NodeDescription& node);

}  // namespace noctule
