#pragma once
// What relations on k-ary n-cubes share: the cube, its minimal hops, and how they refuse a topology.

#include <memory>
#include <string>
#include <utility>

#include "routing/relation.h"
#include "topology/cube_geometry.h"

namespace noctule {

/// The topology as a k-ary n-cube; a ConfigError that names the algorithm if it is something else.
[[nodiscard]] const CubeGeometry& require_cube(const Topology& topology, const std::string& algorithm);

/// Keeps the topology alive and gives the coordinates; `hops` is right for minimal relations.
class CubeRelation : public RoutingRelation {
 public:
  CubeRelation(std::shared_ptr<const Topology> topology, const std::string& algorithm)
      : topology_(std::move(topology)), cube_(require_cube(*topology_, algorithm)) {}

  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return cube_.hops(source, destination);
  }

 protected:
  [[nodiscard]] const CubeGeometry& cube() const { return cube_; }
  [[nodiscard]] const Topology& topology() const { return *topology_; }

  /// ConfigError unless every dimension wraps.
  void require_torus(const std::string& algorithm) const;
  /// ConfigError unless links lead both ways.
  void require_both_ways(const std::string& algorithm) const;
  /// ConfigError unless there are exactly so many dimensions.
  void require_dimensions(unsigned dimensions, const std::string& algorithm) const;

 private:
  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& cube_;
};

/// For KeyEffect: rules for wrapped dimensions count only where there is one.
inline constexpr const char* kSomeDimensionWraps = "a dimension of the topology wraps (torus, ring)";
[[nodiscard]] bool some_dimension_wraps(const Json& resolved);

/// The port of a dimension by the sign of travel.
[[nodiscard]] constexpr PortId port_of(unsigned dimension, bool minus) {
  return minus ? CubeGeometry::minus(dimension) : CubeGeometry::plus(dimension);
}

}  // namespace noctule
