#include "config/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "config/annotate.h"
#include "config/command_line.h"
#include "config/decimal.h"
#include "config/given.h"
#include "config/implied.h"
#include "config/merge.h"
#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

using Kind = ConfigNode::Kind;
constexpr std::size_t kMostBases = 16;
constexpr std::size_t kMostFaults = 100;

/// Is it a section without keys?
bool changes_nothing(const ConfigNode& node) {
  return node.kind == Kind::kNull || (node.kind == Kind::kMap && node.entries.empty());
}

/// Reads files with the bases that they inherit from.
class Loader {
 public:
  explicit Loader(Faults& faults) : faults_(faults) {}

  /// Files that have the key `implied`: resolved configurations.
  std::vector<std::string> echoes;

  ConfigNode file(const std::string& path, const std::string& key, const Place& asked_for) {
    std::error_code error;
    const auto canonical = std::filesystem::weakly_canonical(path, error).string();
    if (std::ranges::find(open_, canonical) != open_.end()) {
      faults_.push_back(
          {key, fmt::format("'{}' inherits from itself; a base must not lead back", path), asked_for});
      return {};
    }
    if (open_.size() >= kMostBases) {
      faults_.push_back(
          {key, fmt::format("more than {} files inherit from each other", kMostBases), asked_for});
      return {};
    }
    const std::size_t before = faults_.size();
    const auto content = read_text_file(path, key, asked_for, faults_);
    if (faults_.size() > before) return {};
    open_.push_back(canonical);
    auto node = text(content, path, std::filesystem::path(path).parent_path().string());
    open_.pop_back();
    if (node.find("schema") != nullptr && node.find("points") != nullptr) {
      faults_.push_back(
          {key,
           fmt::format("'{}' holds results; give config.json beside it, the configuration that gave them",
                       path),
           asked_for});
      return {};
    }
    return node;
  }

  ConfigNode text(const std::string& content, const std::string& name, const std::string& folder) {
    const auto source = std::make_shared<const std::string>(name);
    const std::size_t before = faults_.size();
    ConfigNode node = parse_yaml(content, source, faults_);
    if (node.kind != Kind::kMap) {
      if (faults_.size() == before)
        faults_.push_back({"",
                           node.kind == Kind::kNull
                               ? "the file is empty; a configuration has at least one key"
                               : "expected keys with values at the top; got " + describe_given(node) +
                                     (content.find(';') == std::string::npos
                                          ? ""
                                          : "; a file of BookSim2 is read by `noctule import booksim`"),
                           {source, 1, 1}});
      return {};
    }
    write_out_shorthands(configuration_schema(), node);
    if (node.find("implied") != nullptr) echoes.push_back(name);
    const auto* base = node.find("base");
    if (base == nullptr) return node;
    if (base->value.kind != Kind::kScalar || base->value.scalar.empty()) return node;  // refused when decoded
    const auto path = (std::filesystem::path(folder) / base->value.scalar).string();
    ConfigNode lower = file(path, "base", base->value.place);
    node.erase("base");
    if (lower.kind != Kind::kMap) return node;
    refuse_empty_sections(node, lower, "");
    merge(configuration_schema(), lower, std::move(node));
    return lower;
  }

 private:
  /// A section of the base stays as it is where the file gives it without keys, whatever was meant by that.
  /// `section`: where their keys are.
  void refuse_empty_sections(const ConfigNode& node, const ConfigNode& lower, const std::string& section) {
    for (const auto& entry : node.entries) {
      const auto* below = lower.find(entry.key);
      const std::string key = join_key(section, entry.key);
      const bool is_section = section.empty() || holds_keys(key);
      if (below == nullptr || changes_nothing(below->value) || !is_section) continue;
      if (changes_nothing(entry.value))
        faults_.push_back({key,
                           fmt::format("has no effect: without a key in it, what the base gives stays ({})",
                                       below->place.text()),
                           entry.place});
      else if (entry.value.kind == Kind::kMap && below->value.kind == Kind::kMap)
        refuse_empty_sections(entry.value, below->value, key);
    }
  }
  static bool holds_keys(const std::string& key) {
    std::string nearest;
    return std::ranges::any_of(find_declarations(key, nearest),
                               [](const Parameter& declaration) { return declaration.holds_keys(); });
  }

  Faults& faults_;
  std::vector<std::string> open_;
};

/// The name that a variant of the document chooses.
std::string chosen(const ConfigNode& document, const char* variant, const char* discriminator) {
  const auto* section = document.find(variant);
  const auto* choice = section == nullptr ? nullptr : section->value.find(discriminator);
  return choice == nullptr || choice->value.kind != Kind::kScalar ? std::string() : choice->value.scalar;
}

void add_implied(ConfigNode& section, const Json& keys, const Place& place) {
  for (const auto& [key, value] : keys.items())
    section.entries.push_back({key, place, node_from_json(value, place), true});
}

/// Keys that the planner was given and the routing algorithm that it brings has as well.
Json shared_with_planner(const ConfigNode& document, const std::string& algorithm) {
  Json keys = Json::object();
  const auto* section = document.find("multicast");
  const auto* entry = RoutingRegistry::instance().find(algorithm);
  if (section == nullptr || entry == nullptr) return keys;
  for (const auto& parameter : entry->parameters)
    if (const auto* given = section->value.find(parameter.name);
        given != nullptr &&
        std::ranges::find(parameter.choices, given->value.scalar) != parameter.choices.end())
      keys[parameter.name] = json_from_node(given->value);
  return keys;
}

/// The node model's preset as the lowest layer.
ConfigNode with_preset(const ConfigNode& document) {
  auto model = chosen(document, "node", "model");
  if (model.empty()) model = "generic";
  const auto* entry = NodeRegistry::instance().find(model);
  const NodePreset preset = entry == nullptr ? NodePreset() : entry->make();
  const Place place{std::make_shared<const std::string>("preset of node model " + model), 0, 0};
  ConfigNode lowest = ConfigNode::of_map(place);
  ConfigNode node = ConfigNode::of_map(place);
  if (entry != nullptr) add_implied(node, Json{{"model", model}}, place);
  add_implied(node, preset.keys.json(), place);
  const auto algorithm = default_algorithm(model, chosen(document, "multicast", "planner"));
  ConfigNode routing = ConfigNode::of_map(place);
  add_implied(routing, Json{{"algorithm", algorithm}}, place);
  if (algorithm == preset.routing)
    add_implied(routing, preset.routing_keys.json(), place);
  else
    add_implied(routing, shared_with_planner(document, algorithm), place);
  lowest.entries.push_back({"node", place, std::move(node), true});
  lowest.entries.push_back({"routing", place, std::move(routing), true});
  merge(configuration_schema(), lowest, document);
  return lowest;
}

bool concerns(const std::string& key, const std::string& other) {
  return is_within(key, other) || is_within(other, key);
}

/// Does the key choose an entry of a variant, such as multicast.planner?
bool chooses_entry(const std::string& key) {
  const auto dot = key.rfind('.');
  if (dot == std::string::npos) return false;
  std::string nearest;
  return std::ranges::any_of(find_declarations(key.substr(0, dot), nearest), [&](const Parameter& p) {
    return p.type == Parameter::Type::kVariant && p.discriminator == key.substr(dot + 1);
  });
}

/// Keys that choose entries, and differ between the points of a document.
std::vector<std::string> varied_choices(const Json& resolved) {
  std::vector<std::string> keys;
  const auto add = [&](const Json& settings) {
    for (const auto& [key, unused] : settings.items())
      if (chooses_entry(key)) keys.push_back(key);
  };
  add(resolved.at("sweep"));
  for (const auto& series : resolved.at("compare"))
    if (series.contains("set")) add(series.at("set"));
  return keys;
}

void apply_rules(Decoded& decoded) {
  const Faults before = decoded.faults;
  const auto varied = varied_choices(decoded.values);
  for (const auto& rule : rules()) {
    const bool of_points = std::ranges::any_of(varied, [&](const std::string& key) {
      return std::ranges::any_of(rule.keys, [&](const std::string& other) { return concerns(key, other); });
    });
    if (of_points) continue;
    const bool faulty = std::ranges::any_of(before, [&](const Fault& fault) {
      return std::ranges::any_of(rule.keys, [&](const std::string& key) { return concerns(fault.key, key); });
    });
    if (faulty) continue;
    rule.check(decoded.values, [&](const std::string& key, const std::string& message) {
      // Blame the key that was given; the others are named with their places.
      std::string also;
      const Place* blamed = nullptr;
      if (const auto it = decoded.places.find(key); it != decoded.places.end()) blamed = &it->second;
      for (const auto& other : rule.keys) {
        const auto it = decoded.places.find(other);
        if (it == decoded.places.end() || concerns(other, key)) continue;
        if (blamed == nullptr)
          blamed = &it->second;
        else
          also += fmt::format("{}{}: {}", also.empty() ? " (" : ", ", other, it->second.text());
      }
      if (!also.empty()) also += ")";
      if (blamed == nullptr) blamed = place_of_key(decoded.places, key);
      decoded.faults.push_back({key, message + also, blamed == nullptr ? Place{} : *blamed});
    });
  }
}

/// Faults of a series say which one it is.
void name_series(const ConfigNode& document, Faults& faults) {
  const auto* compare = document.find("compare");
  if (compare == nullptr) return;
  for (std::size_t i = 0; i < compare->value.items.size(); ++i) {
    const auto* label = compare->value.items[i].find("label");
    if (label == nullptr || label->value.kind != Kind::kScalar) continue;
    for (auto& fault : faults)
      if (fault.key.starts_with(fmt::format("compare[{}].set", i)))
        fault.message += fmt::format(" (series '{}')", shown(label->value.scalar));
  }
}

Configuration finish(ConfigNode document, std::string file, const DecodeOptions& options, Faults faults,
                     std::vector<std::string> echoes) {
  if (document.kind != Kind::kMap) throw to_error(std::move(faults));
  CommandLine command_line(document, faults);
  for (const auto& text : options.set) command_line.set("--set", text);
  if (options.seed) command_line.seed(*options.seed);
  for (const auto& text : options.axes) command_line.axis(text);
  command_line.check_what_counts();
  CommandLine over(document, faults);
  for (const auto& text : options.over) over.set("--set", text);
  over.check_what_counts();
  drop_implied(document);
  Decoded decoded = complete(document);
  name_series(document, decoded.faults);
  faults.insert(faults.end(), decoded.faults.begin(), decoded.faults.end());
  if (!faults.empty()) throw to_error(std::move(faults));
  decoded.values["implied"] = decoded.implied;
  return {std::move(file), std::move(decoded.values), std::move(decoded.places), std::move(document),
          std::move(echoes)};
}

}  // namespace

Decoded complete(const ConfigNode& document) {
  Decoded decoded = decode_document(configuration_schema(), with_preset(document));
  apply_rules(decoded);
  return decoded;
}

ConfigError to_error(Faults faults) {
  std::map<std::string, std::size_t> rank;
  for (const auto& f : faults) rank.emplace(f.place.source == nullptr ? "" : *f.place.source, rank.size());
  const auto order = [&](const Fault& f) {
    return std::tuple(rank.at(f.place.source == nullptr ? "" : *f.place.source), f.place.line,
                      f.place.column);
  };
  std::ranges::stable_sort(faults, [&](const Fault& a, const Fault& b) { return order(a) < order(b); });
  std::vector<Diagnostic> diagnostics;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (auto& f : faults) {
    if (!seen.emplace(f.key, f.message, f.place.text()).second) continue;
    if (diagnostics.size() == kMostFaults) {
      diagnostics.push_back({"", "more faults are not shown", {}});
      break;
    }
    diagnostics.push_back({std::move(f.key), std::move(f.message), f.place.text()});
  }
  return ConfigError(std::move(diagnostics));
}

Configuration decode_file(const std::string& path, const DecodeOptions& options) {
  Faults faults;
  Loader loader(faults);
  ConfigNode document = loader.file(path, "", {});
  return finish(std::move(document), path, options, std::move(faults), std::move(loader.echoes));
}

Configuration decode_text(const std::string& text, const std::string& name, const DecodeOptions& options,
                          const std::string& folder) {
  Faults faults;
  Loader loader(faults);
  ConfigNode document = loader.text(text, name, folder);
  return finish(std::move(document), name, options, std::move(faults), std::move(loader.echoes));
}

}  // namespace noctule
