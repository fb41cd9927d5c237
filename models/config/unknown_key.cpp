#include "config/unknown_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/given.h"
#include "config/schema.h"
#include "config/spelling.h"
#include "core/registry.h"

namespace noctule {

std::string key_elsewhere(const std::string& word) {
  std::string found;
  bool several = false;
  visit_keys([&](const std::string& path, const Parameter&) {
    if (path.find('[') != std::string::npos || !path.ends_with("." + word)) return;
    if (path.find(".NAME.") != std::string::npos) return;  // of a section that the user names
    std::string key = path;
    if (const auto entry = key.find('{'); entry != std::string::npos)
      key.erase(entry, key.find('}') + 1 - entry);
    several = several || (!found.empty() && found != key);
    found = key;
  });
  return several ? std::string() : found;
}

namespace {

/// Where one of the sections beside it has the key, or is called as its value says: "rtl.files", "rtl".
std::string key_of_a_section(const std::vector<Parameter>& fields, const ConfigNode::Entry& entry) {
  using Type = Parameter::Type;
  for (const auto& field : fields)
    if (field.type == Type::kSection && entry.value.kind == ConfigNode::Kind::kScalar &&
        entry.value.scalar == field.name)
      return field.name;
  for (const auto& field : fields)
    if (field.type == Type::kSection &&
        std::ranges::any_of(field.fields, [&](const Parameter& below) { return below.name == entry.key; }))
      return field.name + "." + entry.key;
  return "";
}

/// The entries of the variant that have this key: "flows, trace_file".
std::string entries_with(const Parameter* variant, const std::string& key) {
  if (variant == nullptr) return "";
  std::vector<std::string> names;
  for (const std::string& name : entry_names(*variant)) {
    const auto& keys = find_entry(*variant, name)->parameters;
    if (std::ranges::any_of(keys, [&](const Parameter& p) { return p.name == key; })) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string about_unknown_key(const std::vector<Parameter>& fields, const Parameter* variant,
                              const ConfigNode::Entry& entry, const std::string& path) {
  if (const auto sentence = remedy_for(path, entry.key); !sentence.empty())
    return fmt::format(": {}.", sentence);
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const auto& field : fields) names.push_back(field.name);
  const std::string sibling = nearest_spelling(entry.key, names);
  std::string meant = path.empty() ? key_elsewhere(entry.key) : key_of_a_section(fields, entry);
  if (meant.empty() && !sibling.empty() && edit_distance(entry.key, sibling) == 1) meant = sibling;
  if (meant.empty())
    if (const auto others = entries_with(variant, entry.key); !others.empty())
      return fmt::format(": it is a key of '{}: {}'.", variant->discriminator, others);
  if (meant.empty()) meant = key_elsewhere(entry.key);
  if (meant.empty()) {
    meant = key_of_synonym(entry.key);
    if (!sibling.empty() && (path.empty() || !meant.starts_with(path + "."))) meant = sibling;
  }
  if (meant.empty()) meant = key_near_synonym(entry.key, path);
  if (!path.empty() && meant.starts_with(path + ".")) meant.erase(0, path.size() + 1);
  if (meant == entry.key) meant = sibling;  // a key of this section, but of another kind
  return meant.empty() ? "." : with_hint(meant);
}

std::string about_missing_key(const std::string& dotted_key, const std::string& nearest) {
  const auto dot = dotted_key.rfind('.');
  const auto sentence = dot == std::string::npos
                            ? std::string()
                            : remedy_for(dotted_key.substr(0, dot), dotted_key.substr(dot + 1));
  return sentence.empty() ? with_hint(nearest) : ": " + sentence;
}

std::string about_a_list(const std::string& dotted_key) {
  const auto parts = split_key(dotted_key);
  const auto sentence = remedy_for(parts.front(), parts.back() + "[]");
  return "; several values are an axis: `--axis KEY=A,B`, or `sweep`" +
         (sentence.empty() ? "" : "; " + sentence);
}

}  // namespace noctule
