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
    if (node.kind == ConfigNode::Kind::kMap ? node.entries.empty()
                                            : node.kind == ConfigNode::Kind::kNull && is_section(key))
      return refuse(option, text, key,
                    std::string("has no effect: a section without keys changes nothing; ") +
                        (key == "sweep" ? "give an axis one value, such as --set 'sweep.seed=[1]'"
                                        : "name the key that is to change"));
    remember(node.kind == ConfigNode::Kind::kScalar ? choosing_key(key) : key, node.place);
    merge_at(configuration_schema(), document_, key, std::move(node));
  }

  void seed(const std::string& text) {
    const std::size_t before = faults_.size();
    ConfigNode node = parse("--seed", text, "seed", text);
    if (faults_.size() > before) return;
    remember("seed", node.place);
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
    remember("sweep." + key, node.place);
    merge_at(configuration_schema(), document_, "sweep." + key, std::move(node));
  }

  /// A value given for a key that the points vary would be without effect.
  void check_against_axes() {
    for (const auto& [key, place] : set_)
      if (const auto* series = set_by_all_series(key))
        faults_.push_back(
            {key, fmt::format("has no effect: every series sets this key ({})", series->place.text()),
             place});
    const auto* sweep = document_.find("sweep");
    if (sweep == nullptr) return;
    for (const auto& [key, place] : set_)
      for (const auto& axis : sweep->value.entries)
        if (axis.key == key)
          faults_.push_back(
              {key,
               fmt::format(
                   "has no effect: the sweep varies this key ({}); --set 'sweep.{}=[VALUE]' leaves one",
                   axis.place.text(), key),
               place});
  }

 private:
  [[nodiscard]] static bool is_section(const std::string& key) {
    std::string nearest;
    return std::ranges::any_of(find_declarations(key, nearest),
                               [](const Parameter& declaration) { return declaration.holds_keys(); });
  }
  void remember(const std::string& key, const Place& place) {
    for (const auto& [other, before] : set_)
      if (other == key)
        faults_.push_back(
            {key, fmt::format("is given twice; {} would have no effect", before.text()), place});
    set_.emplace_back(key, place);
  }
  /// What the first series of the comparison gives for the key, if all of them give it; else null.
  [[nodiscard]] const ConfigNode::Entry* set_by_all_series(const std::string& key) const {
    const auto* compare = document_.find("compare");
    const ConfigNode::Entry* first = nullptr;
    if (compare == nullptr) return nullptr;
    for (const auto& item : compare->value.items) {
      const auto* set = item.find("set");
      const auto* entry = set == nullptr ? nullptr : set->value.find(key);
      if (entry == nullptr) return nullptr;
      if (first == nullptr) first = entry;
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
    std::string nearest;
    const auto declarations = find_declarations(key, nearest);
    return !declarations.empty() && declarations.front().type == Parameter::Type::kList;
  }

  ConfigNode& document_;
  Faults& faults_;
  std::vector<std::pair<std::string, Place>> set_;
};

}  // namespace noctule
