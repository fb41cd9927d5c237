#include "config/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/model.h"
#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"
#include "core/key_effect.h"

namespace noctule {
namespace {

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

/// Why a key does not count in a point; null: it does.
class Idle {
 public:
  explicit Idle(const Json& resolved) : common_(without_effect(resolved)) {
    const Parameters node(resolved.at("node"));
    Json before = Json::object();  // what the entries of `nodes` up to here say
    for (const Json& given : resolved.at("nodes")) {
      Entry& entry = entries_.emplace_back();
      entry.prefix = fmt::format("nodes[{}].set", entries_.size() - 1);
      if (!given.contains("set") || !given.at("set").is_object()) continue;
      const Json& set = given.at("set");
      entry.own_model = set.contains("model");
      if (entry.own_model) before = Json::object();
      before.update(set);
      for (const Json& all : {set, before}) {
        Json as_common_node = resolved;
        as_common_node["node"] = node_keys(node, all).json();
        entry.idle.push_back(without_effect(as_common_node));
      }
    }
  }
  [[nodiscard]] const KeyEffect* why(const std::string& key) const {
    for (const Entry& entry : entries_)
      if (is_within(key, entry.prefix))
        return key.size() == entry.prefix.size() ? nullptr
                                                 : entry.why("node" + key.substr(entry.prefix.size()));
    const KeyEffect* const common = first(common_, key);
    // Routers of an entry are like the others in what it leaves open.
    if (common != nullptr && is_within(key, "node"))
      for (const Entry& entry : entries_)
        if (!entry.own_model && !entry.idle.empty() && entry.why(key) == nullptr) return nullptr;
    return common;
  }

 private:
  using List = std::vector<const KeyEffect*>;
  static const KeyEffect* first(const List& list, const std::string& key) {
    const auto found = std::ranges::find_if(list, [&](const KeyEffect* e) { return concerns(*e, key); });
    return found == list.end() ? nullptr : *found;
  }
  /// An entry of `nodes`.
  struct Entry {
    std::string prefix;  ///< of the keys of its `set`
    bool own_model = false;
    /// Where its routers are the common ones: by this entry alone, and with what the entries before it say.
    /// Empty: it says nothing but its RTL.
    std::vector<List> idle;
    [[nodiscard]] const KeyEffect* why(const std::string& key) const {
      const KeyEffect* reason = nullptr;
      for (const List& list : idle)
        if ((reason = first(list, key)) == nullptr) break;
      return reason;
    }
  };
  List common_;
  std::vector<Entry> entries_;
};

struct Given {
  bool counts = false;
  const KeyEffect* why = nullptr;
  std::string otherwise;  ///< KeyEffect::otherwise at a point
  std::vector<Place> places;
};

/// Given in a file that noctule wrote itself?
bool is_echo(const Configuration& configuration, const Place& place) {
  return place.source != nullptr &&
         std::ranges::find(configuration.echoes, *place.source) != configuration.echoes.end();
}

/// The key that chooses the entry of the nearest variant around a key; empty: it is in none.
std::string variant_around(std::string key) {
  for (auto dot = key.rfind('.'); dot != std::string::npos; dot = key.rfind('.')) {
    key.resize(dot);
    if (const std::string choice = choosing_key(key); choice != key) return choice;
  }
  return {};
}

}  // namespace

std::vector<UselessKey> useless_keys(const Configuration& configuration,
                                     const std::vector<PointConfig>& points, bool events) {
  std::map<std::string, Given> given;
  for (const auto& point : points) {
    Json resolved = point.resolved;
    if (events) resolved["trace"][kEventsOption] = true;
    const Idle idle(resolved);
    for (const auto& [key, place] : *point.places) {
      if (is_echo(configuration, place)) continue;
      Given& entry = given[key];
      const KeyEffect* const why = idle.why(key);
      if (why == nullptr) {
        entry.counts = true;
        continue;
      }
      entry.why = why;
      if (why->otherwise) entry.otherwise = why->otherwise(resolved);
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
      const auto why = entry.otherwise.empty()
                           ? fmt::format("it counts only where {}; leave it out", entry.why->where)
                           : entry.otherwise;
      useless.push_back({key, "has no effect here: " + why, place, own});
    }
  }
  return useless;
}

void disown_what_options_made_useless(std::vector<UselessKey>& useless,
                                      const std::function<Configuration()>& alone) {
  std::vector<UselessKey> always;
  try {
    const Configuration file = alone();
    always = useless_keys(file, expand(file));
  } catch (const ConfigError&) {
  }
  for (UselessKey& key : useless)
    key.own = key.own && (key.place.line == 0 || std::ranges::any_of(always, [&](const UselessKey& other) {
                            return other.key == key.key && other.place.text() == key.place.text();
                          }));
}

std::vector<UselessKey> dropped_keys(const Configuration& alone, const std::vector<PointConfig>& points) {
  std::vector<UselessKey> dropped;
  for (const auto& [key, place] : alone.places) {
    const auto has = [&, &k = key](const PointConfig& point) { return point.places->contains(k); };
    if (is_echo(alone, place) || std::ranges::any_of(points, has)) continue;
    const std::string choice = variant_around(key);
    if (choice.empty()) continue;
    const Json* const before = find_value(alone.resolved, choice);
    const Json* const now = find_value(points.front().resolved, choice);
    if (before == nullptr || now == nullptr || *before == *now) continue;
    dropped.push_back(
        {key, fmt::format("goes: {} is {} here, which has no such key", choice, now->get<std::string>()),
         place, false});
  }
  return dropped;
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
