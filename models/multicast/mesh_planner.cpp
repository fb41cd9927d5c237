#include "multicast/mesh_planner.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "topology/hamiltonian_path.h"

namespace noctule {

const CubeGeometry& require_plane_mesh(const Topology& topology, const std::string& planner) {
  const auto& mesh = require_mesh(topology, kPlannerKey, planner);
  if (mesh.dimensions() != 2)
    throw ConfigError(kPlannerKey,
                      planner + " needs rows and columns: a mesh of 2 dimensions; the topology has " +
                          std::to_string(mesh.dimensions()) +
                          "; give topology.radix 2 values, or use dual_path, which takes any mesh, "
                          "or individual, which takes any topology");
  return mesh;
}

std::span<const std::string> up_and_down() {
  static const std::vector<std::string> names{"up", "down"};
  return names;
}

std::vector<ConsumptionClassRule> class_by_up_and_down() {
  return {{0, {{"group", {"up"}}}}, {1, {{"group", {"down"}}}}, {0, {{"group", {"unicast"}}}}};
}

std::vector<MeshVisit> mesh_visits(const Topology& topology, const CubeGeometry& mesh, TerminalId source,
                                   std::span<const TerminalId> destinations) {
  const auto coordinate = [&](RouterId router, unsigned d) {
    return static_cast<std::int32_t>(mesh.coordinate(router, d));
  };
  const auto here = topology.injection_router(source);
  std::vector<MeshVisit> visits;
  visits.reserve(destinations.size());
  for (const auto terminal : destinations) {
    MeshVisit visit;
    visit.terminal = terminal;
    visit.router = topology.consumption_router(terminal);
    visit.column = coordinate(visit.router, 0);
    visit.rows = coordinate(visit.router, 1) - coordinate(here, 1);
    visit.distance =
        static_cast<std::uint32_t>(std::abs(visit.column - coordinate(here, 0)) + std::abs(visit.rows));
    visits.push_back(visit);
  }
  return visits;
}

void append_worms(std::vector<MeshVisit>& visits, std::vector<PlannedWorm>& worms) {
  std::sort(visits.begin(), visits.end(), [](const MeshVisit& a, const MeshVisit& b) {
    return std::tie(a.worm, a.distance, a.terminal) < std::tie(b.worm, b.distance, b.terminal);
  });
  for (auto from = visits.begin(); from != visits.end();) {
    const auto to =
        std::find_if(from, visits.end(), [&](const MeshVisit& v) { return v.worm != from->worm; });
    auto& worm = worms.emplace_back();
    worm.group = from->group;
    worm.stops.reserve(static_cast<std::size_t>(to - from));
    for (; from != to; ++from) worm.stops.push_back({from->router, from->terminal});
  }
}

}  // namespace noctule
