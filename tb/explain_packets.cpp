// Packets: what explain says of their length, of several lengths, of multicasts, and of queues.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analytic/cut_through.h"
#include "analytic/packetised.h"
#include "analytic/queueing.h"
#include "nodes/service_rates.h"
#include "tb/explanation.h"
#include "topology/butterfly_geometry.h"
#include "verify/link_limits.h"

namespace noctule {
namespace {

/// Links that the mean packet crosses, at least one, and of these the whole number that is nearest.
struct Way {
  double mean = 1;
  std::uint64_t links = 1;
};

Way way_of(const ExplainedFabric& fabric) {
  Way way;
  if (fabric.limits.links)
    way.mean = fabric.limits.links->mean_hops;
  else if (fabric.spec.pattern)
    way.mean = mean_distance(*fabric.spec.topology, *fabric.spec.pattern);
  else
    way.mean = fabric.spec.topology->mean_distance();
  way.links = static_cast<std::uint64_t>(std::max(1.0, std::round(way.mean)));
  return way;
}

double mean_length(const ExplainedFabric& fabric) {
  double mean = 0;
  for (const auto& [length, share] : fabric.lengths) mean += share * length;
  return mean;
}

Json packet_json(const BestPacket& best) {
  return {{"packets", best.packets}, {"payload_flits", best.packet}, {"cycles", best.time}};
}

std::string packets_text(const BestPacket& best, const ExplainedFabric& fabric) {
  return fmt::format("{} packet{} of {} flits of payload, {}", best.packets, best.packets == 1 ? "" : "s",
                     best.packet, cycles_text(fabric, best.time));
}

/// Does any router store packets?
bool stores(const ExplainedFabric& fabric) {
  return fabric.plan.nodes.any([](const NodeDescription& node) { return node.stores(); });
}

/// Cycles between two flits that follow each other over the fastest link, by its wires or by what it lets
/// through: a flit of others takes as long at least.
double cycles_per_flit(const ExplainedFabric& fabric, double LinkCause::*rate) {
  double fastest = 0;
  for (const Link& link : fabric.plan.topology->links())
    fastest = std::max(fastest, link_cause(fabric.plan, link).*rate);
  return fastest > 0 && fastest < 1 ? 1 / fastest : 1;
}

/// One packet, through wormhole or virtual cut-through routers.
ExplainedLine worm_line(const ExplainedFabric& fabric, std::uint64_t message, std::uint64_t overhead,
                        const Way& way) {
  ExplainedLine line{
      "packet_length_wormhole",
      "Packet length, wormhole or cut-through",
      "advice",
      "one packet is best at zero load; n packets one behind the other take T(first) + c times the flits of "
      "the others + (n - 1) s, c cycles of a link for a flit, s idle ones between two worms (none at best)",
      "zero load, buffers of a credit round trip; under load shorter packets block less",
      "`noctule sweep --axis traffic.packet_length=...` at a low load",
      {},
      {}};
  if (stores(fabric)) {
    line.text.emplace_back("routers here store packets: what comes next is about them");
    return line;
  }
  if (!fabric.zero_load.by_hops()) {
    line.text.emplace_back("differs from way to way: `--prove` prints latencies of single pairs");
    return line;
  }
  const auto alone = [&](std::uint64_t payload) {
    return fabric.zero_load.latency(way.links, payload + overhead);
  };
  const double per_flit = cycles_per_flit(fabric, &LinkCause::flits_per_cycle);
  line.values["links"] = way.links;
  line.values["payload_flits"] = message;
  line.values["overhead_flits"] = overhead;
  for (const std::uint64_t packets : {1, 2, 4, 8}) {
    if (packets > message) break;
    const PacketCut cut = cut_into_packets(message, (message + packets - 1) / packets);
    if (cut.packets != packets) continue;
    const std::uint64_t first = packets == 1 ? cut.last : (message - cut.last) / (packets - 1);
    const auto others = static_cast<double>(message - first + (packets - 1) * overhead);
    const std::uint64_t cycles =
        back_to_back(alone(first), static_cast<std::uint64_t>(std::floor(others * per_flit)), packets - 1, 0);
    const double share = static_cast<double>(message) / static_cast<double>(message + packets * overhead);
    Json one{{"packets", packets}, {"payload_flits", first}, {"payload_share", share}};
    put_cycles(one, "least", static_cast<double>(cycles), fabric);
    line.values["packets"].push_back(std::move(one));
    line.text.push_back(
        fmt::format("{} flits of payload over {} links in {} packet{}: {}{}; {:.0f} % of the flits on the "
                    "links are payload",
                    message, way.links, packets, packets == 1 ? "" : "s", packets == 1 ? "" : "at least ",
                    cycles_text(fabric, static_cast<double>(cycles)), 100 * share));
  }
  return line;
}

/// Routers that store packets whole.
ExplainedLine stored_line(const ExplainedFabric& fabric, std::uint64_t message, std::uint64_t overhead,
                          const Way& way) {
  ExplainedLine line{
      "packet_length_stored",
      stores(fabric) ? "Packet length, where routers store packets whole"
                     : "Packet length, if routers stored packets whole",
      "advice",
      "T = c (M + n K + (D - 1) (min(B, M) + K)) for M flits in n packets of B over D links, K flits of "
      "overhead in each; best n: the smallest with n (n + 1) >= (D - 1) M / K, and the lengths around it",
      "no contention, c cycles of a link for a flit, places for two packets (one, freed when the packet has "
      "left: c ((2 (n - 1) + D - 2) (B + K) + 2 (R + K))); Symons and Narasimhan 1997, equation 4, repaired",
      stores(fabric) ? "`noctule run configs/symons-1997/chain.yaml`: a message takes this to the cycle"
                     : "`noctule run configs/symons-1997/chain.yaml`: exact with node.forwarding "
                       "store_and_forward; routers here cut through",
      {},
      {}};
  const double per_flit = cycles_per_flit(fabric, &LinkCause::wires);
  const SerialLink link{per_flit, per_flit * static_cast<double>(overhead)};
  const auto m = static_cast<double>(message);
  const auto d = static_cast<double>(way.links);
  const BestPacket best = best_overlapping(link, message, way.links);
  const BestPacket strict = best_strict(link, message, way.links);
  const double estimate = smooth_best_packet(link, m, d);
  const auto rounded = static_cast<std::uint64_t>(std::max(1.0, std::round(estimate)));
  const double at_estimate = overlapping_time(link, message, rounded, way.links);
  const double whole = overlapping_time(link, message, message, way.links);
  line.values = {{"links", way.links},
                 {"payload_flits", message},
                 {"overhead_flits", overhead},
                 {"whole_message_cycles", whole},
                 {"two_places", packet_json(best)},
                 {"one_place", packet_json(strict)},
                 {"estimates",
                  {{"equation_5_cycles", smooth_time(link, m, static_cast<double>(best.packet), d)},
                   {"equation_6_payload_flits", estimate},
                   {"equation_6_cycles", at_estimate},
                   {"equation_7_speed_up", smooth_speed_up(m, static_cast<double>(best.packet), d)},
                   {"equation_8_cycles", smooth_least_time(link, m, d)},
                   {"equation_9_cycles", large_least_time(link, m, d)}}}};
  line.text.push_back(fmt::format("{} flits of payload over {} links: {} stored as one packet", message,
                                  way.links, cycles_text(fabric, whole)));
  line.text.push_back("two places:  " + packets_text(best, fabric));
  line.text.push_back("one place:   " + packets_text(strict, fabric));
  line.text.push_back(
      fmt::format("equation 6 says {:.1f} flits, {:.2g} % above the best; equation 8: {:.1f} cycles",
                  estimate, 100 * (at_estimate / best.time - 1), smooth_least_time(link, m, d)));
  if (fabric.lengths.size() > 1) {
    std::vector<std::uint64_t> flits;
    for (const auto& [length, share] : fabric.lengths) flits.push_back(length);
    const std::uint64_t cycles = stored_cycles(flits, way.links, 0);
    line.values["one_of_each_length_cycles"] = cycles;
    line.text.push_back(
        fmt::format("one packet of each length, one behind the other: {}: the longest counts at every hop",
                    cycles_text(fabric, static_cast<double>(cycles))));
  }
  return line;
}

/// Links that carry a flit in parts.
std::optional<ExplainedLine> serial_line(const ExplainedFabric& fabric, std::uint64_t message,
                                         const Way& way) {
  std::uint64_t parts = 1;
  for (const LinkDescription& link : fabric.spec.links.kinds())
    parts = std::max<std::uint64_t>(parts, link.cycles_per_flit);
  if (parts == 1) return std::nullopt;
  ExplainedLine line{
      "flit_size",
      "Flit size on a serial link",
      "advice",
      "F = sqrt(M h / (D - 1)) for M bits in flits of F bits, h bits of each its own, over D links",
      "flits that take much longer over a link than through a router",
      "`noctule sweep` over link.cycles_per_flit and traffic.packet_length with their product constant",
      {},
      {}};
  const double phits = static_cast<double>(message * parts);
  const double best = best_serial_flit(phits, 1, static_cast<double>(way.links));
  line.values = {{"cycles_per_flit", parts}, {"message_phits", message * parts}, {"best_flit_phits", best}};
  line.text.push_back(
      fmt::format("{} flits of {} cycles of the link, 1 cycle of each its own: best {:.1f} cycles", message,
                  parts, best));
  return line;
}

std::optional<ExplainedLine> mixed_line(const ExplainedFabric& fabric, const Way& way) {
  if (fabric.lengths.size() < 2 || !fabric.zero_load.by_hops()) return std::nullopt;
  ExplainedLine line{"mixed_lengths",
                     "Packets of several lengths",
                     "exact",
                     "T(L) weighted by the shares of the lengths",
                     "zero load; under load a packet also waits for longer ones before it",
                     "--prove: worms of all these lengths",
                     {},
                     {}};
  double mean = 0;
  for (const auto& [length, share] : fabric.lengths) {
    const auto cycles = static_cast<double>(fabric.zero_load.latency(way.links, length));
    mean += share * cycles;
    Json one{{"flits", length}, {"share", share}};
    put_cycles(one, "alone", cycles, fabric);
    line.values["lengths"].push_back(std::move(one));
    if (line.text.size() < 8)
      line.text.push_back(
          fmt::format("L = {:<3} share {:.3f}  {}", length, share, cycles_text(fabric, cycles)));
  }
  line.values["links"] = way.links;
  put_cycles(line.values, "mean", mean, fabric);
  line.text.push_back(fmt::format("mean over {} links: {}", way.links, cycles_text(fabric, mean)));
  return line;
}

ExplainedLine multicast_line(const ExplainedFabric& fabric) {
  const std::string planner = fabric.point.resolved.at("multicast").at("planner").dump();
  ExplainedLine line{"multicasts", "Messages with several destinations", "refused", "", "", "", {}, {}};
  line.values["planner"] = planner;
  line.text.push_back(
      fmt::format("not explained: with the planner {} worms of a message share links and consumption "
                  "channels, and copies wait for each other; `noctule run FILE` measures them",
                  planner));
  return line;
}

/// Load between 0 and 1 at which queues can be spoken of.
bool below_one(double load) {
  return load > 0 && load < 1;
}

ExplainedLine queue_line(const ExplainedFabric& fabric) {
  ExplainedLine line{
      "queues",
      "Queues",
      "model",
      "source queue: rho / (2 (1 - rho)) (E[S^2] / E[S] - 1) cycles, S those of a packet in the injection "
      "channel (Meisling 1958); switches with one FIFO per input saturate at the load of Karol, Hluchyj and "
      "Morgan 1987",
      "queues by themselves, and in each cycle a packet with the same probability: never a bound of a "
      "wormhole network, whose worms hold several channels",
      "`noctule run`: latency_cycles.parts.source_queue",
      {},
      {}};
  double rate = 0;
  for (std::uint32_t r = 0; r < fabric.plan.routers.size(); ++r)
    if (!fabric.plan.injecting[r].empty()) {
      const double here = injection_rate(fabric.plan.nodes[RouterId{r}]);
      rate = rate == 0 ? here : std::min(rate, here);
    }
  const double flits = mean_length(fabric);
  const Json& traffic = fabric.point.resolved.at("traffic");
  const bool modelled =
      traffic.at("source").at("kind") == "bernoulli" && traffic.at("source_queue") == "infinite";
  if (!modelled)
    line.text.emplace_back(
        "source queue: no model; there is one of traffic.source bernoulli with an infinite source queue");
  if (const auto offered = fabric.offered();
      modelled && offered && std::isfinite(rate) && below_one(*offered / rate)) {
    const double load = *offered / rate;
    double square = 0;
    for (const auto& [length, share] : fabric.lengths) square += share * length * length / (rate * rate);
    const double wait = bernoulli_wait(load, flits / rate, square);
    line.values["source_queue"] = {{"load", load}};
    put_cycles(line.values["source_queue"], "wait", wait, fabric);
    line.text.push_back(fmt::format("source queue at {:.4g} flits/node/cycle (rho {:.3g}): {}", *offered,
                                    load, cycles_text(fabric, wait)));
  }
  std::size_t ports = 0;
  for (std::uint32_t r = 0; r < fabric.plan.routers.size(); ++r)
    ports = std::max(ports, fabric.plan.routers[r]->inbound.size() + terminals_of(fabric.plan.injecting[r]));
  line.values["fifo_inputs"] = {{"inputs", ports}, {"saturation", fifo_saturation(ports)}};
  line.text.push_back(
      fmt::format("one FIFO per input, {} inputs: saturates at {:.3f} flits per cycle and input; virtual "
                  "channels are there to pass that",
                  ports, fifo_saturation(ports)));
  if (const auto* butterfly = fabric.spec.topology->geometry<ButterflyGeometry>()) {
    if (const auto offered = fabric.offered(); offered && below_one(*offered)) {
      const double wait = output_queue_wait(*offered, butterfly->arity(), flits);
      line.values["first_stage"] = {{"inputs", butterfly->arity()}};
      put_cycles(line.values["first_stage"], "wait", wait, fabric);
      line.text.push_back(
          fmt::format("first stage with output queues, {} x {} (Kruskal and Snir 1983; packets that arrive "
                      "whole): {}",
                      butterfly->arity(), butterfly->arity(), cycles_text(fabric, wait)));
    }
  }
  return line;
}

}  // namespace

std::vector<ExplainedLine> explain_packets(const ExplainedFabric& fabric, const PacketQuestion& question) {
  const Way way = way_of(fabric);
  const auto mean = static_cast<std::uint64_t>(std::max(1.0, std::round(mean_length(fabric))));
  const std::uint64_t message =
      question.message.value_or(mean > question.overhead ? mean - question.overhead : 1);
  std::vector<ExplainedLine> lines{worm_line(fabric, message, question.overhead, way),
                                   stored_line(fabric, message, question.overhead, way)};
  if (auto line = serial_line(fabric, message, way)) lines.push_back(std::move(*line));
  if (auto line = mixed_line(fabric, way)) lines.push_back(std::move(*line));
  if (fabric.spec.multicasts || fabric.spec.planner) lines.push_back(multicast_line(fabric));
  lines.push_back(queue_line(fabric));
  return lines;
}

}  // namespace noctule
