#pragma once
// When a key of the configuration counts for anything. Declared beside the key, by whoever declares the key;
// read where configurations are checked, and by the reference.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters.h"

namespace noctule {

struct KeyEffect {
  /// Dotted keys; a section or a variant stands for all that is in it.
  std::vector<std::string> keys;
  /// Own keys of an entry, such as those of routing dimension_order: its name. Empty: keys of all entries.
  std::string entry;
  /// Completes "counts only where ...".
  std::string where;
  /// Do they, in a complete configuration of one point?
  std::function<bool(const Json& resolved)> holds;
  /// Where they do not: why, and what to do, if there is more to say than `where`. May be empty, and say "".
  std::function<std::string(const Json& resolved)> otherwise = {};
};

class KeyEffects {
 public:
  static KeyEffects& instance();
  void add(KeyEffect effect) { all_.push_back(std::move(effect)); }
  [[nodiscard]] const std::vector<KeyEffect>& all() const { return all_; }

 private:
  std::vector<KeyEffect> all_;
};

/// `static const EffectOf kEffect{{{"node.arbiter"}, "", "there is an allocator", has_allocator}};`
struct EffectOf {
  explicit EffectOf(KeyEffect effect) { KeyEffects::instance().add(std::move(effect)); }
};

}  // namespace noctule
