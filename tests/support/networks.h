#pragma once
// Topologies and relations by their names, random networks, and distances by another text.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/rng.h"
#include "routing/relation.h"
#include "topology/builder.h"

namespace noctule {

/// Can what is registered be made from the defaults of its keys?
inline bool has_defaults(const RegistryEntryInfo& entry) {
  return std::ranges::none_of(entry.parameters, [](const Parameter& key) { return key.required; });
}

/// A topology of a registered kind, with some keys set.
inline std::shared_ptr<const Topology> topology_of(const std::string& kind,
                                                   const Json& set = Json::object()) {
  auto keys = Parameters::defaults(TopologyRegistry::instance().at(kind).parameters);
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return make_topology(kind, keys);
}

/// A registered relation, with some keys set.
inline std::shared_ptr<const RoutingRelation> relation_on(std::shared_ptr<const Topology> topology,
                                                          const std::string& algorithm,
                                                          const Json& set = Json::object()) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make(std::move(topology), parameters);
}

/// By router: hops from one of them along the links. The look-out of the tests: it shares nothing with the
/// distances of a topology.
inline std::vector<unsigned> hops_from(const Topology& t, RouterId from) {
  std::vector<unsigned> hops(t.routers(), kUnreachable);
  std::vector<RouterId> queue{from};
  hops[index(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Link& link : t.links())
      if (link.from == queue[i] && hops[index(link.to)] == kUnreachable) {
        hops[index(link.to)] = hops[index(queue[i])] + 1;
        queue.push_back(link.to);
      }
  return hops;
}

/// Routers with a terminal each, joined both ways.
inline std::shared_ptr<const Topology> graph_of(
    std::uint32_t routers, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  std::vector<std::uint16_t> degree(routers);
  for (const auto& [a, b] : pairs) ++degree[a], ++degree[b];
  TopologyBuilder builder;
  for (std::uint32_t r = 0; r < routers; ++r) {
    std::vector<std::string> ports;
    for (unsigned p = 0; p < degree[r]; ++p) ports.push_back("port_" + std::to_string(p));
    builder.add_routers(1, ports);
    builder.add_terminal(RouterId{r});
  }
  std::vector<std::uint16_t> next(routers);
  for (const auto& [a, b] : pairs) {
    const auto at_a = PortId(next[a]++);
    const auto at_b = PortId(next[b]++);
    builder.connect(RouterId{a}, at_a, RouterId{b}, at_b);
    builder.connect(RouterId{b}, at_b, RouterId{a}, at_a);
  }
  return std::make_shared<const Topology>(std::move(builder).build());
}

/// Links both ways between routers that a spanning tree and so many more pairs join; one terminal at each.
inline std::shared_ptr<const Topology> random_graph(std::uint32_t routers, std::uint32_t more, Rng& rng) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t r = 1; r < routers; ++r) pairs.emplace_back(rng.below(r), r);
  for (std::uint32_t i = 0; i < more; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(routers));
    const auto b = static_cast<std::uint32_t>(rng.below(routers));
    if (a != b) pairs.emplace_back(a, b);
  }
  return graph_of(routers, pairs);
}

}  // namespace noctule
