#include "tb/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "config/model.h"
#include "config/router_kinds.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "stats/tables.h"
#include "tb/exploration_remarks.h"
#include "tb/report.h"
#include "tb/saturation.h"
#include "verify/report/report.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

constexpr std::size_t kMostArcs = 12;

/// Flits that a router can store: input, output, consumption and retransmission buffers.
double buffers_of(const FabricPlan& plan, RouterId r, double mean_length) {
  const NodeDescription& node = plan.nodes[r];
  const auto& router = plan.routers[index(r)];
  const double again = static_cast<double>(router->injecting) * node.retransmission_buffers;
  const auto consumption = static_cast<double>(router->outputs.size() - router->link_outputs());
  const bool unlimited = node.injection_channels == kUnlimited;  // they stand for the terminal's memory
  const std::size_t inputs = unlimited ? router->link_inputs() : router->inputs.size();
  const double flits = static_cast<double>(inputs) * node.input_depth +
                       static_cast<double>(router->link_outputs()) * node.output_depth + again * mean_length;
  return node.direct() ? flits : flits + consumption * node.consumption_depth;
}

/// Buffers and VCs of some routers.
struct Storage {
  void add(const FabricPlan& plan, RouterId r, double mean_length) {
    flits += buffers_of(plan, r, mean_length);
    vcs += static_cast<double>(plan.routers[index(r)]->link_inputs());
    ++routers;
  }
  [[nodiscard]] double mean_flits() const { return flits / static_cast<double>(routers); }
  [[nodiscard]] double mean_vcs() const { return vcs / static_cast<double>(routers); }
  double flits = 0;
  double vcs = 0;
  std::size_t routers = 0;
};

/// What each kind of router stores.
Json kinds_json(const std::vector<RouterKind>& kinds, const FabricPlan& plan, double mean_length) {
  Json list = Json::array();
  for (const RouterKind& kind : kinds) {
    Storage storage;
    for (const RouterId r : kind.members) storage.add(plan, r, mean_length);
    list.push_back({{"routers", kind.members.size()},
                    {"set", kind.set},
                    {"text", to_text(kind)},
                    {"flit_buffers_per_router", storage.mean_flits()},
                    {"virtual_channels_per_router", storage.mean_vcs()}});
  }
  return list;
}

/// A number where all terminals have as many, else their mean.
Json consumption_channels_of(const FabricPlan& plan) {
  double sum = 0;
  const std::size_t terminals = plan.topology->terminals();
  for (std::uint32_t t = 0; t < terminals; ++t)
    sum += plan.nodes[plan.consumption_router(TerminalId{t}, 0)].consumption_channels;
  const double mean = sum / static_cast<double>(terminals);
  const auto whole = static_cast<unsigned>(mean);
  return whole == mean ? Json(whole) : Json(mean);
}

/// The highest accepted load, and the latency at the lowest load, of the points of a fabric.
void add_measured(Json& row, const std::vector<Json>& points) {
  const Json* most = nullptr;
  const Json* least = nullptr;
  const auto accepted = [](const Json& p) {
    return number_at(p, {"accepted", "flits_per_node_cycle", "mean"}, 0);
  };
  const auto offered = [](const Json& p) { return number_at(p, {"offered", "flits_per_node_cycle"}, 0); };
  for (const Json& point : points) {
    if (most == nullptr || accepted(point) > accepted(*most)) most = &point;
    if (point.contains("latency_cycles") && (least == nullptr || offered(point) < offered(*least)))
      least = &point;
    if (point.at("status") == "deadlocked") row["deadlocked_in_simulation"] = true;
  }
  if (const Json* rate = most == nullptr ? nullptr : value_at(*most, {"accepted", "flits_per_node_cycle"})) {
    row["accepted"] = {{"flits_per_node_cycle", *rate},
                       {"offered_flits_per_node_cycle", offered(*most)},
                       {"status", most->at("status")}};
  }
  std::set<double> loads;
  for (const Json& point : points) loads.insert(offered(point));
  if (!loads.empty()) row["loads_offered"] = loads.size();
  if (least != nullptr)
    row["latency_cycles"] = {{"total", least->at("latency_cycles").at("total")},
                             {"offered_flits_per_node_cycle", offered(*least)},
                             {"status", least->at("status")}};
}

/// What "best" says of throughput.
enum class Measure : std::uint8_t { kNone, kAccepted, kSaturation };

/// With one load offered every fabric that serves it accepts the same: that is no merit.
Measure measure_of(const Json& rows) {
  for (const Json& row : rows) {
    if (row.contains("saturation")) return Measure::kSaturation;
    if (row.value("loads_offered", 0) > 1) return Measure::kAccepted;
  }
  return Measure::kNone;
}

double throughput(const Json& row, Measure measure) {
  if (measure == Measure::kSaturation) return number_at(row, {"saturation", "load_flits_per_node_cycle"}, 0);
  if (measure == Measure::kAccepted) return number_at(row, {"accepted", "flits_per_node_cycle", "mean"}, 0);
  return 0;
}

/// Marks fabrics that no other one beats: as good in throughput, latency and buffers, and better in one.
void mark_best(Json& rows) {
  const Measure measure = measure_of(rows);
  const auto values = [&](const Json& row) {
    return std::array<double, 3>{-throughput(row, measure),
                                 number_at(row, {"latency_cycles", "total", "mean"}, 1e300),
                                 row.value("flit_buffers_per_router", 1e300)};
  };
  for (Json& row : rows) {
    if (!row.contains("accepted")) continue;
    const auto mine = values(row);
    row["best"] = std::none_of(rows.begin(), rows.end(), [&](const Json& other) {
      if (!other.contains("accepted")) return false;
      const auto theirs = values(other);
      bool as_good = true;
      for (std::size_t k = 0; k < mine.size(); ++k) as_good = as_good && theirs[k] <= mine[k];
      return as_good && theirs != mine;
    });
  }
}

}  // namespace

void Exploration::study(Fabric& fabric, const PointConfig& point, const Simulations& simulations) {
  try {
    (void)configured_point(point, {});  // refuses what cannot be simulated
    const FabricOfPoint studied = fabric_of(point);
    const auto& plan = studied.plan;
    const ModelConfig model = model_from_json(point.resolved);
    Storage storage;
    for (std::uint32_t r = 0; r < plan->routers.size(); ++r)
      storage.add(*plan, RouterId{r}, model.traffic.mean_length);
    fabric.buffers = storage.mean_flits();
    fabric.vcs = storage.mean_vcs();
    fabric.consumption_channels = consumption_channels_of(*plan);
    if (!routers_alike(model))
      if (const auto kinds = router_kinds(model, *plan->topology); kinds.size() > 1)
        fabric.kinds = kinds_json(kinds, *plan, model.traffic.mean_length);
    const FabricVerdict verdict = judge_fabric(studied, point, simulations);
    const Certificate& certificate = verdict.certificate;
    if (verdict.deadlock)
      fabric.simulation = {
          {"deadlocked", true}, {"workload", verdict.deadlock->workload}, {"cycle", verdict.deadlock->cycle}};
    fabric.verdict = to_string(certificate.verdict);
    fabric.reason = certificate.reason;
    if (!certificate.proved()) fabric.cycle = cycle_text(certificate, kMostArcs);
  } catch (const ConfigError& error) {
    fabric.verdict = "impossible";
    fabric.reason = point.annotate(error).what();
  }
}

bool Exploration::add(std::size_t number, const PointConfig& point, const Simulations& simulations) {
  std::string key = point.label + '\n' + fabric_key(point.resolved);
  if (by_traffic_) {
    Json traffic = point.resolved.at("traffic");
    traffic.erase("offered_load");
    key += '\n' + traffic.dump() + '\n' + std::to_string(point.seed);
  }
  const auto [found, fresh] = known_.emplace(std::move(key), fabrics_.size());
  if (fresh) {
    Fabric& fabric = fabrics_.emplace_back();
    fabric.label = point.label;
    for (const auto& [key, value] : point.set.items())
      if (by_traffic_ ? key != "traffic.offered_load" : key != "seed" && !key.starts_with("traffic."))
        fabric.set[key] = value;
    fabric.allowed = point.resolved.at("allow_deadlock").get<bool>();
    study(fabric, point, simulations);
  }
  Fabric& fabric = fabrics_[found->second];
  fabric.points.push_back(number);
  return fabric.simulated();
}

std::vector<std::size_t> Exploration::simulated() const {
  std::vector<std::size_t> points;
  for (const Fabric& fabric : fabrics_)
    if (fabric.simulated()) points.push_back(fabric.points.front());
  return points;
}

Json Exploration::rows(const std::map<std::size_t, Json>& points,
                       const std::map<std::size_t, Json>& saturation) const {
  Json rows = Json::array();
  for (const Fabric& fabric : fabrics_) {
    Json row{
        {"label", fabric.label}, {"set", fabric.set}, {"verdict", fabric.verdict}, {"reason", fabric.reason}};
    if (!fabric.cycle.empty()) row["cycle"] = fabric.cycle;
    if (!fabric.simulation.is_null()) row["simulation"] = fabric.simulation;
    if (fabric.verdict != "impossible") {
      row["flit_buffers_per_router"] = fabric.buffers;
      row["virtual_channels_per_router"] = fabric.vcs;
      row["consumption_channels_per_terminal"] = fabric.consumption_channels;
      if (!fabric.kinds.is_null()) row["router_kinds"] = fabric.kinds;
    }
    std::vector<Json> mine;
    for (const std::size_t number : fabric.points)
      if (const auto it = points.find(number); it != points.end()) mine.push_back(it->second);
    if (fabric.simulated() && mine.size() < fabric.points.size())
      row["points_missing"] = fabric.points.size() - mine.size();
    add_measured(row, mine);
    const auto found = saturation.find(fabric.points.front());
    if (found != saturation.end() && !found->second.is_null())
      row["saturation"] = with_loads_of_the_file(found->second, mine);
    rows.push_back(std::move(row));
  }
  mark_best(rows);
  return rows;
}

namespace {

/// Behind a figure of a point that is not_converged.
const char* doubt(const Json& row, const char* figure) {
  const Json* status = value_at(row, {figure, "status"});
  return status != nullptr && *status == "not_converged" ? "?" : "";
}

std::string legend(Measure measure, const Json& rows) {
  const auto is_simulated = [](const Json& row) {
    return row.at("verdict") == "proved" || row.contains("loads_offered") || row.contains("saturation");
  };
  if (std::ranges::none_of(rows, is_simulated))
    return "nothing was simulated, as no fabric is proved: `noctule verify FILE` says why\n";
  const bool searched = measure == Measure::kSaturation;
  const bool several = measure == Measure::kAccepted;
  return fmt::format(
      "{}* no other fabric is at least as good in {}latency and buffers, and better in one of them\n",
      searched
          ? "saturates: the highest load that is served in full, of which 97 % are enough, to within 1/64 of "
            "the bound on throughput;\n  \"a to b\": b is surely too much; next to a, 16 times the cycles "
            "did not tell\n"
      : several ? "accepted: the highest of all loads offered; --saturation searches for the maximum\n"
                : "accepted: of the one load offered, so it tells nothing of the maximum, which --saturation "
                  "searches for\n",
      searched  ? "saturation load, "
      : several ? "accepted load, "
                : "");
}

constexpr std::array kColumns = {
    CsvColumn{"verdict", "/verdict"},
    CsvColumn{"flit_buffers_per_router", "/flit_buffers_per_router"},
    CsvColumn{"virtual_channels_per_router", "/virtual_channels_per_router"},
    CsvColumn{"consumption_channels_per_terminal", "/consumption_channels_per_terminal"},
    CsvColumn{"accepted_flits_per_node_cycle", "/accepted/flits_per_node_cycle/mean"},
    CsvColumn{"accepted_ci95_flits_per_node_cycle", "/accepted/flits_per_node_cycle/ci95"},
    CsvColumn{"accepted_at_offered_flits_per_node_cycle", "/accepted/offered_flits_per_node_cycle"},
    CsvColumn{"accepted_at_status", "/accepted/status"},
    CsvColumn{"latency_total_mean_cycles", "/latency_cycles/total/mean"},
    CsvColumn{"latency_at_offered_flits_per_node_cycle", "/latency_cycles/offered_flits_per_node_cycle"},
    CsvColumn{"latency_at_status", "/latency_cycles/status"},
    CsvColumn{"saturation_load_flits_per_node_cycle", "/saturation/load_flits_per_node_cycle"},
    CsvColumn{"not_served_at_flits_per_node_cycle", "/saturation/not_served_at_flits_per_node_cycle"},
    CsvColumn{"undecided_up_to_flits_per_node_cycle", "/saturation/undecided_up_to_flits_per_node_cycle"},
    CsvColumn{"maximum_accepted_flits_per_node_cycle",
              "/saturation/maximum_accepted/accepted_flits_per_node_cycle/mean"},
    CsvColumn{"maximum_accepted_ci95_flits_per_node_cycle",
              "/saturation/maximum_accepted/accepted_flits_per_node_cycle/ci95"},
    CsvColumn{"maximum_accepted_at_offered_flits_per_node_cycle",
              "/saturation/maximum_accepted/offered_flits_per_node_cycle"},
    CsvColumn{"best", "/best"},
    CsvColumn{"reason", "/reason"},
};

}  // namespace

std::string exploration_csv(const Json& rows) {
  const auto label = [](auto, const Json& row) { return csv_cell(row.at("label").get<std::string>()); };
  return csv_text({"label", label, kColumns}, rows, swept_keys(rows));
}

std::string exploration_table(const Json& rows) {
  const auto keys = varying_keys(rows);
  std::vector<std::vector<std::string>> table(2);
  table[0].emplace_back("series");
  table[0].insert(table[0].end(), keys.begin(), keys.end());
  table[1].resize(table[0].size());
  for (const char* column :
       {"verdict", "buffers", "VCs", "cons.", "accepted", "at load", "latency", "at load"})
    table[0].emplace_back(column);
  for (const char* unit :
       {"", "flits/router", "/router", "/terminal", "flits/node/cycle", "offered", "cycles", "offered"})
    table[1].emplace_back(unit);
  const Measure measure = measure_of(rows);
  if (measure == Measure::kSaturation) {
    table[0].insert(table[0].end(), {"saturates", "most accepted"});
    table[1].insert(table[1].end(), {"offered", "flits/node/cycle"});
  }
  table[0].emplace_back();
  table[1].emplace_back();
  for (const Json& row : rows) {
    std::vector<std::string> line{row.at("label").get<std::string>()};
    for (const auto& key : keys)
      line.push_back(row.at("set").contains(key) ? plain_text(row.at("set").at(key)) : "-");
    line.push_back(row.at("verdict").get<std::string>());
    line.push_back(number_text(value_at(row, {"flit_buffers_per_router"}), 0));
    line.push_back(number_text(value_at(row, {"virtual_channels_per_router"}), 1));
    const Json* const consumption = value_at(row, {"consumption_channels_per_terminal"});
    line.push_back(number_text(consumption, consumption != nullptr && consumption->is_number_float()));
    line.push_back(number_text(value_at(row, {"accepted", "flits_per_node_cycle", "mean"}), 4) +
                   doubt(row, "accepted"));
    line.push_back(number_text(value_at(row, {"accepted", "offered_flits_per_node_cycle"}), 4));
    line.push_back(number_text(value_at(row, {"latency_cycles", "total", "mean"}), 1) +
                   doubt(row, "latency_cycles"));
    line.push_back(number_text(value_at(row, {"latency_cycles", "offered_flits_per_node_cycle"}), 4));
    if (measure == Measure::kSaturation) {
      line.push_back(number_text(value_at(row, {"saturation", "load_flits_per_node_cycle"}), 4));
      if (const Json* up_to = value_at(row, {"saturation", "undecided_up_to_flits_per_node_cycle"}))
        line.back() += " to " + number_text(up_to, 4);
      line.push_back(number_text(
          value_at(row, {"saturation", "maximum_accepted", "accepted_flits_per_node_cycle", "mean"}), 4));
    }
    line.emplace_back(row.value("best", false) ? "*" : "");
    if (const auto missing = row.value("points_missing", std::uint64_t{0}); missing > 0)
      line.back() += fmt::format(" {} point{} missing", missing, missing == 1 ? "" : "s");
    table.push_back(std::move(line));
  }
  std::string text = aligned(table);
  if (text.find('?') != std::string::npos) text += "?: not_converged; measure longer\n";
  return text + legend(measure, rows) + unlike_routers(rows, keys) + unproved_fabrics(rows, keys);
}

}  // namespace noctule
