#include "config/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "config/decimal.h"
#include "config/decode.h"
#include "config/effects.h"
#include "config/metric_reference.h"
#include "config/schema.h"
#include "config/spelling.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

using Type = Parameter::Type;
constexpr std::size_t kWidth = 100;

/// Comment lines, wrapped.
std::string comment(const std::string& text, std::size_t indent) {
  const std::string start = std::string(indent, ' ') + "#";
  std::string result;
  std::string line = start;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    if (line.size() + 1 + word.size() > kWidth && line != start) {
      result += line + "\n";
      line = start;
    }
    line += " " + word;
    at = end + 1;
  }
  return result + line + "\n";
}

std::string default_text(bool required, const Json& otherwise) {
  if (required) return "must be given";
  return otherwise.is_null() ? "no default" : "default " + yaml_text(otherwise);
}

/// The preset's word on a key of a node model or of its routing, instead of the declared default.
Json default_of(const Parameter& p, const Json& preset) {
  const auto it = preset.find(p.name);
  return it == preset.end() ? *p.default_value : *it;
}

class ReferenceWriter {
 public:
  std::string write() {
    out_ =
        comment(
            "Every key of a Noctule configuration, at its default. Written by 'noctule list --reference'.",
            0) +
        comment(
            "A variant may be written short: 'routing: oblivious' means 'routing: {algorithm: oblivious}'.",
            0);
    for (const auto& field : configuration_schema().fields) {
      out_ += "\n";
      key(field, 0, false, Json::object(), field.name);
    }
    return std::move(out_);
  }

 private:
  void line(const std::string& text, std::size_t indent, bool off) {
    out_ += std::string(indent, ' ') + (off ? "# " : "") + text + "\n";
  }

  /// `off`: written as a comment, as keys are that count for nothing at the defaults of the others. `entry`:
  /// of the variant whose own key this is.
  void key(const Parameter& p, std::size_t indent, bool off, const Json& preset, const std::string& path,
           const std::string& entry = {}) {
    off = off || !has_effect(path, defaults_);
    switch (p.type) {
      case Type::kSection:
        out_ += comment(p.description, indent);
        line(p.name + ":", indent, off);
        for (const auto& field : p.fields) key(field, indent + 2, off, {}, join_key(path, field.name));
        return;
      case Type::kVariant:
        return variant(p, indent, path);
      case Type::kNamed:
        out_ += comment(p.description, indent);
        elements(p.fields.front(), indent, "NAME.");
        line(p.name + ": {}", indent, off);
        return;
      case Type::kSettings:
        out_ += comment(p.description, indent);
        line(p.name + ": {}", indent, off);
        return;
      default:
        break;
    }
    std::string text = fmt::format("{}; {}", p.description, allowed_values(p));
    if (p.default_value->is_null()) text += p.required ? "; must be given" : "; not set by default";
    if (!p.alternative.empty()) text += fmt::format("; instead of {}", p.alternative);
    if (const auto where = effect_text(path, entry); !where.empty()) text += "; " + where;
    out_ += comment(text, indent);
    if (p.type == Type::kList) elements(p.fields.front(), indent);
    const Json value = default_of(p, preset);
    if (value.is_null())
      line(p.name + ":", indent, true);
    else
      line(p.name + ": " + yaml_text(value), indent, off);
  }

  /// Keys of a list's elements; those of sections in them as "rtl.top".
  void elements(const Parameter& element, std::size_t indent, const std::string& within = "") {
    if (element.type != Type::kSection) return;
    for (const auto& field : element.fields) {
      const std::string name = within + field.name;
      if (field.type != Type::kSection) {
        out_ += comment(fmt::format("- {}: {}; {}; {}", name, field.description, allowed_values(field),
                                    default_text(field.required, *field.default_value)),
                        indent);
        continue;
      }
      constexpr std::size_t kFew = 8;
      std::string keys;
      for (const auto& key : field.fields)
        if (field.fields.size() > kFew) keys += (keys.empty() ? ": " : ", ") + key.name;
      out_ += comment(fmt::format("- {}: {}{}", name, field.description, keys), indent);
      if (keys.empty()) elements(field, indent, name + ".");
    }
  }

  void variant(const Parameter& p, std::size_t indent, const std::string& path) {
    const Json chosen = p.default_value->is_object()   ? p.default_value->at(p.discriminator)
                        : p.default_value->is_string() ? *p.default_value
                                                       : Json("dimension_order");
    out_ += comment(p.description, indent);
    line(p.name + ":", indent, false);
    for (const auto* entry : Catalog::instance().entries(p.registry))
      out_ += comment(fmt::format("{}: {}", entry->name, entry->description), indent + 2);
    line(p.discriminator + ": " + yaml_text(chosen), indent + 2, false);
    for (const auto& field : p.fields) key(field, indent + 2, false, {}, join_key(path, field.name));
    const auto* own = find_entry(p, chosen.get<std::string>());
    if (own != nullptr)
      for (const auto& field : own->parameters)
        key(field, indent + 2, false, {}, join_key(path, field.name), own->name);
    for (const auto* entry : Catalog::instance().entries(p.registry)) {
      if (entry == own || entry->parameters.empty()) continue;
      out_ += comment(fmt::format("with {}: {}", p.discriminator, entry->name), indent + 2);
      for (const auto& field : entry->parameters)
        key(field, indent + 2, true, {}, join_key(path, field.name), entry->name);
    }
    if (p.registry == "node") presets(indent + 2);
  }

  void presets(std::size_t indent) {
    for (const auto* info : NodeRegistry::instance().entries()) {
      const NodePreset preset = NodeRegistry::instance().at(info->name).make();
      std::string text = fmt::format("defaults of {}: routing {}", info->name,
                                     preset.routing.empty() ? "dimension_order" : preset.routing);
      for (const auto& [key, value] : preset.keys.json().items())
        text += fmt::format(", {} {}", key, yaml_text(value));
      for (const auto& [key, value] : preset.routing_keys.json().items())
        text += fmt::format(", routing.{} {}", key, yaml_text(value));
      out_ += comment(text, indent);
    }
  }

  std::string out_;
  Json defaults_ = complete(ConfigNode::of_map({})).values;
};

/// What there is to say of a key. `otherwise`: its default.
Json key_of(const Parameter& p, const Json& otherwise) {
  Json key{{"name", p.name}, {"description", p.description}, {"values", allowed_values(p)}};
  if (!p.unit.empty()) key["unit"] = p.unit;
  if (!p.holds_keys()) {
    if (p.required)
      key["required"] = true;
    else
      key["default"] = otherwise;
  }
  for (const auto& field : p.fields)
    if (p.type == Type::kSection || p.type == Type::kVariant || !field.fields.empty())
      key["keys"].push_back(key_of(field, *field.default_value));
  return key;
}

std::string key_text(const Json& key, std::size_t indent) {
  const auto said = [&](const char* what) { return key.at(what).get<std::string>(); };
  const std::string pad(indent, ' ');
  std::string text =
      fmt::format("{}{}: {}\n{}    {}", pad, said("name"), said("description"), pad, said("values"));
  if (const bool required = key.contains("required"); required || key.contains("default"))
    text += "; " + default_text(required, required ? Json() : key.at("default"));
  text += "\n";
  for (const Json& below : key.value("keys", Json::array())) text += key_text(below, indent + 2);
  return text;
}

std::vector<Json> keys_of(const std::string& kind, const RegistryEntryInfo& entry) {
  std::vector<Json> keys;
  for (const auto& p : entry.parameters) keys.push_back(key_of(p, *p.default_value));
  if (kind != "node") return keys;
  const Json preset = NodeRegistry::instance().at(entry.name).make().keys.json();
  for (const auto& p : node_parameters()) keys.push_back(key_of(p, default_of(p, preset)));
  return keys;
}

/// Declared under this dotted key, in whatever part: parts of a kind may declare one alike.
std::vector<Json> keys_called(const std::string& name) {
  std::string nearest;
  std::vector<Json> keys;
  for (const auto& p : find_declarations(name, nearest))
    if (Json key = key_of(p, *p.default_value); std::ranges::find(keys, key) == keys.end())
      keys.push_back(std::move(key));
  return keys;
}

std::string describe_entry(const std::string& kind, const RegistryEntryInfo& entry) {
  std::string text = fmt::format("{} {}: {}\n", kind, entry.name, entry.description);
  if (kind == "node") {
    const NodePreset preset = NodeRegistry::instance().at(entry.name).make();
    text += fmt::format("  routing: {}\n", preset.routing.empty() ? "dimension_order" : preset.routing);
  }
  for (const Json& key : keys_of(kind, entry)) text += key_text(key, 2);
  return text;
}

std::string describe_kind(const std::string& kind) {
  std::string text = kind + ":\n";
  std::size_t width = 0;
  for (const auto* entry : Catalog::instance().entries(kind)) width = std::max(width, entry->name.size());
  for (const auto* entry : Catalog::instance().entries(kind))
    text += fmt::format("  {:{}}  {}\n", entry->name, width, entry->description);
  return text;
}

bool is_plain(const std::string& text) {
  static const std::set<std::string> kWords{"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  if (text.empty() || text[0] < 'a' || text[0] > 'z' || kWords.contains(text)) return false;
  return std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

std::string yaml_text(const Json& value) {
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    return is_plain(text) ? text : value.dump();
  }
  std::string text;
  if (value.is_array()) {
    for (const auto& item : value) text += (text.empty() ? "" : ", ") + yaml_text(item);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, below] : value.items())
      text += (text.empty() ? "" : ", ") + yaml_text(Json(key)) + ": " + yaml_text(below);
    return "{" + text + "}";
  }
  return value.dump();
}

std::string reference_yaml() {
  return ReferenceWriter().write();
}

std::string list_everything() {
  std::string text;
  for (const auto& kind : Catalog::instance().kinds())
    text += (text.empty() ? "" : "\n") + describe_kind(kind);
  return text;
}

std::optional<std::string> describe(const std::string& name) {
  std::string text;
  for (const auto& kind : Catalog::instance().kinds()) {
    if (kind == name) text += describe_kind(kind);
    if (const auto* entry = Catalog::instance().find(kind, name))
      text += (text.empty() ? "" : "\n") + describe_entry(kind, *entry);
  }
  text += metrics_text(name);
  if (!text.empty()) return text;
  for (const Json& key : keys_called(name)) text += key_text(key, 0);
  if (text.empty() || name.empty()) return std::nullopt;
  return text;
}

std::optional<Json> described(const std::string& name) {
  Json json = Json::object();
  Json keys = Json::array();
  for (const auto& kind : Catalog::instance().kinds())
    for (const auto* entry : Catalog::instance().entries(kind)) {
      if (name.empty() || name == kind || name == entry->name) json[kind][entry->name] = entry->description;
      if (name != entry->name) continue;
      for (Json& key : keys_of(kind, *entry)) {
        key["of"] = fmt::format("{} {}", kind, entry->name);
        keys.push_back(std::move(key));
      }
    }
  if (const auto metrics = metrics_called(name); !metrics.empty()) json["metric"] = metrics;
  if (json.empty()) keys = keys_called(name);
  if (json.empty() && keys.empty()) return std::nullopt;
  if (!keys.empty()) json["keys"] = std::move(keys);
  return json;
}

std::string nearest_description(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& kind : Catalog::instance().kinds()) {
    names.push_back(kind);
    for (const auto* entry : Catalog::instance().entries(kind)) names.push_back(entry->name);
  }
  for (const auto& field : configuration_schema().fields) names.push_back(field.name);
  names.emplace_back("metric");
  std::ranges::copy(metric_columns(), std::back_inserter(names));
  auto found = suggested_value(name, names);
  if (found.empty()) find_declarations(name, found);
  return found;
}

}  // namespace noctule
