#pragma once
// Dual-path multicasts, and what multipath shares with them.

#include "multicast/mesh_planner.h"
#include "topology/hamiltonian_path.h"

namespace noctule {

/// At most two copies: one visits the destinations ahead of the source on a Hamiltonian path in the order of
/// the path ("up": their labels are higher, network H_u), the other those behind it in the opposite order
/// ("down", H_l). Boppana et al. 1998, 2.1, after Lin, McKinley and Ni. Any mesh; the up copy first.
class DualPath final : public MulticastPlanner {
 public:
  /// Refuses topologies in the name of `planner`. Parameters: "labelling".
  DualPath(std::shared_ptr<const Topology> topology, const Parameters& parameters,
           const std::string& planner);

  [[nodiscard]] std::span<const std::string> groups() const override { return up_and_down(); }
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override;
  [[nodiscard]] std::shared_ptr<const RoutingRelation> relation() const override { return relation_; }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    return class_by_up_and_down();
  }

  [[nodiscard]] const HamiltonianPath& path() const { return path_; }
  /// Appends the worm of a group to those destinations on the group's side of `source` whose router is
  /// `chosen`; none if there are none. The worm, or null.
  template <class Chosen>
  PlannedWorm* append(RouterId source, std::span<const TerminalId> destinations, std::uint8_t group,
                      std::vector<PlannedWorm>& worms, Chosen chosen) const {
    const auto from = path_.label(source);
    PlannedWorm* worm = nullptr;
    for (const auto terminal : destinations) {
      const auto router = topology_->consumption_router(terminal);
      if ((path_.label(router) > from) != (group == kUp) || !chosen(router)) continue;
      if (worm == nullptr) {
        worm = &worms.emplace_back();
        worm->group = group;
        worm->stops.reserve(destinations.size() + 1);
      }
      worm->stops.push_back({router, terminal});
    }
    if (worm != nullptr) sort(*worm);
    return worm;
  }

 private:
  void sort(PlannedWorm& worm) const;

  std::shared_ptr<const Topology> topology_;
  HamiltonianPath path_;
  std::shared_ptr<const RoutingRelation> relation_;
};

}  // namespace noctule
