#include "analytic/lone_paths.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "routing/initial_states.h"

namespace noctule {

namespace {

/// LonePath::late of one router, where a header may go on by one of `ports`: links, parallel ones apart, or
/// consumption channels.
std::uint64_t late_at(const FabricPlan& plan, RouterId here, std::size_t ports) {
  return ports > 1 ? speculation_delay(plan.nodes[here].pipeline) : 0;
}

/// Links that some of the candidates are on.
std::size_t links_of(const RouterPlan& router, const std::vector<Candidate>& candidates,
                     std::uint8_t message_class) {
  std::set<std::uint16_t> links;
  for (const Candidate candidate : candidates)
    router.each_choice(candidate, message_class,
                       [&](std::uint16_t output) { links.insert(router.outputs[output].channel); });
  return links.size();
}

}  // namespace

std::optional<LonePath> draw_path(const FabricPlan& plan, RouterId source, RouterId destination,
                                  std::uint8_t message_class, Rng& rng) {
  LonePath path;
  if (const unsigned channels = plan.nodes[destination].consumption_channels; channels != kUnlimited)
    path.late = late_at(plan, destination, channels);
  if (source == destination) return path;
  const RoutingRelation& relation = *plan.relation;
  const auto states = initial_states_of(relation, source, destination, message_class);
  path.only = states.size() == 1;
  RouteState state = states[states.size() == 1 ? 0 : rng.below(states.size())];
  CandidateList candidates;
  std::vector<Candidate> open;
  for (RouterId here = source; here != destination;) {
    if (path.links.size() > 4 * plan.routers.size()) return std::nullopt;
    candidates.clear();
    relation.candidates(here, destination, state, candidates);
    open.clear();
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(open), [&](Candidate candidate) {
      return plan.routers[index(here)]->choices(candidate, message_class) > 0;
    });
    if (open.empty()) return std::nullopt;
    path.only = path.only &&
                std::ranges::all_of(open, [&](const Candidate& other) { return other.port == open[0].port; });
    path.late += late_at(plan, here, links_of(*plan.routers[index(here)], open, message_class));
    const Candidate taken = open[open.size() == 1 ? 0 : rng.below(open.size())];
    const Link* link = plan.topology->outgoing(here, taken.port);
    path.links.push_back(link->id);
    state = relation.next_state(here, destination, state, taken);
    here = link->to;
  }
  return path;
}

}  // namespace noctule
