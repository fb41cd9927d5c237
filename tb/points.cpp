#include "tb/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "config/effects.h"
#include "core/error_output.h"
#include "tb/report.h"

namespace noctule {

namespace {

/// dropped_keys(), where the file is complete without options.
std::vector<UselessKey> dropped_by_options(const std::function<Configuration()>& alone,
                                           const std::vector<PointConfig>& points) {
  try {
    return dropped_keys(alone(), points);
  } catch (const ConfigError&) {
    return {};
  }
}

}  // namespace

std::vector<PointConfig> points_of(const Configuration& configuration, const Options& options) {
  auto points = expand(configuration);
  Faults wrong;
  const bool events = !options.events.empty();
  auto list = useless_keys(configuration, points, events);
  if (events || !options.sets.empty() || !options.axes.empty()) {
    const auto alone = [&] { return decode_file(options.file); };
    if (!list.empty()) disown_what_options_made_useless(list, alone);
    std::ranges::move(dropped_by_options(alone, points), std::back_inserter(list));
  }
  for (const auto& useless : list) {
    if (useless.own)
      wrong.push_back({useless.key, useless.message, useless.place});
    else if (!options.quiet)
      print_error("noctule: warning: {}: {}: {}\n", useless.place.text(), useless.key, useless.message);
  }
  if (!wrong.empty()) throw to_error(std::move(wrong));
  return points;
}

bool first_of_series(const std::vector<PointConfig>& points, std::size_t i) {
  return std::ranges::none_of(std::span(points).first(i),
                              [&](const PointConfig& earlier) { return earlier.label == points[i].label; });
}

std::string point_name(std::string label, const Json& set) {
  const std::string series = label;
  for (const auto& [key, value] : set.items())
    if (series != key + "=" + plain_text(value)) label += fmt::format(" {}={}", key, value.dump());
  return label;
}

}  // namespace noctule
