#pragma once
// Networks that are no cubes.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/rng.h"
#include "topology/builder.h"

namespace noctule {

/// A topology of a registered kind, with some keys set.
inline std::shared_ptr<const Topology> topology_of(const std::string& kind,
                                                   const Json& set = Json::object()) {
  auto keys = Parameters::defaults(TopologyRegistry::instance().at(kind).parameters);
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return make_topology(kind, keys);
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

}  // namespace noctule
