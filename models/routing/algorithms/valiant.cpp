// Valiant and Brebner 1981: every packet goes to a router drawn among all, and from there to its destination,
// both times in dimension order. Spreads any permutation like uniform traffic, at twice the distance. On each
// leg two VC classes per wrapped dimension, one where the dimension does not wrap.

#include "routing/cube_relation.h"
#include "routing/two_phase.h"

namespace noctule {
namespace {

constexpr const char* kName = "valiant";

class Valiant final : public TwoPhaseRelation {
 public:
  explicit Valiant(const std::shared_ptr<const Topology>& topology)
      : TwoPhaseRelation(topology, leg_of(topology, "dimension_order")), routers_(topology->routers()) {}

  [[nodiscard]] std::uint64_t intermediates(RouterId, RouterId) const override { return routers_; }
  [[nodiscard]] RouterId intermediate(RouterId, RouterId, std::uint64_t n) const override {
    return RouterId(static_cast<std::uint32_t>(n));
  }
  [[nodiscard]] RoutingClaims claims() const override { return {false, false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return kHopsVary; }

 private:
  std::size_t routers_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "not minimal: to a router drawn among all, then to the destination, each leg in dimension order on VC "
      "classes of its own (Valiant and Brebner 1981)",
      {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       static_cast<void>(require_cube(*topology, kName));
       return std::make_unique<Valiant>(topology);
     }}};

}  // namespace
}  // namespace noctule
