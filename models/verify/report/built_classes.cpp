#include "verify/report/built_classes.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "topology/link_groups.h"

namespace noctule {

std::string spread_text(std::uint64_t least, std::uint64_t most) {
  return least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
}

std::string built_classes_text(const FabricPlan& plan) {
  const Topology& topology = *plan.topology;
  if (topology.links().empty()) return "";
  std::map<const RouterPlan*, std::map<PortId, unsigned>> built;  // by port, of each kind of router
  for (const auto& router : plan.routers) {
    const auto [kind, fresh] = built.try_emplace(router.get());
    for (const VcPlan& vc : router->outputs)
      if (fresh && vc.crossbar >= 0 && vc.lane == 0) ++kind->second[vc.port];
  }
  const auto classes = [&](const Link& link) {
    const auto& by_port = built.at(plan.routers[index(link.from)].get());
    const auto found = by_port.find(link.out);
    return found == by_port.end() ? 0U : found->second;
  };
  const LinkGroups groups(topology);
  std::vector<std::set<unsigned>> counted(groups.size());
  std::set<unsigned> lanes;
  bool both_ways = true;
  for (const Link& link : topology.links()) {
    const Link* const back = topology.back(link);
    both_ways = both_ways && back != nullptr;
    counted[groups.of(link)].insert(classes(link) + (back != nullptr ? classes(*back) : 0));
    lanes.insert(plan.lanes(link.id));
  }
  const auto text_of = [](const std::set<unsigned>& values) {
    return values.empty() ? "0" : spread_text(*values.begin(), *values.rbegin());
  };
  std::string text = fmt::format("VC classes per {}link", both_ways ? "bidirectional " : "");
  for (std::size_t g = 0; g < groups.size(); ++g)
    text += fmt::format("{}{}: {}", groups.name(g).empty() ? "" : ", ", groups.name(g), text_of(counted[g]));
  return text + fmt::format("; {} lane{} of each", text_of(lanes), lanes == std::set{1U} ? "" : "s");
}

}  // namespace noctule
