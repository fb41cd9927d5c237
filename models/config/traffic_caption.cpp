#include "config/traffic_caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "config/effects.h"
#include "core/parameters.h"
#include "traffic/caption.h"

namespace noctule {
namespace {

constexpr std::size_t kMostNamed = 4;  ///< elements of a list that are named

std::string in_words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return std::filesystem::path(value.get<std::string>()).filename().string();
  if (value.is_number_float()) return fmt::format("{:g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& each : value) text += (text.empty() ? "" : ", ") + value_text(each);
  return text;
}

/// "fraction 0.04"; of lists what is in them, or how much that is.
std::string key_text(const std::string& key, const Json& value) {
  if (value.is_array() && value.size() > kMostNamed) return fmt::format("{} {}", value.size(), in_words(key));
  return in_words(key) + " " + value_text(value);
}

/// "uniform traffic"; with keys of its own "hotspot traffic (fraction 0.04; ...)".
std::string pattern_text(const Json& traffic) {
  const Json& pattern = traffic.at("pattern");
  std::string keys;
  for (const auto& [key, value] : pattern.items())
    if (key != "kind" && key != "allow_self" && key != "fixed_points")
      keys += (keys.empty() ? "" : "; ") + key_text(key, value);
  std::string text = in_words(pattern.at("kind").get<std::string>()) + " traffic";
  if (!keys.empty()) text += " (" + keys + ")";
  const Json& several = traffic.at("multicast");
  if (const auto share = several.at("fraction").get<double>(); share > 0) {
    const Json& least = several.at("least");
    const Json& most = several.at("most");
    text += fmt::format(", {:.3g} % of it to {} terminals", 100 * share,
                        least == most ? least.dump() : least.dump() + " to " + most.dump());
  }
  return text;
}

/// "15-flit packets", "packets of 5 and 15 flits".
std::string length_text(const Json& traffic) {
  const auto mixture = traffic.find("packet_lengths");
  if (mixture == traffic.end() || mixture->is_null() || mixture->empty())
    return traffic.at("packet_length").dump() + "-flit packets";
  if (mixture->size() == 1) return mixture->at(0).at("length").dump() + "-flit packets";
  std::string text;
  for (std::size_t i = 0; i < mixture->size(); ++i)
    text += (i == 0 ? "" : i + 1 == mixture->size() ? " and " : ", ") + mixture->at(i).at("length").dump();
  return "packets of " + text + " flits";
}

}  // namespace

Json traffic_caption(const Json& resolved) {
  const Json& traffic = resolved.at("traffic");
  const Json& source = traffic.at("source");
  const auto kind = source.at("kind").get<std::string>();
  const SourceCaption* const own = SourceCaptions::instance().find(kind);
  const Parameters keys(source);
  Json caption = Json::object();
  if (has_effect("traffic.pattern", resolved)) caption["pattern"] = pattern_text(traffic);
  const bool own_lengths = own != nullptr && own->own_lengths && own->own_lengths(keys);
  if (!own_lengths && has_effect("traffic.packet_length", resolved))
    caption["packets"] = length_text(traffic);
  const std::string text = own != nullptr ? own->text(keys) : "source " + in_words(kind);
  if (!text.empty()) caption["source"] = text;
  return caption;
}

}  // namespace noctule
