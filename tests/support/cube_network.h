#pragma once
// A k-ary n-cube with its coordinates at hand, for tests that need both.

#include <string>
#include <vector>

#include "topology/cube_geometry.h"
#include "topology/topology.h"

namespace noctule {

class CubeNetwork : public Topology, public CubeGeometry {
 public:
  CubeNetwork(const std::vector<unsigned>& radix, const std::vector<bool>& wrap)
      : Topology(make_cube(radix, wrap)), CubeGeometry(radix, wrap) {}

  /// The same at all routers.
  using Topology::port_name;
  [[nodiscard]] static std::string port_name(PortId port) { return direction_name(port); }
  using Topology::ports;
  [[nodiscard]] std::size_t ports() const { return most_ports(); }
};

/// Some link that leaves a router by a port of this number.
inline const Link& link_by(const Topology& topology, PortId port) {
  for (const Link& link : topology.links())
    if (link.out == port) return link;
  throw InternalError("no link leaves by this port");
}

}  // namespace noctule
