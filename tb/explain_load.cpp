// Ceilings: what explain says of loads. The numbers are those of verify (tb/load_limits.h).

#include <fmt/format.h>

#include <algorithm>

#include "analytic/capacity.h"
#include "config/model.h"
#include "tb/explanation.h"
#include "tb/load_causes.h"
#include "tb/load_limits.h"
#include "topology/cube_geometry.h"
#include "verify/link_limits.h"

namespace noctule {
namespace {

/// Of transactions, whose rates follow from what they meet.
void describe_closed_loop(ExplainedLine& line) {
  line.formula =
      "most of r, summed over requesters, while each of these serves what r sends it: links, injection, "
      "consumption; servers / service time; places / (L - 1 + service time); outstanding / least round trip";
  line.holds =
      "accepted load of no run is above it, at whatever rates the requesters go on; messages go where the "
      "pattern says, in the mean, and the last one back. Links count where headers have no choice";
  line.proof.clear();
}

void say(ExplainedLine& line, const LoadCause& cause) {
  line.text.push_back(fmt::format("  cause: {}; {}", cause.name, cause.figure));
  line.text.push_back("  change: " + cause.change);
}
Json json_of(const ThroughputLimit& limit, const LoadCause& cause) {
  return {{"cause", cause.name},
          {"full", text_of(limit)},
          {"flits_per_node_cycle", limit.flits_per_node_cycle},
          {"figure", cause.figure},
          {"change", cause.change}};
}

/// Why a run may end below all limits: nothing that a formula knows.
void describe_rest(ExplainedLine& line, const ExplainedFabric& fabric, double limit) {
  const bool worms = fabric.spec.mean_length_flits > 1;
  const bool matched = std::ranges::any_of(fabric.plan.nodes.kinds(), [](const NodeDescription& node) {
    return node.switch_allocator != "none" && node.switch_allocator != "maximum";
  });
  const bool few_connections = std::ranges::any_of(
      fabric.plan.nodes.kinds(), [](const NodeDescription& node) { return node.connections_per_cycle != 0; });
  const char* const waiting = worms ? "waiting worms, which hold channels that others need"
                                    : "headers that wait for a virtual channel or for room";
  line.text.push_back(
      fmt::format("a run that ends well below {:.4g}: {}{}{}", limit, waiting,
                  few_connections ? "; or crossbars, which make few new connections in a cycle" : "",
                  matched ? "; or allocators, which leave an output idle that some input asks for" : ""));
  line.text.push_back(fmt::format("  change: more VCs (node.lanes), deeper buffers (node.input_depth){}{}{}",
                                  worms ? ", shorter packets" : "",
                                  few_connections ? "; node.connections_per_cycle all" : "",
                                  matched ? "; another node.switch_allocator, more node.allocator_iterations "
                                            "(maximum shows what there is to gain)"
                                          : ""));
  line.text.push_back("  which of them: `noctule explain FILE --try` simulates each");
}

ExplainedLine ceiling_line(const ExplainedFabric& fabric) {
  ExplainedLine line{
      "ceiling",
      "Highest load",
      "bound",
      "least of: every link's rate min(1 / s, V q / R) over the flits on it per flit of every terminal; "
      "all rates together over terminals x mean hops; injection; consumption. V virtual channels of q "
      "places, s cycles of a flit, R credit round trip",
      "no load above a bound is served in full to every flow; the mean over flows may still rise. Where "
      "headers have a choice, loads of links give an estimate only",
      "--prove: a run a tenth above the bound is not stable",
      {},
      {}};
  const ThroughputLimits& limits = fabric.limits;
  if (limits.bounds.empty()) {
    line.kind = "refused";
    line.text.push_back(limits.refused.empty() ? "no terminal sends anything" : limits.refused);
    line.proof.clear();
    return line;
  }
  if (limits.closed_loop) describe_closed_loop(line);
  const ThroughputLimit& first = limits.bounds.front();
  line.values = load_json(limits, fabric.point, *fabric.spec.topology);
  line.values["causes"] = Json::array();
  for (std::size_t n = 0; n < limits.bounds.size(); ++n) {
    const ThroughputLimit& limit = limits.bounds[n];
    const LoadCause cause = cause_of(limit, fabric.spec, fabric.plan);
    line.text.push_back(fmt::format("{}{:.4g} flits/node/cycle fill {}", n == 0 ? "" : "then ",
                                    limit.flits_per_node_cycle, text_of(limit)));
    say(line, cause);
    line.values["causes"].push_back(json_of(limit, cause));
  }
  line.values["raised_by"] = line.values["causes"].front()["change"];
  describe_rest(line, fabric, first.flits_per_node_cycle);
  if (limits.links && limits.links->max == 0)
    line.text.push_back("no packet takes a link");
  else if (limits.links)
    line.text.push_back(fmt::format(
        "links carry {:.4g} flits per flit and terminal in the mean, {:.4g} at most ({})", limits.links->mean,
        limits.links->max,
        fabric.spec.topology->link_name(fabric.spec.topology->links()[index(limits.links->busiest)])));
  else
    line.text.push_back(
        fmt::format("loads of single links are left out: more than {} header states; `noctule verify "
                    "FILE` follows as many as limits.verify_states allows",
                    kExplainHeaderStates));
  line.values["links_followed"] = limits.links.has_value();
  if (limits.estimate) {
    const LoadCause cause = cause_of(*limits.estimate, fabric.spec, fabric.plan);
    line.text.push_back(fmt::format("an estimate, no bound: {:.4g} fill {} {}",
                                    limits.estimate->flits_per_node_cycle, text_of(*limits.estimate),
                                    estimate_condition(limits)));
    say(line, cause);
    line.values["estimate_cause"] = json_of(*limits.estimate, cause);
    line.values["estimate_raised_by"] = cause.change;
  }
  if (const auto offered = fabric.offered()) {
    line.values["offered_flits_per_node_cycle"] = *offered;
    line.values["offered_above"] = *offered > first.flits_per_node_cycle;
    const std::string above = above_bound_text(limits, *offered);
    line.text.push_back(above.empty() ? fmt::format("offered: {:.4g}", *offered) : above);
  }
  return line;
}

bool has_odd_radix(const Topology& topology) {
  const auto* cube = topology.geometry<CubeGeometry>();
  if (cube == nullptr) return false;
  for (unsigned d = 0; d < cube->dimensions(); ++d)
    if (cube->radix(d) % 2 != 0) return true;
  return false;
}

/// Topology::capacity(), links with all their wires, as fast as these are: also where no packet of this
/// relation comes.
double capacity_with_wires(const ExplainedFabric& fabric) {
  const Topology& topology = *fabric.spec.topology;
  std::vector<double> rates;
  for (const Link& link : topology.links())
    rates.push_back(fabric.plan.parallel_links(link.id) * link_rates(fabric.plan, link).wires());
  const bool plain = std::ranges::all_of(rates, [](double rate) { return rate == 1; });
  return plain ? topology.capacity() : capacity_of(topology, rates);
}

ExplainedLine bisection_line(const ExplainedFabric& fabric) {
  const Topology& topology = *fabric.spec.topology;
  const double capacity = capacity_with_wires(fabric);
  const bool uneven = topology.bisection_limits() && has_odd_radix(topology);
  ExplainedLine line{
      "bisection",
      "Bisection",
      uneven ? "estimate" : "bound",
      topology.bisection_limits()
          ? "4 B / N flits/node/cycle, each half sending half of its flits across"
          : "what the narrowest cut or the busiest link of this kind of network bears",
      uneven
          ? "uniform traffic, self included; halves differ where the radix k of the split is odd: of a torus "
            "or mesh k^2 / (k^2 - 1) of it may be accepted"
          : "uniform traffic, self included, every relation",
      "`noctule sweep` with traffic.pattern uniform: accepted load stays below",
      {},
      {}};
  line.values = {{"bidirectional_channels", topology.bisection()},
                 {"exact", topology.bisection_is_exact()},
                 {"terminals", topology.terminals()},
                 {"uniform_flits_per_node_cycle", capacity},
                 {"diameter", topology.diameter()}};
  line.text.push_back(fmt::format("B = {}{}, N = {}: {:.4g} flits/node/cycle",
                                  topology.bisection_is_exact() ? "" : "at most ", topology.bisection(),
                                  topology.terminals(), capacity));
  return line;
}

}  // namespace

std::vector<ExplainedLine> explain_load(const ExplainedFabric& fabric) {
  return {ceiling_line(fabric), bisection_line(fabric)};
}

}  // namespace noctule
