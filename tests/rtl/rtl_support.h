#pragma once
// Shared by the tests of routers at their pins: fabrics by name, and a router whose pins are set and read by
// name.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "nodes/router_plan.h"
#include "rtl/pin_map.h"
#include "rtl/reference_router.h"
#include "support/cube_network.h"
#include "support/nodes.h"

namespace noctule::rtl_test {

/// Node keys of a model with some changed; routing of the model, or the one that is named.
struct Setting {
  std::string model = "generic";
  Json node = Json::object();
  std::vector<unsigned> radix{4, 4};
  bool wrap = false;
  std::string routing;
  Json routing_keys = Json::object();
  std::vector<MessageClass> classes = {};  ///< empty: one
};

inline FabricPlan plan_of(const Setting& setting) {
  const auto topology = std::make_shared<const CubeNetwork>(
      setting.radix, std::vector<bool>(setting.radix.size(), setting.wrap));
  const auto& entry = RoutingRegistry::instance().at(
      setting.routing.empty() ? NodeRegistry::instance().at(setting.model).make().routing : setting.routing);
  Parameters routing = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : setting.routing_keys.items()) routing.set(key, value);
  FabricParts parts{topology, entry.make(topology, routing), node_of(setting.model, setting.node)};
  if (!setting.classes.empty()) parts.message_classes = MessageClasses(setting.classes);
  return plan_fabric(std::move(parts));
}

inline std::vector<RouterId> every_router(const FabricPlan& plan) {
  std::vector<RouterId> all;
  for (std::size_t r = 0; r < plan.routers.size(); ++r) all.push_back(RouterId(r));
  return all;
}

/// The nodes that exist in hardware.
inline Setting star_channels(unsigned k = 4) {
  return {"star_channels", {{"selection", "rotating"}}, {k, k}, true, {}, Json::object()};
}
inline Setting four_classes(unsigned k = 4) {
  return {"four_classes", {{"selection", "rotating"}}, {k, k}, true, {}, Json::object()};
}
inline Setting linder_harden(unsigned k = 4) {
  return {"linder_harden", {{"selection", "rotating"}}, {k, k}, true, {}, Json::object()};
}
inline Setting oblivious(unsigned k = 4) {
  return {"oblivious", {{"selection", "first"}}, {k, k}, true, {}, Json::object()};
}
inline Setting input_queued() {
  return {"input_queued", {{"routing_delay", 0}, {"switch_allocation_delay", 0}}, {4, 4}, false, {},
          Json::object()};
}
/// Requests on lanes 0 and 1, responses on 2 and 3.
inline Setting two_classes() {
  Setting setting = input_queued();
  setting.classes = {{"request", {{"lane", {"0", "1"}}}}, {"response", {{"lane", {"2", "3"}}}}};
  return setting;
}
/// Buffers of one flit, dimension order on a mesh.
inline Setting unit(Json node = Json::object()) {
  node["selection"] = "first";
  return {"generic", std::move(node), {4, 4}, false, {}, Json::object()};
}

/// A flit as a test writes it: worm `tag`, all of it going to `to`.
struct Worm {
  std::uint32_t tag = 0;
  std::vector<unsigned> to;
  std::uint32_t length = 1;
  RouteState state = 0;
  std::uint8_t message_class = 0;
};

/// One router and its pins.
template <class Router = ReferenceRouter>
class Bench {
 public:
  Bench(const Setting& setting, std::vector<unsigned> at)
      : plan(plan_of(setting)),
        id(plan.topology->geometry<CubeGeometry>()->router_at(at)),
        map(std::make_shared<const PinMap>(plan, id)) {
    router = std::make_unique<Router>(map, plan, id);
    in = map->at_rest(id);
    out.resize(map->outputs().size());
    router->reset(in.data(), out.data());
  }

  /// Input pin in this cycle; without it, at rest.
  void set(const std::string& pin, std::uint64_t value) { in[place(map->inputs(), pin)] = value; }
  [[nodiscard]] std::uint64_t get(const std::string& pin) const { return out[place(map->outputs(), pin)]; }
  /// Flit number n of the worm, as it is on the pins.
  [[nodiscard]] std::uint64_t flit(const Worm& worm, std::uint32_t n = 0) const {
    Packet packet;
    packet.destination_router = (*plan.topology->geometry<CubeGeometry>()).router_at(worm.to);
    packet.route_state = worm.state;
    packet.message_class = worm.message_class;
    return map->format().encode(Flit::of(PacketHandle(worm.tag), n, worm.length), packet);
  }
  /// It is on an inbound link or the injection channel in this cycle.
  void send(const std::string& link, std::uint64_t vc, const Worm& worm, std::uint32_t n = 0) {
    set(link + "_valid_i", 1);
    if (link != "injection" || map->injection().vc != LinkPins::kAbsent) set(link + "_vc_i", vc);
    set(link + "_flit_i", flit(worm, n));
  }
  /// The next cycle.
  void tick() {
    router->step(in.data(), out.data());
    in = map->at_rest(id);
    ++cycle;
  }
  void tick(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) tick();
  }
  /// Names of the output pins that are not 0, sorted.
  [[nodiscard]] std::vector<std::string> active() const {
    std::vector<std::string> names;
    for (std::size_t p = 0; p < out.size(); ++p)
      if (out[p] != 0) names.push_back(map->outputs()[p].name);
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Tag of the worm whose flit is on an outbound link or the consumption channel, or -1.
  [[nodiscard]] int tag(const std::string& link) const {
    if (get(link + "_valid_o") == 0) return -1;
    return static_cast<int>(map->format().packet(get(link + "_flit_o")));
  }

  FabricPlan plan;
  RouterId id{};
  std::shared_ptr<const PinMap> map;
  std::unique_ptr<Router> router;
  std::vector<std::uint64_t> in;
  std::vector<std::uint64_t> out;
  Cycle cycle = 0;

 private:
  static std::size_t place(const std::vector<Pin>& pins, const std::string& name) {
    for (std::size_t p = 0; p < pins.size(); ++p)
      if (pins[p].name == name) return p;
    throw InternalError("no pin " + name);
  }
};

}  // namespace noctule::rtl_test
