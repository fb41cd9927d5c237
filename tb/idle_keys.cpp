#include "tb/idle_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "config/rules.h"
#include "config/schema.h"
#include "core/error_output.h"
#include "core/json.h"

namespace noctule {
namespace {

const IdleKey* idle_of(std::span<const IdleKey> idle, const std::string& key) {
  const auto found =
      std::ranges::find_if(idle, [&](const IdleKey& one) { return is_within(key, one.section); });
  return found == idle.end() ? nullptr : &*found;
}

/// Does a key ask for something that there will not be? In a file others only say how it would be done.
bool asks(const std::string& key, const Json& value) {
  if (key == "trace.vcd" || key == "trace.events" || key == "measurement.flows") return value == true;
  if (key == "plots") return !value.empty();
  if (key == "expect") return value != "any";
  if (key == "traffic.stall") return value != 0;
  if (key == "traffic.sink.kind") return value != "open";
  return key == "traffic.source_queue" && value != "infinite";
}

}  // namespace

void check_idle_keys(std::span<const IdleKey> idle, const Configuration& configuration,
                     std::span<const PointConfig> points, bool quiet) {
  Faults wrong;
  std::set<std::string> said;
  for (const PointConfig& point : points)
    for (const auto& [key, place] : *point.places) {
      const IdleKey* const found = idle_of(idle, key);
      if (found == nullptr) continue;
      const bool option = place.line == 0;
      const Json* const value = find_value(point.resolved, key);
      const bool within = value != nullptr && value->is_object();
      if (within || (!option && (value == nullptr || !asks(key, *value)))) continue;
      if (place.source != nullptr &&
          std::ranges::find(configuration.echoes, *place.source) != configuration.echoes.end())
        continue;
      if (!said.insert(place.text() + key).second) continue;
      const std::string text = fmt::format("has no effect here: {}", found->instead);
      if (option)
        wrong.push_back({key, text, place});
      else if (!quiet)
        print_error("noctule: warning: {}: {}: {}\n", place.text(), key, text);
    }
  if (!wrong.empty()) throw to_error(std::move(wrong));
}

}  // namespace noctule
