#include "analytic/lone_paths.h"

#include <algorithm>

namespace noctule {

std::optional<LonePath> draw_path(const FabricPlan& plan, RouterId source, RouterId destination, Rng& rng) {
  LonePath path;
  if (source == destination) return path;
  const RoutingRelation& relation = *plan.relation;
  const std::uint64_t states = relation.initial_states(source, destination);
  path.only = states == 1;
  RouteState state = relation.initial_state(source, destination, states == 1 ? 0 : rng.below(states));
  CandidateList candidates;
  for (RouterId here = source; here != destination;) {
    if (path.links.size() > 4 * plan.routers.size()) return std::nullopt;
    candidates.clear();
    relation.candidates(here, destination, state, candidates);
    if (candidates.empty()) return std::nullopt;
    path.only = path.only && std::all_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
                  return other.port == candidates[0].port;
                });
    const Candidate taken = candidates[candidates.size() == 1 ? 0 : rng.below(candidates.size())];
    const Link* link = plan.topology->outgoing(here, taken.port);
    path.links.push_back(link->id);
    state = relation.next_state(here, destination, state, taken);
    here = link->to;
  }
  return path;
}

}  // namespace noctule
