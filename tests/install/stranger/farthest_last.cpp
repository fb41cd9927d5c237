// A planner of one's own: a copy for each destination, those to near ones first.

#include <algorithm>

#include "multicast/planner.h"

namespace {

using namespace noctule;

class FarthestLast final : public MulticastPlanner {
 public:
  explicit FarthestLast(std::shared_ptr<const Topology> topology) : topology_(std::move(topology)) {}

  [[nodiscard]] std::span<const std::string> groups() const override {
    static const std::vector<std::string> names{"copy"};
    return names;
  }
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    std::vector<TerminalId> order(destinations.begin(), destinations.end());
    std::sort(order.begin(), order.end());  // a worm does not depend on the order of the list
    const RouterId from = topology_->injection_router(source);
    const auto hops = [&](TerminalId t) {
      return topology_->distance(from, topology_->consumption_router(t));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](TerminalId a, TerminalId b) { return hops(a) < hops(b); });
    for (const TerminalId terminal : order)
      worms.push_back({{{topology_->consumption_router(terminal), terminal}}, 0});
  }
  [[nodiscard]] bool several_destinations() const override { return false; }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override { return {{0, {}}}; }

 private:
  std::shared_ptr<const Topology> topology_;
};

const Registration<PlannerRegistry> kFarthestLast{
    {{"farthest_last", "a copy for each destination, those to near ones first", {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       return std::make_shared<const FarthestLast>(std::move(topology));
     }}};

}  // namespace
