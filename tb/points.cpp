#include "tb/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <span>

#include "config/effects.h"
#include "core/error_output.h"
#include "tb/report.h"

namespace noctule {

namespace {

/// The file without options, read once more. Throws ConfigError where it is not complete without them, and
/// where it cannot be read again: a pipe would wait for ever.
class FileAlone {
 public:
  explicit FileAlone(const std::string& file) : file_(file) {}
  const Configuration& operator()() {
    if (!std::filesystem::is_regular_file(file_)) throw ConfigError(file_, "can be read once");
    if (!configuration_) configuration_ = decode_file(file_);
    return *configuration_;
  }

 private:
  const std::string& file_;
  std::optional<Configuration> configuration_;
};

}  // namespace

std::vector<PointConfig> points_of(const Configuration& configuration, const Options& options) {
  auto points = expand(configuration);
  Faults wrong;
  const bool events = !options.events.empty();
  auto list = useless_keys(configuration, points, events);
  if (events || !options.sets.empty() || !options.axes.empty()) {
    FileAlone alone(options.file);
    if (!list.empty()) disown_what_options_made_useless(list, std::ref(alone));
    try {
      std::ranges::move(dropped_keys(alone(), points), std::back_inserter(list));
    } catch (const ConfigError&) {
    }
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
