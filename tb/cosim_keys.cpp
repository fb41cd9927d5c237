#include "tb/cosim_keys.h"

#include <fmt/format.h>

#include <array>

#include "tb/idle_keys.h"

namespace noctule {

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
  static constexpr std::array<IdleKey, 4> kIdle{{
      {"trace", "cosim records the pins of a router where cosim.record names it; `noctule run` traces"},
      {"plots", "cosim compares and draws nothing; `noctule run` draws"},
      {"expect", "no point of cosim has such a status; `noctule run` looks at it"},
      {"measurement", "cosim runs for cosim.cycles; set these"},
  }};
  check_idle_keys(kIdle, configuration, points, quiet);
  static constexpr std::array<IdleKey, 1> kIdleIfPlain{
      {{"traffic", "with cosim.mode plain the traffic is drawn; leave it out, or take another mode"}}};
  std::vector<PointConfig> plain;
  for (const PointConfig& point : points)
    if (point.resolved.at("cosim").at("mode") == "plain") plain.push_back(point);
  check_idle_keys(kIdleIfPlain, configuration, plain, quiet);
}

void check_keys_of_cosim_alone(const Configuration& configuration, const std::vector<PointConfig>& points,
                               bool quiet) {
  constexpr const char* kInstead = "`noctule cosim` heeds it";
  static constexpr std::array<IdleKey, 6> kIdle{{{"cosim.mode", kInstead},
                                                 {"cosim.cycles", kInstead},
                                                 {"cosim.resets", kInstead},
                                                 {"cosim.coverage", kInstead},
                                                 {"cosim.draws", kInstead},
                                                 {"cosim.record", kInstead}}};
  check_idle_keys(kIdle, configuration, points, quiet);
}

}  // namespace noctule
