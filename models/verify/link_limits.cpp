#include "verify/link_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace noctule {

LinkRates link_rates(const FabricPlan& plan, const Link& link) {
  return {plan.nodes[link.from], plan.links[link.id], plan.nodes[link.to].input_depth, plan.slots(link.id)};
}

double LinkLimit::load(const std::vector<double>& by_class) const {
  double flits = 0;
  for (std::size_t c = 0; c < by_class.size(); ++c) flits += classes[c] ? by_class[c] : 0;
  return flits;
}

std::string LinkLimit::name(const FabricPlan& plan, const Link& link) const {
  std::string name = plan.topology->link_name(link);
  if (vc_class >= 0) name += "." + plan.relation->class_name(link, VcClass(vc_class));
  if (replica >= 0) name += fmt::format(" link {}", replica);
  return name;
}

LinkCause link_cause(const FabricPlan& plan, const Link& link, int vc_class) {
  const RouterPlan& router = *plan.routers[index(link.from)];
  const LinkRates rate = link_rates(plan, link);
  LinkCause cause;
  cause.places = plan.nodes[link.to].input_depth;
  cause.cycles_per_flit = plan.links[link.id].cycles_per_flit;
  std::set<std::uint16_t> wires;  // parallel links with VCs that count
  double buffers = 0;             // what the buffers of these let through
  for (const VcPlan& vc : router.outputs) {
    if (vc.crossbar < 0 || vc.port != link.out) continue;
    if (vc_class >= 0 && static_cast<int>(index(vc.vc_class)) != vc_class) continue;
    wires.insert(vc.channel);
    ++cause.vcs;
    buffers += rate.virtual_channel();
    cause.narrow = rate.narrow();
    cause.credit_cycles = rate.credit_cycles();
  }
  cause.wires = rate.wires() * static_cast<double>(wires.size());
  cause.flits_per_cycle = std::min(cause.wires, buffers);
  if (buffers >= cause.wires) cause.narrow = LinkRates::Narrow::kWires;
  if (cause.vcs > 0)
    cause.enough = static_cast<unsigned>(std::ceil(cause.wires * cause.credit_cycles / cause.vcs - 1e-9));
  return cause;
}

std::vector<LinkLimit> link_limits(const FabricPlan& plan, const Link& link) {
  const RouterPlan& router = *plan.routers[index(link.from)];
  const LinkRates rate = link_rates(plan, link);
  const std::size_t classes = plan.relation->classes(link);
  LinkLimit whole{0, std::vector<bool>(classes, true)};
  std::vector<double> of_class(classes);  // what its VCs let through
  std::map<std::uint16_t, std::vector<bool>> riders;
  for (const VcPlan& vc : router.outputs) {
    if (vc.crossbar < 0 || vc.port != link.out) continue;
    const auto& channel = router.outbound[vc.channel];
    of_class[index(vc.vc_class)] += rate.virtual_channel();
    auto [rider, fresh] = riders.try_emplace(vc.channel, classes);
    rider->second[index(vc.vc_class)] = true;
    if (fresh) whole.flits_per_cycle += rate.link(channel.count);
  }
  std::vector<LinkLimit> limits{std::move(whole)};
  for (std::size_t c = 0; c < classes; ++c) {
    double links = 0;
    for (const auto& [unused, on_it] : riders) links += on_it[c] ? 1 : 0;
    LinkLimit part{std::min(links * rate.wires(), of_class[c]), std::vector<bool>(classes),
                   static_cast<int>(c)};
    part.classes[c] = true;
    limits.push_back(std::move(part));
  }
  if (plan.nodes[link.from].link_assignment != LinkAssignment::kByClass || riders.size() < 2) return limits;
  for (const auto& [channel, on_it] : riders)
    limits.push_back({rate.wires(), on_it, -1, router.outbound[channel].replica});
  return limits;
}

double all_links(const FabricPlan& plan, const std::vector<bool>& message_classes) {
  double capacity = 0;
  for (std::uint32_t r = 0; r < plan.routers.size(); ++r) {
    bool carried = false;
    for (std::size_t c = 0; c < message_classes.size(); ++c)
      carried = carried || (message_classes[c] && plan.carries(RouterId{r}, c));
    if (!carried) continue;
    for (const auto& channel : plan.routers[r]->outbound)
      capacity += link_rates(plan, *plan.topology->outgoing(RouterId{r}, channel.port)).link(channel.count);
  }
  return capacity;
}

}  // namespace noctule
