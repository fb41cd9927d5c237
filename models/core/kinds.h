#pragma once
// Descriptions of many objects of which few differ.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/ids.h"

namespace noctule {

/// What each of many objects is like, by its Id. Memory follows what differs.
template <class T, class Id>
class Kinds {
 public:
  Kinds() : Kinds(T{}) {}
  Kinds(T all)  // NOLINT(google-explicit-constructor): objects that are alike
      : kinds_{std::move(all)} {}

  [[nodiscard]] const T& operator[](Id object) const {
    return kinds_[kind_.empty() ? 0 : kind_[index(object)]];
  }
  [[nodiscard]] std::size_t kind(Id object) const { return kind_.empty() ? 0 : kind_[index(object)]; }
  /// Every description that some object has (after `settle`).
  [[nodiscard]] std::span<const T> kinds() const { return kinds_; }
  [[nodiscard]] bool alike() const { return kinds_.size() == 1; }
  template <class F>
  [[nodiscard]] bool any(F&& f) const {
    return std::any_of(kinds_.begin(), kinds_.end(), f);
  }
  template <class F>
  [[nodiscard]] bool all(F&& f) const {
    return std::all_of(kinds_.begin(), kinds_.end(), f);
  }

  /// `objects`: how many there are in all. ConfigError of the key where too many differ.
  void set(Id object, const T& description, std::size_t objects, const std::string& key) {
    const auto known = std::find(kinds_.begin(), kinds_.end(), description);
    const auto kind = static_cast<std::size_t>(known - kinds_.begin());
    if (kind == 0 && kind_.empty()) return;
    if (known == kinds_.end()) {
      if (kinds_.size() > std::numeric_limits<std::uint16_t>::max())
        throw ConfigError(key, "more than 65,536 of them differ from each other; let more be alike");
      kinds_.push_back(description);
    }
    if (kind_.empty()) kind_.resize(objects);
    kind_[index(object)] = static_cast<std::uint16_t>(kind);
  }
  /// Forgets descriptions that no object has; the first is the one that most have.
  void settle() {
    if (kind_.empty()) return;
    std::vector<std::size_t> count(kinds_.size());
    for (const auto kind : kind_) ++count[kind];
    std::vector<std::uint16_t> order;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (count[k] > 0) order.push_back(static_cast<std::uint16_t>(k));
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return count[a] > count[b]; });
    std::vector<T> kept;
    std::vector<std::uint16_t> number(kinds_.size());
    for (const auto k : order) {
      number[k] = static_cast<std::uint16_t>(kept.size());
      kept.push_back(std::move(kinds_[k]));
    }
    kinds_ = std::move(kept);
    if (alike()) return kind_.clear();
    for (auto& kind : kind_) kind = number[kind];
  }

 private:
  std::vector<T> kinds_;
  std::vector<std::uint16_t> kind_;  ///< by object; empty: all are of the first kind
};

}  // namespace noctule
