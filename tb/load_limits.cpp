#include "tb/load_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/effects.h"
#include "config/model.h"
#include "core/error_output.h"
#include "core/json.h"
#include "run/fabric_verdict.h"

namespace noctule {
namespace {

constexpr double kOneShare = 4294967296.0;  ///< SourceContext::Multicasts::share

std::string pattern_of(const PointConfig& point) {
  return point.resolved.at("traffic").at("pattern").at("kind").get<std::string>();
}

std::string link_name(const ThroughputLimits::Links& links, const Topology& topology) {
  const Link& link = topology.links()[index(links.busiest)];
  return topology.link_name(link);
}

const char* estimate_key(const ThroughputLimits& limits) {
  return limits.sampled ? "estimate_from_sampled_messages" : "estimate_if_headers_divide_evenly";
}

}  // namespace

std::optional<ThroughputLimits> load_limits(const PointSpec& spec, const PointConfig& point,
                                            const FabricPlan& plan, const ChannelIndex& channels,
                                            std::uint64_t most_header_states) {
  // What a file says is not drawn from the pattern.
  if (!spec.pattern || traffic_of(point.resolved) >= SourceKind::Traffic::kRates) return std::nullopt;
  const TrafficConfig traffic = model_from_json(point.resolved).traffic;
  const OfferedMessages messages{
      spec.pattern.get(), static_cast<double>(traffic.multicasts.share) / kOneShare, traffic.multicasts.least,
      traffic.multicasts.most, spec.source ? spec.source->pattern_class() : std::uint8_t{0}};
  return throughput_limits(plan, channels, messages,
                           {spec.fabric.stall, spec.sink ? spec.sink->rate() : TakenRates{}.sink},
                           most_header_states);
}

std::string bound_text(const ThroughputLimits& limits) {
  if (limits.bounds.empty()) return "";
  const auto& bound = limits.bounds.front();
  return fmt::format(
      "no load above {:.4g} flits/node/cycle can be served in full to every flow ({} full); the mean may "
      "still rise above it, as other flows go on",
      bound.flits_per_node_cycle, text_of(bound));
}

std::string above_bound_text(const ThroughputLimits& limits, double offered) {
  // Loads that are written as the bound itself differ from it by rounding.
  if (limits.bounds.empty() || offered <= limits.bounds.front().flits_per_node_cycle * (1 + 1e-9)) return "";
  const auto& bound = limits.bounds.front();
  return fmt::format(
      "offered are {:.4g} flits/node/cycle, above the bound of {:.4g} ({} full): not every flow can be "
      "served in full",
      offered, bound.flits_per_node_cycle, text_of(bound));
}

std::string load_text(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology) {
  if (limits.bounds.empty()) return "";
  std::string text = fmt::format("  load under {}", pattern_of(point));
  if (limits.links)
    text += fmt::format(
        ": {:.4g} hops{}; a link carries {:.4g} flits per flit and terminal in the mean, {:.4g} at most ({})",
        limits.links->mean_hops, limits.sampled ? " per message, all copies together" : "",
        limits.links->mean, limits.links->max, link_name(*limits.links, topology));
  else
    text += ": of single links not known; there are too many header states to follow each";
  text += "\n  bound        " + bound_text(limits) + "\n";
  if (limits.estimate)
    text += fmt::format("  estimate     {:.4g} flits/node/cycle fill {} {}; this is no bound\n",
                        limits.estimate->flits_per_node_cycle, text_of(*limits.estimate),
                        limits.sampled ? "in a sample of messages" : "if headers divide evenly");
  std::string others;
  for (auto b = limits.bounds.begin() + 1; b != limits.bounds.end(); ++b)
    others += fmt::format("{}{:.4g} ({})", others.empty() ? "" : ", ", b->flits_per_node_cycle, text_of(*b));
  if (!others.empty()) text += "  other bounds " + others + "\n";
  return text;
}

Json load_json(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology) {
  if (limits.bounds.empty()) return {};
  Json json{{"pattern", pattern_of(point)}};
  if (limits.links) {
    json["mean_hops"] = limits.links->mean_hops;
    json["link_load"] = {{"mean", limits.links->mean},
                         {"max", limits.links->max},
                         {"busiest", link_name(*limits.links, topology)}};
  }
  json["throughput_bound_flits_per_node_cycle"] = limits.bounds.front().flits_per_node_cycle;
  json["throughput_bound_by"] = text_of(limits.bounds.front());
  for (const auto& bound : limits.bounds) {
    json["bounds"].push_back({{"by", bound.what}, {"flits_per_node_cycle", bound.flits_per_node_cycle}});
    if (!bound.where.empty()) json["bounds"].back()["where"] = bound.where;
    if (bound.what == "distance") json["distance_bound_flits_per_node_cycle"] = bound.flits_per_node_cycle;
  }
  if (limits.estimate)
    json[estimate_key(limits) + std::string("_flits_per_node_cycle")] = limits.estimate->flits_per_node_cycle;
  return json;
}

std::string load_key(const PointConfig& point) {
  Json traffic = point.resolved.at("traffic");
  traffic.erase("offered_load");
  return fabric_key(point.resolved) + traffic.dump();
}

const std::optional<ThroughputLimits>& KnownLimits::of(const PointSpec& spec, const PointConfig& point) {
  const auto [known, fresh] = all_.try_emplace(load_key(point));
  if (fresh && has_effect("traffic.pattern", point.resolved)) {
    const FabricPlan plan = plan_of(spec);
    known->second = load_limits(spec, point, plan, ChannelIndex(plan), most_header_states_);
  }
  return known->second;
}

void LoadWarnings::look_at(const PointConfig& point, const PointSpec& spec, KnownLimits& known_limits) {
  const auto& expected = point.resolved.at("expect").get_ref<const std::string&>();
  if (expected == "saturated" || expected == "deadlocked" || spec.fabric.discard ||
      !spec.offered_packets_per_node_cycle)
    return;
  const auto& limits = known_limits.of(spec, point);
  if (!limits) return;
  auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& s) { return s.first == point.label; });
  if (known == all_.end()) known = all_.insert(all_.end(), {point.label, {}});
  Series& series = known->second;
  ++series.points;
  const std::string text =
      above_bound_text(*limits, *spec.offered_packets_per_node_cycle * spec.mean_length_flits);
  if (text.empty()) return;
  if (series.above++ == 0) series.first = text;
}

void LoadWarnings::print() const {
  for (const auto& [label, series] : all_)
    if (series.above == series.points)
      print_error(
          "noctule: warning: {}: {}{}\n", label,
          series.points == 1 ? "" : fmt::format("all {} points: in the first of them ", series.points),
          series.first);
}

}  // namespace noctule
