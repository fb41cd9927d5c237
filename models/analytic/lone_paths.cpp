#include "analytic/lone_paths.h"

#include <algorithm>
#include <iterator>

#include "routing/initial_states.h"

namespace noctule {

std::optional<LonePath> draw_path(const FabricPlan& plan, RouterId source, RouterId destination,
                                  std::uint8_t message_class, Rng& rng) {
  LonePath path;
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
    const Candidate taken = open[open.size() == 1 ? 0 : rng.below(open.size())];
    const Link* link = plan.topology->outgoing(here, taken.port);
    path.links.push_back(link->id);
    state = relation.next_state(here, destination, state, taken);
    here = link->to;
  }
  return path;
}

}  // namespace noctule
