#include "config/merge.h"

#include <algorithm>
#include <utility>

#include "config/decimal.h"
#include "config/schema.h"
#include "core/json.h"
#include "multicast/planner.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

using Kind = ConfigNode::Kind;
using Type = Parameter::Type;

/// The keys directly below a declaration, given what the node chooses.
std::vector<Parameter> fields_of(const Parameter& declaration, const ConfigNode& node) {
  if (declaration.type == Type::kSection) return declaration.fields;
  if (declaration.type == Type::kNamed) {
    std::vector<Parameter> fields(node.entries.size(), declaration.fields.front());
    for (std::size_t f = 0; f < fields.size(); ++f) fields[f].name = node.entries[f].key;
    return fields;
  }
  if (declaration.type != Type::kVariant) return {};
  const auto* chosen = node.find(declaration.discriminator);
  return variant_fields(declaration,
                        chosen == nullptr ? nullptr : find_entry(declaration, chosen->value.scalar));
}

const Parameter* find_field(const std::vector<Parameter>& fields, const std::string& name) {
  const auto it = std::ranges::find(fields, name, &Parameter::name);
  return it == fields.end() ? nullptr : &*it;
}

std::string default_entry(const Parameter& variant) {
  const Json& value = variant.default_value;
  if (value.is_object()) return value.at(variant.discriminator).get<std::string>();
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// `upper` may choose another entry than `lower`: takes away from `lower` what belonged to the old one.
void drop_old_entry(const Parameter& variant, ConfigNode& lower, const ConfigNode& upper) {
  const auto* chosen = upper.find(variant.discriminator);
  if (chosen == nullptr) return;
  const auto* before = lower.find(variant.discriminator);
  const auto old_name = before == nullptr ? default_entry(variant) : before->value.scalar;
  if (old_name == chosen->value.scalar) return;
  const auto* old_entry = find_entry(variant, old_name);
  const auto* new_entry = find_entry(variant, chosen->value.scalar);
  if (new_entry == nullptr) return;
  const auto fields = variant_fields(variant, new_entry);
  std::erase_if(lower.entries, [&](const ConfigNode::Entry& entry) {
    if (entry.implied) return true;
    const bool was_known = old_entry != nullptr && find_field(old_entry->parameters, entry.key) != nullptr;
    return was_known && find_field(fields, entry.key) == nullptr;
  });
}

/// In a map of dotted keys: what is given for a section stands for its keys (if `sections`), what is given
/// for a variant chooses its entry.
void flatten_settings(ConfigNode& node, bool sections) {
  std::vector<ConfigNode::Entry> flat;
  std::vector<ConfigNode::Entry> todo(std::make_move_iterator(node.entries.rbegin()),
                                      std::make_move_iterator(node.entries.rend()));
  while (!todo.empty()) {
    ConfigNode::Entry entry = std::move(todo.back());
    todo.pop_back();
    std::string nearest;
    const auto declarations = find_declarations(entry.key, nearest);
    const Type type = declarations.empty() ? Type::kText : declarations.front().type;
    const bool variant = type == Type::kVariant;
    const bool section = variant || type == Type::kSection || type == Type::kNamed || type == Type::kSettings;
    if (sections && section && entry.value.kind == Kind::kMap) {
      for (auto below = entry.value.entries.rbegin(); below != entry.value.entries.rend(); ++below)
        todo.push_back({join_key(entry.key, below->key), below->place, std::move(below->value), false});
      continue;
    }
    if (variant) entry.key = join_key(entry.key, declarations.front().discriminator);
    flat.push_back(std::move(entry));
  }
  node.entries = std::move(flat);
}

std::string scalar_at(const ConfigNode& document, const char* section, const char* key) {
  const auto* outer = document.find(section);
  const auto* inner = outer == nullptr ? nullptr : outer->value.find(key);
  return inner == nullptr ? std::string() : inner->value.scalar;
}

/// The routing algorithm that follows from two layers: the one given, or that of the node model's preset.
std::string algorithm_of(const ConfigNode& lower, const ConfigNode& upper) {
  for (const auto* layer : {&upper, &lower})
    if (auto given = scalar_at(*layer, "routing", "algorithm"); !given.empty()) return given;
  const auto of_layers = [&](const char* section, const char* key) {
    auto given = scalar_at(upper, section, key);
    return given.empty() ? scalar_at(lower, section, key) : given;
  };
  return default_algorithm(of_layers("node", "model"), of_layers("multicast", "planner"));
}

/// Another node model may bring another routing algorithm: keys that only the old one has go.
void drop_old_routing(const Parameter& schema, ConfigNode& lower, const ConfigNode& upper) {
  auto* routing = lower.find("routing");
  const auto* declaration = find_field(schema.fields, "routing");
  if (routing == nullptr || declaration == nullptr) return;
  const auto* before = find_entry(*declaration, algorithm_of(lower, {}));
  const auto* after = find_entry(*declaration, algorithm_of(lower, upper));
  if (before == nullptr || after == nullptr || before == after) return;
  std::erase_if(routing->value.entries, [&](const ConfigNode::Entry& entry) {
    return find_field(before->parameters, entry.key) != nullptr &&
           find_field(after->parameters, entry.key) == nullptr;
  });
}

/// The declaration of a key directly below one that is no variant; null: there is none.
const Parameter* declared_below(const Parameter& at, const std::string& key) {
  if (at.type == Type::kNamed) return &at.fields.front();
  return at.type == Type::kSection ? find_field(at.fields, key) : nullptr;
}

/// Where a key goes through a settings section, the rest of it is one dotted key.
std::vector<std::string> down_to_settings(const Parameter& schema, std::vector<std::string> parts) {
  const Parameter* at = &schema;
  for (std::size_t n = 0; n + 1 < parts.size(); ++n) {
    at = declared_below(*at, parts[n]);
    if (at == nullptr) break;
    if (at->type != Type::kSettings) continue;
    for (std::size_t rest = n + 2; rest < parts.size(); ++rest)
      parts[n + 1] = join_key(parts[n + 1], parts[rest]);
    parts.resize(n + 2);
  }
  return parts;
}

/// Labels are one value: where a key goes into them, the whole map is set, with that one changed.
void widen_to_labels(const Parameter& schema, const ConfigNode& tree, std::vector<std::string>& parts,
                     ConfigNode& value) {
  const Parameter* at = &schema;
  const ConfigNode* node = &tree;
  for (std::size_t n = 0; at != nullptr && n < parts.size(); ++n) {
    if (at->type == Type::kLabels && n + 1 == parts.size()) {
      const Place place = value.place;
      ConfigNode map = node != nullptr && node->kind == Kind::kMap ? *node : ConfigNode::of_map(place);
      map.erase(parts[n]);
      map.entries.push_back({parts[n], place, std::move(value), false});
      value = std::move(map);
      parts.pop_back();
      return;
    }
    at = declared_below(*at, parts[n]);
    const ConfigNode::Entry* entry = node == nullptr ? nullptr : node->find(parts[n]);
    node = entry == nullptr ? nullptr : &entry->value;
  }
}

/// The value in the maps that a dotted key leads through.
ConfigNode in_maps(const std::vector<std::string>& parts, ConfigNode value) {
  const Place place = value.place;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    ConfigNode map = ConfigNode::of_map(place);
    map.entries.push_back({*part, place, std::move(value), false});
    value = std::move(map);
  }
  return value;
}

/// `declaration` is null where nothing is known of the key; it is refused when decoded.
void add_leaves(const Parameter* declaration, const ConfigNode& node, const std::string& key,
                std::vector<Leaf>& leaves) {
  const bool map = node.kind == Kind::kMap && !node.entries.empty();
  if (declaration == nullptr || !map || !(declaration->holds_keys() || declaration->type == Type::kLabels)) {
    leaves.push_back({key, node.kind == Kind::kNull || (node.kind == Kind::kMap && !map)});
    return;
  }
  const auto fields = fields_of(*declaration, node);
  for (const auto& entry : node.entries)
    add_leaves(find_field(fields, entry.key), entry.value, join_key(key, entry.key), leaves);
}

}  // namespace

std::string default_algorithm(const std::string& model, const std::string& planner) {
  if (const auto* entry = PlannerRegistry::instance().find(planner);
      entry != nullptr && !entry->make.routing.empty())
    return entry->make.routing;
  const auto* entry = NodeRegistry::instance().find(model.empty() ? "generic" : model);
  const auto routing = entry == nullptr ? std::string() : entry->make().routing;
  return routing.empty() ? "dimension_order" : routing;
}

void write_out_shorthands(const Parameter& declaration, ConfigNode& node) {
  if (declaration.type == Type::kVariant && node.kind == Kind::kScalar) {
    ConfigNode map = ConfigNode::of_map(node.place);
    const Place place = node.place;
    map.entries.push_back({declaration.discriminator, place, std::move(node), false});
    node = std::move(map);
  }
  if (declaration.type == Type::kList)
    for (auto& item : node.items) write_out_shorthands(declaration.fields.front(), item);
  if (node.kind != Kind::kMap) return;
  if (declaration.type == Type::kSettings) return flatten_settings(node, declaration.name != "sweep");
  const auto fields = fields_of(declaration, node);
  for (auto& entry : node.entries)
    if (const auto* field = find_field(fields, entry.key)) write_out_shorthands(*field, entry.value);
}

void merge(const Parameter& declaration, ConfigNode& lower, ConfigNode upper) {
  if (upper.kind == Kind::kNull && declaration.holds_keys() && lower.kind == Kind::kMap) return;
  if (lower.kind != Kind::kMap || upper.kind != Kind::kMap || !declaration.holds_keys()) {
    lower = std::move(upper);
    return;
  }
  if (declaration.type == Type::kVariant) drop_old_entry(declaration, lower, upper);
  if (declaration.name.empty()) drop_old_routing(declaration, lower, upper);  // the whole file
  if (!upper.entries.empty()) lower.place = upper.place;
  const auto fields =
      fields_of(declaration, upper.find(declaration.discriminator) != nullptr ? upper : lower);
  for (const auto& field : fields) {
    if (field.alternative.empty()) continue;
    const bool one = upper.find(field.name) != nullptr;
    const bool other = upper.find(field.alternative) != nullptr;
    if (one && !other) lower.erase(field.alternative);
    if (other && !one) lower.erase(field.name);
  }
  for (auto& entry : upper.entries) {
    auto* below = lower.find(entry.key);
    if (below == nullptr) {
      lower.entries.push_back(std::move(entry));
      continue;
    }
    below->place = entry.place;
    below->implied = entry.implied;
    if (const auto* field = find_field(fields, entry.key))
      merge(*field, below->value, std::move(entry.value));
    else
      below->value = std::move(entry.value);
  }
}

void merge_at(const Parameter& schema, ConfigNode& tree, const std::string& dotted_key, ConfigNode value) {
  std::vector<std::string> parts = down_to_settings(schema, split_key(dotted_key));
  widen_to_labels(schema, tree, parts, value);
  value = in_maps(parts, std::move(value));
  write_out_shorthands(schema, value);
  merge(schema, tree, std::move(value));
}

std::vector<Leaf> leaves_at(const Parameter& schema, const std::string& dotted_key, ConfigNode value) {
  value = in_maps(down_to_settings(schema, split_key(dotted_key)), std::move(value));
  write_out_shorthands(schema, value);
  std::vector<Leaf> leaves;
  add_leaves(&schema, value, "", leaves);
  return leaves;
}

ConfigNode node_from_json(const Json& value, const Place& place) {
  if (value.is_null()) {
    ConfigNode node;
    node.place = place;
    return node;
  }
  if (value.is_object()) {
    ConfigNode map = ConfigNode::of_map(place);
    for (const auto& [key, below] : value.items())
      map.entries.push_back({key, place, node_from_json(below, place), false});
    return map;
  }
  if (value.is_array()) {
    ConfigNode list;
    list.kind = Kind::kList;
    list.place = place;
    for (const auto& item : value) list.items.push_back(node_from_json(item, place));
    return list;
  }
  if (value.is_string()) return ConfigNode::of_scalar(value.get<std::string>(), place, true);
  return ConfigNode::of_scalar(value.dump(), place);
}

Json json_from_node(const ConfigNode& node) {
  switch (node.kind) {
    case Kind::kNull:
      return nullptr;
    case Kind::kList: {
      Json list = Json::array();
      for (const auto& item : node.items) list.push_back(json_from_node(item));
      return list;
    }
    case Kind::kMap: {
      Json map = Json::object();
      for (const auto& entry : node.entries) map[entry.key] = json_from_node(entry.value);
      return map;
    }
    case Kind::kScalar:
      break;
  }
  if (node.quoted) return node.scalar;
  if (node.scalar == "true") return true;
  if (node.scalar == "false") return false;
  if (const auto decimal = Decimal::parse(node.scalar))
    if (const auto whole = decimal->integer()) return *whole;
  if (const auto real = parse_real(node.scalar)) return *real;
  return node.scalar;
}

}  // namespace noctule
