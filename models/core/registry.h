#pragma once
// One registry per kind of thing that a user can add: topologies, routing relations, traffic patterns,
// traffic sources, node models. A thing registers itself from its own file; a name taken twice is an error.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/parameters.h"

namespace noctule {

/// What every registered thing says of itself.
struct RegistryEntryInfo {
  std::string name;
  std::string description;            ///< one line
  std::vector<Parameter> parameters;  ///< its own keys
};

/// All registries by kind, for `noctule list`, decoding and the reference.
class Catalog {
 public:
  using Entries = std::function<std::vector<const RegistryEntryInfo*>()>;
  static Catalog& instance();

  void add(std::string kind, Entries entries) { kinds_[std::move(kind)] = std::move(entries); }
  /// Faults found while things registered themselves (before main, or inside a library being loaded, where
  /// an exception would end the program). Whoever starts a run checks that there are none.
  void report(std::string problem) { problems_.push_back(std::move(problem)); }
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const auto& [kind, unused] : kinds_) names.push_back(kind);
    return names;
  }
  /// Entries of a kind, sorted by name; throws std::out_of_range for an unknown kind.
  [[nodiscard]] std::vector<const RegistryEntryInfo*> entries(const std::string& kind) const {
    return kinds_.at(kind)();
  }
  /// The entry, or null.
  [[nodiscard]] const RegistryEntryInfo* find(const std::string& kind, const std::string& name) const {
    for (const auto* e : entries(kind))
      if (e->name == name) return e;
    return nullptr;
  }

 private:
  std::map<std::string, Entries> kinds_;
  std::vector<std::string> problems_;
};

/// Registry of factories. `Traits` gives `kind` (a string literal) and `Factory` (a std::function type).
/// Each registry is one object per program: `instance()` is defined in the .cpp of its kind.
template <class Traits>
class Registry {
 public:
  struct Entry : RegistryEntryInfo {
    typename Traits::Factory make;
  };

  static Registry& instance();

  void add(Entry entry) {
    const auto name = entry.name;
    if (!entries_.emplace(name, std::move(entry)).second)
      throw ConfigError("", std::string("the ") + Traits::kind + " '" + name + "' is registered twice");
  }
  [[nodiscard]] const Entry* find(const std::string& name) const {
    const auto it = entries_.find(name);
    return it == entries_.end() ? nullptr : &it->second;
  }
  /// The entry; a ConfigError lists what there is if the name is unknown.
  [[nodiscard]] const Entry& at(const std::string& name) const {
    if (const auto* e = find(name)) return *e;
    std::string known;
    for (const auto& [n, unused] : entries_) known += (known.empty() ? "" : ", ") + n;
    throw ConfigError("", std::string("there is no ") + Traits::kind + " '" + name + "'; known: " + known);
  }
  [[nodiscard]] std::vector<const RegistryEntryInfo*> entries() const {
    std::vector<const RegistryEntryInfo*> list;
    for (const auto& [n, e] : entries_) list.push_back(&e);
    return list;
  }

 private:
  Registry() {
    Catalog::instance().add(Traits::kind, [this] { return entries(); });
  }
  std::map<std::string, Entry> entries_;
};

/// `static const Registration<RoutingRegistry> kRegistered{{ {name, description, parameters}, factory }};`
template <class R>
struct Registration {
  explicit Registration(typename R::Entry entry) noexcept {
    try {
      R::instance().add(std::move(entry));
    } catch (const std::exception& e) {
      Catalog::instance().report(e.what());
    }
  }
};

}  // namespace noctule
