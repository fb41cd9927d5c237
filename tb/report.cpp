#include "tb/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/json.h"
#include "tb/points.h"

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

/// "12.3 +- 0.4"; "12.3" where there is no interval, or one as wide as the mean.
std::string with_interval(const Json* mean, const Json* ci95, int digits) {
  // As wide as the mean: nothing is known, as of the latency of a saturated point.
  const bool wide = ci95 != nullptr && mean != nullptr && ci95->is_number() && *ci95 >= *mean && *mean > 0;
  const bool known = ci95 != nullptr && ci95->is_number() && !wide;
  return number_text(mean, digits) + (known ? " +- " + number_text(ci95, digits) : "");
}
std::string with_interval(const Json* value, int digits) {
  if (value == nullptr) return "-";
  return with_interval(value_at(*value, {"mean"}), value_at(*value, {"ci95"}), digits);
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

constexpr const char* kLoad = "traffic.offered_load";
constexpr double kMuchDiscarded = 0.01;  ///< of the packets generated

/// Does a point have its load in units of tau_max? Of others that column would say nothing.
bool any_normalized(const Json& points, const Json& config) {
  const Json* const common = value_at(config, {"traffic", "load_unit"});
  return std::ranges::any_of(points, [&](const Json& point) {
    const auto own = point.at("set").find("traffic.load_unit");
    const Json* const unit = own != point.at("set").end() ? &*own : common;
    return unit != nullptr && *unit == "normalized" &&
           value_at(point, {"accepted", "normalized", "mean"}) != nullptr;
  });
}

/// The unit of an axis, where all points have one.
std::string unit_of(const std::string& key, const Json& points, const Json& config) {
  if (key != kLoad) return "";
  std::string unit;
  for (const auto& point : points) {
    const Json* const own = value_at(point, {"set", "traffic.load_unit"});
    const Json* const common = value_at(config, {"traffic", "load_unit"});
    if (own == nullptr && common == nullptr) return "";
    auto here = plain_text(own != nullptr ? *own : *common);
    if (!unit.empty() && here != unit) return "";
    unit = std::move(here);
  }
  if (unit == "normalized") return "of tau_max";
  return unit == "packets_per_node_cycle" ? "packets/node/cycle" : "flits/node/cycle";
}

/// "stable", "saturated, 50 % discarded".
std::string status_text(const Json& point) {
  auto text = point.at("status").get<std::string>();
  const double generated = number_at(point, {"packets", "generated"}, 0);
  const double share = number_at(point, {"packets", "discarded"}, 0) / std::max(generated, 1.0);
  if (share > kMuchDiscarded) text += fmt::format(", {:.0f} % discarded", 100 * share);
  return text;
}

/// What to do about points of which the rule cannot say enough: the end of its sentence, once for all points
/// of which it says the same.
std::string open_questions(const Json& points) {
  constexpr std::size_t kMost = 5;
  std::vector<std::pair<std::string, std::size_t>> ends;
  for (const auto& point : points) {
    const Json* const rule = value_at(point, {"status_rule"});
    if (rule == nullptr) continue;
    auto text = rule->get<std::string>();
    const bool open = point.at("status") == "not_converged";
    if (!open && text.find("only a sweep can tell") == std::string::npos) continue;
    auto from = open ? text.rfind("; ") : std::string::npos;
    if (from == std::string::npos) from = text.find(": ");
    if (from != std::string::npos) text.erase(0, from + 2);
    if (text.ends_with('.')) text.pop_back();
    text.insert(0, point.at("status").get<std::string>() + ": ");
    const auto known = std::ranges::find(ends, text, &std::pair<std::string, std::size_t>::first);
    if (known == ends.end())
      ends.emplace_back(std::move(text), 1);
    else
      ++known->second;
  }
  std::string lines;
  for (std::size_t i = 0; i < std::min(kMost, ends.size()); ++i)
    lines += ends[i].first +
             (points.size() == 1 ? "" : fmt::format(" ({} of {} points)", ends[i].second, points.size())) +
             "\n";
  if (ends.size() > kMost)
    lines += fmt::format("... and {} more: status_rule in results.json\n", ends.size() - kMost);
  return lines;
}

}  // namespace

std::string points_table(const Json& points, const Json& config) {
  const auto keys = swept_keys(points);
  std::vector<std::vector<std::string>> rows{{"series"}};
  for (const auto& key : keys) rows[0].push_back(key);
  const bool normalized = any_normalized(points, config);
  const std::vector<std::pair<const char*, const char*>> columns{
      {"status", ""},     {"offered", "flits/node/cycle"}, {"accepted", "flits/node/cycle"},
      {"of tau_max", ""}, {"latency", "cycles"},           {"p99", "cycles"},
      {"hops", "links"},  {"link use", "busy share"}};
  rows.push_back({""});
  for (const auto& key : keys) rows[1].push_back(unit_of(key, points, config));
  for (const auto& [column, unit] : columns) {
    if (!normalized && std::string_view(column) == "of tau_max") continue;
    rows[0].emplace_back(column);
    rows[1].emplace_back(unit);
  }
  const bool drains =
      std::ranges::any_of(points, [](const Json& point) { return time_to_drain(point) != nullptr; });
  const bool loops = std::ranges::any_of(points, [](const Json& point) {
    return value_at(point, {"transactions", "round_trip_cycles"}) != nullptr;
  });
  if (loops) rows[0].emplace_back("round trip");
  if (loops) rows[1].emplace_back("cycles");
  if (drains) rows[0].emplace_back("drained");
  if (drains) rows[1].emplace_back("cycles");
  for (const auto& point : points) {
    std::vector<std::string> row{point.at("label").get<std::string>()};
    for (const auto& key : keys)
      row.push_back(point.at("set").contains(key) ? plain_text(point.at("set")[key]) : "-");
    row.push_back(status_text(point));
    row.push_back(number_text(value_at(point, {"offered", "flits_per_node_cycle"}), 4));
    row.push_back(with_interval(value_at(point, {"accepted", "flits_per_node_cycle"}), 4));
    if (normalized) row.push_back(number_text(value_at(point, {"accepted", "normalized", "mean"}), 3));
    row.push_back(with_interval(value_at(point, {"latency_cycles", "total"}), 1));
    row.push_back(number_text(value_at(point, {"latency_cycles", "total", "p99"}), 0));
    row.push_back(number_text(value_at(point, {"hops", "mean"}), 2));
    row.push_back(number_text(value_at(point, {"link_utilization", "mean"}), 3));
    if (loops)
      row.push_back(with_interval(value_at(point, {"transactions", "round_trip_cycles"}),
                                  value_at(point, {"transactions", "round_trip_ci95_cycles"}), 1));
    if (drains) row.push_back(number_text(time_to_drain(point), 0));
    rows.push_back(std::move(row));
  }
  return aligned(rows) + silent_terminals(points) + open_questions(points);
}

std::string classes_text(const Json& points) {
  constexpr std::size_t kMost = 8;  // points
  if (points.size() > kMost) return "";
  std::vector<std::vector<std::string>> rows{{"message class", "accepted", "latency", "p99"},
                                             {"", "flits/node/cycle", "cycles", "cycles"}};
  std::string shares;
  for (const auto& point : points) {
    const std::string name =
        points.size() == 1 ? "" : point_name(point.at("label").get<std::string>(), point.at("set"));
    if (const Json* classes = value_at(point, {"message_classes"}))
      for (const auto& [message_class, of_class] : classes->items())
        rows.push_back({name.empty() ? message_class : name + ": " + message_class,
                        number_text(value_at(of_class, {"accepted", "flits_per_node_cycle"}), 4),
                        number_text(value_at(of_class, {"latency_cycles", "total", "mean"}), 1),
                        number_text(value_at(of_class, {"latency_cycles", "total", "p99"}), 0)});
    const Json* const got = value_at(point, {"transactions", "delivered_to_a_requester"});
    if (got == nullptr) continue;
    const auto one = [&](const char* which) {
      const Json& share = got->at(which);
      return fmt::format("{:.4f} (terminal {})", share.at("flits_per_cycle").get<double>(),
                         share.at("terminal").get<std::uint64_t>());
    };
    shares += fmt::format("{}{}a requester gets {} to {} flits/cycle\n", name, name.empty() ? "" : ": ",
                          one("least"), one("most"));
  }
  return (rows.size() > 2 ? aligned(rows) : "") + shares;
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
