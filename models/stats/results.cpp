#include "stats/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json.h"
#include "core/version.h"

namespace noctule {
namespace {

/// 2: accepted throughput per injecting terminal, `*_all_terminals`; the source queue as a mean over cycles.
constexpr int kSchema = 2;

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::optional<Interval> interval(const std::optional<Estimate>& estimate, double scale = 1) {
  if (!estimate) return std::nullopt;
  Interval i{estimate->mean * scale, estimate->ci95};
  if (i.ci95) *i.ci95 *= scale;
  return i;
}

LatencySummary summary(const Interval& mean, const LatencyHistogram& histogram) {
  return {mean, histogram.percentile(50), histogram.percentile(95), histogram.percentile(99),
          histogram.max()};
}

std::optional<LatencySummary> latency(const std::vector<RatioSample>& batches,
                                      const LatencyHistogram& histogram, bool with_interval) {
  auto mean = interval(estimate_ratio(batches));
  if (!mean) return std::nullopt;
  if (!with_interval) mean->ci95.reset();
  return summary(*mean, histogram);
}

/// Means over all packets of a class; without intervals, which need batches of the class.
std::optional<LatencySummary> class_latency(const LatencyHistogram& histogram) {
  if (histogram.count() == 0) return std::nullopt;
  return summary({ratio(histogram.sum(), histogram.count()), {}}, histogram);
}

/// Where some terminals are silent: accepted throughput over all.
std::optional<PointResult::AllTerminals> over_all_terminals(const MeasurementOutcome& outcome,
                                                            const MeasuredWorkload& workload,
                                                            const PointContext& context) {
  if (workload.counted_terminals() == workload.terminals) return std::nullopt;
  PointResult::AllTerminals all;
  all.injecting = ratio(workload.injecting_terminals, workload.terminals);
  all.accepted_flits_per_node_cycle =
      interval(estimate_ratio(accepted_flits(outcome.batches, workload.terminals)));
  if (context.tau_max_packets_per_node_cycle)
    all.accepted_normalized = interval(estimate_ratio(accepted_packets(outcome.batches, workload.terminals)),
                                       1 / *context.tau_max_packets_per_node_cycle);
  return all;
}

void remove_intervals(PointResult& point) {
  const auto remove = [](std::optional<Interval>& i) {
    if (i) i->ci95.reset();
  };
  remove(point.accepted_flits_per_node_cycle);
  remove(point.accepted_normalized);
  if (!point.all_terminals) return;
  remove(point.all_terminals->accepted_flits_per_node_cycle);
  remove(point.all_terminals->accepted_normalized);
}

void fill_accepted(PointResult& point, const MeasurementOutcome& outcome, const MeasuredWorkload& workload,
                   const PointContext& context) {
  const std::uint64_t terminals = workload.counted_terminals();
  const auto flits = estimate_ratio(accepted_flits(outcome.batches, terminals));
  point.accepted_flits_per_node_cycle = interval(flits);
  if (flits) {
    point.batches = flits->batches;
    point.batches_correlated = flits->correlated || flits->widened > 1;
  }
  if (context.tau_max_packets_per_node_cycle) {
    const double tau = *context.tau_max_packets_per_node_cycle;
    point.accepted_normalized =
        interval(estimate_ratio(accepted_packets(outcome.batches, terminals)), 1 / tau);
    if (context.offered_packets_per_node_cycle)
      point.offered_normalized = *context.offered_packets_per_node_cycle / tau;
  }
  point.terminals = workload.terminals;
  point.injecting_terminals = workload.injecting_terminals;
  point.all_terminals = over_all_terminals(outcome, workload, context);
  const auto& window = outcome.window;
  if (outcome.measured_cycles > 0) {
    std::optional<std::uint64_t> least;
    for (std::size_t t = 0; t < window.terminal_flits.size(); ++t)
      if (context.addressed.empty() || context.addressed.at(t))
        least = std::min(least.value_or(window.terminal_flits[t]), window.terminal_flits[t]);
    if (least) point.minimum_node_flits_per_node_cycle = ratio(*least, outcome.measured_cycles);
  }
  if (window.packets_generated > 0)
    point.accepted_fraction_of_generated = ratio(window.packets_delivered, window.packets_generated);
}

void fill_links_and_occupancy(PointResult& point, const MeasurementOutcome& outcome,
                              const PointContext& context) {
  const auto& window = outcome.window;
  if (outcome.measured_cycles > 0 && !window.link_flits.empty()) {
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (std::size_t l = 0; l < window.link_flits.size(); ++l) {
      const auto busy =
          window.link_flits[l] * (context.link_cycles.empty() ? 1 : std::uint64_t{context.link_cycles[l]});
      sum += busy;
      most = std::max(most, busy);
    }
    point.link_utilization_mean = ratio(sum, outcome.measured_cycles * window.link_flits.size());
    point.link_utilization_max = ratio(most, outcome.measured_cycles);
  }
  const std::uint64_t samples = window.occupancy_samples;
  if (samples > 0 && context.input_vcs > 0)
    point.input_vcs_occupied_fraction = ratio(window.occupied_input_vcs, samples * context.input_vcs);
  if (context.rtl) return;
  if (samples > 0 && context.output_vcs > 0)
    point.output_vcs_allocated_fraction = ratio(window.allocated_output_vcs, samples * context.output_vcs);
  if (samples > 0 && context.routers > 0)
    point.connections_held_per_router = ratio(window.connections_held, samples * context.routers);
  if (outcome.measured_cycles > 0 && context.routers > 0)
    point.connections_made_per_router_cycle =
        ratio(window.connections_made, outcome.measured_cycles * context.routers);
}

void fill_speed(PointResult& point, const MeasurementOutcome& outcome, const PointContext& context) {
  if (!context.user_s) return;
  point.user_s = context.user_s;
  if (*context.user_s <= 0) return;
  const auto cycles = context.simulated_cycles.value_or(outcome.warm_up_cycles + outcome.measured_cycles);
  point.router_cycles_per_s = static_cast<double>(cycles * context.routers) / *context.user_s;
  point.flit_hops_per_s = static_cast<double>(outcome.final.flit_hops) / *context.user_s;
}

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(*value)) return;
  object[key] = *value;
}
void put(Json& object, const char* key, const std::optional<Interval>& value) {
  if (!value) return;
  object[key]["mean"] = value->mean;
  put(object[key], "ci95", value->ci95);
}
void put(Json& object, const char* key, Json section) {
  if (!section.is_null() && !section.empty()) object[key] = std::move(section);
}

Json to_json(const std::optional<LatencySummary>& latency) {
  Json json = Json::object();
  if (!latency) return json;
  json["mean"] = latency->cycles.mean;
  put(json, "ci95", latency->cycles.ci95);
  json["p50"] = latency->p50;
  json["p95"] = latency->p95;
  json["p99"] = latency->p99;
  json["max"] = latency->max;
  return json;
}

Json to_json(const PointResult::MessageKind& kind) {
  return {{"delivered_packets", kind.delivered},
          {"latency_cycles", {{"total", kind.total}, {"network", kind.network}}},
          {"hops_per_packet", kind.hops}};
}

Json to_json(const PointResult::Multicast& m) {
  Json json{{"destinations_per_packet", m.destinations_per_packet},
            {"copies_per_packet", m.copies_per_packet},
            {"hops_per_destination", m.hops_per_destination},
            {"throughput_flits_per_cycle", m.throughput_flits_per_cycle},
            {"multicasts", to_json(m.multicasts)}};
  json["multicasts"]["latency_cycles"]["each_destination"] = m.each_destination;
  json["multicasts"]["destinations_per_packet"] = m.multicast_destinations;
  json["multicasts"]["copies_per_packet"] = m.multicast_copies;
  if (m.unicasts) json["unicasts"] = to_json(*m.unicasts);
  return json;
}

Json offered_json(const PointResult& point) {
  Json offered = Json::object();
  const auto put_load = [&](const std::string& key, const std::optional<double>& load) {
    put(offered, key.c_str(), load);
    if (load && point.all_terminals) offered[key + "_all_terminals"] = *load * point.all_terminals->injecting;
  };
  put_load("flits_per_node_cycle", point.offered_flits_per_node_cycle);
  put_load("packets_per_node_cycle", point.offered_packets_per_node_cycle);
  put_load("normalized", point.offered_normalized);
  return offered;
}

Json accepted_json(const PointResult& point) {
  Json accepted = Json::object();
  put(accepted, "flits_per_node_cycle", point.accepted_flits_per_node_cycle);
  put(accepted, "normalized", point.accepted_normalized);
  if (point.all_terminals) {
    put(accepted, "flits_per_node_cycle_all_terminals", point.all_terminals->accepted_flits_per_node_cycle);
    put(accepted, "normalized_all_terminals", point.all_terminals->accepted_normalized);
  }
  put(accepted, "minimum_node_flits_per_node_cycle", point.minimum_node_flits_per_node_cycle);
  put(accepted, "fraction_of_generated", point.accepted_fraction_of_generated);
  return accepted;
}

Json cycles_json(const PointResult& point) {
  Json cycles{{"warm_up", point.warm_up_cycles}, {"measured", point.measured_cycles}};
  put(cycles, "transient", point.transient_cycles);
  return cycles;
}

void put_message_classes(Json& json, const PointResult& point) {
  for (const auto& c : point.message_classes) {
    Json& of_class = json["message_classes"][c.name];
    of_class["packets"] = Json{{"generated", c.generated}, {"delivered", c.delivered}};
    of_class["accepted"] = Json{{"flits_per_node_cycle", c.flits_per_node_cycle},
                                {"packets_per_node_cycle", c.packets_per_node_cycle}};
    Json latencies = Json::object();
    put(latencies, "total", to_json(c.total));
    put(latencies, "network", to_json(c.network));
    put(of_class, "latency_cycles", std::move(latencies));
  }
  if (!point.planes.empty()) json["planes"] = to_json(point.planes);
  if (!point.transactions) return;
  Json& transactions = json["transactions"];
  transactions["completed"] = point.transactions->completed;
  transactions["per_node_cycle"] = point.transactions->per_node_cycle;
  put(transactions, "round_trip_cycles", point.transactions->round_trip);
}

void put_additions(Json& json, const PointResult& point) {
  json["status_rule"] = point.status_rule;
  put(json, "time_to_drain_cycles", point.time_to_drain_cycles);
  if (point.congestion) {
    Json& congestion = json["congestion"];
    congestion["flits"] = point.congestion->flits;
    put(congestion, "packets", point.congestion->packets);
    put(congestion, "drain_cycles_per_packet", point.congestion->drain_cycles_per_packet);
  }
  put_message_classes(json, point);
  put(json, "source_queue_packets_per_node", point.source_queue_packets_per_node);
  if (point.all_terminals && point.source_queue_packets_per_node)
    json["source_queue_packets_per_node_all_terminals"] =
        *point.source_queue_packets_per_node * point.all_terminals->injecting;
  json["terminals"] = Json{{"all", point.terminals}, {"injecting", point.injecting_terminals}};
  Json occupancy = Json::object();
  put(occupancy, "input_vcs_occupied_fraction", point.input_vcs_occupied_fraction);
  put(occupancy, "output_vcs_allocated_fraction", point.output_vcs_allocated_fraction);
  put(json, "occupancy", std::move(occupancy));
  Json crossbar = Json::object();
  put(crossbar, "connections_held_per_router", point.connections_held_per_router);
  put(crossbar, "connections_made_per_router_cycle", point.connections_made_per_router_cycle);
  put(json, "crossbar", std::move(crossbar));
  if (point.batches > 0)
    json["batches"] = Json{{"count", point.batches}, {"correlated", point.batches_correlated}};
}

void fill_multicast(PointResult& point, const MeasurementOutcome& outcome) {
  const auto& window = outcome.window;
  if (window.destinations <= window.packets_delivered || outcome.measured_cycles == 0) return;
  PointResult::Multicast multicast;
  multicast.destinations_per_packet = ratio(window.destinations, window.packets_delivered);
  multicast.copies_per_packet = ratio(window.copies, window.packets_delivered);
  multicast.hops_per_destination = ratio(window.hops, window.destinations);
  multicast.throughput_flits_per_cycle = ratio(window.message_flits, outcome.measured_cycles);
  const auto kind = [](std::uint64_t n, std::uint64_t total, std::uint64_t network, std::uint64_t hops) {
    return PointResult::MessageKind{n, ratio(total, n), ratio(network, n), ratio(hops, n)};
  };
  const std::uint64_t several = window.multicasts_delivered;
  const std::uint64_t one = window.packets_delivered - several;
  multicast.multicasts =
      kind(several, window.multicast_total_latency, window.multicast_network_latency, window.multicast_hops);
  multicast.multicast_destinations = ratio(window.destinations - one, several);
  multicast.multicast_copies = ratio(window.copies - one, several);
  multicast.each_destination = ratio(window.multicast_reached_latency, window.multicast_destinations);
  point.distance_mean.reset();
  if (one > 0) {
    multicast.unicasts = kind(one, window.total_latency.sum() - window.multicast_total_latency,
                              window.network_latency.sum() - window.multicast_network_latency,
                              window.hops - window.multicast_hops);
    point.distance_mean = multicast.unicasts->hops;
  }
  point.multicast = multicast;
}

void fill_message_classes(PointResult& point, const MeasurementOutcome& outcome,
                          const MeasuredWorkload& workload, const PointContext& context) {
  const std::uint64_t node_cycles = outcome.measured_cycles * workload.counted_terminals();
  const auto rate = [&](std::uint64_t n) { return node_cycles == 0 ? 0 : ratio(n, node_cycles); };
  for (std::size_t c = 0; c < context.message_classes.size() && c < outcome.window.classes.size(); ++c) {
    const ClassCounters& sums = outcome.window.classes[c];
    point.message_classes.push_back({context.message_classes[c], sums.packets_generated,
                                     sums.packets_delivered, rate(sums.flits_delivered),
                                     rate(sums.packets_delivered), class_latency(sums.total_latency),
                                     class_latency(sums.network_latency)});
  }
  point.planes =
      plane_results(context.planes, outcome, context.link_cycles, node_cycles, context.message_classes);
  if (!context.transactions) return;
  const auto& [completed, cycles] = *context.transactions;
  point.transactions = PointResult::Transactions{completed, rate(completed), {}};
  if (completed > 0) point.transactions->round_trip = ratio(cycles, completed);
}

void fill_latency_parts(PointResult& point, const FabricCounters& window, const PointContext& context) {
  if (window.packets_delivered == 0 || window.zero_load == 0) return;
  const auto mean = [&](std::uint64_t sum) { return ratio(sum, window.packets_delivered); };
  PointResult::LatencyParts parts;
  const std::uint64_t total = window.total_latency.sum();
  parts.source_queue = mean(total - window.network_latency.sum());
  parts.zero_load = mean(window.zero_load);
  if (!context.rtl) {
    parts.header_wait = mean(window.header_wait);
    parts.stalls = mean(total) - parts.source_queue - *parts.header_wait - parts.zero_load;
  }
  point.latency_parts = parts;
}

void fill_congestion(PointResult& point, const FabricCounters& window, const PointContext& context) {
  if (!point.time_to_drain_cycles) return;
  PointResult::Congestion congestion;
  for (const auto* flits : {&window.link_flits, &window.terminal_flits})
    for (const std::uint64_t carried : *flits) congestion.flits = std::max(congestion.flits, carried);
  if (context.packet_length && congestion.flits > 0) {
    congestion.packets = ratio(congestion.flits, *context.packet_length);
    congestion.drain_cycles_per_packet =
        static_cast<double>(*point.time_to_drain_cycles) / *congestion.packets;
  }
  point.congestion = congestion;
}

}  // namespace

PointResult make_point(const MeasurementOutcome& outcome, const MeasuredWorkload& workload,
                       PointContext context) {
  PointResult point;
  point.status = outcome.status;
  point.status_rule = outcome.rule;
  point.offered_flits_per_node_cycle = context.offered_flits_per_node_cycle;
  point.offered_packets_per_node_cycle = context.offered_packets_per_node_cycle;
  // Draining is no stationary process: its batches are not samples of one mean.
  const bool with_interval = !workload.finite;
  fill_accepted(point, outcome, workload, context);
  if (!with_interval) remove_intervals(point);
  if (workload.finite) point.batches = 0;
  point.latency_total = latency(total_latency(outcome.batches), outcome.window.total_latency, with_interval);
  point.latency_network =
      latency(network_latency(outcome.batches), outcome.window.network_latency, with_interval);
  fill_latency_parts(point, outcome.window, context);
  if (outcome.window.packets_delivered > 0)
    point.hops_mean = point.distance_mean = ratio(outcome.window.hops, outcome.window.packets_delivered);
  fill_multicast(point, outcome);
  fill_message_classes(point, outcome, workload, context);
  fill_links_and_occupancy(point, outcome, context);
  fill_speed(point, outcome, context);
  point.warm_up_cycles = outcome.warm_up_cycles;
  point.measured_cycles = outcome.measured_cycles;
  point.transient_cycles = outcome.transient_cycles;
  point.time_to_drain_cycles = outcome.time_to_drain_cycles;
  fill_congestion(point, outcome.window, context);
  if (workload.source_queue && !workload.finite && !outcome.batches.empty())
    point.source_queue_packets_per_node = outcome.mean_queue_packets;
  point.window = outcome.window;
  point.totals = outcome.final;
  point.batch_records = outcome.batches;
  point.digest = context.digest;
  point.label = std::move(context.label);
  point.set = std::move(context.set);
  point.files = std::move(context.files);
  return point;
}

Json to_json(const PointResult& point) {
  Json json = Json::object();
  json["label"] = point.label;
  json["set"] = point.set.is_null() ? Json::object() : point.set;
  json["status"] = to_string(point.status);
  put(json, "offered", offered_json(point));
  put(json, "accepted", accepted_json(point));
  Json latencies = Json::object();
  put(latencies, "total", to_json(point.latency_total));
  put(latencies, "network", to_json(point.latency_network));
  if (point.latency_parts) {
    Json& parts = latencies["parts"];
    parts["source_queue"] = point.latency_parts->source_queue;
    put(parts, "header_wait", point.latency_parts->header_wait);
    parts["zero_load"] = point.latency_parts->zero_load;
    put(parts, "stalls", point.latency_parts->stalls);
  }
  put(json, "latency_cycles", std::move(latencies));
  if (point.hops_mean) json["hops"]["mean"] = *point.hops_mean;
  if (point.distance_mean) json["hops"]["distance_mean"] = *point.distance_mean;
  if (point.multicast) json["multicast"] = to_json(*point.multicast);
  Json links = Json::object();
  put(links, "mean", point.link_utilization_mean);
  put(links, "max", point.link_utilization_max);
  put(json, "link_utilization", std::move(links));
  json["cycles"] = cycles_json(point);
  const auto& t = point.totals;
  json["packets"] = Json{{"generated", t.packets_generated},   {"discarded", t.packets_discarded},
                         {"injected", t.packets_injected},     {"delivered", t.packets_delivered},
                         {"in_flight", t.packets_in_flight()}, {"queued", t.packets_queued()}};
  json["flits"] = Json{
      {"injected", t.flits_injected}, {"delivered", t.flits_delivered}, {"in_flight", t.flits_in_flight()}};
  if (t.flits_copied > 0) json["flits"]["copied"] = t.flits_copied;
  if (point.digest) json["digest"] = fmt::format("{:016x}", *point.digest);
  Json speed = Json::object();
  put(speed, "user_s", point.user_s);
  put(speed, "router_cycles_per_s", point.router_cycles_per_s);
  put(speed, "flit_hops_per_s", point.flit_hops_per_s);
  put(json, "speed", std::move(speed));
  if (!point.files.empty()) json["files"] = point.files;
  put_additions(json, point);
  return json;
}

Json results_document(const std::string& command, std::uint64_t seed, Json config, Json points) {
  Json document = Json::object();
  document["noctule"] = kVersion;
  document["schema"] = kSchema;
  document["command"] = command;
  document["seed"] = seed;
  document["config"] = std::move(config);
  document["points"] = points.is_null() ? Json::array() : std::move(points);
  return document;
}

void label_sweep_points(Json& points, const std::vector<bool>& discarding, const std::string& offered_key) {
  std::vector<SweepPoint> sweep;
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    if (!p.contains("offered") || !p.contains("accepted")) continue;
    if (!p["offered"].contains("flits_per_node_cycle") || !p["accepted"].contains("flits_per_node_cycle"))
      continue;
    auto others = p.at("set");
    others.erase(offered_key);
    sweep.push_back({p.at("label").get<std::string>() + '\n' + others.dump(),
                     p["offered"]["flits_per_node_cycle"].get<double>(),
                     p["accepted"]["flits_per_node_cycle"]["mean"].get<double>(), discarding.at(i),
                     status_from_string(p.at("status").get<std::string>()), ""});
    place.push_back(i);
  }
  for (const auto i : label_sweep(sweep)) {
    points[place[i]]["status"] = to_string(sweep[i].status);
    points[place[i]]["status_rule"] = sweep[i].rule;
  }
}

}  // namespace noctule
