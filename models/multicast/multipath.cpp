// Multipath multicasts on a 2-D mesh: the two copies of dual-path split once more, so that there are up to
// four (Boppana et al. 1998, 2.1, after Lin, McKinley and Ni).
//
// Where the source has a neighbour along its row of the path and one across it, both on the same side of the
// path, the destinations on that side are split by their place along the row, and each half is led to its
// neighbour first. Where only one of the two neighbours exists nothing is split or led.

#include "multicast/dual_path.h"

namespace noctule {
namespace {

constexpr const char* kMultipathName = "multipath";
const std::vector<std::string>& partitions() {
  static const std::vector<std::string> names{"recommended", "lmn"};
  return names;
}

class Multipath final : public MulticastPlanner {
 public:
  Multipath(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(topology),
        mesh_(require_plane_mesh(*topology_, kMultipathName)),
        lmn_(choice_index(parameters, "partition", partitions(), "multicast") == 1),
        dual_path_(std::move(topology), parameters, kMultipathName),
        along_(dual_path_.path().fastest()),
        across_(dual_path_.path().slowest()) {}

  [[nodiscard]] std::span<const std::string> groups() const override { return dual_path_.groups(); }
  [[nodiscard]] std::shared_ptr<const RoutingRelation> relation() const override {
    return dual_path_.relation();
  }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    return dual_path_.consumption_classes();
  }
  /// Once under way, worms are not split any more.
  [[nodiscard]] const MulticastPlanner& onward() const override { return dual_path_; }

  /// Up before down; of either, the copy led along the row before the one led across.
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    const auto here = topology_->injection_router(source);
    for (const auto group : {kUp, kDown}) {
      const Neighbours ways = neighbours(here, group);
      if (!ways.both) {
        dual_path_.append(here, destinations, group, worms, [](RouterId) { return true; });
        continue;
      }
      for (const bool along : {true, false}) {
        auto* worm = dual_path_.append(here, destinations, group, worms, [&](RouterId router) {
          return goes_along(here, ways.along, router) == along;
        });
        if (worm != nullptr) lead(*worm, along ? ways.along : ways.across);
      }
    }
  }

 private:
  struct Neighbours {
    bool both = false;  ///< else the others mean nothing
    RouterId along{};
    RouterId across{};
  };

  /// Of the group's side of the path. The path itself goes on along the row wherever the row does.
  [[nodiscard]] Neighbours neighbours(RouterId here, std::uint8_t group) const {
    const auto& path = dual_path_.path();
    const auto label = path.label(here);
    if (group == kUp ? label + 1 == path.routers() : label == 0) return {};
    const auto next = path.router(group == kUp ? label + 1 : label - 1);
    if (mesh_.coordinate(next, across_) != mesh_.coordinate(here, across_)) return {};
    const auto* link =
        topology_->outgoing(here, group == kUp ? CubeGeometry::plus(across_) : CubeGeometry::minus(across_));
    return link == nullptr ? Neighbours{} : Neighbours{true, next, link->to};
  }

  /// Does the half that is led along the row have this destination? The partitions differ in where they put
  /// the source's own column: "lmn" with the neighbour across, "recommended" always with the columns of
  /// higher coordinates.
  [[nodiscard]] bool goes_along(RouterId here, RouterId neighbour, RouterId destination) const {
    const auto at = mesh_.coordinate(here, along_);
    const auto to = mesh_.coordinate(destination, along_);
    return mesh_.coordinate(neighbour, along_) < at ? to < at : to > at || (to == at && !lmn_);
  }

  static void lead(PlannedWorm& worm, RouterId neighbour) {
    if (worm.stops.front().router != neighbour)
      worm.stops.insert(worm.stops.begin(), Stop{neighbour, kNoTerminal});
  }

  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& mesh_;
  bool lmn_;
  DualPath dual_path_;
  unsigned along_;
  unsigned across_;
};

const Registration<PlannerRegistry> kMultipathRegistered{
    {{kMultipathName,
      "up to four copies along a Hamiltonian path of a 2-D mesh (Lin, McKinley and Ni 1994)",
      {Parameter::choice(
           "partition", "recommended", partitions(),
           "where the destinations of the source's own column (row, if labelling is columns) go: "
           "recommended = with the higher columns, has the hops that Boppana et al. 1998 state; "
           "lmn = with the neighbour in that column, so that no two copies share a channel"),
       HamiltonianPath::parameter()}},
     PlannerFactory(
         [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
           return std::make_shared<const Multipath>(std::move(topology), parameters);
         },
         "hamiltonian")}};

}  // namespace
}  // namespace noctule
