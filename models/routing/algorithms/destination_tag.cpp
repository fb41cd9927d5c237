// Destination tag (Lawrie 1975): at each stage of a butterfly the next digit of the destination is the output
// port. There is one path for each pair of terminals, and no cycle: stages lead one way.

#include "routing/relation.h"
#include "topology/butterfly_geometry.h"

namespace noctule {
namespace {

constexpr const char* kName = "destination_tag";

class DestinationTag final : public RoutingRelation {
 public:
  explicit DestinationTag(std::shared_ptr<const Topology> topology)
      : topology_(std::move(topology)),
        fly_(require_geometry<ButterflyGeometry>(*topology_, "routing.algorithm", kName)) {}

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    list.add(fly_.port_at(fly_.stage(here), destination), VcClass{0});
  }

  [[nodiscard]] RoutingClaims claims() const override { return {true, true, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return fly_.stage(destination) - fly_.stage(source);
  }

 private:
  std::shared_ptr<const Topology> topology_;
  const ButterflyGeometry& fly_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName, "on butterflies: the digits of the destination are the output ports, stage by stage", {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       return std::make_unique<DestinationTag>(std::move(topology));
     }}};

}  // namespace
}  // namespace noctule
