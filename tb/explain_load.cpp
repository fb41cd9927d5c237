// Ceilings: what explain says of loads. The numbers are those of verify (tb/load_limits.h).

#include <fmt/format.h>

#include "config/model.h"
#include "tb/explanation.h"
#include "tb/load_limits.h"

namespace noctule {
namespace {

/// What would move a limit.
std::string remedy(const ThroughputLimit& limit) {
  if (limit.what == "injection")
    return "node.injection_channels, node.injection_refill, deeper injection buffers (node.input_depth)";
  if (limit.what == "consumption")
    return "node.consumption_channels, deeper consumption buffers, or a pattern that spreads destinations";
  if (limit.what == "sink") return "traffic.sink.service_time, or a pattern that spreads destinations";
  if (limit.what == "service")
    return "traffic.source.servers, traffic.source.service_time, or a pattern that spreads destinations";
  if (limit.what == "places")
    return "message_classes.buffer, traffic.source.service_time, or a pattern that spreads destinations";
  if (limit.what == "outstanding")
    return "traffic.source.outstanding, and what makes a round trip shorter: the latency of packets, "
           "traffic.source.service_time and think_time";
  if (limit.what == "distance") return "more or faster links, or destinations that are nearer";
  return "of that link: node.parallel_links or fewer link.cycles_per_flit; node.lanes and node.input_depth "
         "where its "
         "VCs do not fill it; a relation or a pattern that loads it less";
}

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
  line.values["raised_by"] = remedy(first);
  line.text.push_back(
      fmt::format("{:.4g} flits/node/cycle fill {}", first.flits_per_node_cycle, text_of(first)));
  line.text.push_back("raised by " + remedy(first));
  if (limits.bounds.size() > 1)
    line.text.push_back(fmt::format("until {:.4g} fill {}", limits.bounds[1].flits_per_node_cycle,
                                    text_of(limits.bounds[1])));
  if (limits.links)
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
    line.text.push_back(fmt::format("an estimate, no bound: {:.4g} fill {} {}",
                                    limits.estimate->flits_per_node_cycle, text_of(*limits.estimate),
                                    estimate_condition(limits)));
    line.values["estimate_raised_by"] = remedy(*limits.estimate);
  }
  if (const auto offered = fabric.offered()) {
    line.values["offered_flits_per_node_cycle"] = *offered;
    line.values["offered_above"] = *offered > first.flits_per_node_cycle;
    const std::string above = above_bound_text(limits, *offered);
    line.text.push_back(above.empty() ? fmt::format("offered: {:.4g}", *offered) : above);
  }
  return line;
}

ExplainedLine bisection_line(const ExplainedFabric& fabric) {
  const Topology& topology = *fabric.spec.topology;
  const double capacity = ideal_capacity(topology, fabric.spec.links);
  ExplainedLine line{
      "bisection",
      "Bisection",
      "bound",
      topology.bisection_limits()
          ? "4 B / N flits/node/cycle, each half sending half of its flits across"
          : "what the narrowest cut or the busiest link of this kind of network bears",
      "uniform traffic, self included, every relation, links of a flit per cycle but for serialisers",
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
