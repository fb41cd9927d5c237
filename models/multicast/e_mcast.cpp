// Multicasts that conform to dimension-order routing, row first, on a 2-D mesh: one copy up and one down each
// column, which serve destinations of the source's row in passing (e-mcast of Boppana et al. 1998, 2.3, after
// Panda et al.).

#include "multicast/mesh_planner.h"

namespace noctule {
namespace {

constexpr const char* kEMcastName = "e_mcast";
constexpr std::uint8_t kRow = 2;

class EMcast final : public MulticastPlanner {
 public:
  explicit EMcast(std::shared_ptr<const Topology> topology)
      : topology_(std::move(topology)), mesh_(require_plane_mesh(*topology_, kEMcastName)) {}

  [[nodiscard]] std::span<const std::string> groups() const override {
    static const std::vector<std::string> names{"up", "down", "row"};
    return names;
  }
  /// By the channel that the worm arrives by, for worms with one destination too (Lemma 1 there).
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    return {{0, {{"incoming", {"x_plus"}}}},
            {1, {{"incoming", {"x_minus"}}}},
            {2, {{"incoming", {"y_plus"}}}},
            {3, {{"incoming", {"y_minus"}}}},
            {0, {{"incoming", {"injection"}}}}};
  }
  /// Columns from the left, up before down; then what stays in the row, to the left before to the right.
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    auto visits = mesh_visits(*topology_, mesh_, source, destinations);
    const auto here = static_cast<std::int32_t>(mesh_.coordinate(topology_->injection_router(source), 0));
    for (auto& visit : visits) {
      if (visit.rows == 0) continue;
      visit.group = visit.rows > 0 ? kDown : kUp;
      visit.worm = 2 * static_cast<std::uint32_t>(visit.column) + visit.group;
    }
    for (auto& visit : visits) {
      if (visit.rows != 0) continue;
      const bool right = visit.column > here;
      const auto* carrier = passing(visits, visit.column, right);
      visit.group = carrier != nullptr ? carrier->group : kRow;
      visit.worm = carrier != nullptr ? carrier->worm : 2 * mesh_.radix(0) + (right ? 1 : 0);
    }
    append_worms(visits, worms);
  }

 private:
  /// A visit outside the source's row whose worm comes through a column of the row, or turns there, on its
  /// way to the right or left: of those that turn first the one up, if there is one. Null if none does.
  static const MeshVisit* passing(const std::vector<MeshVisit>& visits, std::int32_t column, bool right) {
    const MeshVisit* best = nullptr;
    std::int32_t nearest = 0;
    for (const auto& v : visits) {
      const auto beyond = right ? v.column - column : column - v.column;
      if (v.rows == 0 || beyond < 0) continue;
      if (best != nullptr && (beyond > nearest || (beyond == nearest && v.group >= best->group))) continue;
      best = &v;
      nearest = beyond;
    }
    return best;
  }

  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& mesh_;
};

const Registration<PlannerRegistry> kEMcastRegistered{
    {{kEMcastName,
      "column copies on a 2-D mesh that serve the source's row in passing (Panda et al. 1994); routing must "
      "be "
      "row first",
      {}},
     PlannerFactory([](std::shared_ptr<const Topology> topology,
                       const Parameters&) { return std::make_shared<const EMcast>(std::move(topology)); },
                    "dimension_order")}};

}  // namespace
}  // namespace noctule
