#include "verify/unicast/rank_condition.h"

#include <fmt/format.h>

#include <utility>

#include "verify/graph/header_graph.h"

namespace noctule {

std::string rank_breach(const FabricPlan& plan, const ChannelIndex& channels,
                        const std::function<unsigned(RouterId)>& label) {
  const auto rank = [&](ChannelId c) {
    const Link& link = plan.topology->links()[index(channels.link(c))];
    return std::pair(index(channels.vc_class(c)), label(link.from));
  };
  const auto breach_in = [&](const HeaderGraph& graph) -> std::string {
    for (const auto& taken : graph.all_moves()) {
      if (taken.next == HeaderGraph::kDelivered) continue;
      const auto before = rank(taken.channel);
      for (const auto& next : graph.moves(taken.next)) {
        const auto after = rank(next.channel);
        if (after > before) continue;
        return fmt::format(
            "a worm for {} that holds {} of rank ({}, {}) may take {} of rank ({}, {}), which is not higher",
            plan.topology->router_name(graph.destination()), channels.name(taken.channel), before.first,
            before.second, channels.name(next.channel), after.first, after.second);
      }
    }
    return "";
  };
  HeaderGraph graph(plan, channels);
  for (std::uint32_t to = 0; to < plan.topology->routers(); ++to) {
    for (unsigned c = 0; c < plan.message_classes.size(); ++c) {
      graph.explore(RouterId{to}, c);
      if (auto breach = breach_in(graph); !breach.empty()) return breach;
    }
  }
  return "";
}

}  // namespace noctule
