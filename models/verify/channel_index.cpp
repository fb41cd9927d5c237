#include "verify/channel_index.h"

#include <algorithm>

namespace noctule {
namespace {

/// Do all lanes of every class belong to the same crossbars?
bool lanes_alike(const FabricPlan& plan) {
  const RouterPlan* last = nullptr;
  for (const auto& router : plan.routers) {
    if (router.get() == last) continue;
    last = router.get();
    for (const auto* vcs : {&router->inputs, &router->outputs})
      for (const VcPlan& vc : *vcs)
        for (const VcPlan& other : *vcs)
          if (vc.crossbar >= 0 && other.crossbar >= 0 && vc.port == other.port &&
              vc.vc_class == other.vc_class && vc.crossbar != other.crossbar)
            return false;
  }
  return true;
}

}  // namespace

ChannelIndex::ChannelIndex(const FabricPlan& plan) : plan_(&plan) {
  const auto& topology = *plan.topology;
  ChannelId next = 0;
  for (const Link& link : topology.links()) {
    first_.push_back(next);
    const unsigned classes = plan.relation->classes(link.out);
    link_.insert(link_.end(), classes, link.id);
    next += classes;
  }
  first_.push_back(next);
  partitioned_ = std::any_of(plan.routers.begin(), plan.routers.end(),
                             [](const auto& router) { return router->crossbars > 1; });
  if (partitioned_ && plan.node.lanes > 1 && !lanes_alike(plan)) groups_ = plan.node.lanes;
  first_consumption_ = next * groups_;
  before_.assign(first_consumption_, -1);
  behind_.assign(first_consumption_, -1);
  for (const Link& link : topology.links()) {
    for (const VcPlan& vc : plan.routers[index(link.from)]->outputs)
      if (vc.crossbar >= 0 && vc.port == link.out && vc.lane < groups_)
        before_[of(link.id, vc.vc_class, vc.lane)] = vc.crossbar;
    for (const VcPlan& vc : plan.routers[index(link.to)]->inputs)
      if (vc.crossbar >= 0 && vc.port == link.in && vc.lane < groups_)
        behind_[of(link.id, vc.vc_class, vc.lane)] = vc.crossbar;
  }
}

std::string ChannelIndex::name(ChannelId c) const {
  const auto& topology = *plan_->topology;
  if (!is_consumption(c)) {
    const Link& l = topology.links()[index(link(c))];
    return topology.router_name(l.from) + "." + hop_name(c);
  }
  const TerminalId terminal{static_cast<std::uint32_t>(c - first_consumption_)};
  const RouterId router = topology.router_of(terminal);
  const auto& beside = plan_->terminals[index(router)];
  std::string name = topology.router_name(router) + ".consumption";
  if (beside.size() > 1)
    name += std::to_string(std::find(beside.begin(), beside.end(), terminal) - beside.begin());
  return name;
}

std::string ChannelIndex::hop_name(ChannelId c) const {
  const Link& l = plan_->topology->links()[index(link(c))];
  std::string name =
      plan_->topology->port_name(l.out) + "." + plan_->relation->class_name(l.out, vc_class(c));
  if (groups_ > 1) name += "." + std::to_string(group(c));
  return name;
}

std::string ChannelIndex::hop_name(ChannelId c, unsigned lane) const {
  return groups_ == 1 && plan_->node.lanes > 1 ? hop_name(c) + "." + std::to_string(lane) : hop_name(c);
}

}  // namespace noctule
