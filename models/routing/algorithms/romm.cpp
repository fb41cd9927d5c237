// Two-phase ROMM (Nesson and Johnsson 1995): as valiant, but the router in between is drawn among those on
// shortest ways to the destination, so that every path is a shortest one.

#include <memory>

#include "routing/cube_relation.h"
#include "routing/two_phase.h"

namespace noctule {
namespace {

constexpr const char* kName = "romm";

class Romm final : public TwoPhaseRelation {
 public:
  Romm(const std::shared_ptr<const Topology>& topology, const CubeGeometry& cube)
      : TwoPhaseRelation(topology, leg_of(topology, "dimension_order")), cube_(cube) {}

  [[nodiscard]] std::uint64_t intermediates(RouterId source, RouterId destination) const override {
    std::uint64_t count = 1;
    for (unsigned d = 0; d < cube_.dimensions(); ++d) count *= 1 + way(d, source, destination).hops;
    return count;
  }
  /// Digits of n: hops in each dimension before the router in between, dimension 0 lowest.
  [[nodiscard]] RouterId intermediate(RouterId source, RouterId destination, std::uint64_t n) const override {
    std::vector<unsigned> at(cube_.dimensions());
    for (unsigned d = 0; d < cube_.dimensions(); ++d) {
      const Way found = way(d, source, destination);
      const auto hops = static_cast<unsigned>(n % (1 + found.hops));
      n /= 1 + found.hops;
      const unsigned radix = cube_.radix(d);
      at[d] = (cube_.coordinate(source, d) + (found.plus ? hops : radix - hops)) % radix;
    }
    return cube_.router_at(at);
  }
  [[nodiscard]] RoutingClaims claims() const override { return {true, false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return cube_.hops(source, destination);
  }

 private:
  struct Way {
    unsigned hops;
    bool plus;
  };
  /// Half way round, even coordinates go in the + direction and odd ones in the other.
  [[nodiscard]] Way way(unsigned d, RouterId source, RouterId destination) const {
    const unsigned at = cube_.coordinate(source, d);
    const auto found = cube_.minimal(d, at, cube_.coordinate(destination, d));
    return {found.hops, found.tie() ? at % 2 == 0 : found.plus};
  }

  const CubeGeometry& cube_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "minimal: to a router drawn among those on shortest ways, then to the destination, each leg in "
      "dimension order on VC classes of its own (two-phase ROMM, Nesson and Johnsson 1995)",
      {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       const CubeGeometry& cube = require_cube(*topology, kName);
       return std::make_unique<Romm>(topology, cube);
     }}};

}  // namespace
}  // namespace noctule
