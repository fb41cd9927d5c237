// Values of a sweep axis.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/decimal.h"
#include "config/decoder.h"
#include "config/given.h"
#include "config/merge.h"
#include "config/schema.h"
#include "config/spelling.h"
#include "core/json.h"

namespace noctule {
namespace {

using Kind = ConfigNode::Kind;

Decimal decimal_of(const ConfigNode::Entry* entry, bool& good) {
  const auto d = entry != nullptr && entry->value.kind == Kind::kScalar ? Decimal::parse(entry->value.scalar)
                                                                        : std::nullopt;
  good = good && d.has_value();
  return d.value_or(Decimal{});
}

constexpr std::array<const char*, 3> kEnds{"from", "to", "step"};

/// What is wrong with an entry of an axis, "sweep.seed", that is none of these.
std::string no_end_of_range(const std::string& axis, const std::string& entry) {
  const std::string dotted = join_key(axis.substr(axis.find('.') + 1), entry);
  std::string nearest;
  if (!find_declarations(dotted, nearest).empty())
    return fmt::format("an axis is called by its whole key; write '{}: [...]'", dotted);
  nearest = nearest_spelling(entry, {kEnds.begin(), kEnds.end()});
  return fmt::format("unknown key '{}'{} A range has from, to and step", shown(entry),
                     nearest.empty() ? "." : with_hint(nearest));
}

}  // namespace

std::vector<ConfigNode> axis_values(const ConfigNode& axis, const std::string& key, Faults& faults) {
  const auto refuse = [&](std::string message) {
    faults.push_back({key, std::move(message), axis.place});
    return std::vector<ConfigNode>();
  };
  if (axis.kind == Kind::kScalar) return {axis};
  if (axis.kind == Kind::kList) {
    if (axis.items.empty()) return refuse("an axis without values gives no points; list at least one");
    if (axis.items.size() > kMostAxisValues)
      return refuse(fmt::format("{} values; allowed are at most {}", axis.items.size(), kMostAxisValues));
    std::map<std::string, Place> known;
    for (const ConfigNode& item : axis.items) {
      const bool in_file = item.place.line > 0;
      const auto [before, fresh] = known.emplace(json_from_node(item).dump(), item.place);
      if (!fresh)
        faults.push_back(
            {key,
             fmt::format("{} is given twice, which is one point twice; leave one out{}", shown(before->first),
                         in_file ? fmt::format(" (the other: {})", before->second.text()) : ""),
             item.place});
    }
    return axis.items;
  }
  if (axis.kind == Kind::kNull) return refuse("no values are given; expected a list or {from, to, step}");
  for (const auto& entry : axis.entries)
    if (std::ranges::find(kEnds, entry.key) == kEnds.end()) {
      faults.push_back({join_key(key, entry.key), no_end_of_range(key, entry.key), entry.place});
      return {};
    }
  bool good = true;
  const Decimal from = decimal_of(axis.find("from"), good);
  const Decimal to = decimal_of(axis.find("to"), good);
  const Decimal step = decimal_of(axis.find("step"), good);
  if (!good) return refuse("a range needs three numbers: {from, to, step}");
  const auto range = decimal_range(from, to, step, kMostAxisValues);
  if (!range)
    return refuse(
        fmt::format("from {} to {} in steps of {} is no range of 1 to {} values; to a smaller "
                    "value the step is below 0",
                    from.text(), to.text(), step.text(), kMostAxisValues));
  std::vector<ConfigNode> values;
  for (const auto& d : *range) values.push_back(ConfigNode::of_scalar(d.text(), axis.place));
  return values;
}

}  // namespace noctule
