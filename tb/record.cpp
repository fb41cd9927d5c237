#include "tb/record.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "fabric/rtl_router.h"
#include "run/rtl_recording.h"
#include "run/stop_signals.h"
#include "stats/tables.h"
#include "tb/elaboration.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

constexpr const char* kFault = "rtl_fault";  ///< instead of a record
constexpr Cycle kBefore = 200;               ///< cycles that are recorded before the cause of a fault
constexpr Cycle kLongest = 20'000;           ///< cycles that are recorded

/// `on_fault`: what the record is then, by the error with its place.
std::string simulated(const PointConfig& point, PointSpec spec, std::size_t number,
                      const ReportProgress& progress, bool quiet,
                      const std::function<std::string(const RtlFault&, const ConfigError&)>& on_fault) {
  spec.compiling = say_compiling(quiet);
  try {
    return to_json(run_point(spec, number, progress, [] { return stop_requested(); })).dump();
  } catch (const RtlFault& fault) {
    if (!on_fault) throw point.annotate(fault);
    return on_fault(fault, point.annotate(fault));
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

}  // namespace

std::string simulated_record(const PointConfig& point, const TraceRequest& trace, std::size_t number,
                             const ReportProgress& progress, bool quiet) {
  std::string record;
  run_in_sc_main(
      [&] { record = simulated(point, configured_point(point, trace), number, progress, quiet, {}); });
  return record;
}

std::string simulated_record_or_fault(const PointConfig& point, const TraceRequest& trace, std::size_t number,
                                      const ReportProgress& progress, bool quiet) {
  std::string record;
  run_in_sc_main([&] {
    const PointSpec spec = configured_point(point, trace);
    record =
        simulated(point, spec, number, progress, quiet, [&](const RtlFault& fault, const ConfigError& e) {
          return Json{{kFault,
                       {{"router", index(fault.router())},
                        {"name", spec.topology->router_name(fault.router())},
                        {"cycle", fault.cycle()},
                        {"since", fault.since()},
                        {"text", e.what()}}}}
              .dump();
        });
  });
  return record;
}

std::optional<RtlFaultSite> fault_of(const Json& record) {
  if (!record.contains(kFault)) return std::nullopt;
  const Json& fault = record.at(kFault);
  return RtlFaultSite{RouterId(fault.at("router").get<std::uint32_t>()), fault.at("name").get<std::string>(),
                      fault.at("cycle").get<Cycle>(), fault.at("since").get<Cycle>(),
                      fault.at("text").get<std::string>()};
}

std::string recorded_fault(const PointConfig& point, const RtlFaultSite& site, const std::string& file,
                           const ReportProgress& progress, bool quiet) {
  bool again = false;
  run_in_sc_main([&] {
    PointSpec spec = configured_point(point, kNoTrace);
    const Cycle from = site.since > kBefore ? site.since - kBefore : 0;
    spec.recorder = std::make_shared<RtlRecorder>(site.router, from, from + kLongest, file);
    static_cast<void>(
        simulated(point, spec, 0, progress, quiet, [&](const RtlFault& fault, const ConfigError&) {
          again = fault.router() == site.router && fault.cycle() == site.cycle;
          return std::string();
        }));
    spec.recorder->close();
  });
  if (!again && !stop_requested()) throw ConfigError("nodes", kOtherCourse);
  return {};
}

std::string checked_waveform(const PointConfig& point) {
  run_in_sc_main([&] {
    PointSpec spec = configured_point(point, {});
    try {
      check_waveform(std::move(spec));
    } catch (const ConfigError& error) {
      throw point.annotate(error);
    }
  });
  return {};
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
    std::size_t cell = rows.find(',', at) + 1;  // behind the number; then the label, quoted or not
    if (rows[cell] == '"') {
      do cell = rows.find('"', cell + 1) + 1;
      while (rows[cell] == '"');
    } else {
      cell = rows.find(',', cell);
    }
    const std::size_t end = std::min(rows.find('\n', cell), rows.size() - 1);
    text += lead;
    text.append(rows, cell, end - cell + 1);
    at = end + 1;
  }
  return text;
}

}  // namespace noctule
