#include "tb/cosim_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "config/rules.h"
#include "core/error_output.h"
#include "core/json.h"

namespace noctule {
namespace {

/// Keys without effect, and what to do instead.
struct Idle {
  const char* section;
  const char* instead;
};
constexpr std::array<Idle, 4> kIdle{{
    {"trace", "cosim records the pins of a router where cosim.record names it; `noctule run` traces"},
    {"plots", "cosim compares and draws nothing; `noctule run` draws"},
    {"expect", "no point of cosim has such a status; `noctule run` looks at it"},
    {"measurement", "cosim runs for cosim.cycles; set these"},
}};

const Idle* idle_of(const std::string& key) {
  const auto* const found = std::ranges::find_if(kIdle, [&](const Idle& idle) {
    const std::string section = idle.section;
    return key == section || key.starts_with(section + ".") || key.starts_with(section + "[");
  });
  return found == kIdle.end() ? nullptr : found;
}

/// Does a key ask for something that there will not be? In a file others only say how it would be done.
bool asks(const std::string& key, const Json& resolved) {
  if (key == "trace.vcd" || key == "trace.events") return *find_value(resolved, key) == true;
  if (key == "plots") return !resolved.at("plots").empty();
  return key == "expect" && resolved.at("expect") != "any";
}

}  // namespace

std::optional<RouterId> recorded_router(const PointConfig& point, const Topology& topology,
                                        const std::vector<std::optional<RtlSource>>& rtl) {
  const auto wanted = point.resolved.at("cosim").at("record").get<std::string>();
  if (wanted.empty()) return std::nullopt;
  for (std::size_t r = 0; r < topology.routers(); ++r) {
    if (topology.router_name(RouterId(r)) != wanted) continue;
    if (!rtl.empty() && !rtl[r])
      throw point.annotate(
          ConfigError("cosim.record", fmt::format("{} is not RTL: name it under nodes", wanted)));
    return RouterId(r);
  }
  throw point.annotate(ConfigError(
      "cosim.record",
      fmt::format("no router is called '{}'; there are {} to {}", wanted, topology.router_name(RouterId{0}),
                  topology.router_name(RouterId(topology.routers() - 1)))));
}

void check_cosim_keys(const Configuration& configuration, const std::vector<PointConfig>& points,
                      bool quiet) {
  Faults wrong;
  std::set<std::string> said;
  for (const PointConfig& point : points)
    for (const auto& [key, place] : *point.places) {
      const Idle* const idle = idle_of(key);
      const bool option = place.line == 0;
      const bool within =
          find_value(point.resolved, key) != nullptr && find_value(point.resolved, key)->is_object();
      if (idle == nullptr || within || (!option && !asks(key, point.resolved))) continue;
      if (place.source != nullptr &&
          std::ranges::find(configuration.echoes, *place.source) != configuration.echoes.end())
        continue;
      if (!said.insert(place.text() + key).second) continue;
      const std::string text = fmt::format("has no effect here: {}", idle->instead);
      if (option)
        wrong.push_back({key, text, place});
      else if (!quiet)
        print_error("noctule: warning: {}: {}: {}\n", place.text(), key, text);
    }
  if (!wrong.empty()) throw to_error(std::move(wrong));
}

}  // namespace noctule
