#include "routing/cube_relation.h"

#include <algorithm>

#include "core/json.h"

namespace noctule {

const CubeGeometry& require_cube(const Topology& topology, const std::string& algorithm) {
  return require_geometry<CubeGeometry>(topology, "routing.algorithm", algorithm);
}

void CubeRelation::require_torus(const std::string& algorithm) const {
  for (unsigned d = 0; d < cube_.dimensions(); ++d)
    if (!cube_.wraps(d))
      throw ConfigError("routing.algorithm",
                        algorithm + " needs a torus: dimension " + std::to_string(d) +
                            " does not wrap; use topology.kind torus, or dimension_order");
}

void CubeRelation::require_both_ways(const std::string& algorithm) const {
  if (!cube_.both_ways())
    throw ConfigError("routing.algorithm",
                      algorithm +
                          " needs links both ways; set topology.directions to both, or use oblivious "
                          "(minus) or dimension_order");
}

void CubeRelation::require_dimensions(unsigned dimensions, const std::string& algorithm) const {
  if (cube_.dimensions() != dimensions)
    throw ConfigError("routing.algorithm",
                      algorithm + " is defined on " + std::to_string(dimensions) +
                          " dimensions; the topology has " + std::to_string(cube_.dimensions()) +
                          "; give topology.radix " + std::to_string(dimensions) +
                          " values, or use star_channels or dimension_order, which take any number");
}

bool some_dimension_wraps(const Json& resolved) {
  const Json& topology = resolved.at("topology");
  const Json& kind = topology.at("kind");
  if (kind == "k_ary_n_cube" && topology.contains("wrap") && topology.at("wrap").is_array())
    return std::any_of(topology.at("wrap").begin(), topology.at("wrap").end(),
                       [](const Json& wraps) { return wraps == true; });
  return kind != "mesh" && kind != "hypercube";
}

}  // namespace noctule
