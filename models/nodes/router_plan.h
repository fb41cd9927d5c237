#pragma once
// The router that a node description makes of a routing relation at one place of a topology: which inputs
// and outputs there are, in which crossbar each belongs, on which physical link it rides. Plain data, shared
// by all routers that are built alike; simulated and verified alike.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nodes/node_description.h"
#include "routing/relation.h"
#include "topology/topology.h"

namespace noctule {

/// One virtual channel as seen at one end of its link.
struct VcPlan {
  PortId port{};              ///< direction
  std::uint16_t channel = 0;  ///< index into inbound / outbound of the RouterPlan: the physical link
  std::uint16_t vc = 0;       ///< number within that physical link, the same at both ends
  VcClass vc_class{};
  std::uint16_t lane = 0;
  std::int32_t crossbar = -1;  ///< index of its crossbar; injection and consumption channels: -1, all
  std::string name;            ///< "x_plus.star0.1", for waveforms, events and messages
  friend bool operator==(const VcPlan&, const VcPlan&) = default;
};

/// One physical link at one end: VCs first .. first+count-1 of the inputs or outputs ride on it.
struct ChannelPlan {
  PortId port{};
  std::uint16_t replica = 0;  ///< which of the parallel links
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  friend bool operator==(const ChannelPlan&, const ChannelPlan&) = default;
};

/// Inputs: the VCs of all inbound channels, then the injection channels. Outputs: the VCs of all outbound
/// channels, then the consumption channels. One injection and one consumption channel per terminal.
struct RouterPlan {
  std::vector<VcPlan> inputs;
  std::vector<VcPlan> outputs;
  std::vector<ChannelPlan> inbound;
  std::vector<ChannelPlan> outbound;
  std::uint16_t terminals = 0;
  std::uint16_t crossbars = 1;
  std::uint16_t classes = 0;  ///< stride of `outputs_of`
  /// outputs_of[port * classes + class]: the output VCs (all lanes, all parallel links) of a candidate.
  std::vector<std::vector<std::uint16_t>> outputs_of;
  /// For each `prefer` selector of the description, the outputs that match it.
  std::vector<std::vector<std::uint16_t>> preferred;
  friend bool operator==(const RouterPlan&, const RouterPlan&) = default;

  [[nodiscard]] std::size_t injection(std::size_t terminal) const {
    return inputs.size() - terminals + terminal;
  }
  [[nodiscard]] std::size_t consumption(std::size_t terminal) const {
    return outputs.size() - terminals + terminal;
  }
};

/// Plans of all routers of a fabric; equal ones are one object.
struct FabricPlan {
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
  NodeDescription node;
  std::vector<std::shared_ptr<const RouterPlan>> routers;  ///< by RouterId
  std::vector<std::vector<TerminalId>> terminals;          ///< by RouterId
};

/// Throws ConfigError where the partition does not fit the relation: unknown field or value, a VC that
/// matches no crossbar or two, a class whose lanes cannot be spread over the parallel links.
FabricPlan plan_fabric(std::shared_ptr<const Topology> topology,
                       std::shared_ptr<const RoutingRelation> relation, NodeDescription node);

}  // namespace noctule
