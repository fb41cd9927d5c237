#include "tb/load_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "analytic/fastest_ways.h"
#include "analytic/zero_load.h"
#include "config/model.h"
#include "core/error_output.h"
#include "core/json.h"
#include "run/fabric_verdict.h"
#include "verify/closed_loop_limits.h"

namespace noctule {
namespace {

constexpr double kOneShare = 4294967296.0;  ///< SourceContext::Multicasts::share

std::string source_of(const PointConfig& point) {
  return point.resolved.at("traffic").at("source").at("kind").get<std::string>();
}
bool drawn_from_pattern(const PointConfig& point) {
  return traffic_of(point.resolved) < SourceKind::Traffic::kRates;
}
std::string pattern_of(const PointConfig& point) {
  return point.resolved.at("traffic").at("pattern").at("kind").get<std::string>();
}

std::string link_name(const ThroughputLimits::Links& links, const Topology& topology) {
  const Link& link = topology.links()[index(links.busiest)];
  return topology.link_name(link);
}

const char* estimate_key(const ThroughputLimits& limits) {
  if (limits.closed_loop) return "estimate_if_requesters_are_alike";
  return limits.sampled ? "estimate_from_sampled_messages" : "estimate_if_headers_divide_evenly";
}

ThroughputLimits limits_of(const PointSpec& spec, const PointConfig& point, const FabricPlan& plan,
                           const ChannelIndex& channels, std::uint64_t most_header_states) {
  TakenRates taken{spec.fabric.stall};
  if (spec.sink) taken = {spec.fabric.stall, spec.sink->rate(), spec.sink->class_rate()};
  if (const auto loop = claims_of(spec).loop(); loop && spec.pattern) {
    const ZeroLoad zero_load(plan);
    FastestWays ways(plan, zero_load);
    const LeastLatency least_latency = [&](RouterId from, RouterId to, std::uint32_t length) {
      if (!zero_load.by_hops()) return static_cast<double>(ways(from, to, length));
      return static_cast<double>(
          zero_load.latency(from == to ? 0 : spec.topology->distance(from, to), length));
    };
    return closed_loop_limits(plan, channels, *loop, *spec.pattern, taken, least_latency, most_header_states);
  }
  ThroughputLimits none;
  if (spec.source->closed_loop() || traffic_of(point.resolved) == SourceKind::Traffic::kGiven) {
    none.refused =
        fmt::format("traffic.source {} sends at no rate that is known before it runs", source_of(point));
    return none;
  }
  OfferedMessages messages{spec.pattern.get()};
  messages.demand = claims_of(spec).demand();
  if (traffic_of(point.resolved) == SourceKind::Traffic::kRates) {
    if (!messages.demand.empty())
      return throughput_limits(plan, channels, messages, taken, most_header_states);
    none.refused = fmt::format("traffic.source {} does not say who sends how much to whom", source_of(point));
    return none;
  }
  if (!spec.pattern) return none;
  const TrafficConfig traffic = model_from_json(point.resolved).traffic;
  messages.multicast_share = static_cast<double>(traffic.multicasts.share) / kOneShare;
  messages.least = traffic.multicasts.least;
  messages.most = traffic.multicasts.most;
  return throughput_limits(plan, channels, messages, taken, most_header_states);
}

}  // namespace

ThroughputLimits load_limits(const PointSpec& spec, const PointConfig& point, const FabricPlan& plan,
                             const ChannelIndex& channels, std::uint64_t most_header_states) {
  try {
    return limits_of(spec, point, plan, channels, most_header_states);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

std::string bound_text(const ThroughputLimits& limits) {
  if (limits.bounds.empty()) return "";
  const auto& bound = limits.bounds.front();
  if (limits.closed_loop)
    return fmt::format(
        "no more than {:.4g} flits/node/cycle are accepted, at whatever rates requesters go on ({} full)",
        bound.flits_per_node_cycle, text_of(bound));
  return fmt::format(
      "no load above {:.4g} flits/node/cycle can be served in full to every flow ({} full); the mean may "
      "still rise above it, as other flows go on",
      bound.flits_per_node_cycle, text_of(bound));
}

std::string round_trips_text(const ThroughputLimits::RoundTrips& trips) {
  std::string text = fmt::format("{:.4g} cycles at least", trips.mean);
  if (trips.requesters > 1) text += fmt::format(" in the mean of {} requesters", trips.requesters);
  if (trips.least.cycles < trips.most.cycles)
    text += fmt::format(": {:.4g} (terminal {}) to {:.4g} (terminal {})", trips.least.cycles,
                        index(trips.least.requester), trips.most.cycles, index(trips.most.requester));
  return text;
}

std::string estimate_condition(const ThroughputLimits& limits) {
  if (limits.closed_loop)
    return "if all requesters go on at the same rate, and headers divide evenly over their choices";
  return limits.sampled ? "in a sample of messages" : "if headers divide evenly over their choices";
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
  if (!limits.refused.empty()) return "  load         refused: " + limits.refused + "\n";
  if (limits.bounds.empty()) return "";
  std::string text = "  load";
  if (!drawn_from_pattern(point) || limits.closed_loop) text += " of " + source_of(point);
  if (drawn_from_pattern(point)) text += " under " + pattern_of(point);
  if (limits.links && limits.links->max == 0)
    text += ": no packet takes a link";
  else if (limits.links)
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
                        estimate_condition(limits));
  std::string others;
  for (auto b = limits.bounds.begin() + 1; b != limits.bounds.end(); ++b)
    others += fmt::format("{}{:.4g} ({})", others.empty() ? "" : ", ", b->flits_per_node_cycle, text_of(*b));
  if (!others.empty()) text += "  other bounds " + others + "\n";
  return text;
}

Json load_json(const ThroughputLimits& limits, const PointConfig& point, const Topology& topology) {
  if (!limits.refused.empty()) return {{"refused", limits.refused}};
  if (limits.bounds.empty()) return {};
  Json json = Json::object();
  if (drawn_from_pattern(point)) json["pattern"] = pattern_of(point);
  if (!drawn_from_pattern(point) || limits.closed_loop) json["source"] = source_of(point);
  if (limits.links) {
    json["mean_hops"] = limits.links->mean_hops;
    json["link_load"] = {{"mean", limits.links->mean}, {"max", limits.links->max}};
    if (limits.links->max > 0) json["link_load"]["busiest"] = link_name(*limits.links, topology);
  }
  json["throughput_bound_flits_per_node_cycle"] = limits.bounds.front().flits_per_node_cycle;
  json["throughput_bound_by"] = text_of(limits.bounds.front());
  for (const auto& bound : limits.bounds) {
    json["bounds"].push_back({{"by", bound.what}, {"flits_per_node_cycle", bound.flits_per_node_cycle}});
    if (!bound.where.empty()) json["bounds"].back()["where"] = bound.where;
    if (bound.others > 0) json["bounds"].back()["others"] = bound.others;
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

const ThroughputLimits& KnownLimits::of(const PointSpec& spec, const PointConfig& point) {
  const auto [known, fresh] = all_.try_emplace(load_key(point));
  if (fresh) {
    const FabricPlan plan = plan_of(spec);
    known->second = load_limits(spec, point, plan, ChannelIndex(plan), most_header_states_);
  }
  return known->second;
}

void LoadWarnings::look_at(const PointConfig& point, const PointSpec& spec, KnownLimits& known_limits) {
  const auto& expected = point.resolved.at("expect").get_ref<const std::string&>();
  if (expected == "saturated" || expected == "deadlocked" || spec.fabric.discard ||
      spec.fabric.queue_packets != kUnlimited || !spec.offered_packets_per_node_cycle)
    return;
  const auto& limits = known_limits.of(spec, point);
  if (limits.bounds.empty()) return;
  auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& s) { return s.first == point.label; });
  if (known == all_.end()) known = all_.insert(all_.end(), {point.label, {}});
  Series& series = known->second;
  ++series.points;
  const std::string text =
      above_bound_text(limits, *spec.offered_packets_per_node_cycle * spec.mean_length_flits);
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
