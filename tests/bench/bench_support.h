#pragma once
// Shared by the micro-benchmarks: parts from the registries with their defaults.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "nodes/router_plan.h"
#include "patterns/pattern.h"
#include "support/nodes.h"
#include "topology/cube_geometry.h"
#include "traffic/source.h"

namespace noctule::bench {

/// The torus of the paper's size that still fits into a cache.
inline std::shared_ptr<const Topology> torus(unsigned radix = 15) {
  return std::make_shared<const Topology>(make_cube({radix, radix}, {true, true}));
}

inline std::shared_ptr<const RoutingRelation> relation_of(const std::string& algorithm,
                                                          const std::shared_ptr<const Topology>& topology,
                                                          const Parameters& implied = {}) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  auto keys = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : implied.json().items()) keys.set(key, value);
  return entry.make(topology, keys);
}

/// A node model with the relation that it is made for. Throws ConfigError where it is none for the topology.
inline FabricPlan plan_of(const std::string& model, const std::shared_ptr<const Topology>& topology) {
  const NodePreset preset = NodeRegistry::instance().at(model).make();
  return plan_fabric({topology, relation_of(preset.routing, topology, preset.routing_keys), node_of(model)});
}

/// Uniform traffic. `load`: flits per terminal and cycle.
inline std::unique_ptr<TrafficSource> source_of(const std::string& kind,
                                                const std::shared_ptr<const Topology>& topology,
                                                std::uint32_t length, double load) {
  const auto& pattern = PatternRegistry::instance().at("uniform");
  const auto& entry = SourceRegistry::instance().at(kind);
  SourceContext context;
  context.topology = topology;
  context.pattern = pattern.make(topology, Parameters::defaults(pattern.parameters), context.seed);
  context.packet_rate = static_cast<std::uint64_t>(load / length * 0x1p64);
  context.lengths = {{length, std::uint64_t{1} << 32}};
  return entry.make(context, Parameters::defaults(entry.parameters));
}

inline std::vector<std::string> names(const std::vector<const RegistryEntryInfo*>& entries) {
  std::vector<std::string> list;
  for (const auto* entry : entries) list.push_back(entry->name);
  return list;
}

}  // namespace noctule::bench
