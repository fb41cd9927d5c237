// Column-path multicasts on a 2-D mesh, for dimension-order routing, row first: a column with destinations is
// sent at most two copies, one that turns up and one that turns down (Boppana et al. 1998, 2.2).

#include "multicast/mesh_planner.h"

namespace noctule {
namespace {

constexpr const char* kColumnPathName = "column_path";
const std::vector<std::string>& same_row_rules() {
  static const std::vector<std::string> names{"merge", "own_copy"};
  return names;
}

class ColumnPath final : public MulticastPlanner {
 public:
  ColumnPath(std::shared_ptr<const Topology> topology, const Parameters& parameters)
      : topology_(std::move(topology)),
        mesh_(require_plane_mesh(*topology_, kColumnPathName)),
        merge_(choice_index(parameters, "same_row", same_row_rules(), "multicast") == 0) {}

  [[nodiscard]] std::span<const std::string> groups() const override { return up_and_down(); }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override {
    return class_by_up_and_down();
  }
  /// Columns from the left, up before down.
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    auto visits = mesh_visits(*topology_, mesh_, source, destinations);
    for (auto& visit : visits) {
      const bool down = visit.rows > 0 || (visit.rows == 0 && merge_ && only_down(visits, visit.column));
      visit.group = down ? kDown : kUp;
      visit.worm = 2 * static_cast<std::uint32_t>(visit.column) + visit.group;
    }
    append_worms(visits, worms);
  }

 private:
  /// Has the column destinations below the source's row and none above?
  static bool only_down(const std::vector<MeshVisit>& visits, std::int32_t column) {
    bool below = false;
    for (const auto& v : visits) {
      if (v.column != column) continue;
      if (v.rows < 0) return false;
      below = below || v.rows > 0;
    }
    return below;
  }

  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& mesh_;
  bool merge_;
};

const Registration<PlannerRegistry> kColumnPathRegistered{
    {{kColumnPathName,
      "at most two copies for each column of a 2-D mesh, one up and one down (Boppana et al. 1998); routing "
      "must be row first",
      {Parameter::choice(
          "same_row", "merge", same_row_rules(),
          "a destination in the source's row goes with the copy up its column; merge = with the "
          "copy down if there is no other to go up; own_copy = even then")}},
     PlannerFactory(
         [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
           return std::make_shared<const ColumnPath>(std::move(topology), parameters);
         },
         "dimension_order")}};

}  // namespace
}  // namespace noctule
