#include "config/planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "config/decode.h"
#include "config/implied.h"
#include "config/merge.h"
#include "config/schema.h"
#include "routing/planes_relation.h"
#include "topology/planes.h"

namespace noctule {
namespace {

constexpr const char* kKey = "planes";
/// The sections that describe a network.
constexpr std::array kSections{"topology", "without", "node", "nodes", "routing", "link", "links"};

/// Runs f; its errors are those of a plane: of what it sets, else of what holds in it as everywhere.
template <class F>
auto in_plane(const std::string& name, const Json& set, F&& f) {
  try {
    return f();
  } catch (const ConfigError& error) {
    auto diagnostics = error.diagnostics();
    for (auto& d : diagnostics) {
      const auto own = std::ranges::any_of(set.items(), [&](const auto& item) {
        return is_within(d.key, item.key()) || is_within(item.key(), d.key);
      });
      if (own)
        d.key = fmt::format("{}.{}.set.{}", kKey, name, d.key);
      else
        d.message += fmt::format(" (plane '{}')", name);
      d.place.clear();
    }
    throw ConfigError(std::move(diagnostics));
  }
}

/// The sections of a plane's network, complete.
Json network_of(const Json& resolved, const Json& set) {
  Json own = Json::object();
  for (const char* section : kSections) own[section] = resolved.at(section);
  own["implied"] = Json::array();
  for (const auto& key : resolved.value("implied", Json::array()))
    if (std::ranges::any_of(kSections, [&](const char* s) { return is_within(key.get<std::string>(), s); }))
      own["implied"].push_back(key);
  ConfigNode document = node_from_json(own, {});
  drop_implied(document);
  for (const auto& [key, value] : set.items())
    merge_at(configuration_schema(), document, key, node_from_json(value, {}));
  Decoded decoded = complete(document);
  if (!decoded.faults.empty()) throw to_error(std::move(decoded.faults));
  Json network = Json::object();
  for (const char* section : kSections) network[section] = decoded.values.at(section);
  return network;
}

void check_classes(const Json& resolved, const ReportContradiction& report) {
  const Json& classes = resolved.at("message_classes");
  std::map<std::string, std::string> carrier;
  for (const auto& [name, plane] : resolved.at(kKey).items())
    for (const Json& carried : plane.at("classes")) {
      const auto c = carried.get<std::string>();
      const std::string key = fmt::format("{}.{}.classes", kKey, name);
      if (!classes.contains(c))
        report(key, fmt::format("there is no message class '{}'; name it in message_classes", c));
      const auto [known, fresh] = carrier.emplace(c, name);
      if (!fresh)
        report(key,
               fmt::format("plane '{}' carries class '{}' too; give each class one plane", known->second, c));
    }
  for (const auto& [c, unused] : classes.items())
    if (!carrier.contains(c))
      report(fmt::format("message_classes.{}", c),
             fmt::format("no plane carries it; name '{}' in the classes of one of planes", c));
}

/// Keys of a plane that are of no network.
bool check_keys(const std::string& name, const Json& plane, const ReportContradiction& report) {
  bool right = true;
  for (const auto& item : plane.at("set").items()) {
    const std::string& key = item.key();
    if (std::ranges::any_of(kSections, [&](const char* s) { return is_within(key, s); })) continue;
    right = false;
    report(fmt::format("{}.{}.set.{}", kKey, name, key),
           fmt::format(
               "'{}' is not of one plane but of the whole fabric; a plane has keys of {}, and the others "
               "stand outside of it",
               key, fmt::join(kSections, ", ")));
  }
  return right;
}

}  // namespace

void check_planes(const Json& resolved, const ReportContradiction& report) {
  const Json& planes = resolved.at(kKey);
  if (planes.empty()) return;
  if (planes.size() < 2)
    return report(kKey,
                  "there is one plane only; leave it out, and give its keys in the sections of the fabric");
  if (resolved.at("multicast").at("planner") != "none")
    report(kKey,
           "a multicast.planner plans messages of one class in one network; leave out planes, or the "
           "planner");
  check_classes(resolved, report);
  for (const auto& [name, plane] : planes.items()) {
    if (!check_keys(name, plane, report)) continue;
    const Json& set = plane.at("set");
    try {
      const Json network = in_plane(name, set, [&] { return network_of(resolved, set); });
      static_cast<void>(network);
    } catch (const ConfigError& error) {
      for (const auto& d : error.diagnostics()) report(d.key, d.message);
    }
  }
}

Json planes_part(const Json& resolved) {
  const Json& planes = resolved.at(kKey);
  if (planes.is_array()) return planes;
  Json part = Json::array();
  for (const auto& [name, plane] : planes.items()) {
    const Json& set = plane.at("set");
    part.push_back({{"name", name},
                    {"classes", plane.at("classes")},
                    {"set", set},
                    {"network", in_plane(name, set, [&] { return network_of(resolved, set); })}});
  }
  return part;
}

std::uint8_t plane_of_class(const Json& planes, const std::string& message_class) {
  for (std::size_t k = 0; k < planes.size(); ++k)
    for (const auto& c : planes[k].at("classes"))
      if (c == message_class) return static_cast<std::uint8_t>(k);
  return 0;
}

namespace {

/// Calls f(plane's part of the configuration, the plane), plane by plane, with the errors of each.
template <class F>
void each_plane(const FabricConfig& fabric, const Topology& topology, F&& f) {
  const auto& planes = require_geometry<Planes>(topology, kKey, "a fabric with planes");
  for (std::size_t k = 0; k < fabric.planes.size(); ++k)
    in_plane(fabric.planes[k].name, fabric.planes[k].set, [&] { f(fabric.planes[k].network, planes[k]); });
}

}  // namespace

std::shared_ptr<const Topology> make_topology(const FabricConfig& fabric) {
  if (fabric.planes.empty()) return make_topology(static_cast<const NetworkConfig&>(fabric));
  std::vector<std::pair<std::string, std::shared_ptr<const Topology>>> networks;
  for (const PlaneConfig& plane : fabric.planes)
    networks.emplace_back(plane.name,
                          in_plane(plane.name, plane.set, [&] { return make_topology(plane.network); }));
  return std::make_shared<const Topology>(join_planes(networks));
}

std::shared_ptr<const RoutingRelation> make_routing(const FabricConfig& fabric,
                                                    std::shared_ptr<const Topology> topology) {
  if (fabric.planes.empty())
    return make_routing(static_cast<const NetworkConfig&>(fabric), std::move(topology));
  std::vector<std::shared_ptr<const RoutingRelation>> relations;
  each_plane(fabric, *topology, [&](const NetworkConfig& network, const Planes::Plane& plane) {
    relations.push_back(make_routing(network, plane.network));
  });
  return std::make_shared<const PlanesRelation>(std::move(topology), relations);
}

NodeKinds node_kinds(const FabricConfig& fabric, const Topology& topology) {
  if (fabric.planes.empty()) return node_kinds(static_cast<const NetworkConfig&>(fabric), topology);
  NodeKinds all;
  each_plane(fabric, topology, [&](const NetworkConfig& network, const Planes::Plane& plane) {
    const NodeKinds own = node_kinds(network, *plane.network);
    const auto first = static_cast<std::uint32_t>(all.kinds.size());
    all.kinds.insert(all.kinds.end(), own.kinds.begin(), own.kinds.end());
    for (std::uint32_t r = 0; r < plane.network->routers(); ++r)
      all.kind.push_back(first + static_cast<std::uint32_t>(own.number(RouterId{r})));
  });
  return all;
}

LinkDescriptions make_links(const FabricConfig& fabric, const Topology& topology) {
  if (fabric.planes.empty()) return make_links(static_cast<const NetworkConfig&>(fabric), topology);
  LinkDescriptions all(fabric.planes.front().network.link);
  each_plane(fabric, topology, [&](const NetworkConfig& network, const Planes::Plane& plane) {
    const LinkDescriptions own = make_links(network, *plane.network);
    for (std::uint32_t l = 0; l < plane.network->links().size(); ++l)
      all.set(LinkId{plane.first_link + l}, own[LinkId{l}], topology.links().size(), "links");
  });
  all.settle();
  return all;
}

std::vector<std::optional<RtlSource>> rtl_routers(const FabricConfig& fabric, const Topology& topology) {
  if (fabric.planes.empty()) return rtl_routers(static_cast<const NetworkConfig&>(fabric), topology);
  each_plane(fabric, topology, [](const NetworkConfig& network, const Planes::Plane& plane) {
    if (!rtl_routers(network, *plane.network).empty())
      throw ConfigError("nodes", "routers in hardware are of one network; leave out rtl, or planes");
  });
  return {};
}

TrafficNetwork traffic_network(const FabricConfig& fabric, std::shared_ptr<const Topology> topology,
                               const LinkDescriptions& links) {
  if (fabric.planes.empty()) return {std::move(topology), links};
  const std::size_t k = fabric.message_classes[0].attachment;
  const auto network = require_geometry<Planes>(*topology, kKey, "a fabric with planes")[k].network;
  return {network, make_links(fabric.planes[k].network, *network)};
}

}  // namespace noctule
