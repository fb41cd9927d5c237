// Oblivious: Dally and Seitz's unidirectional torus routing (Gravano et al. 1994, V.A).
// Links run from coordinate i to i-1 mod k only, the direction for which the paper's "high until node 0,
// then low" holds. Dimension 0 first.

#include <array>

#include "routing/dimension_ordered.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "oblivious";
constexpr VcClass kHigh{0};
constexpr VcClass kLow{1};

class Oblivious final : public DimensionOrdered {
 public:
  explicit Oblivious(std::shared_ptr<const Topology> topology)
      : DimensionOrdered(std::move(topology), kName), fields_{{{"level", {"high", "low"}}}} {
    require_torus(kName);
    if (cube().directions() == CubeGeometry::Directions::kPlus)
      throw ConfigError("routing.algorithm",
                        std::string(kName) +
                            " takes links in the - direction alone, and this torus has none; "
                            "set topology.directions to minus");
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return CubeGeometry::is_plus(link.out) ? 0 : 2;
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return vc_class == kHigh ? "high" : "low";
  }
  /// No destination lies above node k-1, and none below node 0.
  [[nodiscard]] bool ring_exists(unsigned d, unsigned from, RingHop hop) const override {
    if (!hop.minus || index(hop.vc_class) > 1) return false;
    return hop.vc_class == kHigh ? from + 1 < cube().radix(d) : from > 0;
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  [[nodiscard]] RingHop ring_hop(unsigned, unsigned at, unsigned to, RingState) const override {
    return {true, at < to ? kHigh : kLow};
  }

  [[nodiscard]] RoutingClaims claims() const override { return {!cube().both_ways(), false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    unsigned sum = 0;
    for (unsigned d = 0; d < cube().dimensions(); ++d) {
      const unsigned at = cube().coordinate(source, d);
      const unsigned to = cube().coordinate(destination, d);
      sum += at >= to ? at - to : at + cube().radix(d) - to;
    }
    return sum;
  }

 private:
  std::array<VcField, 1> fields_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "Dally-Seitz on a unidirectional torus: - links only, minimal where there are no others, dimension 0 "
      "first, 2 VC classes",
      {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       return std::make_unique<Oblivious>(std::move(topology));
     }}};

}  // namespace
}  // namespace noctule
