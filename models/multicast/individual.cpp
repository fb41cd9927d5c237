// One copy for each destination: what a network without multicasts does (Boppana et al. 1998, 2).

#include <algorithm>

#include "multicast/planner.h"

namespace noctule {
namespace {

class Individual final : public MulticastPlanner {
 public:
  explicit Individual(std::shared_ptr<const Topology> topology) : topology_(std::move(topology)) {}

  [[nodiscard]] std::span<const std::string> groups() const override {
    static const std::vector<std::string> names{"copy"};
    return names;
  }
  /// By ascending terminal.
  void plan(TerminalId, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    const auto first = worms.size();
    for (const auto terminal : destinations)
      worms.push_back({{{topology_->consumption_router(terminal), terminal}}, 0});
    std::sort(worms.begin() + static_cast<std::ptrdiff_t>(first), worms.end(),
              [](const PlannedWorm& a, const PlannedWorm& b) {
                return a.stops.front().terminal < b.stops.front().terminal;
              });
  }
  [[nodiscard]] bool several_destinations() const override { return false; }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override { return {{0, {}}}; }

 private:
  std::shared_ptr<const Topology> topology_;
};

const Registration<PlannerRegistry> kIndividualRegistered{
    {{"individual", "one copy for each destination, on any topology", {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       return std::make_shared<const Individual>(std::move(topology));
     }}};

}  // namespace
}  // namespace noctule
