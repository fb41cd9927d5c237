#pragma once
// Which parts of the hierarchy: shell globs on dotted names, "*" running across the dots.

#include <string>
#include <string_view>
#include <vector>

namespace noctule {

class GlobSet {
 public:
  explicit GlobSet(std::vector<std::string> globs) : globs_(std::move(globs)), used_(globs_.size(), false) {}

  /// Is this dotted name, or something that contains it, chosen? "router_3_4" chooses all that is in it.
  bool matches(const std::string& name);
  /// False only if nothing whose name starts with `prefix` can be chosen.
  [[nodiscard]] bool may_match_below(std::string_view prefix) const;
  /// The same of what is in this router of this fabric, whose name may stand in front or not.
  [[nodiscard]] bool may_concern(const std::string& fabric, const std::string& router) const {
    return may_match_below(router + ".") || may_match_below(fabric + "." + router + ".");
  }
  /// Globs that have never matched.
  [[nodiscard]] std::vector<std::string> unused() const;

 private:
  std::vector<std::string> globs_;
  std::vector<bool> used_;
};

}  // namespace noctule
