#include "verify/pair_order.h"

#include <fmt/format.h>

#include "routing/initial_states.h"

namespace noctule {
namespace {

std::optional<std::string> choice_on_the_way(const FabricPlan& plan, std::uint8_t message_class,
                                             TerminalPair pair, CandidateList& list) {
  const RouterId end = plan.consumption_router(pair.destination, message_class);
  RouterId here = plan.injection_router(pair.source, message_class);
  if (here == end) return std::nullopt;
  const RoutingRelation& relation = *plan.relation;
  const auto states = initial_states_of(relation, here, end, message_class);
  if (states.size() != 1) return "the source draws one of several routes";
  RouteState state = states[0];
  for (std::size_t hop = 0; here != end; ++hop) {
    if (hop > plan.topology->links().size()) return "the way does not end";
    list.clear();
    relation.candidates(here, end, state, list);
    std::size_t choices = 0;
    Candidate taken;
    for (const Candidate& candidate : list)
      if (const std::size_t n = plan.routers[index(here)]->choices(candidate, message_class); n > 0) {
        choices += n;
        taken = candidate;
      }
    if (choices != 1)
      return fmt::format("at {} a header has {} virtual channels to choose from",
                         plan.topology->router_name(here), choices);
    state = relation.next_state(here, end, state, taken);
    here = plan.topology->outgoing(here, taken.port)->to;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> order_obstacle(const FabricPlan& plan, std::uint8_t message_class,
                                          const std::vector<TerminalPair>& pairs) {
  if (plan.multicast) return "worms are planned for several destinations";
  CandidateList list;
  for (const TerminalPair pair : pairs) {
    const RouterId start = plan.injection_router(pair.source, message_class);
    const RouterPlan& first = *plan.routers[index(start)];
    const RouterPlan& last = *plan.routers[index(plan.consumption_router(pair.destination, message_class))];
    std::optional<std::string> why;
    if (plan.nodes[start].injection_channels != 1 || first.injection_vcs != 1)
      why = "the source injects several worms at a time (node.injection_channels, injection_vcs)";
    else if (last.consumption_vcs > 1)
      why = "the destination consumes several worms at a time (node.consumption_vcs)";
    else
      why = choice_on_the_way(plan, message_class, pair, list);
    if (why)
      return fmt::format("from terminal {} to terminal {}: {}", index(pair.source), index(pair.destination),
                         *why);
  }
  return std::nullopt;
}

}  // namespace noctule
