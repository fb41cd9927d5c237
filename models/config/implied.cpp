#include "config/implied.h"

#include <algorithm>
#include <string>
#include <vector>

#include "config/decode.h"
#include "config/rules.h"
#include "config/schema.h"
#include "core/json.h"

namespace noctule {
namespace {

using Kind = ConfigNode::Kind;

void erase_key(ConfigNode& node, const std::vector<std::string>& parts, std::size_t at) {
  if (at + 1 == parts.size()) return node.erase(parts[at]);
  if (auto* below = node.find(parts[at])) erase_key(below->value, parts, at + 1);
}

}  // namespace

void drop_implied(ConfigNode& document) {
  const auto* implied = document.find("implied");
  if (implied == nullptr || implied->value.kind != Kind::kList) return;
  if (std::ranges::any_of(implied->value.items, [](const ConfigNode& n) { return n.kind != Kind::kScalar; }))
    return;  // refused when decoded
  ConfigNode without = document;
  for (const auto& item : implied->value.items) erase_key(without, split_key(item.scalar), 0);
  without.erase("implied");
  const Decoded full = complete(document);
  const Decoded bare = complete(without);
  for (const auto& item : implied->value.items) {
    const auto* given = find_value(full.values, item.scalar);
    const auto* otherwise = find_value(bare.values, item.scalar);
    const bool same = given != nullptr && otherwise != nullptr && *given == *otherwise;
    if (same) erase_key(document, split_key(item.scalar), 0);
  }
  document.erase("implied");
}

}  // namespace noctule
