#include "stats/tables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/json.h"

namespace noctule {
namespace {

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_cell(value.get<std::string>());
  return csv_cell(value.dump());
}

std::vector<CsvColumn> columns_of(Metric::Of of) {
  std::vector<CsvColumn> columns;
  for (const Metric& metric : metrics())
    if (metric.of == of) columns.insert(columns.end(), metric.columns().begin(), metric.columns().end());
  return columns;
}

/// The start of every row of a point table.
std::string lead(std::size_t number, const PointResult& point) {
  return fmt::format("{},{}", number, csv_cell(point.label));
}

std::string link_rows(std::size_t number, const PointResult& point, const LinkNames& links) {
  const auto& flits = point.window.link_flits;
  if (flits.size() != links.count && !flits.empty())
    throw InternalError("links.csv: the number of link names differs from that of links counted");
  std::string text;
  for (std::size_t i = 0; i < flits.size(); ++i) {
    const LinkName l = links.of(i);
    text += fmt::format("{},{},{},{},{},{},", lead(number, point), csv_cell(l.from), csv_cell(l.to),
                        csv_cell(l.port), csv_cell(l.link), flits[i]);
    if (point.measured_cycles > 0)
      text += fmt::format("{}", static_cast<double>(flits[i] * std::uint64_t{l.cycles_per_flit}) /
                                    static_cast<double>(point.measured_cycles));
    for (const double coordinate : l.at) text += fmt::format(",{:.6g}", coordinate);
    text += fmt::format(",{},{},{}\n", csv_cell(l.kind), csv_cell(l.from_plane), csv_cell(l.to_plane));
  }
  return text;
}

std::string histogram_rows(std::size_t number, const PointResult& point, const LinkNames&) {
  std::string text;
  for (const auto& row : point.window.total_latency.rows())
    text += fmt::format("{},{},{},{}\n", lead(number, point), row.low, row.high, row.count);
  return text;
}

/// Of each message class that has a name.
std::string class_histogram_rows(std::size_t number, const PointResult& point, const LinkNames&) {
  std::string text;
  for (std::size_t c = 0; c < point.message_classes.size(); ++c)
    for (const auto& row : point.window.classes[c].total_latency.rows())
      text += fmt::format("{},{},{},{},{}\n", lead(number, point), csv_cell(point.message_classes[c].name),
                          row.low, row.high, row.count);
  return text;
}

std::string terminal_rows(std::size_t number, const PointResult& point, const LinkNames&) {
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

std::string flow_rows(std::size_t number, const PointResult& point, const LinkNames&) {
  std::string text;
  const auto mean = [](std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? std::string()
                      : fmt::format("{}", static_cast<double>(sum) / static_cast<double>(count));
  };
  for (const FlowCounters& f : point.flows) {
    const auto& classes = point.message_classes;
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{}\n", lead(number, point), index(f.source), index(f.destination),
        f.message_class < classes.size() ? csv_cell(classes[f.message_class].name) : "", f.packets_generated,
        f.packets_delivered, f.flits_delivered, mean(f.flits_delivered, point.measured_cycles),
        mean(f.total_latency, f.packets_delivered),
        f.packets_delivered == 0 ? "" : std::to_string(f.longest_total),
        mean(f.network_latency, f.packets_delivered));
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

std::string csv_text(const CsvTable& table, const Json& rows, const std::vector<std::string>& keys,
                     const std::map<std::string, std::string>& units) {
  std::string text = table.lead_header;
  for (const auto& key : keys) {
    const auto unit = units.find(key);
    text +=
        ',' + csv_cell(unit == units.end() || unit->second.empty() ? key : key + " [" + unit->second + ']');
  }
  for (const auto& column : table.columns) text += std::string(",") + column.header;
  text += '\n';

  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    text += table.lead(i, row);
    const auto& set = row.at("set");
    for (const auto& key : keys) text += ',' + (set.contains(key) ? cell(set.at(key)) : std::string());
    for (const auto& column : table.columns) {
      const Json::json_pointer pointer(column.pointer);
      text += ',' + (row.contains(pointer) ? cell(row.at(pointer)) : std::string());
    }
    text += '\n';
  }
  return text;
}

std::string results_csv(const Json& points, const std::map<std::string, std::string>& units) {
  std::vector<std::string> keys;
  for (const auto& point : points)
    for (const auto& [key, unused] : point.at("set").items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  const auto number_and_label = [](std::size_t number, const Json& point) {
    return fmt::format("{},{}", number, cell(point.at("label")));
  };
  std::vector<CsvColumn> columns = columns_of(Metric::Of::kPoint);
  const auto present = [&](const CsvColumn& column) {
    return std::ranges::any_of(
        points, [&](const Json& point) { return point.contains(Json::json_pointer(column.pointer)); });
  };
  std::ranges::copy_if(columns_of(Metric::Of::kClosedLoop), std::back_inserter(columns), present);
  // Of message classes that have names: those of all points, in the order in which they come.
  std::deque<std::string> texts;
  std::vector<std::string> classes;
  for (const auto& point : points) {
    if (!point.contains("message_classes")) continue;
    for (const auto& [name, unused] : point.at("message_classes").items())
      if (std::ranges::find(classes, name) == classes.end()) classes.push_back(name);
  }
  for (const auto& name : classes)
    for (const auto& [header, pointer] : columns_of(Metric::Of::kClass)) {
      std::string of_class = name + "_" + header;
      // A class may be called like a column: "unicasts".
      if (std::ranges::any_of(columns, [&](const CsvColumn& other) { return of_class == other.header; }))
        of_class.insert(0, "class_");
      columns.push_back({texts.emplace_back(std::move(of_class)).c_str(),
                         texts.emplace_back("/message_classes/" + name + pointer).c_str()});
    }
  return csv_text({"point,label", number_and_label, columns}, points, keys, units);
}

const std::vector<PointTable>& point_tables() {
  static const std::vector<PointTable> kTables = {
      {"links.csv",
       "point,label,from,to,port,link,flits,utilization,from_x,from_y,to_x,to_y,kind,from_plane,to_plane\n",
       link_rows},
      {"latency_hist.csv", "point,label,latency_cycles_low,latency_cycles_high,count\n", histogram_rows},
      {"latency_hist_classes.csv", "point,label,class,latency_cycles_low,latency_cycles_high,count\n",
       class_histogram_rows, false},
      {"terminals.csv", "point,label,terminal,delivered_flits,accepted_flits_per_node_cycle\n",
       terminal_rows},
      {"flows.csv",
       "point,label,source,destination,class,generated_packets,delivered_packets,delivered_flits,"
       "accepted_flits_per_cycle,latency_total_mean_cycles,latency_total_max_cycles,latency_network_mean_"
       "cycles\n",
       flow_rows, false}};
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
