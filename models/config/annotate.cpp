// Findings about a configuration, with what only the configuration knows: places, names of parts, which
// point.

#include "config/annotate.h"

#include <fmt/format.h>

#include "config/decode.h"
#include "config/rules.h"
#include "core/json.h"

namespace noctule {

const Place* place_of_key(const PlaceMap& places, std::string key) {
  while (!key.empty()) {
    if (const auto it = places.find(key); it != places.end()) return &it->second;
    const auto cut = key.find_last_of(".[");
    if (cut == std::string::npos) break;
    key.resize(cut);
  }
  return nullptr;
}

namespace {

/// Messages of a part that say "the relation ..." do not know by which name it is registered.
void name_part(Diagnostic& d, const Json& resolved) {
  struct Part {
    const char* key;
    std::string words;
    const char* name;
  };
  static const std::vector<Part> kParts{{"routing.algorithm", "the relation", "routing.algorithm"},
                                        {"multicast.planner", "the planner", "multicast.planner"},
                                        {"traffic.pattern", "the pattern", "traffic.pattern.kind"},
                                        {"traffic.source", "the source", "traffic.source.kind"},
                                        {"topology.kind", "the topology", "topology.kind"}};
  for (const Part& part : kParts) {
    const Json* name = find_value(resolved, part.name);
    const bool says = d.message.starts_with(part.words + " ") && !d.message.starts_with(part.words + " '");
    if (d.key != part.key || name == nullptr || !says) continue;
    d.message.insert(part.words.size(), fmt::format(" '{}'", name->get<std::string>()));
  }
}

ConfigError with_places(const ConfigError& error, const PlaceMap& places, const std::string& file,
                        const Json& resolved) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (auto& d : diagnostics) {
    name_part(d, resolved);
    if (!d.place.empty()) continue;
    const Place* place = place_of_key(places, d.key);
    d.place = place == nullptr ? file : place->text();
  }
  return ConfigError(std::move(diagnostics));
}

}  // namespace

ConfigError Configuration::annotate(const ConfigError& error) const {
  return with_places(error, places, file, resolved);
}
ConfigError PointConfig::annotate(const ConfigError& error) const {
  ConfigError found = with_places(error, *places, file, resolved);
  if (which.empty()) return found;
  std::vector<Diagnostic> diagnostics = found.diagnostics();
  for (auto& d : diagnostics)
    if (!d.message.ends_with(which + ")")) d.message += " (" + which + ")";
  return ConfigError(std::move(diagnostics));
}

}  // namespace noctule
