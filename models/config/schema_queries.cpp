// What is asked of the declared keys: which there are, where one is declared, what it allows.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "config/schema.h"
#include "config/spelling.h"
#include "config/unknown_key.h"
#include "core/json.h"

namespace noctule {

using P = Parameter;

const RegistryEntryInfo* find_entry(const Parameter& variant, const std::string& name) {
  return Catalog::instance().find(variant.registry, name);
}

std::vector<std::string> entry_names(const Parameter& variant) {
  std::vector<std::string> names;
  for (const auto* entry : Catalog::instance().entries(variant.registry)) names.push_back(entry->name);
  return names;
}

std::vector<Parameter> variant_fields(const Parameter& variant, const RegistryEntryInfo* entry) {
  std::vector<Parameter> fields;
  Json otherwise = variant.default_value;
  if (otherwise.is_object()) otherwise = otherwise.at(variant.discriminator);
  fields.push_back(
      P::choice(variant.discriminator, otherwise, entry_names(variant), "which " + variant.registry));
  fields.back().registry = variant.registry;
  fields.insert(fields.end(), variant.fields.begin(), variant.fields.end());
  if (entry != nullptr) fields.insert(fields.end(), entry->parameters.begin(), entry->parameters.end());
  return fields;
}

bool takes_ranges(const Parameter& p) {
  if (p.type != P::Type::kList) return false;
  const P& element = p.fields.front();
  return element.type == P::Type::kInteger && (element.name == "terminal" || element.name == "router");
}

std::string join_key(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : parent + "." + key;
}

std::vector<std::string> split_key(const std::string& dotted_key) {
  std::vector<std::string> parts(1);
  for (const char c : dotted_key) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

namespace {

/// Declarations of the keys directly below one; for a variant those of all its entries.
std::vector<P> below(const P& declaration) {
  if (declaration.type == P::Type::kSection) return declaration.fields;
  if (declaration.type != P::Type::kVariant) return {};
  auto fields = variant_fields(declaration, nullptr);
  for (const auto* entry : Catalog::instance().entries(declaration.registry))
    fields.insert(fields.end(), entry->parameters.begin(), entry->parameters.end());
  return fields;
}

/// Dotted keys of everything that is no list element, for spelling.
void all_keys(const P& declaration, const std::string& path, std::vector<std::string>& keys) {
  for (const auto& field : below(declaration)) {
    const std::string key = join_key(path, field.name);
    keys.push_back(key);
    all_keys(field, key, keys);
  }
}

}  // namespace

std::vector<Parameter> find_declarations(const std::string& dotted_key, std::string& nearest) {
  std::vector<P> found{configuration_schema()};
  const auto parts = split_key(dotted_key);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const std::string& part = parts[n];
    // The keys of settings are dotted keys themselves.
    if (n > 0 && !found.empty() && found.front().type == P::Type::kSettings)
      return find_declarations(
          fmt::format("{}", fmt::join(parts.begin() + static_cast<std::ptrdiff_t>(n), parts.end(), ".")),
          nearest);
    std::vector<P> next;
    for (const auto& declaration : found)
      for (auto& field : below(declaration))
        if (field.name == part) next.push_back(std::move(field));
    for (const auto& declaration : found) {
      if (declaration.type == P::Type::kNamed) {
        next.push_back(declaration.fields.front());
        next.back().name = part;
      }
      // Which fields and values there are is known once the network is.
      if (declaration.type == P::Type::kLabels)
        next.push_back(P::text(part, nullptr, declaration.description).or_several());
    }
    found = std::move(next);
  }
  if (found.empty()) {
    std::vector<std::string> keys;
    all_keys(configuration_schema(), "", keys);
    const std::string spelling = nearest_spelling(dotted_key, keys);
    const bool one_letter = !spelling.empty() && edit_distance(dotted_key, spelling) == 1;
    nearest = one_letter ? spelling : parts.size() == 1 ? key_elsewhere(dotted_key) : std::string();
    if (nearest.empty()) nearest = key_of_synonym(parts.back());
    if (nearest.empty() && parts.size() > 1)
      nearest = key_near_synonym(parts.back(), dotted_key.substr(0, dotted_key.rfind('.')));
    if (nearest.empty() || nearest == dotted_key) nearest = spelling;
  }
  return found;
}

std::string choosing_key(const std::string& dotted_key) {
  std::string nearest;
  const auto declarations = find_declarations(dotted_key, nearest);
  const bool variant = !declarations.empty() && declarations.front().type == P::Type::kVariant;
  return variant ? join_key(dotted_key, declarations.front().discriminator) : dotted_key;
}

bool is_within(const std::string& key, const std::string& section) {
  return key.starts_with(section) &&
         (key.size() == section.size() || key[section.size()] == '.' || key[section.size()] == '[');
}

bool displace_each_other(const std::string& key, const std::string& other) {
  const auto section = [](const std::string& of) { return of.substr(0, of.rfind('.') + 1); };
  if (key == other || section(key) != section(other)) return false;
  const auto stands_for = [&](const std::string& one, const std::string& another) {
    std::string nearest;
    return std::ranges::any_of(find_declarations(one, nearest), [&](const Parameter& declaration) {
      return !declaration.alternative.empty() && section(one) + declaration.alternative == another;
    });
  };
  return stands_for(key, other) || stands_for(other, key);
}

namespace {

void visit(const P& declaration, const std::string& path,
           const std::function<void(const std::string&, const P&)>& f) {
  if (!path.empty()) f(path, declaration);
  switch (declaration.type) {
    case P::Type::kSection:
      for (const auto& field : declaration.fields) visit(field, join_key(path, field.name), f);
      break;
    case P::Type::kList:
      visit(declaration.fields.front(), path + "[]", f);
      break;
    case P::Type::kNamed:
      for (const auto& field : declaration.fields.front().fields)
        visit(field, path + ".NAME." + field.name, f);
      break;
    case P::Type::kVariant:
      for (const auto& field : variant_fields(declaration, nullptr))
        visit(field, join_key(path, field.name), f);
      for (const auto* entry : Catalog::instance().entries(declaration.registry))
        for (const auto& field : entry->parameters)
          visit(field, fmt::format("{}{{{}}}.{}", path, entry->name, field.name), f);
      break;
    default:
      break;
  }
}

std::string number_text(double value) {
  return std::abs(value) < 9e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

std::string range_text(const P& p) {
  const bool low = p.minimum > std::numeric_limits<double>::lowest();
  const bool high = p.maximum < 9.2e18;
  std::string text;
  if (low && p.above_minimum)
    text = high ? fmt::format("above {}, at most {}", number_text(p.minimum), number_text(p.maximum))
                : "above " + number_text(p.minimum);
  else if (low && high)
    text = fmt::format("{} to {}", number_text(p.minimum), number_text(p.maximum));
  else if (low)
    text = fmt::format("at least {}", number_text(p.minimum));
  else if (high)
    text = fmt::format("at most {}", number_text(p.maximum));
  if (!text.empty() && !p.unit.empty() && p.unit != "load_unit") text += " " + p.unit;
  return text;
}

std::string with_words(std::string text, const P& p) {
  for (const auto& word : p.choices) text += " or " + word;
  return text;
}

}  // namespace

void visit_keys(const std::function<void(const std::string&, const Parameter&)>& f) {
  visit(configuration_schema(), "", f);
}

std::string allowed_values(const Parameter& p) {
  const auto with_range = [&](std::string what) {
    const auto range = range_text(p);
    return with_words(range.empty() ? std::move(what) : what + ", " + range, p);
  };
  switch (p.type) {
    case P::Type::kBoolean:
      return "true or false";
    case P::Type::kInteger:
      return with_range("an integer");
    case P::Type::kReal:
      return with_range("a number");
    case P::Type::kText:
      return p.is_file   ? "a path, relative to the file that gives it"
             : p.or_list ? "text, or a list of texts"
                         : "text";
    case P::Type::kChoice:
      return fmt::format("one of {}", fmt::join(p.choices, ", "));
    case P::Type::kList:
      return fmt::format("a list of {} to {} elements, each {}{}", number_text(p.minimum),
                         number_text(p.maximum), allowed_values(p.fields.front()),
                         takes_ranges(p) ? ", or ranges, as in [0-11, 20]" : "");
    case P::Type::kSection:
      return "a section of keys";
    case P::Type::kNamed:
      return fmt::format("at most {} names, each with a section of keys", number_text(p.maximum));
    case P::Type::kSettings:
      return "a section of dotted keys with their values";
    case P::Type::kLabels:
      return "a map from field names to a value or a list of values";
    case P::Type::kVariant:
      return fmt::format("one of {}", fmt::join(entry_names(p), ", "));
  }
  return {};
}

}  // namespace noctule
