#include "verify/graph/channel_index.h"

#include <algorithm>

namespace noctule {
namespace {

/// Do all lanes of every class belong to the same crossbars, and are they for the same message classes?
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
    for (const auto& list : router->of_message_class)
      for (const auto& vcs : router->outputs_of) {
        const auto taken = std::ranges::count_if(
            vcs, [&](std::uint16_t o) { return std::ranges::find(list, o) != list.end(); });
        if (taken != 0 && taken != std::ssize(vcs)) return false;
      }
  }
  return true;
}

}  // namespace

ChannelIndex::ChannelIndex(const FabricPlan& plan) : plan_(&plan) {
  const auto& topology = *plan.topology;
  ChannelId next = 0;
  for (const Link& link : topology.links()) {
    first_.push_back(next);
    const unsigned classes = plan.relation->classes(link);
    link_.insert(link_.end(), classes, link.id);
    next += classes;
  }
  first_.push_back(next);
  partitioned_ = std::any_of(plan.routers.begin(), plan.routers.end(),
                             [](const auto& router) { return router->crossbars > 1; });
  const bool told_apart = partitioned_ || plan.message_classes.restricted();
  if (told_apart && plan.most_lanes() > 1 && !lanes_alike(plan)) groups_ = plan.most_lanes();
  first_consumption_ = next * groups_;
  number_consumption();
  if (plan.message_classes.named()) number_interfaces();
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
  if (plan.message_classes.restricted()) restrict_message_classes();
}

/// Each interface of a terminal is a vertex, or two.
void ChannelIndex::number_interfaces() {
  const MessageClasses& classes = plan_->message_classes;
  ends_wait_ = classes.ends_wait();
  vertex_of_.clear();
  at_terminal_.clear();
  for (const char* what : {"consumption", "injection"})
    for (unsigned i = 0; i < classes.interfaces(); ++i) {
      if (what[0] == 'c') vertex_of_.push_back(i);
      if (what[0] == 'c' || ends_wait_)
        at_terminal_.push_back({what, "_" + classes.interface_name(i), classes.attachment_of(i)});
    }
}

void ChannelIndex::restrict_message_classes() {
  of_message_class_.assign(plan_->message_classes.size(), std::vector<bool>(first_consumption_));
  for (const Link& link : plan_->topology->links()) {
    const RouterPlan& router = *plan_->routers[index(link.from)];
    for (std::size_t c = 0; c < of_message_class_.size(); ++c)
      for (const std::uint16_t o : router.of_message_class[c])
        if (const VcPlan& vc = router.outputs[o]; vc.port == link.out && vc.lane < groups_)
          of_message_class_[c][of(link.id, vc.vc_class, vc.lane)] = true;
  }
}

void ChannelIndex::number_consumption() {
  if (!plan_->multicast) return;
  const auto& node = plan_->common_node();
  const auto& rule = *plan_->multicast->consumption;
  // What a channel is to worms of each class: one of their own, one that they may take.
  std::vector<std::vector<bool>> seen;
  vertex_of_.clear();
  at_terminal_.clear();
  for (unsigned channel = 0; channel < std::max(1U, node.consumption_slots()); ++channel) {
    std::vector<bool> use;
    for (unsigned c = 0; c < rule.classes(); ++c)
      for (const bool several : {false, true}) {
        use.push_back((rule.channels(c, several).own >> channel & 1) != 0);
        use.push_back((rule.channels(c, several).allowed >> channel & 1) != 0);
      }
    const auto known = std::find(seen.begin(), seen.end(), use);
    vertex_of_.push_back(static_cast<ChannelId>(known - seen.begin()));
    if (known != seen.end()) continue;
    seen.push_back(std::move(use));
    std::string suffix = rule.classes() > 1 ? "_" + std::to_string(channel) : "";
    if (channel >= rule.classes()) {
      suffix = "_shared";
      if (channel > rule.classes()) suffix += std::to_string(channel - rule.classes());
    }
    at_terminal_.push_back({"consumption", std::move(suffix)});
  }
  retransmits_ = node.retransmission_buffers > 0;
  if (retransmits_) at_terminal_.push_back({"retransmission", ""});
}

std::string ChannelIndex::name(ChannelId c) const {
  const auto& topology = *plan_->topology;
  const RouterId at = is_consumption(c) ? router(c) : topology.links()[index(link(c))].from;
  return topology.router_name(at) + "." + hop_name(c);
}

std::string ChannelIndex::hop_name(ChannelId c) const {
  if (is_consumption(c)) {
    const auto& [what, suffix, attachment] = vertex(c);
    std::size_t beside = 0;
    std::size_t number = 0;
    const auto& ends = (is_injection(c) ? plan_->injecting : plan_->consuming)[index(router(c))];
    for (std::size_t n = 0; n < ends.size(); ++n) {
      if (n > 0 && ends[n].terminal == ends[n - 1].terminal) continue;
      if (ends[n].terminal == terminal(c)) number = beside;
      ++beside;
    }
    std::string name = what;
    if (beside > 1) name += std::to_string(number);
    return name + suffix;
  }
  const Link& l = plan_->topology->links()[index(link(c))];
  std::string name =
      plan_->topology->port_name(l.from, l.out) + "." + plan_->relation->class_name(l, vc_class(c));
  if (groups_ > 1) name += "." + std::to_string(group(c));
  return name;
}

std::string ChannelIndex::hop_name(ChannelId c, unsigned lane) const {
  return groups_ == 1 && !is_consumption(c) && lanes(c) > 1 ? hop_name(c) + "." + std::to_string(lane)
                                                            : hop_name(c);
}

}  // namespace noctule
