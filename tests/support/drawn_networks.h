#pragma once
// Networks of every registered kind, in shapes that are drawn by what its keys say of themselves.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "support/networks.h"

namespace noctule {

struct DrawnNetwork {
  std::string kind;
  Json set;  ///< keys that are not the default
  std::shared_ptr<const Topology> topology;
  std::optional<NetworkSize> size;  ///< as announced, if the kind does
  [[nodiscard]] std::string text() const { return kind + " " + set.dump(); }
};

/// A value near the least that is allowed; null: the default.
inline Json drawn_value(const Parameter& key, Rng& rng) {
  using Type = Parameter::Type;
  const auto least = static_cast<std::int64_t>(key.minimum);
  const auto up_to = [&](std::int64_t more) {
    const auto most = std::min(static_cast<double>(least + more), key.maximum);
    return least + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(most) - least + 1));
  };
  if (key.type == Type::kInteger) return up_to(4);
  if (key.type == Type::kBoolean) return rng.below(2) == 1;
  if (key.type == Type::kChoice) return key.choices[rng.below(key.choices.size())];
  if (key.type == Type::kList && key.fields.front().type == Type::kInteger) {
    Json list = Json::array();
    for (auto n = std::max<std::int64_t>(1, up_to(2)); n > 0; --n)
      list.push_back(drawn_value(key.fields.front(), rng));
    return list;
  }
  return nullptr;
}

/// Up to `count` networks of each kind, of up to `most` routers. None of kinds that need a file.
inline std::vector<DrawnNetwork> drawn_networks(std::size_t count, std::size_t most, Rng& rng) {
  constexpr int kTries = 60;
  std::vector<DrawnNetwork> all;
  for (const auto* entry : TopologyRegistry::instance().entries()) {
    const auto& keys = entry->parameters;
    if (!has_defaults(*entry)) continue;
    const auto& kind = TopologyRegistry::instance().at(entry->name);
    std::vector<Json> known;
    for (int n = 0; n < kTries && known.size() < count; ++n) {
      DrawnNetwork drawn{entry->name, Json::object(), nullptr, {}};
      auto all_keys = Parameters::defaults(keys);
      for (const Parameter& key : keys)
        if (const Json value = drawn_value(key, rng); !value.is_null()) {
          drawn.set[key.name] = value;
          all_keys.set(key.name, value);
        }
      if (std::find(known.begin(), known.end(), drawn.set) != known.end()) continue;
      try {
        if (kind.make.size) drawn.size = kind.make.size(all_keys);
        if (drawn.size && drawn.size->routers > static_cast<double>(most)) continue;
        drawn.topology = make_topology(entry->name, all_keys);
      } catch (const ConfigError&) {
        continue;
      }
      if (drawn.topology->routers() > most) continue;
      known.push_back(drawn.set);
      all.push_back(std::move(drawn));
    }
  }
  return all;
}

}  // namespace noctule
