#include "config/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"
#include "core/key_effect.h"

namespace noctule {
namespace {

/// Is `key` this one, or in it?
bool is_within(const std::string& key, const std::string& section) {
  return key.starts_with(section) &&
         (key.size() == section.size() || key[section.size()] == '.' || key[section.size()] == '[');
}

bool concerns(const KeyEffect& effect, const std::string& key) {
  return std::ranges::any_of(effect.keys, [&](const std::string& of) { return is_within(key, of); });
}

/// Has the variant in which the keys of an effect stand chosen the entry that it is about?
bool is_about(const KeyEffect& effect, const Json& resolved) {
  if (effect.entry.empty()) return true;
  const auto& key = effect.keys.front();
  const Json* variant = find_value(resolved, key.substr(0, key.rfind('.')));
  return variant != nullptr &&
         std::ranges::any_of(*variant, [&](const Json& v) { return v == effect.entry; });
}

/// Conditions that do not hold.
std::vector<const KeyEffect*> without_effect(const Json& resolved) {
  std::vector<const KeyEffect*> list;
  for (const auto& effect : KeyEffects::instance().all())
    if (is_about(effect, resolved) && !effect.holds(resolved)) list.push_back(&effect);
  return list;
}

struct Given {
  bool counts = false;
  const KeyEffect* why = nullptr;
  std::vector<Place> places;
};

}  // namespace

std::vector<UselessKey> useless_keys(const Configuration& configuration,
                                     const std::vector<PointConfig>& points, bool events) {
  std::map<std::string, Given> given;
  const auto is_echo = [&](const Place& place) {
    return place.source != nullptr &&
           std::ranges::find(configuration.echoes, *place.source) != configuration.echoes.end();
  };
  for (const auto& point : points) {
    Json resolved = point.resolved;
    if (events) resolved["trace"]["events"] = true;
    const auto idle = without_effect(resolved);
    for (const auto& [key, place] : *point.places) {
      if (is_echo(place)) continue;
      const auto why = std::ranges::find_if(idle, [&, &k = key](const auto* e) { return concerns(*e, k); });
      Given& entry = given[key];
      if (why == idle.end()) {
        entry.counts = true;
        continue;
      }
      entry.why = *why;
      const auto same = [&, &p = place](const Place& known) { return known.text() == p.text(); };
      if (std::ranges::none_of(entry.places, same)) entry.places.push_back(place);
    }
  }
  std::vector<UselessKey> useless;
  std::string section;
  for (const auto& [key, entry] : given) {
    if (entry.counts || entry.why == nullptr) continue;
    if (!section.empty() && is_within(key, section)) continue;  // said of the section already
    section = key;
    for (const Place& place : entry.places) {
      const bool own = place.source == nullptr || place.line == 0 || *place.source == configuration.file;
      useless.push_back(
          {key, fmt::format("has no effect here: it counts only where {}; leave it out", entry.why->where),
           place, own});
    }
  }
  return useless;
}

std::string effect_text(const std::string& dotted_key, const std::string& entry) {
  std::string text;
  for (const auto& effect : KeyEffects::instance().all())
    if ((effect.entry.empty() || effect.entry == entry) &&
        std::ranges::find(effect.keys, dotted_key) != effect.keys.end())
      text += (text.empty() ? "counts only where " : ", and only where ") + effect.where;
  return text;
}

bool has_effect(const std::string& dotted_key, const Json& resolved) {
  return std::ranges::none_of(without_effect(resolved),
                              [&](const KeyEffect* effect) { return concerns(*effect, dotted_key); });
}

}  // namespace noctule
