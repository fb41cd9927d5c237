#include "config/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "config/decimal.h"
#include "config/given.h"
#include "config/schema.h"
#include "config/spelling.h"
#include "config/unknown_key.h"
#include "core/json.h"
#include "topology/builder.h"

namespace noctule {
namespace {

using Kind = ConfigNode::Kind;
using Type = Parameter::Type;

/// Keys that decide what the points are cannot differ between them. Of planes check_planes says more.
bool is_fixed(const std::string& path, const std::string& key) {
  static constexpr const char* kKeys[] = {"base",  "sweep", "compare",    "implied",
                                          "plots", "name",  "description"};
  return !is_within(path, "planes") && std::ranges::find(kKeys, split_key(key).front()) != std::end(kKeys);
}

/// A bound of an integer's range, exact: comparing as doubles would round large values.
std::int64_t bound(double limit) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if (limit >= static_cast<double>(kMost)) return kMost;
  return limit <= static_cast<double>(kLeast) ? kLeast : static_cast<std::int64_t>(limit);
}

class Decoder {
 public:
  Json section(const std::vector<Parameter>& fields, const ConfigNode& node, const std::string& path,
               bool known, bool in_variant, const Parameter* variant = nullptr);
  Json value(const Parameter& p, const ConfigNode& node, const std::string& path);
  Decoded result;

 private:
  void fault(const std::string& path, std::string message, const Place& place) {
    result.faults.push_back({path, std::move(message), place});
  }
  Json refuse(const Parameter& p, const ConfigNode& node, const std::string& path,
              const std::string& more = {}) {
    fault(path, fmt::format("expected {}; got {}{}", allowed_values(p), describe_given(node), more),
          node.place);
    return p.default_value;
  }
  void check_alternative(const Parameter& field, const ConfigNode::Entry& entry, const ConfigNode& node,
                         const std::string& path);
  void unknown_keys(const std::vector<Parameter>& fields, const Parameter* variant, const ConfigNode& node,
                    const std::string& path);
  std::optional<Json> missing(const Parameter& field, const ConfigNode& node, const std::string& path,
                              bool in_variant);
  Json number(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json choice(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json list(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json variant(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json labels(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json named(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json settings(const Parameter& p, const ConfigNode& node, const std::string& path);
  Json setting(const std::vector<Parameter>& candidates, const ConfigNode& node, const std::string& path);

  bool in_variant_ = false;
};

void Decoder::check_alternative(const Parameter& field, const ConfigNode::Entry& entry,
                                const ConfigNode& node, const std::string& path) {
  if (field.alternative.empty()) return;
  const auto* other = node.find(field.alternative);
  if (other == nullptr) return;
  fault(join_key(path, field.name),
        fmt::format("{} replaces {}, which is given too ({}); give one of them", field.name,
                    field.alternative, other->place.text()),
        entry.place);
}

void Decoder::unknown_keys(const std::vector<Parameter>& fields, const Parameter* variant,
                           const ConfigNode& node, const std::string& path) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const auto& field : fields) names.push_back(field.name);
  for (const auto& entry : node.entries)
    if (std::ranges::find(names, entry.key) == names.end())
      fault(join_key(path, entry.key),
            fmt::format("unknown key '{}'{} Allowed here: {}", shown(entry.key),
                        about_unknown_key(fields, variant, entry, path), fmt::join(names, ", ")),
            entry.place);
}

/// The value of a key that was not given; nothing if it then has none.
std::optional<Json> Decoder::missing(const Parameter& field, const ConfigNode& node, const std::string& path,
                                     bool in_variant) {
  const ConfigNode none;
  switch (field.type) {
    case Type::kSection:
      if (field.optional) return std::nullopt;
      return section(field.fields, none, path, true, in_variant);
    case Type::kVariant:
      return variant(field, none, path);
    case Type::kSettings:
    case Type::kLabels:
    case Type::kNamed:
      return Json::object();
    default:
      break;
  }
  if (field.required) {
    fault(path, fmt::format("is missing; give {}: {}", allowed_values(field), field.description), node.place);
    return std::nullopt;
  }
  if (field.default_value->is_null()) return std::nullopt;
  if (in_variant) result.implied.push_back(path);
  return field.default_value;
}

Json Decoder::section(const std::vector<Parameter>& fields, const ConfigNode& node, const std::string& path,
                      bool known, bool in_variant, const Parameter* variant) {
  if (known) unknown_keys(fields, variant, node, path);
  Json values = Json::object();
  for (const auto& field : fields) {
    const std::string key = join_key(path, field.name);
    if (const auto* entry = node.find(field.name)) {
      if (!entry->implied) result.places[key] = entry->place;
      check_alternative(field, *entry, node, path);
      if (in_variant && entry->implied) result.implied.push_back(key);
      const bool outer = std::exchange(in_variant_, in_variant);
      values[field.name] = value(field, entry->value, key);
      in_variant_ = outer;
      continue;
    }
    const bool replaced = std::ranges::any_of(fields, [&](const Parameter& other) {
      return other.alternative == field.name && node.find(other.name) != nullptr;
    });
    if (replaced) continue;
    if (auto otherwise = missing(field, node, key, in_variant)) values[field.name] = std::move(*otherwise);
  }
  return values;
}

Json Decoder::value(const Parameter& p, const ConfigNode& node, const std::string& path) {
  if (node.kind == Kind::kNull && !p.holds_keys()) {
    const Json& otherwise = p.default_value;
    const bool has_default = !otherwise.is_null() && !p.required;
    const std::string which = path.starts_with("node.") ? " of the node model" : ", " + otherwise.dump();
    fault(path,
          fmt::format("no value is given; expected {}{}", allowed_values(p),
                      has_default ? ". Leave the key out for the default" + which : ""),
          node.place);
    return otherwise;
  }
  switch (p.type) {
    case Type::kBoolean:
      if (const auto boolean = as_boolean(node)) return *boolean;
      return refuse(p, node, path,
                    node.quoted && node.kind == Kind::kScalar ? " (in quotes it is text)" : "");
    case Type::kInteger:
    case Type::kReal:
      return number(p, node, path);
    case Type::kText:
      if (p.or_list && node.kind == Kind::kList) return list(Parameter::several_of(p), node, path);
      if (node.kind != Kind::kScalar)
        return refuse(p, node, path, p.description.empty() ? "" : fmt::format("; it is {}", p.description));
      return p.is_file ? file_path(node) : node.scalar;
    case Type::kChoice:
      return choice(p, node, path);
    case Type::kList:
      return list(p, node, path);
    case Type::kSection:
      if (node.kind != Kind::kMap && node.kind != Kind::kNull) {
        std::vector<std::string> keys;
        for (const auto& field : p.fields) keys.push_back(field.name + ": ...");
        refuse(p, node, path, fmt::format("; it is written {{{}}}", fmt::join(keys, ", ")));
        return section(p.fields, {}, path, true, in_variant_);
      }
      return section(p.fields, node, path, true, in_variant_);
    case Type::kVariant:
      return variant(p, node, path);
    case Type::kLabels:
      return labels(p, node, path);
    case Type::kNamed:
      return named(p, node, path);
    case Type::kSettings:
      return settings(p, node, path);
  }
  return nullptr;
}

Json Decoder::number(const Parameter& p, const ConfigNode& node, const std::string& path) {
  if (node.kind != Kind::kScalar)
    return refuse(p, node, path, node.kind == Kind::kList ? about_a_list(path) : "");
  if (std::ranges::find(p.choices, node.scalar) != p.choices.end()) return node.scalar;
  if (node.quoted && looks_like_number(node.scalar)) return refuse(p, node, path, " (in quotes it is text)");
  if (!looks_like_number(node.scalar) || node.quoted)
    return refuse(p, node, path, about_no_number(node.scalar, p.choices));
  const auto out_of_range = [&]() -> Json {
    fault(path, fmt::format("{} is out of range; expected {}", shown(node.scalar), allowed_values(p)),
          node.place);
    return p.default_value;
  };
  if (p.type == Type::kReal) {
    const auto real = parse_real(node.scalar);
    if (!real || *real < p.minimum || *real > p.maximum || (p.above_minimum && *real == p.minimum))
      return out_of_range();
    return *real;
  }
  const auto decimal = Decimal::parse(node.scalar);
  if (decimal && decimal->exponent < 0) return refuse(p, node, path);
  const auto whole = decimal ? decimal->integer() : std::nullopt;
  if (!whole || *whole < bound(p.minimum) || *whole > bound(p.maximum)) return out_of_range();
  return *whole;
}

Json Decoder::choice(const Parameter& p, const ConfigNode& node, const std::string& path) {
  if (node.kind != Kind::kScalar) return refuse(p, node, path);
  if (std::ranges::find(p.choices, node.scalar) != p.choices.end()) return node.scalar;
  const auto hint = with_hint(suggested_value(node.scalar, p.choices));
  fault(
      path,
      fmt::format("'{}' is not allowed{}{} Expected {}{}", shown(node.scalar), hint, hint.empty() ? "." : "",
                  allowed_values(p), p.registry.empty() ? "" : "; a part of your own needs --load LIBRARY"),
      node.place);
  return p.default_value;
}

Json Decoder::list(const Parameter& p, const ConfigNode& given, const std::string& path) {
  std::string wrong;
  const bool ranges = takes_ranges(p);
  const ConfigNode expanded = ranges ? without_ranges(given, p.maximum, wrong) : ConfigNode();
  const ConfigNode& node = ranges ? expanded : given;
  if (node.kind != Kind::kList)
    return refuse(p, node, path,
                  node.kind == Kind::kScalar
                      ? fmt::format("; a list is written [{}]", with_commas(shown(node.scalar)))
                      : "");
  const auto size = static_cast<double>(node.items.size());
  if (wrong.empty() && (size < p.minimum || size > p.maximum))
    wrong = fmt::format("{} elements are given; expected {}", node.items.size(), allowed_values(p));
  if (!wrong.empty()) {
    fault(path, wrong, node.place);
    return p.default_value;
  }
  Json values = Json::array();
  for (std::size_t i = 0; i < node.items.size(); ++i)
    values.push_back(value(p.fields.front(), node.items[i], fmt::format("{}[{}]", path, i)));
  return values;
}

Json Decoder::variant(const Parameter& p, const ConfigNode& node, const std::string& path) {
  if (node.kind == Kind::kList) {
    refuse(p, node, path);
    return variant(p, {}, path);
  }
  std::string name;
  if (const auto* chosen = node.find(p.discriminator)) {
    if (chosen->value.kind == Kind::kScalar) name = chosen->value.scalar;
  } else if (p.default_value->is_object()) {
    name = p.default_value->at(p.discriminator).get<std::string>();
  } else if (p.default_value->is_string()) {
    name = p.default_value->get<std::string>();
  }
  // What the entry calls its own keys is unknown if the entry is; then only the common ones are decoded.
  const auto* entry = find_entry(p, name);
  auto fields = variant_fields(p, entry);
  if (p.default_value->is_null()) fields.front().mandatory();
  Json values = section(fields, node, path, entry != nullptr, true, &p);
  if (p.default_value->is_object())
    for (const auto& [key, otherwise] : p.default_value->items())
      if (!values.contains(key)) values[key] = otherwise;
  return values;
}

Json Decoder::labels(const Parameter& p, const ConfigNode& node, const std::string& path) {
  if (node.kind != Kind::kMap)
    return refuse(p, node, path, "; it is written {FIELD: VALUES}, as {lane: [0, 1]}");
  Json values = Json::object();
  for (const auto& entry : node.entries) {
    const std::string key = join_key(path, entry.key);
    result.places[key] = entry.place;
    Json list = Json::array();
    const auto add = [&](const ConfigNode& item) {
      if (item.kind == Kind::kScalar)
        list.push_back(item.scalar);
      else
        fault(key, fmt::format("expected a value or a list of values; got {}", describe_given(item)),
              item.place);
    };
    if (entry.value.kind == Kind::kList && entry.value.items.empty())
      fault(key, "an empty list matches nothing; give a value or a list of values", entry.value.place);
    if (entry.value.kind == Kind::kList)
      for (const auto& item : entry.value.items) add(item);
    else
      add(entry.value);
    values[entry.key] = std::move(list);
  }
  return values;
}

Json Decoder::named(const Parameter& p, const ConfigNode& node, const std::string& path) {
  Json values = Json::object();
  if (node.kind == Kind::kNull) return values;
  if (node.kind != Kind::kMap) {
    refuse(p, node, path);
    return values;
  }
  if (static_cast<double>(node.entries.size()) > p.maximum)
    fault(path, fmt::format("{} are given; expected {}", node.entries.size(), allowed_values(p)), node.place);
  for (const auto& entry : node.entries) {
    const std::string key = join_key(path, entry.key);
    if (!is_identifier(entry.key))
      fault(
          key,
          fmt::format("'{}' is no name; names consist of letters, digits and underscores", shown(entry.key)),
          entry.place);
    result.places[key] = entry.place;
    values[entry.key] = value(p.fields.front(), entry.value, key);
  }
  return values;
}

/// A value for a key that several entries of a variant declare, each in its way: the first that it fits.
Json Decoder::setting(const std::vector<Parameter>& candidates, const ConfigNode& node,
                      const std::string& path) {
  Faults first;
  for (const auto& candidate : candidates) {
    if (candidate.holds_keys()) {
      fault(path, "is a section; name a key in it", node.place);
      return nullptr;
    }
    Faults faults;
    Json value = decode_value(candidate, node, path, faults);
    if (faults.empty()) return value;
    if (first.empty()) first = std::move(faults);
  }
  for (auto& f : first) result.faults.push_back(std::move(f));
  return nullptr;
}

Json Decoder::settings(const Parameter& p, const ConfigNode& node, const std::string& path) {
  Json values = Json::object();
  if (node.kind == Kind::kNull) return values;
  if (node.kind != Kind::kMap) {
    refuse(p, node, path);
    return values;
  }
  for (const auto& entry : node.entries) {
    const std::string key = join_key(path, entry.key);
    result.places[key] = entry.place;
    std::string nearest;
    auto declarations = find_declarations(entry.key, nearest);
    if (declarations.empty()) {
      fault(key,
            fmt::format("there is no key '{}'{}", shown(entry.key), about_missing_key(entry.key, nearest)),
            entry.place);
      continue;
    }
    if (is_fixed(path, entry.key)) {
      fault(key, fmt::format("'{}' cannot differ between points", entry.key), entry.place);
      continue;
    }
    if (values.contains(entry.key)) {
      fault(key, fmt::format("'{}' is given twice, once within a section", entry.key), entry.place);
      continue;
    }
    if (path != "sweep") {
      values[entry.key] = setting(declarations, entry.value, key);
      continue;
    }
    Json axis = Json::array();
    for (const auto& item : axis_values(entry.value, key, result.faults))
      axis.push_back(setting(declarations, item, key));
    values[entry.key] = std::move(axis);
  }
  return values;
}

}  // namespace

Decoded decode_document(const Parameter& schema, const ConfigNode& document) {
  Decoder decoder;
  decoder.result.values = decoder.value(schema, document, "");
  return std::move(decoder.result);
}

Json decode_value(const Parameter& declaration, const ConfigNode& node, const std::string& key,
                  Faults& faults) {
  Decoder decoder;
  Json value = decoder.value(declaration, node, key);
  for (auto& f : decoder.result.faults) faults.push_back(std::move(f));
  return value;
}

}  // namespace noctule
