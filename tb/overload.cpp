#include "tb/overload.h"

#include <fmt/format.h>

#include "run/configured_point.h"

namespace noctule {
namespace {

/// Routers of the largest fabric that is simulated, times the cycles of a run.
constexpr double kMostRouterCycles = 50e6;
constexpr int kWarmUp = 2000;
constexpr int kCycles = 6000;

}  // namespace

std::optional<PointConfig> short_point(const ExplainedFabric& fabric, std::string& obstacle) {
  if (static_cast<double>(fabric.plan.routers.size()) * (kWarmUp + kCycles) > kMostRouterCycles) {
    obstacle =
        fmt::format("the fabric has more than {:.0f} routers", kMostRouterCycles / (kWarmUp + kCycles));
    return std::nullopt;
  }
  PointConfig point = fabric.point;
  Json& measurement = point.resolved.at("measurement");
  measurement["warm_up"] = kWarmUp;
  measurement["cycles"] = kCycles;
  return point;
}

std::optional<PointConfig> point_above(const ExplainedFabric& fabric, std::string& obstacle) {
  if (fabric.limits.bounds.empty()) {
    obstacle = "there is no bound";
    return std::nullopt;
  }
  if (!fabric.plan.relation->serves_all()) {
    obstacle = "the routing relation is for some pairs of terminals only";
    return std::nullopt;
  }
  if (!fabric.offered()) {
    obstacle = "the source has no rate";
    return std::nullopt;
  }
  auto point = short_point(fabric, obstacle);
  if (!point) return std::nullopt;
  const double load = kAboveBound * fabric.limits.bounds.front().flits_per_node_cycle;
  const char* const kTooMuch = "more than a packet per terminal and cycle cannot be offered";
  if (load > fabric.spec.mean_length_flits) {
    obstacle = kTooMuch;
    return std::nullopt;
  }
  Json& traffic = point->resolved.at("traffic");
  traffic["offered_load"] = load;
  traffic["load_unit"] = "flits_per_node_cycle";
  traffic["source_queue"] = "infinite";
  if (fabric.spec.source->offered()) {  // rates of its own
    Json& source = traffic.at("source");
    if (!source.contains("scale")) {
      obstacle = "the rates of the source cannot be scaled";
      return std::nullopt;
    }
    source["scale"] = source.at("scale").get<double>() * load / *fabric.offered();
  }
  try {
    (void)configured_point(*point, kNoTrace);
  } catch (const ConfigError& error) {
    obstacle = fabric.spec.source->offered()
                   ? kTooMuch
                   : fmt::format("the source cannot offer {:.4g} flits per terminal and cycle: {}", load,
                                 error.diagnostics().front().message);
    return std::nullopt;
  }
  return point;
}

}  // namespace noctule
