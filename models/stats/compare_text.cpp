// Comparisons in words.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "stats/compare.h"

namespace noctule {
namespace {

constexpr std::size_t kMostReasons = 8;  ///< printed

/// Digits behind the point that show two of a number; none of numbers from 10 on.
int digits_of(double number) {
  if (!(std::abs(number) > 0)) return 0;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(std::abs(number)))), 0, 12);
}

/// Two digits of the interval, and the mean to the same place.
std::string shown(const std::optional<Difference>& d, bool with_interval) {
  if (!d) return "-";
  const bool known = with_interval && d->ci95;
  const int digits = digits_of(known && *d->ci95 > 0 ? *d->ci95 : d->mean);
  std::string text = fmt::format("{:+.{}f}", d->mean, digits);
  text += known ? fmt::format(" +- {:.{}f}", *d->ci95, digits) : " +- -";
  if (d->relative) text += fmt::format(" ({:+.1f} %)", 100 * *d->relative);
  return text + (with_interval && d->significant() ? " *" : "");
}

/// Relative differences of one quantity over some points.
struct Spread {
  double least = 0;
  double most = 0;
  std::size_t points = 0;
  std::size_t intervals = 0;  ///< points with one: without, nobody can tell what is chance
  std::size_t significant = 0;

  void add(const std::optional<Difference>& d) {
    if (!d || !d->relative) return;
    least = points == 0 ? *d->relative : std::min(least, *d->relative);
    most = points == 0 ? *d->relative : std::max(most, *d->relative);
    ++points;
    intervals += d->ci95 ? 1 : 0;
    significant += d->significant() ? 1 : 0;
  }
  [[nodiscard]] bool equal() const { return std::max(std::abs(least), std::abs(most)) <= kEqualWithin; }
  /// Of a difference that is small: ", though latency differs by more than chance at 3 of 4".
  [[nodiscard]] std::string beyond_chance() const {
    if (significant == 0) return "";
    return fmt::format(", though latency differs by more than chance{}",
                       points == 1 ? "" : fmt::format(" at {} of {}", significant, points));
  }
  /// "is equal within 1 %", "is higher by 2.1 to 9.3 % (beyond chance at 3 of 4)".
  [[nodiscard]] std::string text() const {
    if (equal()) return fmt::format("is equal within {:.0f} %", 100 * kEqualWithin);
    const auto percent = [](double part) { return fmt::format("{:.1f}", 100 * std::abs(part)); };
    std::string by;
    if (least < 0 && most > 0)
      by = fmt::format("is between {} % lower and {} % higher", percent(least), percent(most));
    else if (const auto near = percent(most > 0 ? least : most), far = percent(most > 0 ? most : least);
             near == far)
      by = fmt::format("is {} % {}", far, most > 0 ? "higher" : "lower");
    else
      by = fmt::format("is {} to {} % {}", near, far, most > 0 ? "higher" : "lower");
    if (significant == points || intervals == 0) return by;
    return fmt::format("{} ({})", by,
                       significant == 0 ? "which can be chance"
                                        : fmt::format("beyond chance at {} of {}", significant, points));
  }
};

/// Of how many points of a sweep a sentence speaks.
std::string points_text(std::size_t here, std::size_t all) {
  if (here < all) return fmt::format("where both are stable ({} of {} points)", here, all);
  return fmt::format("where both are stable ({})",
                     all == 1 ? "the one point" : fmt::format("all {} points", all));
}

/// What makes pairs of those that are none for their cycles.
std::string same_cycles(const std::vector<ComparedPoint>& comparison) {
  Cycle warm_up = 0;
  Cycle measured = 0;
  for (const auto& p : comparison) {
    if (!p.cycles_differ) continue;
    warm_up = std::max(warm_up, p.warm_up);
    measured = std::max(measured, p.measured);
  }
  std::string text =
      "Pairs need the same cycles in both: give measurement.warm_up and measurement.cycles as numbers";
  if (measured > 0)
    text += fmt::format(", here --set measurement.warm_up={} --set measurement.cycles={}", warm_up, measured);
  return text + ".\n";
}

/// Series that are the same at every point at which both were simulated.
std::string the_same_twice(const std::vector<ComparedPoint>& comparison) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& p : comparison) {
    const std::pair<std::string, std::string> pair{p.label, p.baseline};
    const bool alike = std::ranges::all_of(comparison, [&](const auto& other) {
      return other.label != p.label || other.baseline != p.baseline || other.alike;
    });
    if (alike && std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
  }
  std::string text;
  for (const auto& [label, baseline] : pairs)
    text += fmt::format(
        "{} and {} are the same twice: all that was measured is equal, so what differs between them has no "
        "effect here.\n",
        label, baseline);
  return text;
}

}  // namespace

std::vector<std::string> verdicts(const std::vector<ComparedPoint>& comparison) {
  struct Pair {
    std::string name;
    std::string label;
    std::string baseline;
    std::size_t points = 0;
    std::size_t stable = 0;
    std::size_t label_deadlocks = 0;
    std::size_t baseline_deadlocks = 0;
    Spread latency = {};
    Spread round_trip = {};
    Spread drain = {};
    Spread accepted = {};       ///< where both are stable
    Spread accepted_else = {};  ///< where they are not
  };
  std::vector<Pair> pairs;
  for (const auto& p : comparison) {
    const std::string name = fmt::format("{} against {}", p.label, p.baseline);
    auto pair = std::ranges::find(pairs, name, &Pair::name);
    if (pair == pairs.end()) pair = pairs.insert(pairs.end(), {name, p.label, p.baseline});
    ++pair->points;
    pair->label_deadlocks += p.status == Status::kDeadlocked ? 1 : 0;
    pair->baseline_deadlocks += p.baseline_status == Status::kDeadlocked ? 1 : 0;
    if (p.status == Status::kDeadlocked || p.baseline_status == Status::kDeadlocked) continue;
    if (p.status != Status::kStable || p.baseline_status != Status::kStable) {
      pair->accepted_else.add(p.accepted_flits_per_node_cycle);
      continue;
    }
    ++pair->stable;
    pair->latency.add(p.latency_total_cycles);
    pair->round_trip.add(p.round_trip_cycles);
    pair->drain.add(p.time_to_drain_cycles);
    pair->accepted.add(p.accepted_flits_per_node_cycle);
  }
  std::vector<std::string> sentences;
  for (const auto& pair : pairs) {
    const bool loops = pair.round_trip.points > 0;
    const bool drains = pair.drain.points > 0;
    std::string sentence = pair.name + ": ";
    std::string deadlocks;
    for (const auto& [label, count] :
         {std::pair(pair.baseline, pair.baseline_deadlocks), std::pair(pair.label, pair.label_deadlocks)})
      if (count > 0)
        deadlocks += fmt::format("{}{} deadlocks at {} of {} point{}", deadlocks.empty() ? "" : ", ", label,
                                 count, pair.points, pair.points == 1 ? "" : "s");
    if (pair.stable == 0)
      sentence += deadlocks.empty() ? "at no point are both stable" : deadlocks;
    else if (pair.latency.points == 0 || pair.accepted.points == 0)
      sentence += "too little was measured to compare them";
    else if (pair.latency.equal() && pair.accepted.equal() && (!loops || pair.round_trip.equal()) &&
             (!drains || pair.drain.equal()))
      sentence +=
          fmt::format("equal within {:.0f} % in {}total latency{} and accepted throughput {}{}",
                      100 * kEqualWithin, drains ? "time to drain, " : "", loops ? ", round trip" : "",
                      points_text(pair.stable, pair.points), pair.latency.beyond_chance());
    else
      sentence += fmt::format(
          "{},{} total latency {},{} accepted throughput {}", points_text(pair.stable, pair.points),
          drains ? " time to drain " + pair.drain.text() + "," : "", pair.latency.text(),
          loops ? " round trip " + pair.round_trip.text() + "," : "", pair.accepted.text());
    if (pair.accepted_else.points > 0)
      sentence += fmt::format("; {}accepted throughput {}", pair.stable == 0 ? "" : "at the others ",
                              pair.accepted_else.text());
    if (pair.stable > 0 && !deadlocks.empty()) sentence += "; " + deadlocks;
    sentences.push_back(sentence + ".");
  }
  return sentences;
}

std::string to_table(const std::vector<ComparedPoint>& comparison) {
  using Row = std::vector<std::string>;
  std::vector<Row> rows{{"point", "series - baseline", "status", "accepted, flits/node/cycle",
                         "total latency, cycles", "network latency, cycles"}};
  const bool loops =
      std::ranges::any_of(comparison, [](const auto& p) { return p.round_trip_cycles.has_value(); });
  const bool drains =
      std::ranges::any_of(comparison, [](const auto& p) { return p.time_to_drain_cycles.has_value(); });
  if (loops) rows[0].emplace_back("round trip, cycles");
  if (drains) rows[0].emplace_back("time to drain, cycles");
  std::vector<std::string> reasons;
  for (const auto& p : comparison) {
    std::string set;
    for (const auto& [key, value] : p.set.items()) set += (set.empty() ? "" : " ") + key + '=' + value.dump();
    if (!p.unpaired.empty() && !p.finite && std::ranges::find(reasons, p.unpaired) == reasons.end())
      reasons.push_back(p.unpaired);
    rows.push_back({set.empty() ? "-" : set,
                    p.label + " - " + p.baseline + (p.unpaired.empty() || p.finite ? "" : " (unpaired)"),
                    std::string(to_string(p.status)) + " / " + to_string(p.baseline_status),
                    shown(p.accepted_flits_per_node_cycle, true),
                    shown(p.latency_total_cycles, !p.latency_total_grows),
                    shown(p.latency_network_cycles, true)});
    if (loops) rows.back().push_back(shown(p.round_trip_cycles, true));
    if (drains) rows.back().push_back(shown(p.time_to_drain_cycles, true));
  }
  const std::size_t columns = rows[0].size();
  std::vector<std::size_t> width(columns);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) line += fmt::format("{:<{}}  ", row[c], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  text +=
      "Differences with 95 % intervals; * where the interval excludes zero: one difference in 20 does so by "
      "chance.\n";
  if (std::ranges::any_of(comparison, [](const auto& p) { return p.latency_total_grows; }))
    text +=
        "+- -: where a series is saturated, total latency grows with the length of the run; compare "
        "throughput there.\n";
  text += the_same_twice(comparison);
  if (!reasons.empty()) text += "(unpaired): intervals as of independent runs, because\n";
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i) text += "  " + reasons[i] + '\n';
  if (std::ranges::any_of(comparison, [](const auto& p) { return p.cycles_differ; }))
    text += same_cycles(comparison);
  if (reasons.size() > kMostReasons)
    text += fmt::format("  and {} reasons more, in results.json: comparison[].unpaired\n",
                        reasons.size() - kMostReasons);
  for (const auto& verdict : verdicts(comparison)) text += verdict + '\n';
  return text;
}

}  // namespace noctule
