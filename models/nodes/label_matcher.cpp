#include "nodes/label_matcher.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {

void LabelMatcher::validate(const VcSelector& selector, const std::string& key) const {
  for (const auto& [field, values] : selector) {
    for (auto value = values.begin(); value != values.end(); ++value)
      if (std::find(values.begin(), value, *value) != value)
        throw ConfigError(key, fmt::format("{} '{}' is given twice; leave one out", field, *value));
    if (field == "position") {
      for (const auto& glob : values) require_position(glob, key);
      continue;
    }
    const auto known = values_of(field, key);
    for (const auto& value : values)
      if (std::find(known.begin(), known.end(), value) == known.end())
        throw ConfigError(key, field == "lane" ? no_lane(value)
                                               : fmt::format("field '{}' has no value '{}'; it has: {}",
                                                             field, value, fmt::join(known, ", ")));
  }
}

bool LabelMatcher::matches(const VcSelector& selector, RouterId router, const VcPlan& vc,
                           const VcLabel& label) const {
  return std::all_of(selector.begin(), selector.end(), [&](const auto& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(), [&](const std::string& value) {
      return holds(entry.first, value, router, vc, label);
    });
  });
}

std::vector<std::string> LabelMatcher::values_of(const std::string& field, const std::string& key) const {
  std::vector<std::string> values;
  if (field == "direction") {
    const auto directions = topology_.directions();
    return {directions.begin(), directions.end()};
  }
  if (field == "lane") {
    for (unsigned lane = 0; lane < lanes_; ++lane) values.push_back(std::to_string(lane));
    return values;
  }
  if (field == "position")
    throw ConfigError(key, "positions are chosen by name; write a selector such as {position: router_3_*}");
  std::vector<std::string> names;
  for (const auto& f : relation_.fields()) {
    if (f.name == field) return f.values;
    names.push_back(f.name);
  }
  for (const char* general : {"direction", "lane", "position"}) names.emplace_back(general);
  throw ConfigError(
      key,
      fmt::format("the VC classes have no field '{}'; there are: {}. Name one of them, or choose the "
                  "relation that has it as routing.algorithm: the presets of some node models are made for "
                  "one (noctule list node)",
                  field, fmt::join(names, ", ")));
}

bool LabelMatcher::holds(const std::string& field, const std::string& value, RouterId router,
                         const VcPlan& vc, const VcLabel& label) const {
  if (field == "position") return fnmatch(value.c_str(), topology_.router_name(router).c_str(), 0) == 0;
  if (field == "direction") return topology_.port_name(router, vc.port) == value;
  if (field == "lane") return std::to_string(vc.lane) == value;
  const auto fields = relation_.fields();
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f].name == field) return fields[f].values.at(label.at(f)) == value;
  return false;
}

void LabelMatcher::require_position(const std::string& glob, const std::string& key) const {
  for (std::size_t r = 0; r < topology_.routers(); ++r)
    if (fnmatch(glob.c_str(), topology_.router_name(RouterId(r)).c_str(), 0) == 0) return;
  throw ConfigError(key, fmt::format("no router is called '{}'; the first is '{}'", glob,
                                     topology_.router_name(RouterId{0})));
}

std::string LabelMatcher::no_lane(const std::string& value) const {
  return fmt::format(
      "there is no lane '{}'; the links of these routers have {}; name one of them, or raise node.lanes",
      value, lanes_ == 1 ? std::string("one lane, 0") : fmt::format("{} lanes, 0 to {}", lanes_, lanes_ - 1));
}

}  // namespace noctule
