#pragma once
// A Hamiltonian path through the routers of a mesh: its numbering orders the destinations of path-based
// multicasts and the channels of their routing (Boppana et al. 1998, 2.1 and Fig. 1).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/cube_geometry.h"

namespace noctule {

/// The topology as a k-ary n-cube without wrap links. Otherwise throws ConfigError(key), naming `user` and
/// what to change.
const CubeGeometry& require_mesh(const Topology& topology, const std::string& key, const std::string& user);

/// Labels 0 .. routers-1 along a path that goes to and fro (reflected order): routers with neighbouring
/// labels are neighbours. In two dimensions, along rows y of W routers: l(x, y) = y W + (y even ? x : W - 1 -
/// x).
class HamiltonianPath {
 public:
  enum class Labelling : std::uint8_t {
    kRows,    ///< dimension 0 varies fastest, the highest slowest
    kColumns  ///< the highest dimension varies fastest, 0 slowest
  };
  /// Names of the labellings, in the order of their values: choices of a key "labelling".
  static const std::vector<std::string>& labellings();
  /// Declaration of that key.
  static Parameter parameter();

  /// Any number of dimensions. Throws as `require_mesh` does.
  HamiltonianPath(const Topology& topology, Labelling labelling, const std::string& key,
                  const std::string& user);

  [[nodiscard]] std::uint32_t label(RouterId router) const { return label_[index(router)]; }
  /// The router of a label below routers().
  [[nodiscard]] RouterId router(std::uint32_t label) const { return router_[label]; }
  [[nodiscard]] std::size_t routers() const { return router_.size(); }
  /// The dimensions in which coordinates change fastest and slowest along the path.
  [[nodiscard]] unsigned fastest() const { return fastest_; }
  [[nodiscard]] unsigned slowest() const { return slowest_; }

 private:
  unsigned fastest_ = 0;
  unsigned slowest_ = 0;
  std::vector<std::uint32_t> label_;
  std::vector<RouterId> router_;
};

}  // namespace noctule
