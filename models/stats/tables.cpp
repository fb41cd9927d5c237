#include "stats/tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.h"

namespace noctule {
namespace {

struct Column {
  const char* header;   ///< name and unit
  const char* pointer;  ///< JSON pointer within a point
};

constexpr std::array kColumns = {
    Column{"status", "/status"},
    Column{"offered_flits_per_node_cycle", "/offered/flits_per_node_cycle"},
    Column{"offered_packets_per_node_cycle", "/offered/packets_per_node_cycle"},
    Column{"offered_normalized_to_tau_max", "/offered/normalized"},
    Column{"offered_flits_per_node_cycle_all_terminals", "/offered/flits_per_node_cycle_all_terminals"},
    Column{"accepted_flits_per_node_cycle", "/accepted/flits_per_node_cycle/mean"},
    Column{"accepted_ci95_flits_per_node_cycle", "/accepted/flits_per_node_cycle/ci95"},
    Column{"accepted_normalized_to_tau_max", "/accepted/normalized/mean"},
    Column{"accepted_ci95_normalized_to_tau_max", "/accepted/normalized/ci95"},
    Column{"accepted_flits_per_node_cycle_all_terminals",
           "/accepted/flits_per_node_cycle_all_terminals/mean"},
    Column{"accepted_ci95_flits_per_node_cycle_all_terminals",
           "/accepted/flits_per_node_cycle_all_terminals/ci95"},
    Column{"minimum_node_flits_per_node_cycle", "/accepted/minimum_node_flits_per_node_cycle"},
    Column{"accepted_fraction_of_generated", "/accepted/fraction_of_generated"},
    Column{"latency_total_mean_cycles", "/latency_cycles/total/mean"},
    Column{"latency_total_ci95_cycles", "/latency_cycles/total/ci95"},
    Column{"latency_total_p50_cycles", "/latency_cycles/total/p50"},
    Column{"latency_total_p95_cycles", "/latency_cycles/total/p95"},
    Column{"latency_total_p99_cycles", "/latency_cycles/total/p99"},
    Column{"latency_total_max_cycles", "/latency_cycles/total/max"},
    Column{"latency_network_mean_cycles", "/latency_cycles/network/mean"},
    Column{"latency_network_ci95_cycles", "/latency_cycles/network/ci95"},
    Column{"latency_network_p50_cycles", "/latency_cycles/network/p50"},
    Column{"latency_network_p95_cycles", "/latency_cycles/network/p95"},
    Column{"latency_network_p99_cycles", "/latency_cycles/network/p99"},
    Column{"latency_network_max_cycles", "/latency_cycles/network/max"},
    Column{"latency_source_queue_cycles", "/latency_cycles/parts/source_queue"},
    Column{"latency_header_wait_cycles", "/latency_cycles/parts/header_wait"},
    Column{"latency_zero_load_cycles", "/latency_cycles/parts/zero_load"},
    Column{"latency_stalls_cycles", "/latency_cycles/parts/stalls"},
    Column{"distance_mean_hops", "/hops/distance_mean"},
    Column{"links_per_packet_mean_hops", "/hops/mean"},
    Column{"destinations_per_packet", "/multicast/destinations_per_packet"},
    Column{"copies_per_packet", "/multicast/copies_per_packet"},
    Column{"links_per_destination_mean_hops", "/multicast/hops_per_destination"},
    Column{"multicast_throughput_flits_per_cycle", "/multicast/throughput_flits_per_cycle"},
    Column{"multicasts_delivered_packets", "/multicast/multicasts/delivered_packets"},
    Column{"multicasts_destinations_per_packet", "/multicast/multicasts/destinations_per_packet"},
    Column{"multicasts_copies_per_packet", "/multicast/multicasts/copies_per_packet"},
    Column{"multicasts_links_per_packet_mean_hops", "/multicast/multicasts/hops_per_packet"},
    Column{"multicasts_latency_total_mean_cycles", "/multicast/multicasts/latency_cycles/total"},
    Column{"multicasts_latency_network_mean_cycles", "/multicast/multicasts/latency_cycles/network"},
    Column{"multicasts_latency_each_destination_mean_cycles",
           "/multicast/multicasts/latency_cycles/each_destination"},
    Column{"unicasts_delivered_packets", "/multicast/unicasts/delivered_packets"},
    Column{"unicasts_latency_total_mean_cycles", "/multicast/unicasts/latency_cycles/total"},
    Column{"unicasts_latency_network_mean_cycles", "/multicast/unicasts/latency_cycles/network"},
    Column{"link_utilization_mean_flits_per_link_cycle", "/link_utilization/mean"},
    Column{"link_utilization_max_flits_per_link_cycle", "/link_utilization/max"},
    Column{"warm_up_cycles", "/cycles/warm_up"},
    Column{"measured_cycles", "/cycles/measured"},
    Column{"time_to_drain_cycles", "/time_to_drain_cycles"},
    Column{"source_queue_packets_per_node", "/source_queue_packets_per_node"},
    Column{"source_queue_packets_per_node_all_terminals", "/source_queue_packets_per_node_all_terminals"},
    Column{"injecting_terminals", "/terminals/injecting"},
    Column{"input_vcs_occupied_fraction", "/occupancy/input_vcs_occupied_fraction"},
    Column{"output_vcs_allocated_fraction", "/occupancy/output_vcs_allocated_fraction"},
    Column{"connections_held_per_router", "/crossbar/connections_held_per_router"},
    Column{"connections_made_per_router_cycle", "/crossbar/connections_made_per_router_cycle"},
    Column{"generated_packets", "/packets/generated"},
    Column{"discarded_packets", "/packets/discarded"},
    Column{"injected_packets", "/packets/injected"},
    Column{"delivered_packets", "/packets/delivered"},
    Column{"in_flight_packets", "/packets/in_flight"},
    Column{"injected_flits", "/flits/injected"},
    Column{"delivered_flits", "/flits/delivered"},
    Column{"in_flight_flits", "/flits/in_flight"},
    Column{"digest_hex", "/digest"},
    Column{"user_time_s", "/speed/user_s"},
    Column{"speed_router_cycles_per_s", "/speed/router_cycles_per_s"},
    Column{"speed_flit_hops_per_s", "/speed/flit_hops_per_s"},
    Column{"status_rule", "/status_rule"},
};

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_cell(value.get<std::string>());
  return csv_cell(value.dump());
}

/// The start of every row of a point table.
std::string lead(std::size_t number, const PointResult& point) {
  return fmt::format("{},{}", number, csv_cell(point.label));
}

std::string link_rows(std::size_t number, const PointResult& point, const std::vector<LinkName>& links) {
  const auto& flits = point.window.link_flits;
  if (flits.size() != links.size() && !flits.empty())
    throw InternalError("links.csv: the number of link names differs from that of links counted");
  std::string text;
  for (std::size_t i = 0; i < flits.size(); ++i) {
    const auto& l = links[i];
    text += fmt::format("{},{},{},{},{},{},", lead(number, point), csv_cell(l.from), csv_cell(l.to),
                        csv_cell(l.port), csv_cell(l.link), flits[i]);
    if (point.measured_cycles > 0)
      text += fmt::format("{}", static_cast<double>(flits[i]) / static_cast<double>(point.measured_cycles));
    text += '\n';
  }
  return text;
}

std::string histogram_rows(std::size_t number, const PointResult& point, const std::vector<LinkName>&) {
  std::string text;
  for (const auto& row : point.window.total_latency.rows())
    text += fmt::format("{},{},{},{}\n", lead(number, point), row.low, row.high, row.count);
  return text;
}

std::string terminal_rows(std::size_t number, const PointResult& point, const std::vector<LinkName>&) {
  std::string text;
  const auto& flits = point.window.terminal_flits;
  for (std::size_t t = 0; t < flits.size(); ++t) {
    text += fmt::format("{},{},{},", lead(number, point), t, flits[t]);
    if (point.measured_cycles > 0)
      text += fmt::format("{}", static_cast<double>(flits[t]) / static_cast<double>(point.measured_cycles));
    text += '\n';
  }
  return text;
}

[[noreturn]] void refuse(const std::string& path, const char* what, int error) {
  throw ConfigError("",
                    fmt::format("cannot {} '{}': {}; check that the directory exists, is writable and has "
                                "room, or choose another with --out",
                                what, path, std::strerror(error)));
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string results_csv(const Json& points, const std::map<std::string, std::string>& units) {
  std::vector<std::string> keys;
  for (const auto& point : points)
    for (const auto& [key, unused] : point.at("set").items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);

  std::string text = "point,label";
  for (const auto& key : keys) {
    const auto unit = units.find(key);
    text +=
        ',' + csv_cell(unit == units.end() || unit->second.empty() ? key : key + " [" + unit->second + ']');
  }
  for (const auto& column : kColumns) text += std::string(",") + column.header;
  text += '\n';

  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& point = points[i];
    text += fmt::format("{},{}", i, cell(point.at("label")));
    const auto& set = point.at("set");
    for (const auto& key : keys) text += ',' + (set.contains(key) ? cell(set.at(key)) : std::string());
    for (const auto& column : kColumns) {
      const Json::json_pointer pointer(column.pointer);
      text += ',' + (point.contains(pointer) ? cell(point.at(pointer)) : std::string());
    }
    text += '\n';
  }
  return text;
}

const std::vector<PointTable>& point_tables() {
  static const std::vector<PointTable> kTables = {
      {"links.csv", "point,label,from,to,port,link,flits,utilization\n", link_rows},
      {"latency_hist.csv", "point,label,latency_cycles_low,latency_cycles_high,count\n", histogram_rows},
      {"terminals.csv", "point,label,terminal,delivered_flits,accepted_flits_per_node_cycle\n",
       terminal_rows}};
  return kTables;
}

void write_file_atomically(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  if (!file) refuse(path, "create", errno);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    const int error = errno;
    std::remove(temporary.c_str());
    refuse(path, "write", error);
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary.c_str());
    refuse(path, "replace", error);
  }
}

}  // namespace noctule
