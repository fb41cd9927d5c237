#include "support/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "config/decode.h"
#include "config/merge.h"
#include "config/reference.h"
#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"
#include "support/mutate_values.h"

namespace noctule::mutations {
namespace {

using Type = Parameter::Type;

/// Writes block style and remembers the line of each key.
class BlockWriter {
 public:
  std::string write(const Json& document) {
    section(document, "", 0);
    return text_;
  }
  [[nodiscard]] int line_of(const std::string& key) const {
    const auto it = lines_.find(key);
    return it == lines_.end() ? 0 : it->second;
  }

 private:
  void section(const Json& map, const std::string& path, std::size_t indent) {
    for (const auto& [key, value] : map.items()) {
      const std::string full = join_key(path, key);
      lines_[full] = line_++;
      text_ += std::string(indent, ' ') + key + ":";
      if (value.is_object() && value.contains(kRaw)) {
        text_ += " " + value.at(kRaw).get<std::string>() + "\n";
      } else if (value.is_object() && !value.empty()) {
        text_ += "\n";
        section(value, full, indent + 2);
      } else {
        text_ += " " + yaml_text(value) + "\n";
      }
    }
  }
  std::string text_;
  std::map<std::string, int> lines_;
  int line_ = 1;
};

class Mutator {
 public:
  Mutator(const std::string& yaml, Rng& rng) : rng_(rng) {
    const auto configuration = decode_text(yaml, "example");
    resolved_ = configuration.resolved;
    document_ = json_from_node(configuration.document);
    collect(configuration_schema(), "", resolved_);
  }

  Mutation draw() {
    fill_in_some();
    Mutation m;
    for (;;) {
      const auto kind = static_cast<Legality>(rng_.below(5));
      m = {{}, kind, {}, {}, false};
      edits_.clear();
      if (apply(kind, m)) break;
    }
    BlockWriter writer;
    m.yaml = writer.write(document_);
    for (const auto& key : edits_) m.lines.push_back(writer.line_of(key));
    return m;
  }

 private:
  // --- what there is ----------------------------------------------------------------------------------
  void collect(const Parameter& p, const std::string& path, const Json& value) {
    if (!path.empty()) targets_.push_back({path, p});
    std::vector<Parameter> fields;
    if (p.type == Type::kSection) fields = p.fields;
    if (p.type == Type::kVariant)
      fields = variant_fields(p, find_entry(p, value.at(p.discriminator).get<std::string>()));
    if (!fields.empty()) sections_.push_back({path, p});
    for (const auto& field : fields) {
      if (field.name == "base" || field.name == "implied") continue;
      collect(field, join_key(path, field.name), value.contains(field.name) ? value.at(field.name) : Json());
    }
  }

  /// Some of the defaults written out, so that any key may be there or not.
  void fill_in_some() {
    for (const auto& target : targets_) {
      const auto type = target.declaration.type;
      if (type == Type::kSection || type == Type::kVariant || type == Type::kSettings) continue;
      const Json* value = find_value(resolved_, target.key);
      if (value != nullptr && find_value(document_, target.key) == nullptr && rng_.below(4) == 0)
        set(target.key, *value);
    }
  }

  void set(const std::string& key, Json value) {
    Json* at = &document_;
    for (const auto& part : split_key(key)) {
      if (!at->is_object() || at->contains(kRaw)) *at = Json::object();
      at = &(*at)[part];
    }
    *at = std::move(value);
  }
  void erase(const std::string& key) {
    Json* at = &document_;
    const auto parts = split_key(key);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      if (!at->is_object() || !at->contains(parts[i])) return;
      at = &(*at)[parts[i]];
    }
    if (at->is_object()) at->erase(parts.back());
  }
  void edit(Mutation& m, const std::string& key, Json value) {
    set(key, std::move(value));
    m.key = key;
    edits_ = {key};
  }

  bool apply(Legality kind, Mutation& m) {
    switch (kind) {
      case Legality::kLegal:
        return legal(m);
      case Legality::kUnknownKey:
        return unknown(m);
      case Legality::kMistyped:
        return mistyped(m);
      case Legality::kOutOfRange:
        return out_of_range(m);
      case Legality::kContradictory:
        return contradictory(m);
    }
    return false;
  }

  // --- the five kinds ---------------------------------------------------------------------------------
  bool unknown(Mutation& m) {
    const auto& place = any(sections_, rng_);
    const auto fields =
        place.declaration.type == Type::kSection
            ? place.declaration.fields
            : variant_fields(place.declaration,
                             find_entry(place.declaration, chosen(resolved_, place.key, place.declaration)));
    std::string word = any(fields, rng_).name;
    misspell(word);
    const bool legal_word = std::ranges::any_of(fields, [&](const Parameter& p) { return p.name == word; });
    if (word.empty() || legal_word) return false;
    if (rng_.below(8) == 0) {
      const std::string axis = any(targets_, rng_).key + "x";
      std::string nearest;
      if (!find_declarations(axis, nearest).empty()) return false;
      document_["sweep"] = Json::object({{axis, Json::array({1})}});
      m.key = "sweep." + axis;
      edits_ = {m.key};
      return true;
    }
    edit(m, join_key(place.key, word), rng_.below(2) == 0 ? Json(1) : Json(word));
    return true;
  }

  void misspell(std::string& word) {
    const std::size_t at = rng_.below(word.size());
    switch (rng_.below(4)) {
      case 0:
        word.erase(at, 1);
        break;
      case 1:
        word.insert(at, 1, static_cast<char>('a' + rng_.below(26)));
        break;
      case 2:
        word[at] = static_cast<char>('a' + rng_.below(26));
        break;
      default:
        std::swap(word[at], word[word.size() - 1 - at]);
    }
    if (!word.empty() && (word[0] < 'a' || word[0] > 'z')) word.insert(0, "q");
    if (word == "n" || word == "y" || word == "no" || word == "on") word += "q";
  }

  bool mistyped(Mutation& m) {
    const auto& target = any(targets_, rng_);
    const auto& values = wrong_values(target.declaration.type);
    std::string text = any(values, rng_);
    // A word that is allowed there is not mistyped.
    if (std::ranges::find(target.declaration.choices, text) != target.declaration.choices.end()) return false;
    if (takes_ranges(target.declaration) && text == "5") return false;
    if (target.declaration.or_list && text == "[a]") return false;
    edit(m, target.key, raw(text));
    return true;
  }

  bool out_of_range(Mutation& m) {
    const auto& target = any(targets_, rng_);
    const auto& p = target.declaration;
    std::vector<std::string> values;
    const auto number = [](double x) { return fmt::format("{:.17g}", x); };
    if (p.type == Type::kInteger) {
      if (p.minimum > -9e15) values.push_back(fmt::format("{}", static_cast<std::int64_t>(p.minimum) - 1));
      if (p.maximum < 9e15) values.push_back(fmt::format("{}", static_cast<std::int64_t>(p.maximum) + 1));
      values.insert(values.end(),
                    {"1e30", "-1e30", "123456789012345678901234567890123456789012345678901234567890"});
    } else if (p.type == Type::kReal) {
      values.push_back(p.above_minimum ? number(p.minimum) : number(p.minimum - 0.001));
      if (p.maximum < 1e300) values.push_back(number(p.maximum * 1.001 + 0.001));
      values.insert(values.end(), {"1e999", "-1e999"});
    } else if (p.type == Type::kList) {
      if (p.minimum >= 1) values.emplace_back("[]");
      if (p.maximum < 100) values.push_back(many(static_cast<std::size_t>(p.maximum) + 1));
    }
    if (values.empty()) return false;
    edit(m, target.key, raw(any(values, rng_)));
    if (!p.alternative.empty()) erase(sibling(target.key, p.alternative));
    return true;
  }
  static std::string many(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "2" : ", 2";
    return "[" + text + "]";
  }
  static std::string sibling(const std::string& key, const std::string& name) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? name : key.substr(0, dot + 1) + name;
  }

  bool contradictory(Mutation& m) {
    std::vector<const Target*> alternatives;
    for (const auto& target : targets_)
      if (!target.declaration.alternative.empty()) alternatives.push_back(&target);
    const auto choice = rng_.below(rules().size() + alternatives.size());
    if (choice >= rules().size()) {
      const Target& target = *alternatives[choice - rules().size()];
      const auto other = sibling(target.key, target.declaration.alternative);
      const auto* otherwise = find_value(resolved_, other);
      const auto value = legal_values_.value(target);
      if (!value || otherwise == nullptr) return false;
      set(other, *otherwise);
      edit(m, target.key, *value);
      edits_ = {target.key, other};
      return true;
    }
    // The example must not meet an axis or a series that changes its keys.
    document_.erase("sweep");
    document_.erase("compare");
    for (const auto& [key, text] : rules()[choice].example) {
      const auto* old = find_value(document_, key);
      if (old != nullptr && old->is_object()) erase(key);
      set(key, raw(text));
      edits_.push_back(key);
      m.key = key;
    }
    if (document_.contains("traffic") && document_["traffic"].is_object())
      document_["traffic"].erase("packet_lengths");
    return true;
  }

  bool legal(Mutation& m) {
    const auto& target = any(targets_, rng_);
    auto value = legal_values_.value(target);
    if (!value) return false;
    edit(m, target.key, std::move(*value));
    if (!target.declaration.alternative.empty()) erase(sibling(target.key, target.declaration.alternative));
    for (const auto& other : targets_)
      if (other.declaration.alternative == split_key(target.key).back() &&
          sibling(target.key, split_key(other.key).back()) == other.key)
        erase(other.key);
    m.buildable = target.key.compare(0, 7, "limits.") != 0 && target.key.compare(0, 9, "topology.") != 0 &&
                  target.declaration.type != Type::kSettings && target.key != "expect" &&
                  target.key != "compare";
    return true;
  }

  Rng& rng_;
  Json resolved_;
  Json document_;
  std::vector<Target> targets_;
  std::vector<Target> sections_;
  LegalValues legal_values_{resolved_, document_, sections_, rng_};
  std::vector<std::string> edits_;
};

}  // namespace
}  // namespace noctule::mutations

namespace noctule {

const char* to_string(Legality verdict) noexcept {
  static constexpr std::array<const char*, 5> kNames{"legal", "unknown key", "mistyped", "out of range",
                                                     "contradictory"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Mutation mutate(const std::string& yaml, Rng& rng) {
  return mutations::Mutator(yaml, rng).draw();
}

}  // namespace noctule
