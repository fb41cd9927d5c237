#include "rtl/pin_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "topology/cube_geometry.h"

namespace noctule {
namespace {

/// VCs of a link that leaves a router of this node by `port`, one of several in parallel: all classes that
/// the relation has there.
unsigned vcs_of(const FabricPlan& plan, const NodeDescription& node, PortId port) {
  unsigned classes = 0;
  for (const Link& link : plan.topology->links())
    if (link.out == port) classes = std::max(classes, plan.relation->classes(link));
  return classes * (node.lanes / node.parallel_links);
}

/// "x" of "x_plus".
std::string axis_of(const std::string& port) {
  return port.substr(0, port.find('_'));
}

void check(const FabricPlan& plan, const NodeDescription& node) {
  const auto refuse = [](const char* key, std::string why) { throw ConfigError(key, std::move(why)); };
  if (node.parallel_links > 1 && node.link_assignment != LinkAssignment::kMixed)
    refuse("node.link_assignment", "the pins of routers in hardware know parallel links that are 'mixed'");
  if (node.lanes % node.parallel_links != 0)
    refuse("node.lanes", fmt::format("{} lanes do not spread evenly over {} parallel links, as the pins of "
                                     "routers in hardware need it",
                                     node.lanes, node.parallel_links));
  if (node.injection_channels != 1)
    refuse("node.injection_channels", "routers in hardware have one injection channel: 1");
  if (node.consumption_channels != 1)
    refuse("node.consumption_channels", "routers in hardware have one consumption channel: 1");
  for (std::size_t p = 0; p < plan.topology->most_ports(); ++p)
    if (const unsigned vcs = vcs_of(plan, node, PortId(p)); vcs > 64)
      refuse("node.lanes",
             fmt::format("{} VCs on a link; the pins of routers in hardware have at most 64", vcs));
}

}  // namespace

PinMap::PinMap(const FabricPlan& plan, RouterId router) : format_(plan), node_(plan.nodes[router]) {
  check(plan, node_);
  const RouterPlan& router_plan = *plan.routers[index(router)];
  for (const auto& outputs : router_plan.of_message_class) {
    std::uint64_t lanes = 0;
    for (const std::uint16_t o : outputs) lanes |= std::uint64_t{1} << router_plan.outputs[o].lane;
    lanes_of_class_.push_back(lanes);
  }
  const Topology& topology = *plan.topology;
  const auto& cube = *topology.geometry<CubeGeometry>();  // as FlitFormat has made sure
  const unsigned dimensions = cube.dimensions();
  for (const char* what : {"{}_i", "last_{}_i"})
    for (unsigned d = 0; d < dimensions; ++d)
      add(inputs_,
          fmt::format(fmt::runtime(what), axis_of(CubeGeometry::direction_name(CubeGeometry::plus(d)))),
          format_.coordinate_bits());
  positions_.resize(topology.routers());
  for (std::size_t r = 0; r < topology.routers(); ++r) {
    for (unsigned d = 0; d < dimensions; ++d) positions_[r].push_back(cube.coordinate(RouterId(r), d));
    for (unsigned d = 0; d < dimensions; ++d) positions_[r].push_back(cube.radix(d) - 1);
  }
  for (std::size_t p = 0; p < topology.most_ports(); ++p) {
    const unsigned vcs = vcs_of(plan, node_, PortId(p));
    if (vcs == 0) continue;
    for (unsigned replica = 0; replica < node_.parallel_links; ++replica) {
      std::string name = CubeGeometry::direction_name(PortId(p));
      if (node_.parallel_links > 1) name += "_" + std::to_string(replica);
      inbound_.push_back(add_link(name, PortId(p), static_cast<std::uint16_t>(replica), vcs, true, true));
      outbound_.push_back(add_link(name, PortId(p), static_cast<std::uint16_t>(replica), vcs, false, true));
    }
  }
  injection_ = add_link("injection", {}, 0, node_.injection_vcs, true, node_.injection_vcs > 1);
  const unsigned places = node_.consumption_vcs;
  consumption_.name = "consumption";
  consumption_.vcs = static_cast<std::uint16_t>(places);
  consumption_.valid = add(outputs_, "consumption_valid_o", 1);
  if (places > 1) consumption_.vc = add(outputs_, "consumption_vc_o", places);
  consumption_.flit = add(outputs_, "consumption_flit_o", format_.flit_bits());
  consumption_.credit = add(inputs_, "consumption_ready_i", 1);
}

std::vector<std::uint64_t> PinMap::at_rest(RouterId router) const {
  std::vector<std::uint64_t> in(inputs_.size());
  const auto& position = positions_[index(router)];
  std::copy(position.begin(), position.end(), in.begin());
  in[consumption_.credit] = 1;
  return in;
}

std::uint16_t PinMap::add(std::vector<Pin>& pins, const std::string& name, unsigned width) {
  pins.push_back({name, width});
  return static_cast<std::uint16_t>(pins.size() - 1);
}

LinkPins PinMap::add_link(const std::string& name, PortId port, std::uint16_t replica, unsigned vcs,
                          bool inbound, bool vc_pin) {
  auto& forward = inbound ? inputs_ : outputs_;
  auto& back = inbound ? outputs_ : inputs_;
  const char* const to = inbound ? "i" : "o";
  LinkPins link{name, port, replica, static_cast<std::uint16_t>(vcs)};
  link.valid = add(forward, fmt::format("{}_valid_{}", name, to), 1);
  if (vc_pin) link.vc = add(forward, fmt::format("{}_vc_{}", name, to), vcs);
  link.flit = add(forward, fmt::format("{}_flit_{}", name, to), format_.flit_bits());
  link.credit = add(back, fmt::format("{}_credit_{}", name, inbound ? "o" : "i"), vcs);
  return link;
}

RouterPins::RouterPins(const PinMap& map, const RouterPlan& plan)
    : input_at(map.inbound().size()), output_at(map.outbound().size()) {
  const unsigned links = map.node().parallel_links;
  const unsigned lanes = map.node().lanes / links;
  const auto bit_of = [&](const VcPlan& vc) {
    return static_cast<std::uint8_t>(index(vc.vc_class) * lanes + vc.lane / links);
  };
  const auto add = [&](bool in) {
    const auto& pins = in ? map.inbound() : map.outbound();
    const auto& vcs = in ? plan.inputs : plan.outputs;
    auto& channels = in ? inbound : outbound;
    auto& links_of = in ? input : output;
    auto& bits = in ? input_bit : output_bit;
    auto& at = in ? input_at : output_at;
    for (std::size_t l = 0; l < pins.size(); ++l) at[l].assign(pins[l].vcs, kNoSlot);
    for (const ChannelPlan& channel : in ? plan.inbound : plan.outbound) {
      const auto link = std::find_if(pins.begin(), pins.end(), [&](const LinkPins& l) {
        return l.port == channel.port && l.replica == channel.replica;
      });
      if (link == pins.end()) throw InternalError("a link of the plan has no pins");
      channels.push_back(&*link);
      for (std::uint16_t n = 0; n < channel.count; ++n) {
        const std::size_t place = channel.first + n;
        links_of.push_back(&*link);
        bits.push_back(bit_of(vcs[place]));
        at[static_cast<std::size_t>(link - pins.begin())][bits.back()] = static_cast<std::uint16_t>(place);
      }
    }
    const LinkPins& own = in ? map.injection() : map.consumption();
    for (std::uint8_t v = 0; v < own.vcs; ++v) {
      links_of.push_back(&own);
      bits.push_back(v);
    }
  };
  add(true);
  add(false);
}

}  // namespace noctule
