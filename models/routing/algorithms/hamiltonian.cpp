// Routing along a Hamiltonian path of a mesh, with the shortcuts of its other links: the unicasts that go
// with dual-path and multipath multicasts (Boppana et al. 1998, 2.1, after Lin, McKinley and Ni). Labels
// rise, or fall, all the way to the destination, so one VC class is enough.

#include "core/error.h"
#include "routing/cube_relation.h"
#include "topology/hamiltonian_path.h"

namespace noctule {
namespace {

constexpr const char* kName = "hamiltonian";

/// R(u, v): to the neighbour of u whose label is nearest to v's among those that do not pass it.
///
/// Shortest paths on meshes of one and two dimensions, never on those of more: from the origin to (1, 0, 1),
/// with A routers in a plane, 2A - 2 is the destination's label and 2A - 1 that of (0, 0, 1), so that the
/// worm goes to (0, 1, 0) first.
class Hamiltonian final : public CubeRelation {
 public:
  Hamiltonian(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : CubeRelation(std::move(topology), kName),
        path_(
            this->topology(),
            HamiltonianPath::Labelling(choice_index(parameters, "labelling", HamiltonianPath::labellings())),
            "routing.algorithm", kName) {}

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }

  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    list.add(next(here, destination).out, VcClass{0});
  }

  [[nodiscard]] RoutingClaims claims() const override { return {shortest(), false, "acyclic"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    if (shortest()) return CubeRelation::hops(source, destination);
    unsigned count = 0;
    for (; source != destination; ++count) source = next(source, destination).to;
    return count;
  }

 private:
  [[nodiscard]] bool shortest() const { return cube().dimensions() <= 2; }

  /// There always is one: the next router of the path, or the one before.
  [[nodiscard]] const Link& next(RouterId here, RouterId destination) const {
    const auto goal = path_.label(destination);
    const bool rises = goal > path_.label(here);
    const Link* best = nullptr;
    auto nearest = path_.label(here);
    for (std::size_t p = 0; p < topology().ports(here); ++p) {
      const auto* link = topology().outgoing(here, PortId(p));
      if (link == nullptr) continue;
      const auto label = path_.label(link->to);
      if (rises ? label <= nearest || label > goal : label >= nearest || label < goal) continue;
      nearest = label;
      best = link;
    }
    if (best == nullptr) throw InternalError("hamiltonian: the path ends before the destination");
    return *best;
  }

  HamiltonianPath path_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "along a Hamiltonian path of a mesh, with shortcuts; minimal in 1-D and 2-D (Lin, McKinley and Ni "
      "1994)",
      {HamiltonianPath::parameter()}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       return std::make_unique<Hamiltonian>(std::move(topology), parameters);
     }}};

}  // namespace
}  // namespace noctule
