#include "core/parameters.h"

#include <algorithm>

#include "core/error.h"

namespace noctule {

std::size_t choice_index(const Parameters& parameters, const std::string& name,
                         const std::vector<std::string>& choices, const std::string& section) {
  const auto given = parameters.get<std::string>(name);
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string known;
  for (const auto& c : choices) known += (known.empty() ? "" : ", ") + c;
  throw ConfigError(section + "." + name, "'" + given + "' is not allowed; allowed: " + known);
}

}  // namespace noctule
