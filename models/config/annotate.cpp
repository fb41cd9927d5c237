// Findings about a configuration, with what only the configuration knows: places, names of parts, which
// point.

#include "config/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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
    const bool of_a_file = !d.place.empty();  // a line of it says what it means
    if (d.key != part.key || name == nullptr || !says || of_a_file) continue;
    d.message.insert(part.words.size(), fmt::format(" '{}'", name->get<std::string>()));
  }
}

/// A message without its names and numbers: two that are alike say the same of different places.
std::string skeleton(const std::string& message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at;
    bool digit = false;
    for (; end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) != 0 ||
                                    message[end] == '_' || message[end] == '.');
         ++end)
      digit = digit || std::isdigit(static_cast<unsigned char>(message[end])) != 0;
    if (end == at) {
      text += message[at++];
      continue;
    }
    const std::string word = digit ? "#" : message.substr(at, end - at);
    at = end;
    if (digit && text.ends_with("#, "))
      text.resize(text.size() - 2);  // a list, of whatever length
    else
      text += word;
  }
  return text;
}

/// Of findings under one key that are alike, and are not about lines of a file, the first is told, and how
/// many more there are.
std::vector<Diagnostic> fold(std::vector<Diagnostic> found) {
  struct Kind {
    std::string key, skeleton;
    std::size_t first, more;
  };
  std::vector<Kind> kinds;
  std::vector<Diagnostic> kept;
  for (auto& d : found) {
    if (!d.place.empty()) {
      kept.push_back(std::move(d));
      continue;
    }
    auto words = skeleton(d.message);
    const auto known = std::ranges::find_if(
        kinds, [&](const Kind& kind) { return kind.key == d.key && kind.skeleton == words; });
    if (known != kinds.end()) {
      ++known->more;
      continue;
    }
    kinds.push_back({d.key, std::move(words), kept.size(), 0});
    kept.push_back(std::move(d));
  }
  for (const Kind& kind : kinds)
    if (kind.more > 0) kept[kind.first].message += fmt::format(" (and {} more like it)", kind.more);
  return kept;
}

ConfigError with_places(const ConfigError& error, const PlaceMap& places, const std::string& file,
                        const Json& resolved) {
  std::vector<Diagnostic> diagnostics = fold(error.diagnostics());
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
