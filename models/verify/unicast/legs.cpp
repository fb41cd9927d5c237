#include "verify/unicast/legs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "routing/prescribed_routes.h"
#include "routing/two_phase.h"
#include "verify/unicast/sampled_worms.h"
#include "verify/unicast/survey.h"

namespace noctule {
namespace {

const TwoPhaseRelation* two_phase(const FabricPlan& plan) {
  return dynamic_cast<const TwoPhaseRelation*>(&without_prescriptions(*plan.relation));
}

/// Source, router in between and destination: so many are followed one by one in about a second.
constexpr std::uint64_t kFewWorms = 1'000'000;

/// What the worms of one leg add. False: its channels are not apart from those before.
bool add_leg(ProofByLegs& proof, const Survey& leg, std::uint32_t first) {
  const auto numbers = *leg.direct.numbering();
  auto& facts = proof.facts;
  for (ChannelId c = 0; c < facts.used.size(); ++c) {
    if (leg.facts.used[c] == 0) continue;
    if (facts.used[c] != 0) return false;
    facts.used[c] = 1;
    proof.numbering[c] = first + numbers[c];
  }
  facts.header_states += leg.facts.header_states;
  facts.longest_path += leg.facts.longest_path;
  facts.always_arrives = facts.always_arrives && leg.facts.always_arrives;
  facts.direct.channels += leg.facts.direct.channels;
  facts.direct.dependencies += leg.facts.direct.dependencies;
  return true;
}

void check_against_worms(const FabricPlan& plan, const ChannelIndex& channels, ProofByLegs& proof) {
  const SampledWorms seen = sample_worms(plan, channels, proof.facts, proof.numbering);
  if (seen.breach)
    throw ConfigError("routing.algorithm",
                      fmt::format("the relation declares two legs, but a worm from {} to {} does not follow "
                                  "them at {}",
                                  plan.topology->router_name(seen.breach->source),
                                  plan.topology->router_name(seen.breach->destination),
                                  plan.topology->router_name(seen.breach->here)));
  proof.facts.hops_exact = seen.hops_exact;
  proof.facts.minimal = seen.minimal;
}

}  // namespace

bool too_many_but_by_legs(const FabricPlan& plan) {
  const std::uint64_t routers = plan.topology->routers();
  return routers * routers * routers > kFewWorms && two_phase(plan) != nullptr;
}

std::optional<ProofByLegs> prove_by_legs(const FabricPlan& plan, const ChannelIndex& channels,
                                         std::uint64_t most_header_states) {
  const TwoPhaseRelation* relation = two_phase(plan);
  if (relation == nullptr || channels.partitioned() || plan.multicast) return std::nullopt;
  std::vector<RouterId> all;
  for (std::uint32_t r = 0; r < plan.topology->routers(); ++r) all.push_back(RouterId{r});
  ProofByLegs proof;
  proof.facts.used.assign(channels.virtual_channels(), 0);
  proof.facts.fully_adaptive = proof.facts.fully_adaptive_at_injection = false;
  proof.numbering.assign(channels.size(), 0);
  std::uint32_t first = 0;
  for (unsigned phase = 0; phase < TwoPhaseRelation::kPhases; ++phase) {
    FabricPlan leg = plan;
    leg.relation = relation->leg(phase);
    const Survey found = survey(leg, channels, most_header_states - proof.facts.header_states, all);
    if (!found.complete || !found.facts.direct.acyclic() || !add_leg(proof, found, first))
      return std::nullopt;
    first += static_cast<std::uint32_t>(channels.size());
  }
  proof.facts.used_as_escape = proof.facts.used;
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (channels.is_consumption(c)) proof.numbering[c] = first;
  check_against_worms(plan, channels, proof);
  return proof;
}

}  // namespace noctule
