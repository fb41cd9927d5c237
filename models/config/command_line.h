#pragma once
// Keys that are given on the command line: --set, --axis, --seed.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/decimal.h"
#include "config/document.h"
#include "config/merge.h"
#include "config/schema.h"

namespace noctule {

/// Lays the options of the command line over a document.
class CommandLine {
 public:
  CommandLine(ConfigNode& document, Faults& faults) : document_(document), faults_(faults) {}

  void set(const std::string& option, const std::string& text) {
    std::string key, value;
    if (!split(option, text, "KEY=VALUE", key, value)) return;
    if (key == "base") return refuse(option, text, key, "base is a key of files; name another file instead");
    const std::size_t before = faults_.size();
    ConfigNode node = parse(option, text, key, value);
    if (faults_.size() > before) return;
    const auto leaves = leaves_at(configuration_schema(), key, node);
    for (const Leaf& leaf : leaves)
      if (changes_nothing(leaf))
        return refuse(option, text, leaf.key,
                      std::string("has no effect: a section without keys changes nothing; ") +
                          (leaf.key == "sweep" ? "give an axis one value, such as --set 'sweep.seed=[1]'"
                                               : "name the key that is to change"));
    remember(leaves, node.place);
    merge_at(configuration_schema(), document_, key, std::move(node));
  }

  void seed(const std::string& text) {
    const std::size_t before = faults_.size();
    ConfigNode node = parse("--seed", text, "seed", text);
    if (faults_.size() > before) return;
    remember({{"seed", false}}, node.place);
    merge_at(configuration_schema(), document_, "seed", std::move(node));
  }

  void axis(const std::string& text) {
    std::string key, value;
    if (!split("--axis", text, "KEY=LIST or KEY=FROM:TO:STEP", key, value)) return;
    key = choosing_key(key);
    const auto colon = value.find(':');
    const auto second = colon == std::string::npos ? colon : value.find(':', colon + 1);
    const bool range = second != std::string::npos && looks_like_number(value.substr(0, colon)) &&
                       looks_like_number(value.substr(colon + 1, second - colon - 1)) &&
                       looks_like_number(value.substr(second + 1));
    const std::size_t before = faults_.size();
    ConfigNode node;
    if (range) {
      node = parse("--axis", text, "sweep." + key,
                   fmt::format("{{from: {}, to: {}, step: {}}}", value.substr(0, colon),
                               value.substr(colon + 1, second - colon - 1), value.substr(second + 1)));
    } else {
      node = parse("--axis", text, "sweep." + key, "[" + value + "]");
      // [1, 2] may be the list itself, or one value that is a list.
      if (node.items.size() == 1 && node.items[0].kind == ConfigNode::Kind::kList && !is_list(key)) {
        ConfigNode inner = std::move(node.items[0]);
        node = std::move(inner);
      }
    }
    if (faults_.size() > before) return;
    remember({{"sweep." + key, false}}, node.place);
    merge_at(configuration_schema(), document_, "sweep." + key, std::move(node));
  }

  /// A value given for a key that the points vary would be without effect, and so would one that another
  /// option takes away again.
  void check_what_counts() {
    const auto* sweep = document_.find("sweep");
    for (const auto& [key, place] : set_) {
      check_still_there(key, place);
      if (is_within(key, "sweep") || is_within(key, "compare")) continue;
      if (const auto* series = set_by_all_series(key))
        faults_.push_back(
            {key,
             fmt::format("has no effect: every series sets {} ({})",
                         displace_each_other(key, series->key) ? series->key + " in its place" : "this key",
                         series->place.text()),
             place});
      if (sweep == nullptr) continue;
      for (const auto& axis : sweep->value.entries)
        if (varies(axis, key))
          faults_.push_back(
              {key,
               fmt::format(
                   "has no effect: the sweep varies {} ({}); --set 'sweep.{}=[VALUE]' leaves one",
                   displace_each_other(key, axis.key) ? axis.key + ", which takes its place" : "this key",
                   axis.place.text(), axis.key),
               place});
    }
  }

 private:
  static std::vector<Parameter> declarations_of(const std::string& key) {
    std::string nearest;
    return find_declarations(key, nearest);
  }
  /// Is it an empty section? Under a name that is not there yet, one is new.
  [[nodiscard]] bool changes_nothing(const Leaf& leaf) const {
    if (!leaf.empty) return false;
    const auto dot = leaf.key.rfind('.');
    if (dot != std::string::npos && find_below(document_, leaf.key) == nullptr)
      for (const Parameter& above : declarations_of(leaf.key.substr(0, dot)))
        if (above.type == Parameter::Type::kNamed) return false;
    return std::ranges::any_of(declarations_of(leaf.key), &Parameter::holds_keys);
  }
  /// Null: the key is not in the document.
  static const ConfigNode::Entry* find_below(const ConfigNode& node, const std::string& key) {
    if (const auto* whole = node.find(key)) return whole;  // keys of settings have dots
    const auto dot = key.find('.');
    const auto* section = dot == std::string::npos ? nullptr : node.find(key.substr(0, dot));
    return section == nullptr ? nullptr : find_below(section->value, key.substr(dot + 1));
  }
  void remember(const std::vector<Leaf>& leaves, const Place& place) {
    const std::size_t others = set_.size();
    for (const auto& leaf : leaves) {
      for (std::size_t n = 0; n < others; ++n)
        if (const auto& [other, before] = set_[n]; is_within(leaf.key, other) || is_within(other, leaf.key))
          faults_.push_back(
              {leaf.key, fmt::format("is given twice; {} would have no effect", before.text()), place});
      set_.emplace_back(leaf.key, place);
    }
  }
  /// Another entry of a variant does not have the keys of the one before, and alternatives displace each
  /// other.
  void check_still_there(const std::string& key, const Place& place) {
    if (find_below(document_, key) != nullptr) return;
    const ConfigNode::Entry* nearest = nullptr;
    for (auto dot = key.rfind('.'); nearest == nullptr && dot != std::string::npos;
         dot = key.rfind('.', dot - 1))
      nearest = find_below(document_, key.substr(0, dot));
    faults_.push_back({key,
                       fmt::format("has no effect: {} is given after it and takes it away; leave one out",
                                   nearest == nullptr ? "another option" : nearest->place.text()),
                       place});
  }
  /// Does every value of an axis set the key? A value may be a section.
  static bool varies(const ConfigNode::Entry& axis, const std::string& key) {
    if (displace_each_other(key, axis.key)) return true;
    if (is_within(key, axis.key) && axis.value.kind != ConfigNode::Kind::kList) return true;
    const auto sets = [&](const ConfigNode& value) {
      return std::ranges::any_of(leaves_at(configuration_schema(), axis.key, value),
                                 [&](const Leaf& leaf) { return is_within(key, leaf.key); });
    };
    return !axis.value.items.empty() && std::ranges::all_of(axis.value.items, sets);
  }
  /// What the first series of the comparison gives for the key, if all of them give it; else null.
  [[nodiscard]] const ConfigNode::Entry* set_by_all_series(const std::string& key) const {
    const auto* compare = document_.find("compare");
    const ConfigNode::Entry* first = nullptr;
    if (compare == nullptr) return nullptr;
    for (const auto& item : compare->value.items) {
      const auto* set = item.find("set");
      if (set == nullptr) return nullptr;
      const auto& entries = set->value.entries;
      const auto entry = std::ranges::find_if(entries, [&](const auto& one) {
        return is_within(key, one.key) || displace_each_other(key, one.key);
      });
      if (entry == entries.end()) return nullptr;
      if (first == nullptr) first = &*entry;
    }
    return first;
  }
  static Place place_of(const std::string& option, const std::string& text) {
    return {std::make_shared<const std::string>(option + " " + text), 0, 0};
  }
  void refuse(const std::string& option, const std::string& text, const std::string& key,
              const std::string& why) {
    faults_.push_back({key, why, place_of(option, text)});
  }
  bool split(const std::string& option, const std::string& text, const char* form, std::string& key,
             std::string& value) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(option, text, "", fmt::format("expected {}, for example {}", form, "traffic.offered_load=0.2"));
      return false;
    }
    key = text.substr(0, equals);
    value = text.substr(equals + 1);
    const auto parts = split_key(key);
    if (std::ranges::find(parts, "") == parts.end()) return true;
    refuse(option, text, key, "a key is words joined by single dots");
    return false;
  }
  ConfigNode parse(const std::string& option, const std::string& text, const std::string& key,
                   const std::string& value) {
    const Place place = place_of(option, text);
    Faults found;
    ConfigNode node = parse_yaml(value, place.source, found);
    for (auto& fault : found) faults_.push_back({key, fault.message, place});
    forget_lines(node, place);
    return node;
  }
  static void forget_lines(ConfigNode& node, const Place& place) {
    node.place = place;
    for (auto& item : node.items) forget_lines(item, place);
    for (auto& entry : node.entries) {
      entry.place = place;
      forget_lines(entry.value, place);
    }
  }
  static bool is_list(const std::string& key) {
    const auto declarations = declarations_of(key);
    return !declarations.empty() && declarations.front().type == Parameter::Type::kList;
  }

  ConfigNode& document_;
  Faults& faults_;
  std::vector<std::pair<std::string, Place>> set_;
};

}  // namespace noctule
