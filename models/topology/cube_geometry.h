#pragma once
// Coordinates of k-ary n-cubes: mesh, torus, ring, hypercube, with any radix and any wrap per dimension.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/builder.h"
#include "topology/geometry.h"

namespace noctule {

/// Router id = sum of coordinate(d) * product of radices below d: dimension 0 varies fastest.
/// Ports: 2d is the + direction of dimension d, 2d+1 the - direction.
class CubeGeometry : public Geometry {
 public:
  static constexpr const char* kWhat = "k-ary n-cube (mesh, torus, ring or hypercube)";
  static constexpr const char* kRemedy = "topology.kind mesh, torus, ring, hypercube or k_ary_n_cube";
  static constexpr unsigned kMaxDimensions = 16;
  static constexpr unsigned kMaxRadix = 65535;

  /// Which way links lead in every dimension.
  enum class Directions : std::uint8_t { kBoth, kPlus, kMinus };

  /// Throws ConfigError (keys "topology.radix", "topology.wrap") for illegal shapes; where links lead one way
  /// every dimension wraps (key "topology.directions").
  CubeGeometry(std::vector<unsigned> radix, std::vector<bool> wrap,
               Directions directions = Directions::kBoth);

  /// Number of routers.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] unsigned dimensions() const { return static_cast<unsigned>(radix_.size()); }
  [[nodiscard]] unsigned radix(unsigned dimension) const { return radix_[dimension]; }
  [[nodiscard]] bool wraps(unsigned dimension) const { return wrap_[dimension]; }
  [[nodiscard]] Directions directions() const { return directions_; }
  [[nodiscard]] bool both_ways() const { return directions_ == Directions::kBoth; }
  /// Hops of the longest shortest path within a dimension.
  [[nodiscard]] unsigned reach(unsigned dimension) const {
    return wrap_[dimension] && both_ways() ? radix_[dimension] / 2 : radix_[dimension] - 1;
  }
  [[nodiscard]] unsigned coordinate(RouterId router, unsigned dimension) const {
    return coordinates_[index(router) * radix_.size() + dimension];
  }
  /// The lowest dimension in which two different routers have different coordinates.
  [[nodiscard]] unsigned first_difference(RouterId a, RouterId b) const {
    const std::uint16_t* const one = &coordinates_[index(a) * radix_.size()];
    const std::uint16_t* const other = &coordinates_[index(b) * radix_.size()];
    // Two at once: no branch predictor knows which of two it is.
    for (unsigned d = 0;; d += 2)
      if (const unsigned first = one[d] ^ other[d], second = one[d + 1] ^ other[d + 1]; (first | second) != 0)
        return d + (first == 0 ? 1 : 0);
  }
  [[nodiscard]] RouterId router_at(std::span<const unsigned> coordinates) const;
  static constexpr PortId plus(unsigned dimension) { return PortId(2 * dimension); }
  static constexpr PortId minus(unsigned dimension) { return PortId(2 * dimension + 1); }
  static constexpr unsigned dimension_of(PortId port) { return static_cast<unsigned>(port) / 2; }
  static constexpr bool is_plus(PortId port) { return (static_cast<unsigned>(port) & 1U) == 0; }
  /// "router_3_4".
  [[nodiscard]] std::string name_of(RouterId router) const;
  /// "x", "y", "z", "d3".
  static std::string dimension_name(unsigned dimension);
  /// "x_plus", "z_minus", "d3_plus".
  static std::string direction_name(PortId port);
  /// Does the link cross from radix-1 to 0 (+) or from 0 to radix-1 (-)?
  [[nodiscard]] bool is_wrap(RouterId from, PortId out) const {
    const unsigned d = dimension_of(out);
    return coordinate(from, d) == (is_plus(out) ? radix_[d] - 1 : 0);
  }

  /// Which directions of a dimension lead minimally from coordinate `at` to coordinate `to`.
  /// `tie`: the offset is exactly half the radix of a wrapped dimension, both directions are minimal.
  struct Minimal {
    bool plus = false;
    bool minus = false;
    unsigned hops = 0;
    [[nodiscard]] bool tie() const { return plus && minus; }
  };
  [[nodiscard]] Minimal minimal(unsigned dimension, unsigned at, unsigned to) const {
    if (at == to) return {};
    const unsigned k = radix_[dimension];
    if (!wrap_[dimension]) return at < to ? Minimal{true, false, to - at} : Minimal{false, true, at - to};
    const unsigned forward = to > at ? to - at : to + k - at;
    if (!both_ways())
      return directions_ == Directions::kPlus ? Minimal{true, false, forward}
                                              : Minimal{false, true, k - forward};
    return {2 * forward <= k, 2 * forward >= k, 2 * forward <= k ? forward : k - forward};
  }
  /// One for each dimension.
  [[nodiscard]] std::vector<std::string> link_groups() const override;
  [[nodiscard]] std::size_t link_group(const Link& link) const override { return dimension_of(link.out); }
  /// "8 x 8 torus", "ring of 16", "8 x 4 mesh wrapped in x".
  [[nodiscard]] std::string title() const override;

  /// Hops of a shortest path.
  [[nodiscard]] unsigned hops(RouterId from, RouterId to) const;
  /// Of the cube with so many terminals at each router, `distance` left out.
  [[nodiscard]] ClosedForms closed_forms(std::size_t terminals_per_router) const;

 private:
  std::vector<unsigned> radix_;
  std::vector<bool> wrap_;
  Directions directions_;
  std::size_t size_ = 0;
  std::vector<std::uint16_t> coordinates_;  ///< [router * dimensions + dimension], and one more
};

/// What to build of a k-ary n-cube.
struct CubeShape {
  std::vector<unsigned> radix;
  std::vector<bool> wrap;
  CubeGeometry::Directions directions = CubeGeometry::Directions::kBoth;
  unsigned terminals_per_router = 1;
  std::vector<std::string> terminals_at = {"*"};  ///< globs of names of routers: those that have terminals
  /// Terminals beside those, at routers that these globs name.
  struct More {
    std::vector<std::string> routers;
    unsigned count = 1;
  };
  std::vector<More> more = {};
};

/// A k-ary n-cube. Terminals are numbered router by router: one at each has the router's number. Those of
/// `more` come behind them, entry by entry. Throws as CubeGeometry does, and ConfigError (key
/// "topology.terminals_at", "topology.more_terminals") where no router matches a glob.
void fill_cube(TopologyBuilder& builder, CubeShape shape);
[[nodiscard]] Topology make_cube(std::vector<unsigned> radix, std::vector<bool> wrap,
                                 unsigned terminals_per_router = 1);

}  // namespace noctule
