#include "tb/cost_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/json.h"
#include "tb/cost_figures.h"
#include "tb/report.h"

namespace noctule {
namespace {

constexpr std::array kShares = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9};  // of the highest throughput of all

struct Measured {
  double offered;
  double accepted;  ///< flits per node and cycle
  double accepted_ci95;
  double latency;  ///< cycles
  double latency_ci95;
};

constexpr double kUnreached = std::numeric_limits<double>::infinity();

/// `high` is kUnreached where not all mappings reach a throughput.
struct Range {
  double low = 0;
  double high = 0;
};

Json json_of(const Range& range) {
  return {{"low", range.low}, {"high", range.high == kUnreached ? Json(nullptr) : Json(range.high)}};
}

/// Of one mapping.
struct Clock {
  double cycle_ns;
  double area_mm2;
};

/// A series in one situation.
struct Curve {
  std::string label;
  std::vector<Clock> clocks;     ///< of the mappings
  std::vector<Measured> stable;  ///< in order of load, throughput rising
  double highest = 0;            ///< throughput, of any point
  double highest_ci95 = 0;

  /// Cycles, at a throughput; with `sign` times the half width of the interval. Absent above the last stable
  /// point; below the first one its latency.
  [[nodiscard]] std::optional<double> latency(double accepted, double sign) const {
    const auto at = [&](const Measured& m) { return m.latency + sign * m.latency_ci95; };
    if (stable.empty() || accepted > stable.back().accepted) return std::nullopt;
    const auto next =
        std::find_if(stable.begin(), stable.end(), [&](const Measured& m) { return m.accepted >= accepted; });
    if (next == stable.begin()) return at(*next);
    const auto& before = *std::prev(next);
    const double share = (accepted - before.accepted) / (next->accepted - before.accepted);
    return at(before) + share * (at(*next) - at(before));
  }
};

void add_point(Curve& curve, const Json& point) {
  // Per terminal, silent ones included: area is that of all routers.
  const Json* over = value_at(point, {"accepted", "flits_per_node_cycle_all_terminals"});
  if (over == nullptr) over = value_at(point, {"accepted", "flits_per_node_cycle"});
  const Json* accepted = over == nullptr ? nullptr : value_at(*over, {"mean"});
  if (accepted == nullptr) return;
  Measured m{};
  m.offered = number_at(point, {"offered", "flits_per_node_cycle"}, 0);
  m.accepted = accepted->get<double>();
  m.accepted_ci95 = number_at(*over, {"ci95"}, 0);
  if (m.accepted > curve.highest) {
    curve.highest = m.accepted;
    curve.highest_ci95 = m.accepted_ci95;
  }
  if (point.at("status") != "stable" || !point.contains("latency_cycles")) return;
  m.latency = number_at(point, {"latency_cycles", "total", "mean"}, 0);
  m.latency_ci95 = number_at(point, {"latency_cycles", "total", "ci95"}, 0);
  curve.stable.push_back(m);
}

/// Sorted, and without points whose throughput falls.
void put_in_order(Curve& curve) {
  std::stable_sort(curve.stable.begin(), curve.stable.end(),
                   [](const Measured& a, const Measured& b) { return a.offered < b.offered; });
  double most = -1;
  std::erase_if(curve.stable, [&](const Measured& m) {
    const bool falls = m.accepted <= most;
    most = std::max(most, m.accepted);
    return falls;
  });
}

std::vector<Curve> curves_of(const Json& points, const std::vector<std::string>& situations,
                             const std::string& situation) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& point = points[i];
    if (situations.at(i) != situation || value_at(point, {"cost", "cycle_ns"}) == nullptr) continue;
    const auto label = point.at("label").get<std::string>();
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.label == label; });
    if (curve == curves.end()) {
      curve = curves.insert(curves.end(), {label, {}, {}, 0, 0});
      for (const Json& mapping : point.at("cost").at("mappings"))
        curve->clocks.push_back(
            {mapping.at("cycle_ns").get<double>(), mapping.at("area_um2").get<double>() * kMm2});
    }
    add_point(*curve, point);
  }
  for (Curve& curve : curves) put_in_order(curve);
  return curves;
}

/// Who has a range below (sign 1) or above (sign -1) all others; several if ranges overlap.
std::vector<std::string> ahead(const std::vector<std::pair<std::string, std::optional<Range>>>& ranges,
                               int sign) {
  const auto best = [&](const Range& r) { return sign > 0 ? r.low : -r.high; };
  const auto worst = [&](const Range& r) { return sign > 0 ? r.high : -r.low; };
  double bound = kUnreached;
  for (const auto& [label, range] : ranges)
    if (range) bound = std::min(bound, worst(*range));
  std::vector<std::string> names;
  for (const auto& [label, range] : ranges)
    if (range && best(*range) <= bound) names.push_back(label);
  return names;
}

Json with_ahead(const std::vector<std::pair<std::string, std::optional<Range>>>& ranges, int sign) {
  Json row = Json::object();
  Json series = Json::object();
  for (const auto& [label, range] : ranges)
    if (range) series[label] = json_of(*range);
  row["series"] = std::move(series);
  row["ahead"] = ahead(ranges, sign);
  return row;
}

void widen(std::optional<Range>& range, double low, double high) {
  range = range ? Range{std::min(range->low, low), std::max(range->high, high)} : Range{low, high};
}

/// `area`: per mm2 of router, else per node.
Json scaled(const std::vector<Curve>& curves, bool area) {
  // A throughput per cycle, over this, is one per ns (and mm2).
  const auto scale = [&](const Clock& clock) { return clock.cycle_ns * (area ? clock.area_mm2 : 1); };
  std::vector<std::pair<std::string, std::optional<Range>>> highest;
  double most = 0;
  for (const Curve& c : curves) {
    std::optional<Range> range;
    for (const Clock& clock : c.clocks)
      widen(range, (c.highest - c.highest_ci95) / scale(clock), (c.highest + c.highest_ci95) / scale(clock));
    if (range) most = std::max(most, (range->low + range->high) / 2);
    highest.emplace_back(c.label, range);
  }
  Json latencies = Json::array();
  for (const double share : kShares) {
    const double load = share * most;
    std::vector<std::pair<std::string, std::optional<Range>>> ranges;
    for (const Curve& c : curves) {
      std::optional<Range> range;
      for (const Clock& clock : c.clocks) {
        const auto low = c.latency(load * scale(clock), -1);
        const auto high = c.latency(load * scale(clock), 1);
        if (low && high) widen(range, *low * clock.cycle_ns, *high * clock.cycle_ns);
      }
      const bool all_reach = std::all_of(c.clocks.begin(), c.clocks.end(), [&](const Clock& clock) {
        return c.latency(load * scale(clock), 0).has_value();
      });
      if (range && !all_reach) range->high = kUnreached;
      ranges.emplace_back(c.label, range);
    }
    Json row{{"throughput", load}};
    row.update(with_ahead(ranges, 1));
    latencies.push_back(std::move(row));
  }
  return {{"unit", area ? "flits per ns and mm2 of router" : "flits per node and ns"},
          {"latency_ns", std::move(latencies)},
          {"highest_throughput", with_ahead(highest, -1)}};
}

std::string cell(const Json& series, const std::string& label, int digits) {
  if (!series.contains(label)) return "-";
  const Json& range = series.at(label);
  const double low = range.at("low").get<double>();
  if (range.at("high").is_null()) return fmt::format("from {:.{}f}", low, digits);
  return fmt::format("{:.{}f}-{:.{}f}", low, digits, range.at("high").get<double>(), digits);
}

void add_table(const Json& part, const char* title, const char* last, std::string& text) {
  const Json& highest = part.at("highest_throughput");
  std::vector<std::vector<std::string>> rows{{part.at("unit").get<std::string>()}};
  const auto names = [](const Json& list) {
    return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), " or "));
  };
  for (const auto& [label, unused] : highest.at("series").items()) rows[0].push_back(label);
  rows[0].emplace_back("ahead");
  const auto add = [&](std::string first, const Json& row, int digits) {
    std::vector<std::string> line{std::move(first)};
    for (const auto& [label, unused] : highest.at("series").items())
      line.push_back(cell(row.at("series"), label, digits));
    line.push_back(names(row.at("ahead")));
    rows.push_back(std::move(line));
  };
  for (const Json& row : part.at("latency_ns"))
    add(fmt::format("{:.4f}", row.at("throughput").get<double>()), row, 0);
  add(last, highest, 4);
  text += fmt::format("\n{}\n{}", title, aligned(rows));
}

}  // namespace

Json compare_costs(const Json& points, const std::vector<std::string>& situations) {
  Json comparison = Json::array();
  std::set<std::string> seen;
  for (const auto& situation : situations) {
    if (!seen.insert(situation).second) continue;
    const auto curves = curves_of(points, situations, situation);
    if (curves.empty()) continue;
    comparison.push_back({{"situation", situation},
                          {"equal_time", scaled(curves, false)},
                          {"equal_area", scaled(curves, true)}});
  }
  return comparison;
}

std::string cost_comparison_table(const Json& comparison) {
  std::string text;
  for (const Json& part : comparison) {
    const auto situation = part.at("situation").get<std::string>();
    if (!situation.empty()) text += "\n" + situation + "\n";
    add_table(part.at("equal_time"), "mean total latency in ns at equal throughput per node and ns",
              "highest throughput", text);
    add_table(part.at("equal_area"), "mean total latency in ns at equal throughput per ns and mm2 of router",
              "highest throughput", text);
  }
  if (text.empty()) return text;
  return text +
         "ranges: of the mappings to cells and of the 95 % intervals; from: not reached with all mappings; "
         "-: with none;\nahead: whoever no other range is wholly ahead of\n";
}

}  // namespace noctule
