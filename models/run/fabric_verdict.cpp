#include "run/fabric_verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/model.h"
#include "core/json.h"
#include "run/inputs.h"
#include "run/resume.h"

namespace noctule {

std::string fabric_key(const Json& resolved) {
  const Json part = fabric_part(resolved);
  // Within a section of its own: of a whole point the limits would not count.
  return point_key({{"fabric", part}}, "fabric" + input_digest(part));
}

FabricOfPoint fabric_of(const PointConfig& point) {
  try {
    const Json part = fabric_part(point.resolved);
    const FabricConfig config = fabric_from_json(part);
    const auto topology = make_topology(config);
    FabricOfPoint fabric;
    fabric.key = fabric_key(part);
    fabric.plan = std::make_shared<const FabricPlan>(
        plan_fabric({topology, make_routing(config, topology), make_nodes(config, *topology),
                     make_links(config, *topology), make_planner(config, topology), config.plans_unicasts,
                     make_message_classes(config, *topology)}));
    fabric.options.header_states = config.verify.states;
    fabric.options.witness_worms = config.verify.worms;
    const auto kinds = fabric.plan->links.kinds();
    const auto slowest = std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
      return a.flit_delay + a.cycles_per_flit < b.flit_delay + b.cycles_per_flit;
    });
    fabric.options.cycles_per_hop = slowest->cycles_per_flit + slowest->flit_delay;
    fabric.router_cycles = config.verify.router_cycles;
    return fabric;
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

namespace {

/// What the search has come to, where the verifier could not decide.
void conclude(Certificate& certificate, const DeadlockSearch& search, std::uint64_t limit) {
  // Constructed worms that did not deadlock are no witnesses.
  certificate.witness.worms = search.worms;
  if (search.found) {
    certificate.verdict = Verdict::kDeadlockPossible;
    certificate.method = "simulation";
    certificate.missing.clear();
    certificate.limit.clear();
    return;
  }
  certificate.reason += fmt::format("; {} simulation{} of {} router-cycles in all did not deadlock",
                                    search.runs, search.runs == 1 ? "" : "s", search.router_cycles);
  if (search.cut) {
    certificate.reason += fmt::format(" ({} = {} ended the search)", kVerifyCyclesKey, limit);
    if (certificate.limit.empty()) certificate.limit = kVerifyCyclesKey;
  }
}

}  // namespace

FabricVerdict judge_fabric(const FabricOfPoint& fabric, const PointConfig& point,
                           const Simulations& simulations, const std::string& stem) {
  FabricVerdict verdict;
  try {
    verdict.certificate = verify(fabric.plan, fabric.options);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
  if (verdict.certificate.proved()) return verdict;
  DeadlockSearch search =
      search_deadlock(verdict.certificate, point, fabric.router_cycles, simulations, stem);
  conclude(verdict.certificate, search, fabric.router_cycles);
  verdict.deadlock = std::move(search.found);
  return verdict;
}

}  // namespace noctule
