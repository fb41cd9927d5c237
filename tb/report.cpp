#include "tb/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "core/json.h"

namespace noctule {

const Json* value_at(const Json& json, std::initializer_list<const char*> path) {
  const Json* here = &json;
  for (const char* key : path) {
    if (!here->is_object() || !here->contains(key)) return nullptr;
    here = &(*here)[key];
  }
  return here;
}

double number_at(const Json& json, std::initializer_list<const char*> path, double otherwise) {
  const Json* value = value_at(json, path);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

std::string number_text(const Json* value, int digits) {
  return value != nullptr && value->is_number() ? fmt::format("{:.{}f}", value->get<double>(), digits) : "-";
}

namespace {

std::string with_interval(const Json* value, int digits) {
  if (value == nullptr) return "-";
  const Json* ci95 = value_at(*value, {"ci95"});
  return number_text(value_at(*value, {"mean"}), digits) +
         (ci95 == nullptr ? "" : " +- " + number_text(ci95, digits));
}

}  // namespace

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> swept_keys(const Json& points) {
  std::vector<std::string> keys;
  for (const auto& point : points)
    for (const auto& [key, unused] : point.at("set").items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::erase_if(keys, [&](const std::string& key) {
    return std::all_of(points.begin(), points.end(), [&](const Json& point) {
      const Json& set = point.at("set");
      return set.contains(key) && plain_text(set[key]) == point.at("label").get<std::string>();
    });
  });
  return keys;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + "\n";
  }
  return table;
}

namespace {

/// A line on what a node is in the table, where not all terminals inject.
std::string silent_terminals(const Json& points) {
  for (const auto& point : points) {
    const Json* all = value_at(point, {"terminals", "all"});
    const Json* injecting = value_at(point, {"terminals", "injecting"});
    if (all == nullptr || injecting == nullptr || *injecting == *all || *injecting == 0) continue;
    return fmt::format(
        "loads are per terminal that injects ({} of {}); those over all terminals are *_all_terminals in "
        "results.json\n",
        injecting->get<std::uint64_t>(), all->get<std::uint64_t>());
  }
  return "";
}

/// Cycles until a workload that ends by itself had drained; null for other points.
const Json* time_to_drain(const Json& point) {
  const bool one_window = value_at(point, {"batches"}) == nullptr;
  if (!one_window || point.at("status") != "stable") return nullptr;
  return value_at(point, {"cycles", "measured"});
}

}  // namespace

std::string points_table(const Json& points) {
  const auto keys = swept_keys(points);
  std::vector<std::vector<std::string>> rows{{"series"}};
  for (const auto& key : keys) rows[0].push_back(key);
  for (const char* column :
       {"status", "offered", "accepted", "of tau_max", "latency", "p99", "hops", "link use"})
    rows[0].emplace_back(column);
  rows.push_back({""});
  rows[1].resize(keys.size() + 1);
  for (const char* unit :
       {"", "flits/node/cycle", "flits/node/cycle", "", "cycles", "cycles", "links", "flits/cycle"})
    rows[1].emplace_back(unit);
  const bool drains =
      std::ranges::any_of(points, [](const Json& point) { return time_to_drain(point) != nullptr; });
  if (drains) rows[0].emplace_back("drained");
  if (drains) rows[1].emplace_back("cycles");
  const bool loops =
      std::ranges::any_of(points, [](const Json& point) { return point.contains("transactions"); });
  if (loops) rows[0].emplace_back("round trip");
  if (loops) rows[1].emplace_back("cycles");
  for (const auto& point : points) {
    std::vector<std::string> row{point.at("label").get<std::string>()};
    for (const auto& key : keys)
      row.push_back(point.at("set").contains(key) ? plain_text(point.at("set")[key]) : "-");
    row.push_back(point.at("status").get<std::string>());
    row.push_back(number_text(value_at(point, {"offered", "flits_per_node_cycle"}), 4));
    row.push_back(with_interval(value_at(point, {"accepted", "flits_per_node_cycle"}), 4));
    row.push_back(number_text(value_at(point, {"accepted", "normalized", "mean"}), 3));
    row.push_back(with_interval(value_at(point, {"latency_cycles", "total"}), 1));
    row.push_back(number_text(value_at(point, {"latency_cycles", "total", "p99"}), 0));
    row.push_back(number_text(value_at(point, {"hops", "mean"}), 2));
    row.push_back(number_text(value_at(point, {"link_utilization", "mean"}), 3));
    if (drains) row.push_back(number_text(time_to_drain(point), 0));
    if (loops) row.push_back(number_text(value_at(point, {"transactions", "round_trip_cycles"}), 1));
    rows.push_back(std::move(row));
  }
  return aligned(rows) + silent_terminals(points);
}

std::string status_summary(const Json& points) {
  std::map<std::string, int> count;
  for (const auto& point : points) ++count[point.at("status").get<std::string>()];
  std::string summary;
  for (const char* status : {"stable", "saturated", "deadlocked", "not_converged"})
    if (count[status] > 0)
      summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count[status], status);
  return summary.empty() ? "no points" : summary;
}

}  // namespace noctule
