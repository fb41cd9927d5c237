#include "multicast/dual_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/json.h"
#include "core/key_effect.h"

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

/// Does a list of selectors, or of fields, name one of the relation's VC classes?
bool names_class_fields(const Json& list) {
  const auto of_class = [](const std::string& field) {
    return field != "direction" && field != "lane" && field != "position";
  };
  for (const Json& entry : list) {
    if (entry.is_string() && of_class(entry.get<std::string>())) return true;
    if (!entry.is_object()) continue;
    for (const auto& [field, unused] : entry.items())
      if (of_class(field)) return true;
  }
  return false;
}

/// Nothing follows routing.algorithm where these planners have all worms, but its VC classes lend selectors
/// their fields.
bool some_worm_follows_routing(const Json& resolved) {
  const Json& multicast = resolved.at("multicast");
  const Json& node = resolved.at("node");
  if (multicast.at("planner") != kDualPathName && multicast.at("planner") != "multipath") return true;
  if (multicast.at("unicasts") != "planner") return true;
  return std::ranges::any_of(std::array{"crossbars", "crossbar_per", "prefer"}, [&](const char* key) {
    return node.contains(key) && names_class_fields(node.at(key));
  });
}

const EffectOf kRouting{
    {{"routing"},
     "",
     "some worm follows it: multicast.planner dual_path and multipath route their worms themselves, and with "
     "multicast.unicasts: planner there are no others",
     some_worm_follows_routing,
     [](const Json& resolved) {
       return fmt::format(
           "multicast.planner {} routes its worms itself, and with multicast.unicasts: planner there are no "
           "others; leave it out, or give unicasts: routing",
           resolved.at("multicast").at("planner").get<std::string>());
     }}};

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
