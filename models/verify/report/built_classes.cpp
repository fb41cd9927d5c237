#include "verify/report/built_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "topology/cube_geometry.h"

namespace noctule {

std::string spread_text(std::uint64_t least, std::uint64_t most) {
  return least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
}

std::string built_classes_text(const FabricPlan& plan) {
  const auto* cube = plan.topology->geometry<CubeGeometry>();
  if (cube == nullptr) return "";
  const auto classes = [&](RouterId router, PortId port) {
    const auto& outputs = plan.routers[index(router)]->outputs;
    return std::count_if(outputs.begin(), outputs.end(), [&](const VcPlan& vc) {
      return vc.crossbar >= 0 && vc.port == port && vc.lane == 0;
    });
  };
  std::string text;
  for (unsigned d = 0; d < cube->dimensions(); ++d) {
    std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
    std::ptrdiff_t most = 0;
    for (const Link& link : plan.topology->links()) {
      if (CubeGeometry::dimension_of(link.out) != d) continue;
      if (cube->both_ways() && !CubeGeometry::is_plus(link.out)) continue;
      auto counted = classes(link.from, link.out);
      if (cube->both_ways()) counted += classes(link.to, CubeGeometry::minus(d));
      least = std::min(least, counted);
      most = std::max(most, counted);
    }
    text += fmt::format("{}dimension {}: {}", d == 0 ? "" : ", ", d,
                        spread_text(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)));
  }
  std::set<unsigned> replicas;
  for (const Link& link : plan.topology->links()) replicas.insert(plan.lanes(link.id));
  const std::string lanes = replicas.empty() ? "1" : spread_text(*replicas.begin(), *replicas.rbegin());
  return fmt::format("VC classes per {}link, {}; {} lane{} of each",
                     cube->both_ways() ? "bidirectional " : "", text, lanes, lanes == "1" ? "" : "s");
}

}  // namespace noctule
