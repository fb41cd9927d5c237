#pragma once
// Pure graphs: which routers there are, which directed links join them, which terminals hang where.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/registry.h"

namespace noctule {

/// A directed physical direction between two routers. A flit that leaves `from` by port `out` arrives at
/// `to` on port `in`. In a k-ary n-cube both are the direction of travel, so `out == in`.
struct Link {
  LinkId id;
  RouterId from;
  PortId out;
  RouterId to;
  PortId in;
};

/// A network as a graph. Routers, terminals and links are dense index ranges. Immutable once built.
class Topology {
 public:
  virtual ~Topology() = default;

  [[nodiscard]] virtual std::size_t routers() const = 0;
  [[nodiscard]] virtual std::size_t terminals() const = 0;
  /// Ports (directions) of any router are 0 .. ports()-1; some may be unconnected at some routers.
  [[nodiscard]] virtual std::size_t ports() const = 0;
  /// All links; `links()[index(id)].id == id`.
  [[nodiscard]] virtual std::span<const Link> links() const = 0;
  /// The link that leaves / enters a router at a port, or null at an edge.
  [[nodiscard]] virtual const Link* outgoing(RouterId router, PortId port) const = 0;
  [[nodiscard]] virtual const Link* incoming(RouterId router, PortId port) const = 0;
  [[nodiscard]] virtual RouterId router_of(TerminalId terminal) const = 0;

  /// Hierarchical names: "router_3_4", "x_plus".
  [[nodiscard]] virtual std::string router_name(RouterId router) const = 0;
  [[nodiscard]] virtual std::string port_name(PortId port) const = 0;

  /// Length of a shortest path in links.
  [[nodiscard]] virtual unsigned distance(RouterId from, RouterId to) const = 0;
  /// Largest distance between two routers.
  [[nodiscard]] virtual unsigned diameter() const = 0;
  /// Mean distance over all ordered pairs of different terminals (uniform traffic, self excluded).
  [[nodiscard]] virtual double mean_distance() const = 0;
  /// B of Gravano et al. 1994, equation (1): bidirectional channels cut by the cheapest straight split of the
  /// routers into halves whose sizes differ by at most one row of routers. For a k-ary n-cube the split lies
  /// across one dimension (of largest radix, if all dimensions wrap alike) and cuts two channels per row of a
  /// wrapped dimension (the wrap link is the other one), one per row of an unwrapped one.
  /// Directed links that cross: B in each direction.
  [[nodiscard]] virtual unsigned bisection() const = 0;
  /// Flits per terminal and cycle at which uniform traffic fills the bisection: of the N terminals' flits the
  /// fraction c = 1/2 crosses it, half of that in each direction, where B links carry one flit per cycle
  /// each: N load c / 2 = B, so 2 B / (N c) = 4 B / N. The exact c of odd radices is not used.
  [[nodiscard]] virtual double capacity() const = 0;
};

/// k-ary n-cube with any radix (>= 2) and any wrap per dimension: mesh, torus, ring, hypercube.
/// Router id = sum of coordinate(d) * product of radices below d: dimension 0 varies fastest.
/// Ports: 2d is the + direction of dimension d, 2d+1 the - direction. One terminal per router, same index.
class KAryNCube final : public Topology {
 public:
  static constexpr unsigned kMaxDimensions = 16;
  static constexpr unsigned kMaxRadix = 65535;

  /// Throws ConfigError (keys "topology.radix", "topology.wrap") for illegal shapes.
  KAryNCube(std::vector<unsigned> radix, std::vector<bool> wrap);

  [[nodiscard]] std::size_t routers() const override { return routers_; }
  [[nodiscard]] std::size_t terminals() const override { return routers_; }
  [[nodiscard]] std::size_t ports() const override { return 2 * dimensions(); }
  [[nodiscard]] std::span<const Link> links() const override { return links_; }
  [[nodiscard]] const Link* outgoing(RouterId router, PortId port) const override {
    const auto i = out_[index(router) * ports() + index(port)];
    return i == kNone ? nullptr : &links_[i];
  }
  [[nodiscard]] const Link* incoming(RouterId router, PortId port) const override {
    const auto i = in_[index(router) * ports() + index(port)];
    return i == kNone ? nullptr : &links_[i];
  }
  [[nodiscard]] RouterId router_of(TerminalId terminal) const override {
    return RouterId{static_cast<std::uint32_t>(terminal)};
  }
  [[nodiscard]] std::string router_name(RouterId router) const override;
  [[nodiscard]] std::string port_name(PortId port) const override;
  [[nodiscard]] unsigned distance(RouterId from, RouterId to) const override;
  [[nodiscard]] unsigned diameter() const override;
  [[nodiscard]] double mean_distance() const override;
  [[nodiscard]] unsigned bisection() const override;
  [[nodiscard]] double capacity() const override;

  [[nodiscard]] unsigned dimensions() const { return static_cast<unsigned>(radix_.size()); }
  [[nodiscard]] unsigned radix(unsigned dimension) const { return radix_[dimension]; }
  [[nodiscard]] bool wraps(unsigned dimension) const { return wrap_[dimension]; }
  [[nodiscard]] unsigned coordinate(RouterId router, unsigned dimension) const {
    return coordinates_[index(router) * radix_.size() + dimension];
  }
  [[nodiscard]] RouterId router_at(std::span<const unsigned> coordinates) const;
  static constexpr PortId plus(unsigned dimension) { return PortId(2 * dimension); }
  static constexpr PortId minus(unsigned dimension) { return PortId(2 * dimension + 1); }
  static constexpr unsigned dimension_of(PortId port) { return static_cast<unsigned>(port) / 2; }
  static constexpr bool is_plus(PortId port) { return (static_cast<unsigned>(port) & 1U) == 0; }
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
    return {2 * forward <= k, 2 * forward >= k, 2 * forward <= k ? forward : k - forward};
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<unsigned> radix_;
  std::vector<bool> wrap_;
  std::size_t routers_ = 0;
  std::vector<std::uint16_t> coordinates_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> out_;
  std::vector<std::uint32_t> in_;
};

struct TopologyTraits {
  static constexpr const char* kind = "topology";
  using Factory = std::function<std::unique_ptr<Topology>(const Parameters&)>;
};
using TopologyRegistry = Registry<TopologyTraits>;
template <>
TopologyRegistry& TopologyRegistry::instance();

}  // namespace noctule
