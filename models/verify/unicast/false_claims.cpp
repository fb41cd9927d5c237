#include "verify/unicast/false_claims.h"

#include <algorithm>

#include "verify/unicast/claim_examples.h"

namespace noctule {

namespace {

/// A pair whose worms make a dependency of the cycle, where one was found.
std::string in_the_cycle(const Certificate& certificate) {
  const auto& cycle = certificate.witness.cycle;
  if (cycle.empty() || cycle.front().sender != kNoTerminal) return {};
  return ": a worm from " +
         pair_in_words(*certificate.plan, cycle.front().source, cycle.front().destination) +
         " is part of one";
}

}  // namespace

std::vector<std::string> false_claims(const Certificate& certificate) {
  std::vector<std::string> found;
  if (!certificate.limit.empty() || !certificate.surveyed) return found;
  const FabricPlan& plan = *certificate.plan;
  const bool planned = plan.multicast && plan.multicast->plans_unicasts;
  const RoutingRelation& relation = planned ? *plan.multicast->relation : *plan.relation;
  const RoutingClaims claims = relation.claims();
  const RoutingFacts& facts = certificate.facts;
  const bool whole = std::all_of(plan.routers.begin(), plan.routers.end(),
                                 [](const auto& router) { return router->crossbars == 1; });
  // Of worms that a planner plans there are no header states to look at.
  const auto with = [&](const char* text, std::string (*example)(const Certificate&)) {
    found.push_back(text + (planned ? std::string() : example(certificate)));
  };
  if (claims.minimal && !facts.minimal)
    with("the relation claims to be minimal, but worms take hops that lead no closer", example_not_minimal);
  if (claims.fully_adaptive && whole && !facts.fully_adaptive)
    with("the relation claims to be fully adaptive, but does not offer every shortest path",
         example_not_adaptive);
  if (!facts.hops_exact)
    with("the relation says of some worms that they take another number of hops than they do",
         example_other_hops);
  const std::string& claimed = claims.deadlock_free;
  if (claimed != "acyclic" && claimed != "escape" && claimed != "none")
    found.push_back("the relation says '" + claimed +
                    "' of its deadlock freedom; known are acyclic, escape and none");
  if (claimed == "acyclic" && !plan.multicast && facts.cyclic_inside)
    found.push_back("the relation claims an acyclic dependency graph, but it has cycles" +
                    in_the_cycle(certificate));
  if (claimed == "escape" && whole && facts.escape &&
      !(facts.escape->acyclic() && facts.escape_always_offered))
    found.push_back(
        "the relation claims an escape network, but has none: its dependencies have cycles, or "
        "it is not always on offer" +
        (facts.escape_always_offered ? in_the_cycle(certificate) : example_without_escape(certificate)));
  if (!planned)
    if (const auto pair = example_not_served(certificate); !pair.empty())
      found.push_back("the relation claims to serve every pair of terminals (serves_all), but it does not" +
                      pair);
  return found;
}

}  // namespace noctule
