// A routing relation of one's own: dimension order on meshes, the last dimension first.

#include <memory>
#include <string>
#include <utility>

#include "core/error.h"
#include "routing/cube_relation.h"

namespace {

using namespace noctule;

class YxOrder final : public RoutingRelation {
 public:
  explicit YxOrder(std::shared_ptr<const Topology> topology)
      : topology_(std::move(topology)), cube_(require_cube(*topology_, "yx_order")) {
    for (unsigned d = 0; d < cube_.dimensions(); ++d)
      if (cube_.wraps(d))
        throw ConfigError("routing.algorithm",
                          "'yx_order' has one virtual channel per link and would deadlock where a dimension "
                          "wraps; use a mesh, or dimension_order");
  }

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    for (unsigned d = cube_.dimensions(); d-- > 0;) {
      const auto way = cube_.minimal(d, cube_.coordinate(here, d), cube_.coordinate(destination, d));
      if (way.hops == 0) continue;
      list.add(way.plus ? CubeGeometry::plus(d) : CubeGeometry::minus(d), VcClass{0});
      return;
    }
  }

  [[nodiscard]] RoutingClaims claims() const override { return {true, false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return cube_.hops(source, destination);
  }

 private:
  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& cube_;
};

const Registration<RoutingRegistry> kRegistered{
    {{"yx_order", "minimal, the last dimension first, on meshes", {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       return std::make_unique<YxOrder>(std::move(topology));
     }}};

}  // namespace
