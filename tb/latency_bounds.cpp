#include "tb/latency_bounds.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {
namespace {

constexpr std::size_t kMostLines = 8;

std::string names_of(const PointLatencyBounds& latency, const LatencyBounds::Group& group) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(kMost, group.flows.size()); ++n) {
    const RegulatedFlow& flow = latency.flows[group.flows[n]];
    text += fmt::format("{}{} to {}", n == 0 ? "" : ", ", index(flow.source), index(flow.destination));
  }
  if (group.flows.size() > kMost) text += fmt::format(" and {} more", group.flows.size() - kMost);
  return text;
}

}  // namespace

PointLatencyBounds latency_bounds(const PointSpec& spec, const Certificate& certificate) {
  PointLatencyBounds latency{claims_of(spec).regulated(), {}};
  if (!latency.flows.empty())
    latency.bounds =
        bound_latencies(*certificate.plan, latency.flows, certificate.proved(),
                        spec.sink != nullptr || spec.source->sink() != nullptr || spec.fabric.stall > 0);
  return latency;
}

std::string latency_text(const PointLatencyBounds& latency) {
  if (latency.flows.empty()) return "";
  const LatencyBounds& bounds = latency.bounds;
  if (!bounds.none.empty()) return fmt::format("  latency      no bound: {}\n", bounds.none);
  std::vector<const LatencyBounds::Group*> groups;
  for (const auto& group : bounds.groups) groups.push_back(&group);
  // Those without a bound first, then the slowest.
  std::ranges::stable_sort(groups, [](const auto* a, const auto* b) {
    return a->cycles.value_or(~0ULL) > b->cycles.value_or(~0ULL);
  });
  std::string text;
  for (std::size_t n = 0; n < std::min(kMostLines, groups.size()); ++n) {
    const auto& group = *groups[n];
    text += fmt::format("  latency      {}: {}\n", names_of(latency, group),
                        group.cycles ? fmt::format("at most {} cycle{} from birth to the tail", *group.cycles,
                                                   *group.cycles == 1 ? "" : "s")
                                     : "no bound: " + group.none);
  }
  if (groups.size() > kMostLines)
    text += fmt::format("  latency      {} groups of flows more: see --json\n", groups.size() - kMostLines);
  return text;
}

Json latency_json(const PointLatencyBounds& latency, const MessageClasses& classes) {
  if (latency.flows.empty()) return {};
  if (!latency.bounds.none.empty()) return {{"none", latency.bounds.none}};
  Json json = Json::object();
  for (std::size_t f = 0; f < latency.flows.size(); ++f) {
    const RegulatedFlow& flow = latency.flows[f];
    const LatencyBounds::Group& group = latency.bounds.groups[latency.bounds.group_of[f]];
    const double cycles = flow.period.cycles();
    const Json period = flow.period.whole() ? Json(static_cast<std::uint64_t>(cycles)) : Json(cycles);
    Json one{{"source", index(flow.source)}, {"destination", index(flow.destination)},
             {"length_flits", flow.length},  {"period_cycles", period},
             {"burst_packets", flow.burst},  {"group", latency.bounds.group_of[f]},
             {"group_load", group.load}};
    if (classes.named()) one["class"] = classes[flow.message_class].name;
    if (group.cycles)
      one["bound_cycles"] = *group.cycles;
    else
      one["none"] = group.none;
    json["flows"].push_back(std::move(one));
  }
  return json;
}

}  // namespace noctule
