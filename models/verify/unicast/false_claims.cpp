#include "verify/unicast/false_claims.h"

#include <algorithm>

namespace noctule {

std::vector<std::string> false_claims(const Certificate& certificate) {
  std::vector<std::string> found;
  if (!certificate.limit.empty()) return found;
  const FabricPlan& plan = *certificate.plan;
  const bool planned = plan.multicast && plan.multicast->plans_unicasts;
  const RoutingRelation& relation = planned ? *plan.multicast->relation : *plan.relation;
  const RoutingClaims claims = relation.claims();
  const RoutingFacts& facts = certificate.facts;
  const bool whole = std::all_of(plan.routers.begin(), plan.routers.end(),
                                 [](const auto& router) { return router->crossbars == 1; });
  if (claims.minimal && !facts.minimal)
    found.emplace_back("the relation claims to be minimal, but worms take hops that lead no closer");
  if (claims.fully_adaptive && whole && !facts.fully_adaptive)
    found.emplace_back("the relation claims to be fully adaptive, but does not offer every shortest path");
  if (!facts.hops_exact)
    found.emplace_back("the relation says of some worms that they take another number of hops than they do");
  if (claims.deadlock_free == "acyclic" && !plan.multicast && facts.cyclic_inside)
    found.emplace_back("the relation claims an acyclic dependency graph, but it has cycles");
  if (claims.deadlock_free == "escape" && whole && facts.escape &&
      !(facts.escape->acyclic() && facts.escape_always_offered))
    found.emplace_back(
        "the relation claims an escape network, but has none: its dependencies have cycles, or "
        "it is not always on offer");
  return found;
}

}  // namespace noctule
