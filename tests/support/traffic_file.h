#pragma once
// Sources that read a text file.

#include <memory>
#include <string>

#include "core/json.h"
#include "support/cube_network.h"
#include "support/text_file.h"
#include "traffic/source.h"

namespace noctule {

/// The source of this kind, its file holding `text`, on 8 terminals, with the message classes request and
/// response. `set`: further keys.
inline std::unique_ptr<TrafficSource> read_traffic(const std::string& kind, const std::string& text,
                                                   const Json& set = Json::object()) {
  const TextFile file(kind, text);
  const auto& entry = SourceRegistry::instance().at(kind);
  auto keys = Parameters::defaults(entry.parameters);
  keys.set("file", file.path());
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  SourceContext c;
  c.topology = std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 2}, std::vector<bool>{true, true});
  c.classes = {{"request", {}, {}}, {"response", {}, {}}};
  return entry.make(c, keys);
}

}  // namespace noctule
