// Points of sweeps and comparisons.

#include <fmt/format.h>

#include <algorithm>

#include "config/decode.h"
#include "config/merge.h"
#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"

namespace noctule {
namespace {

/// A dotted key with its value, as given.
struct Setting {
  std::string key;
  ConfigNode value;
};
struct Axis {
  std::string key;
  std::vector<ConfigNode> values;
};
struct Series {
  std::string label;  ///< empty: the name of the node model
  std::vector<Setting> settings;
};

std::vector<Axis> axes_of(const ConfigNode& document, Faults& faults) {
  std::vector<Axis> axes;
  if (const auto* sweep = document.find("sweep"))
    for (const auto& entry : sweep->value.entries)
      axes.push_back({entry.key, axis_values(entry.value, join_key("sweep", entry.key), faults)});
  return axes;
}

std::vector<Series> series_of(const ConfigNode& document) {
  std::vector<Series> list;
  if (const auto* compare = document.find("compare"))
    for (const auto& item : compare->value.items) {
      Series series;
      if (const auto* label = item.find("label")) series.label = label->value.scalar;
      if (const auto* set = item.find("set"))
        for (const auto& entry : set->value.entries) {
          series.settings.push_back({entry.key, entry.value});
          series.settings.back().value.place = entry.place;
        }
      list.push_back(std::move(series));
    }
  if (list.empty()) list.emplace_back();
  return list;
}

/// What a point was given for a key, in the form that its configuration has.
Json value_of(const Json& resolved, const Setting& setting) {
  const Json* value = find_value(resolved, setting.key);
  return value != nullptr ? *value : json_from_node(setting.value);
}

/// A value was given for the key, and the point has none.
bool taken_away(const Setting& setting, const PointConfig& point) {
  return setting.value.kind != ConfigNode::Kind::kNull &&
         std::ranges::none_of(*point.places,
                              [&](const auto& given) { return is_within(given.first, setting.key); }) &&
         find_value(point.resolved, setting.key) == nullptr;
}

/// Keys on which all points agree say nothing about any of them.
void keep_what_differs(std::vector<PointConfig>& points) {
  std::vector<std::string> common;
  for (const auto& [key, value] : points.front().set.items()) {
    const bool same = std::ranges::all_of(points, [&, &key = key, &value = value](const PointConfig& point) {
      const auto it = point.set.find(key);
      return it != point.set.end() && *it == value;
    });
    if (same) common.push_back(key);
  }
  for (auto& point : points)
    for (const auto& key : common) point.set.erase(key);
}

class Expansion {
 public:
  explicit Expansion(const Configuration& configuration)
      : configuration_(configuration), base_(configuration.document) {
    axes_ = axes_of(base_, faults_);
    series_ = series_of(base_);
    base_.erase("sweep");
    base_.erase("compare");
  }

  std::vector<PointConfig> points() {
    std::size_t count = series_.size();
    for (const auto& axis : axes_) {
      if (axis.values.empty()) throw to_error(std::move(faults_));
      count *= axis.values.size();
      if (count > kMostPoints)
        throw ConfigError("sweep", fmt::format("the combinations are more than {} points", kMostPoints));
    }
    std::vector<PointConfig> points;
    for (const auto& series : series_) {
      Faults found;
      std::swap(found, faults_);
      for (std::size_t n = 0; n < count / series_.size(); ++n) points.push_back(point(series, n));
      std::swap(found, faults_);
      note(series, std::move(found));
    }
    name_series();
    if (!faults_.empty()) throw to_error(std::move(faults_));
    keep_what_differs(points);
    for (auto& point : points) point.which = which(point);
    return points;
  }

 private:
  /// A fault, and the series that have it.
  struct Found {
    Fault fault;
    std::vector<std::string> series;
  };

  void note(const Series& series, Faults faults) {
    for (auto& fault : faults) {
      const auto same = std::ranges::find_if(found_, [&](const Found& other) {
        return other.fault.key == fault.key && other.fault.message == fault.message &&
               other.fault.place.text() == fault.place.text();
      });
      Found& entry = same == found_.end() ? found_.emplace_back(Found{std::move(fault), {}}) : *same;
      if (std::ranges::find(entry.series, series.label) == entry.series.end())
        entry.series.push_back(series.label);
    }
  }
  /// Faults of all series are those of the file; others say whose they are.
  void name_series() {
    for (auto& [fault, series] : found_) {
      if (series.size() < series_.size())
        fault.message += fmt::format(" (series '{}')", fmt::join(series, "', '"));
      faults_.push_back(std::move(fault));
    }
  }
  [[nodiscard]] std::string which(const PointConfig& point) const {
    std::string text;
    if (series_.size() > 1) text = fmt::format("series '{}'", point.label);
    for (const auto& axis : axes_)
      if (const auto value = point.set.find(axis.key); value != point.set.end())
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis.key, value->dump());
    return text;
  }

  /// The settings of combination n; the last axis counts fastest.
  [[nodiscard]] std::vector<Setting> settings(const Series& series, std::size_t n) const {
    std::vector<Setting> chosen;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
      chosen.push_back({axis->key, axis->values[n % axis->values.size()]});
      n /= axis->values.size();
    }
    std::ranges::reverse(chosen);
    chosen.insert(chosen.begin(), series.settings.begin(), series.settings.end());
    return chosen;
  }

  PointConfig point(const Series& series, std::size_t n) {
    ConfigNode document = base_;
    const auto chosen = settings(series, n);
    for (const auto& setting : chosen) merge_at(configuration_schema(), document, setting.key, setting.value);
    Decoded decoded = complete(document);
    PointConfig point;
    point.file = configuration_.file;
    point.places = std::make_shared<const PlaceMap>(std::move(decoded.places));
    faults_.insert(faults_.end(), decoded.faults.begin(), decoded.faults.end());
    if (!decoded.faults.empty()) return point;
    decoded.values["implied"] = decoded.implied;
    point.resolved = std::move(decoded.values);
    for (const auto& setting : chosen)
      if (taken_away(setting, point))
        faults_.push_back({setting.key,
                           "has no effect: what the point is given behind it takes the key away; give that "
                           "first, or leave this out",
                           setting.value.place});
    point.label =
        series.label.empty() ? point.resolved.at("node").at("model").get<std::string>() : series.label;
    point.seed = point.resolved.at("seed").get<std::uint64_t>();
    point.set = Json::object();
    for (const auto& setting : chosen) point.set[setting.key] = value_of(point.resolved, setting);
    return point;
  }

  const Configuration& configuration_;
  ConfigNode base_;
  std::vector<Axis> axes_;
  std::vector<Series> series_;
  Faults faults_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<PointConfig> expand(const Configuration& configuration) {
  return Expansion(configuration).points();
}

}  // namespace noctule
