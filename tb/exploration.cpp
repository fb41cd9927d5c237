#include "tb/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "config/model.h"
#include "run/configured_point.h"
#include "tb/report.h"
#include "verify/report.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

constexpr std::size_t kMostArcs = 12;

/// Flits that a router can store: input, output, consumption and retransmission buffers; mean over the
/// routers.
double buffers_of(const FabricPlan& plan, double mean_length) {
  const NodeDescription& node = plan.node;
  double flits = 0;
  for (const auto& router : plan.routers) {
    const double again = static_cast<double>(router->terminals) * node.retransmission_buffers;
    const auto consumption = static_cast<double>(router->outputs.size() - router->link_outputs());
    flits += static_cast<double>(router->inputs.size()) * node.input_depth +
             static_cast<double>(router->link_outputs()) * node.output_depth + again * mean_length;
    if (!node.direct()) flits += consumption * node.consumption_depth;
  }
  return flits / static_cast<double>(plan.routers.size());
}

double number_at(const Json& json, std::initializer_list<const char*> path, double otherwise) {
  const Json* value = value_at(json, path);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

/// Highest accepted throughput, and the latency at the lowest load, of the points of a fabric.
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
  if (most != nullptr && most->at("accepted").contains("flits_per_node_cycle")) {
    row["throughput"] = {{"flits_per_node_cycle", most->at("accepted").at("flits_per_node_cycle")},
                         {"offered_flits_per_node_cycle", offered(*most)},
                         {"status", most->at("status")}};
  }
  if (least != nullptr)
    row["latency_cycles"] = {{"total", least->at("latency_cycles").at("total")},
                             {"offered_flits_per_node_cycle", offered(*least)}};
}

/// Marks fabrics that no other one beats: as good in throughput, latency and buffers, and better in one.
void mark_best(Json& rows) {
  const auto values = [](const Json& row) {
    return std::array<double, 3>{-number_at(row, {"throughput", "flits_per_node_cycle", "mean"}, 0),
                                 number_at(row, {"latency_cycles", "total", "mean"}, 1e300),
                                 row.value("flit_buffers_per_router", 1e300)};
  };
  for (Json& row : rows) {
    if (!row.contains("throughput")) continue;
    const auto mine = values(row);
    row["best"] = std::none_of(rows.begin(), rows.end(), [&](const Json& other) {
      if (!other.contains("throughput")) return false;
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
    fabric.buffers = buffers_of(*plan, model_from_json(point.resolved).traffic.mean_length);
    for (const auto& router : plan->routers) fabric.vcs += static_cast<double>(router->link_inputs());
    fabric.vcs /= static_cast<double>(plan->routers.size());
    fabric.consumption_channels = plan->node.consumption_places();
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
  const auto [found, fresh] =
      known_.emplace(point.label + '\n' + fabric_key(point.resolved), fabrics_.size());
  if (fresh) {
    Fabric& fabric = fabrics_.emplace_back();
    fabric.label = point.label;
    for (const auto& [key, value] : point.set.items())
      if (!key.starts_with("traffic.") && key != "seed") fabric.set[key] = value;
    fabric.allowed = point.resolved.at("allow_deadlock").get<bool>();
    study(fabric, point, simulations);
  }
  Fabric& fabric = fabrics_[found->second];
  fabric.points.push_back(number);
  return fabric.verdict == "proved" || (fabric.allowed && fabric.verdict != "impossible");
}

Json Exploration::rows(const std::map<std::size_t, Json>& points) const {
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
    }
    std::vector<Json> mine;
    for (const std::size_t number : fabric.points)
      if (const auto it = points.find(number); it != points.end()) mine.push_back(it->second);
    add_measured(row, mine);
    rows.push_back(std::move(row));
  }
  mark_best(rows);
  return rows;
}

namespace {

/// Keys that differ among the fabrics of one label; the others are what the label says.
std::vector<std::string> varying_keys(const Json& rows) {
  std::vector<std::string> keys;
  for (const auto& key : swept_keys(rows)) {
    std::map<std::string, std::set<std::string>> values;
    for (const Json& row : rows)
      if (row.at("set").contains(key)) values[row.at("label")].insert(row.at("set").at(key).dump());
    if (std::any_of(values.begin(), values.end(),
                    [](const auto& of_label) { return of_label.second.size() > 1; }))
      keys.push_back(key);
  }
  return keys;
}

/// What is said of the fabrics that are not proved: once for all of one label that it is said of.
std::string findings(const Json& rows, const std::vector<std::string>& keys) {
  std::vector<std::pair<std::string, std::string>> said;  // what, and of which
  for (const Json& row : rows) {
    if (row.at("verdict") == "proved") continue;
    std::string text = fmt::format("{}: {}: {}\n", row.at("label").get<std::string>(),
                                   row.at("verdict").get<std::string>(), row.at("reason").get<std::string>());
    if (const auto cycle = row.value("cycle", std::string()); !cycle.empty())
      text += fmt::format("  {}\n", cycle);
    std::string which;
    for (const auto& key : keys)
      if (row.at("set").contains(key))
        which += fmt::format("{}{}={}", which.empty() ? "" : " ", key, plain_text(row.at("set").at(key)));
    const auto known =
        std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.first == text; });
    if (known == said.end())
      said.emplace_back(std::move(text), std::move(which));
    else
      known->second += "; " + which;
  }
  std::string all;
  for (const auto& [text, which] : said)
    all += fmt::format("\n{}{}", text, which.empty() ? "" : "  with " + which + "\n");
  return all;
}

}  // namespace

std::string exploration_table(const Json& rows) {
  const auto keys = varying_keys(rows);
  std::vector<std::vector<std::string>> table(2);
  table[0].emplace_back("series");
  table[0].insert(table[0].end(), keys.begin(), keys.end());
  table[1].resize(table[0].size());
  for (const char* column :
       {"verdict", "buffers", "VCs", "cons.", "throughput", "at load", "latency", "at load", ""})
    table[0].emplace_back(column);
  for (const char* unit :
       {"", "flits/router", "/router", "/terminal", "flits/node/cycle", "offered", "cycles", "offered", ""})
    table[1].emplace_back(unit);
  for (const Json& row : rows) {
    std::vector<std::string> line{row.at("label").get<std::string>()};
    for (const auto& key : keys)
      line.push_back(row.at("set").contains(key) ? plain_text(row.at("set").at(key)) : "-");
    line.push_back(row.at("verdict").get<std::string>());
    line.push_back(number_text(value_at(row, {"flit_buffers_per_router"}), 0));
    line.push_back(number_text(value_at(row, {"virtual_channels_per_router"}), 1));
    line.push_back(number_text(value_at(row, {"consumption_channels_per_terminal"}), 0));
    line.push_back(number_text(value_at(row, {"throughput", "flits_per_node_cycle", "mean"}), 4));
    line.push_back(number_text(value_at(row, {"throughput", "offered_flits_per_node_cycle"}), 4));
    line.push_back(number_text(value_at(row, {"latency_cycles", "total", "mean"}), 1));
    line.push_back(number_text(value_at(row, {"latency_cycles", "offered_flits_per_node_cycle"}), 4));
    line.emplace_back(row.value("best", false) ? "*" : "");
    table.push_back(std::move(line));
  }
  return aligned(table) +
         "* no other fabric is at least as good in throughput, latency and buffers, and better in one of "
         "them\n" +
         findings(rows, keys);
}

}  // namespace noctule
