#include "multicast/dual_path.h"

#include <algorithm>

namespace noctule {
namespace {

constexpr const char* kDualPathName = "dual_path";

HamiltonianPath::Labelling labelling(const Parameters& parameters) {
  return HamiltonianPath::Labelling(
      choice_index(parameters, "labelling", HamiltonianPath::labellings(), "multicast"));
}

/// The relation that worms follow from stop to stop. Its labels are those of the planner.
std::shared_ptr<const RoutingRelation> along_the_path(std::shared_ptr<const Topology> topology,
                                                      const Parameters& parameters) {
  Parameters keys;
  keys.set("labelling", parameters.get<std::string>("labelling"));
  return RoutingRegistry::instance().at("hamiltonian").make(std::move(topology), keys);
}

}  // namespace

DualPath::DualPath(std::shared_ptr<const Topology> topology, const Parameters& parameters,
                   const std::string& planner)
    : topology_(std::move(topology)),
      path_(*topology_, labelling(parameters), kPlannerKey, planner),
      relation_(along_the_path(topology_, parameters)) {}

void DualPath::plan(TerminalId source, std::span<const TerminalId> destinations,
                    std::vector<PlannedWorm>& worms) const {
  const auto here = topology_->injection_router(source);
  for (const auto group : {kUp, kDown})
    append(here, destinations, group, worms, [](RouterId) { return true; });
}

void DualPath::sort(PlannedWorm& worm) const {
  const bool up = worm.group == kUp;
  std::sort(worm.stops.begin(), worm.stops.end(), [&](const Stop& a, const Stop& b) {
    if (a.router == b.router) return a.terminal < b.terminal;
    return up == (path_.label(a.router) < path_.label(b.router));
  });
}

namespace {

const Registration<PlannerRegistry> kDualPathRegistered{
    {{kDualPathName,
      "two copies, one each way along a Hamiltonian path, on any mesh (Lin, McKinley and Ni 1994)",
      {HamiltonianPath::parameter()}},
     PlannerFactory(
         [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
           return std::make_shared<const DualPath>(std::move(topology), parameters, kDualPathName);
         },
         "hamiltonian")}};

}  // namespace
}  // namespace noctule
