#pragma once
// Shared by tests of limits: relations and patterns by name.

#include <memory>
#include <string>

#include "core/json.h"
#include "patterns/pattern.h"
#include "routing/relation.h"
#include "support/cube_network.h"

namespace noctule::limits_test {

using Cube = std::shared_ptr<const CubeNetwork>;

/// `set`: keys that are not at their defaults.
inline std::shared_ptr<const RoutingRelation> relation(const std::string& algorithm, const Cube& topology,
                                                       const Json& set = Json::object()) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  auto keys = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return entry.make(topology, keys);
}

inline std::unique_ptr<TrafficPattern> pattern(const std::string& name, const Cube& topology,
                                               const Json& set = Json::object()) {
  const auto& entry = PatternRegistry::instance().at(name);
  auto keys = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return entry.make(topology, keys, 1);
}

}  // namespace noctule::limits_test
