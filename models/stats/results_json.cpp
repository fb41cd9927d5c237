// Results as JSON.

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/json.h"
#include "core/packet_name.h"
#include "core/version.h"
#include "stats/results.h"

namespace noctule {
namespace {

/// 2: accepted throughput per injecting terminal, `*_all_terminals`; the source queue as a mean over cycles.
constexpr int kSchema = 2;

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
  if (const auto& p = latency->slowest)
    json["slowest"] = {{"packet", packet_name(p->source, p->number)},
                       {"destination", index(p->destination)},
                       {"generated", p->birth},
                       {"injected", p->injected},
                       {"consumed", p->consumed}};
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
  if (const auto& trip = point.transactions->round_trip) {
    transactions["round_trip_cycles"] = trip->mean;
    put(transactions, "round_trip_ci95_cycles", trip->ci95);
  }
  if (const auto& shares = point.transactions->shares)
    for (const auto& [name, share] : {std::pair("least", shares->first), std::pair("most", shares->second)})
      transactions["delivered_to_a_requester"][name] = {{"terminal", index(share.requester)},
                                                        {"flits_per_cycle", share.flits_per_cycle}};
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

}  // namespace

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
