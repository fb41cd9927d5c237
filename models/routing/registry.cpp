#include "routing/relation.h"

namespace noctule {

template <>
RoutingRegistry& RoutingRegistry::instance() {
  static RoutingRegistry registry;
  return registry;
}

const KAryNCube& require_k_ary_n_cube(const Topology& topology, const std::string& algorithm) {
  if (const auto* cube = dynamic_cast<const KAryNCube*>(&topology)) return *cube;
  throw ConfigError("routing.algorithm",
                    algorithm +
                        " routes by coordinates and needs a k-ary n-cube (mesh, torus, ring or "
                        "hypercube); the topology given is something else. Change topology.kind "
                        "or choose a routing algorithm made for it");
}

}  // namespace noctule
