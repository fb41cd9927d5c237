#include "tb/load_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "verify/link_limits.h"

namespace noctule {
namespace {

std::string counted(double number, const char* one, const char* many) {
  return fmt::format("{:.4g} {}", number, number == 1 ? one : many);
}
std::string flits(double number) {
  return counted(number, "flit per cycle", "flits per cycle");
}

/// What says how deep the buffers behind a link are.
std::string depth_behind(const FabricPlan& plan, const Link& link) {
  if (plan.nodes.kinds().size() == 1) return "node.input_depth";
  return fmt::format("input_depth of {} (node, or the last entry of nodes that gives it)",
                     plan.topology->router_name(link.to));
}

LoadCause of_link(const ThroughputLimit& limit, const FabricPlan& plan) {
  const Link& link = plan.topology->links()[limit.at];
  const LinkCause cause = link_cause(plan, link, limit.vc_class);
  const std::string vcs = counted(cause.vcs, "virtual channel", "virtual channels") +
                          (limit.vc_class < 0 ? "" : " of this class");
  switch (cause.narrow) {
    case LinkRates::Narrow::kCredits:
      return {
          "credits",
          fmt::format("{} of {} and {} until a place can be taken again let {} through; the wires would "
                      "carry {}, and be full at {:.4g}",
                      vcs, counted(cause.places, "place", "places"),
                      counted(cause.credit_cycles, "cycle", "cycles"), flits(cause.flits_per_cycle),
                      flits(cause.wires), limit.flits_per_node_cycle * cause.wires / cause.flits_per_cycle),
          fmt::format("{} of {} or more, more VCs (node.lanes), or a shorter credit round trip "
                      "(link.flit_delay, link.credit_delay, a shorter pipeline)",
                      depth_behind(plan, link), cause.enough)};
    case LinkRates::Narrow::kOutputBuffer:
      return {"output buffers",
              fmt::format("{} with output buffers so small let {} through; the wires would carry {}", vcs,
                          flits(cause.flits_per_cycle), flits(cause.wires)),
              "node.output_depth of 2 or more, or more VCs (node.lanes)"};
    case LinkRates::Narrow::kWires:
      break;
  }
  if (cause.wires > cause.flits_per_cycle * (1 + 1e-9))
    return {"shared slots", fmt::format("slots of their own give {} {}", vcs, flits(cause.flits_per_cycle)),
            "node.link_sharing, or a relation that spreads packets over the VC classes"};
  if (cause.cycles_per_flit > 1)
    return {"slow links",
            fmt::format("it carries a flit every {} cycles, and is always busy", cause.cycles_per_flit),
            "fewer link.cycles_per_flit, node.parallel_links, or a relation or pattern that loads it less"};
  return {
      "channel load", fmt::format("it carries {}, and is always busy", flits(cause.wires)),
      "node.parallel_links, or a relation or pattern that spreads the load over more links; deeper buffers "
      "and more VCs do not move it"};
}

LoadCause of_injection(const NodeDescription& node) {
  const double channels = node.injection_channels;
  const double all = injection_rate(node);
  if (all < channels)
    return {"injection buffers",
            fmt::format("its {} let {} through, as {} of {} are filled and emptied in turn",
                        counted(channels, "injection channel", "injection channels"), flits(all),
                        counted(node.injection_vcs, "buffer", "buffers"),
                        counted(node.input_depth, "place", "places")),
            "node.input_depth, node.injection_vcs, or node.injection_refill"};
  return {"injection", fmt::format("a terminal sends at most {}", flits(all)),
          "node.injection_channels, or fewer packets from that terminal"};
}

LoadCause of_consumption(const NodeDescription& node, double stall) {
  const double channels = node.consumption_channels;
  const double all = consumption_rate(node);
  if (const double stalled = consumption_rate(node, stall); stalled < all)
    return {
        "stalls",
        fmt::format("the terminal takes {}, as it takes none in {:.4g} of the cycles", flits(stalled), stall),
        "traffic.stall, or a pattern that spreads destinations"};
  if (all < channels)
    return {"consumption buffers",
            fmt::format("its {} let {} through, as their buffers are filled and emptied in turn",
                        counted(channels, "consumption channel", "consumption channels"), flits(all)),
            "node.consumption_depth, node.consumption_vcs, or a pattern that spreads destinations"};
  return {"consumption", fmt::format("the terminal takes at most {}", flits(all)),
          "node.consumption_channels, or a pattern that spreads destinations"};
}

LoadCause of_all_links(const FabricPlan& plan) {
  double all = 0;
  double wires = 0;
  for (const Link& link : plan.topology->links()) {
    const LinkCause cause = link_cause(plan, link);
    all += cause.flits_per_cycle;
    wires += cause.wires;
  }
  const bool credits = all < wires * (1 - 1e-9);
  return {"all links together",
          fmt::format(
              "they carry {}{}", flits(all),
              credits ? fmt::format("; their wires would carry {:.4g}, and credits or buffers do not", wires)
                      : ""),
          credits ? "node.input_depth and node.lanes; more or faster links; destinations that are nearer"
                  : "more or faster links, or destinations that are nearer"};
}

}  // namespace

LoadCause cause_of(const ThroughputLimit& limit, const PointSpec& spec, const FabricPlan& plan) {
  const bool placed = limit.at != ThroughputLimit::kNowhere;
  const TerminalId terminal{placed ? limit.at : 0};
  if (limit.what == "links" && placed) return of_link(limit, plan);
  if (limit.what == "injection") return of_injection(plan.nodes[plan.topology->injection_router(terminal)]);
  if (limit.what == "consumption")
    return of_consumption(plan.nodes[plan.topology->consumption_router(terminal)], spec.fabric.stall);
  if (limit.what == "distance") return of_all_links(plan);
  static const std::map<std::string, LoadCause> kTerminals{
      {"sink",
       {"sink", "it takes flits no faster",
        "traffic.sink.service_time, or a pattern that spreads destinations"}},
      {"service",
       {"servers", "all of them work all the time",
        "traffic.source.servers, traffic.source.service_time, or a pattern that spreads destinations"}},
      {"places",
       {"request buffer", "all places are held all the time",
        "the buffer of its class in message_classes, traffic.source.service_time, or a pattern that spreads "
        "destinations"}},
      {"outstanding",
       {"open transactions", "no more may be open, and a round trip takes so long",
        "traffic.source.outstanding, and what makes a round trip shorter: the latency of packets, "
        "traffic.source.service_time and think_time"}}};
  const auto found = kTerminals.find(limit.what);
  return found == kTerminals.end() ? LoadCause{limit.what, "", ""} : found->second;
}

}  // namespace noctule
