#include "config/metric_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/json.h"
#include "stats/metrics.h"

namespace noctule {
namespace {

std::string name_of(const Metric& metric, const CsvColumn& column) {
  return std::string(metric.of == Metric::Of::kClass ? "CLASS_" : "") + column.header;
}

/// "a.b, c": its words.
std::vector<std::string> places_of(const Metric& metric) {
  std::vector<std::string> places;
  for (std::size_t at = 0; at < metric.place.size();) {
    const std::size_t end = std::min(metric.place.find(", ", at), metric.place.size());
    places.emplace_back(metric.place.substr(at, end - at));
    at = end + 2;
  }
  return places;
}

/// Words without a dot, as "crossbar", mean something else before they mean a place.
bool is_called(const Metric& metric, const std::string& name) {
  const auto at_pointer = [&](const CsvColumn& column) {
    if (metric.of == Metric::Of::kLead || metric.of == Metric::Of::kClass) return false;
    std::string place = std::string(column.pointer).substr(1);
    std::ranges::replace(place, '/', '.');
    return place == name;
  };
  const bool dotted = name.find('.') != std::string::npos;
  return std::ranges::any_of(metric.columns(),
                             [&](const CsvColumn& column) {
                               return name_of(metric, column) == name || (dotted && at_pointer(column));
                             }) ||
         (dotted && std::ranges::count(places_of(metric), name) != 0);
}

}  // namespace

std::vector<Json> metrics_called(const std::string& name) {
  std::vector<Json> found;
  for (const Metric& metric : metrics()) {
    if (name != "metric" && !is_called(metric, name)) continue;
    Json json{{"columns", Json::array()}, {"results_json", places_of(metric)}};
    for (const CsvColumn& column : metric.columns()) json["columns"].push_back(name_of(metric, column));
    if (!metric.unit.empty()) json["unit"] = metric.unit;
    json["definition"] = metric.definition;
    found.push_back(std::move(json));
  }
  return found;
}

std::string metrics_text(const std::string& name) {
  std::string text;
  for (const Json& metric : metrics_called(name)) {
    const auto places = metric.at("results_json").get<std::vector<std::string>>();
    auto names = metric.at("columns").get<std::vector<std::string>>();
    const bool json_alone = names.empty();
    if (json_alone) names = places;
    text += fmt::format(
        "  {}: {}\n      {}{}\n", fmt::join(names, ", "), metric.at("definition").get<std::string>(),
        metric.contains("unit") ? metric.at("unit").get<std::string>() + "; " : "",
        json_alone ? "in results.json alone" : fmt::format("in results.json: {}", fmt::join(places, ", ")));
  }
  return text.empty() ? text : "metric:\n" + text;
}

std::vector<std::string> metric_columns() {
  std::vector<std::string> names;
  for (const Metric& metric : metrics())
    for (const CsvColumn& column : metric.columns()) names.push_back(name_of(metric, column));
  return names;
}

}  // namespace noctule
