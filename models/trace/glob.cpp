#include "trace/glob.h"

#include <fnmatch.h>

#include <algorithm>

namespace noctule {

bool GlobSet::matches(const std::string& name) {
  bool any = false;
  for (std::size_t g = 0; g < globs_.size(); ++g) {
    bool hit = fnmatch(globs_[g].c_str(), name.c_str(), 0) == 0;
    for (auto dot = name.find('.'); !hit && dot != std::string::npos; dot = name.find('.', dot + 1))
      hit = fnmatch(globs_[g].c_str(), name.substr(0, dot).c_str(), 0) == 0;
    if (hit) used_[g] = true;
    any = any || hit;
  }
  return any;
}

bool GlobSet::may_match_below(std::string_view prefix) const {
  return std::any_of(globs_.begin(), globs_.end(), [&](const std::string& glob) {
    const auto literal = std::string_view(glob).substr(0, glob.find_first_of("*?[\\"));
    const auto common = std::min(literal.size(), prefix.size());
    return literal.substr(0, common) == prefix.substr(0, common);
  });
}

std::vector<std::string> GlobSet::unused() const {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < globs_.size(); ++g)
    if (!used_[g]) names.push_back(globs_[g]);
  return names;
}

}  // namespace noctule
