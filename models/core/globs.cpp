#include "core/globs.h"

#include <fnmatch.h>

#include <algorithm>

namespace noctule {

std::optional<std::string> each_match(const std::vector<std::string>& globs, std::size_t objects,
                                      const std::function<std::string(std::size_t)>& name_of,
                                      const std::function<void(std::size_t)>& f) {
  if (globs.empty()) return {};
  std::vector<bool> matched(globs.size());
  for (std::size_t i = 0; i < objects; ++i) {
    const std::string name = name_of(i);
    bool any = false;
    for (std::size_t g = 0; g < globs.size(); ++g)
      if (fnmatch(globs[g].c_str(), name.c_str(), 0) == 0) matched[g] = any = true;
    if (any) f(i);
  }
  const auto unmatched = std::find(matched.begin(), matched.end(), false);
  if (unmatched == matched.end()) return {};
  return globs[static_cast<std::size_t>(unmatched - matched.begin())];
}

}  // namespace noctule
