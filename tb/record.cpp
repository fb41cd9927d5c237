#include "tb/record.h"

#include <fmt/format.h>

#include "core/json.h"
#include "stats/tables.h"
#include "tb/elaboration.h"
#include "tb/stage_line.h"

namespace noctule {

std::string simulated_record(const PointConfig& point, const TraceRequest& trace, std::size_t number,
                             const ReportProgress& progress, bool quiet) {
  std::string record;
  run_in_sc_main([&] {
    PointSpec spec = configured_point(point, trace);
    spec.compiling = say_compiling(quiet);
    try {
      record = to_json(run_point(spec, number, progress, [] { return stop_requested(); })).dump();
    } catch (const ConfigError& error) {
      throw point.annotate(error);
    }
  });
  return record;
}

Json to_json(const PointRecord& record) {
  Json json = Json::object();
  json["point"] = record.point;
  json["tables"] = record.tables;
  Json batches = Json::array();
  for (const auto& b : record.batches)
    batches.push_back({b.begin, b.end, b.flits_delivered, b.packets_delivered, b.packets_generated,
                       b.total_latency, b.network_latency, b.hops, b.queued, b.queued_packet_cycles,
                       b.under_way_packet_cycles, b.longest_queue, b.transactions, b.transaction_cycles});
  json["batches"] = std::move(batches);
  json["terminals"] = record.terminals;
  json["autopsy"] = record.autopsy;
  return json;
}

PointRecord record_from_json(const Json& json) {
  PointRecord record;
  record.point = json.at("point");
  record.tables = json.at("tables").get<std::map<std::string, std::string>>();
  for (const auto& b : json.at("batches")) {
    const auto v = b.get<std::vector<std::uint64_t>>();
    record.batches.push_back({v.at(0), v.at(1), v.at(2), v.at(3), v.at(4), v.at(5), v.at(6), v.at(7), v.at(8),
                              v.at(9), v.at(10), v.at(11), v.at(12), v.at(13)});
  }
  record.terminals = json.at("terminals").get<std::uint64_t>();
  record.autopsy = json.at("autopsy").get<std::string>();
  return record;
}

std::string renumbered(const std::string& rows, std::size_t number, const std::string& label) {
  const std::string lead = fmt::format("{},{}", number, csv_cell(label));
  std::string text;
  text.reserve(rows.size());
  std::size_t at = 0;
  while (at < rows.size()) {
    const std::size_t end = std::min(rows.find('\n', at), rows.size() - 1);
    std::size_t cell = rows.find(',', at) + 1;  // behind the number; then the label, quoted or not
    if (rows[cell] == '"') {
      do cell = rows.find('"', cell + 1) + 1;
      while (rows[cell] == '"');
    } else {
      cell = rows.find(',', cell);
    }
    text += lead;
    text.append(rows, cell, end - cell + 1);
    at = end + 1;
  }
  return text;
}

}  // namespace noctule
