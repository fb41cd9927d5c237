#pragma once
// Which values may stand at a key of a configuration, and which are of a wrong type?

#include <optional>
#include <string>
#include <vector>

#include "config/schema.h"
#include "core/json.h"
#include "core/rng.h"

namespace noctule::mutations {

/// Key of a value that is YAML, to be written as it stands, on one line.
inline constexpr const char* kRaw = "\x01raw";

Json raw(const std::string& text);

/// A key that can be mutated.
struct Target {
  std::string key;
  Parameter declaration;
};

template <class List>
const auto& any(const List& list, Rng& rng) {
  return list[rng.below(list.size())];
}

/// What a variant, which stands at `key`, is in a resolved configuration.
std::string chosen(const Json& resolved, const std::string& key, const Parameter& variant);

/// YAML that is no value of the type.
const std::vector<std::string>& wrong_values(Parameter::Type type);

/// Draws values for keys of `document`, which has these sections and, with all defaults, says `resolved`.
class LegalValues {
 public:
  LegalValues(const Json& resolved, Json& document, const std::vector<Target>& sections, Rng& rng)
      : resolved_(resolved), document_(document), sections_(sections), rng_(rng) {}

  /// A legal value that does not contradict the rest; nothing where none can be drawn.
  std::optional<Json> value(const Target& target);

 private:
  /// Keys of a node that no value but the given one may suit, because of other keys (check_node).
  [[nodiscard]] bool hangs_together(const std::string& key) const;
  [[nodiscard]] bool is_discriminator(const std::string& key) const;
  Json integer(const Target& target);
  Json real(const Target& target);
  Json axis();

  const Json& resolved_;
  Json& document_;
  const std::vector<Target>& sections_;
  Rng& rng_;
};

}  // namespace noctule::mutations
