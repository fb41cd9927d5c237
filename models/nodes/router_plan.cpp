#include "nodes/router_plan.h"

#include <algorithm>

#include "core/error.h"
#include "core/foreign_code.h"
#include "nodes/credit_order.h"
#include "nodes/plan_checks.h"
#include "nodes/router_planner.h"

namespace noctule {
namespace {

/// A link that needs fewer VCs than others, at the edge of a network, is made as they are.
void find_slots(FabricPlan& plan) {
  for (std::uint32_t r = 0; r < plan.routers.size(); ++r)
    for (const auto& channel : plan.routers[r]->outbound) {
      if (channel.sharing != LinkSharing::kFixedSlot) continue;
      const LinkId link = plan.topology->outgoing(RouterId{r}, channel.port)->id;
      unsigned& slots = plan.most_slots[{plan.lanes(link), plan.parallel_links(link)}];
      slots = std::max<unsigned>(slots, channel.count);
    }
}

FabricPlan plan_parts(FabricParts parts) {
  parts.nodes.settle();
  parts.links.settle();
  for (const NodeDescription& node : parts.nodes.kinds()) check_node(node);
  static_cast<void>(credit_order(*parts.topology, parts.nodes, parts.links));
  FabricPlan plan{parts.topology,
                  parts.relation,
                  std::move(parts.nodes),
                  std::move(parts.links),
                  {},
                  {},
                  {},
                  {},
                  std::move(parts.message_classes)};
  const Topology& topology = *plan.topology;
  plan.planes = planes_of_routers(topology, plan.message_classes);
  check_vcs(plan, parts.planner != nullptr);
  check_storing(plan);
  check_service(plan);
  for (const NodeDescription& node : plan.nodes.kinds()) check_ends(node, parts.planner != nullptr);
  if (parts.planner && plan.message_classes.named())
    throw ConfigError(
        "message_classes",
        "a multicast.planner plans messages of one class; leave out message_classes, or the planner");
  if (parts.planner)
    plan.multicast = ask_part(kPlannerKey, "the planner", [&] {
      return plan_multicast(plan, std::move(parts.planner), parts.plans_unicasts);
    });
  plan.injecting.resize(topology.routers());
  plan.consuming.resize(topology.routers());
  for (std::uint32_t t = 0; t < topology.terminals(); ++t)
    for (std::size_t a = 0; a < topology.attachments(); ++a)
      for (unsigned i = 0; i < plan.message_classes.interfaces_at(a); ++i) {
        const TerminalEnd end{TerminalId{t},
                              static_cast<std::uint8_t>(plan.message_classes.first_interface(a) + i)};
        plan.injecting[index(topology.injection_router(end.terminal, a))].push_back(end);
        plan.consuming[index(topology.consumption_router(end.terminal, a))].push_back(end);
      }
  check_places(plan);
  plan_routers(plan);
  find_slots(plan);
  return plan;
}

}  // namespace

std::size_t terminals_of(const std::vector<TerminalEnd>& ends) {
  std::size_t terminals = 0;
  for (std::size_t n = 0; n < ends.size(); ++n)
    terminals += n == 0 || ends[n].terminal != ends[n - 1].terminal ? 1 : 0;
  return terminals;
}

bool RouterPlan::may_take(std::uint16_t output, std::uint8_t message_class) const {
  return of_message_class.empty() || std::ranges::binary_search(of_message_class[message_class], output);
}

std::size_t RouterPlan::choices(Candidate candidate, std::uint8_t message_class) const {
  std::size_t count = 0;
  each_choice(candidate, message_class, [&](std::uint16_t) { ++count; });
  return count;
}

FabricPlan plan_fabric(FabricParts parts) {
  return ask_part("routing.algorithm", "the relation", [&] { return plan_parts(std::move(parts)); });
}

}  // namespace noctule
