#pragma once
// What planners on meshes share: how they refuse a topology, the groups "up" and "down", and, on
// 2-D meshes, the way from visits to worms. A 2-D mesh is drawn as in Boppana et al. 1998, 2: columns (x,
// dimension 0) from the left, rows (y, dimension 1) from the top, so that y_minus goes up.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "multicast/planner.h"
#include "topology/cube_geometry.h"

namespace noctule {

inline constexpr std::uint8_t kUp = 0;
inline constexpr std::uint8_t kDown = 1;

/// The topology as a 2-D mesh without wraps; a ConfigError that names the planner if it is something else.
const CubeGeometry& require_plane_mesh(const Topology& topology, const std::string& planner);

/// {"up", "down"}: kUp, kDown.
std::span<const std::string> up_and_down();
/// Class 0 for up and class 1 for down (Boppana et al. 1998, 3.2). Unicasts use class 0 wherever they go:
/// what goes down may then wait for what goes up, but never the other way round.
std::vector<ConsumptionClassRule> class_by_up_and_down();

/// A destination as its source sees it, and the worm that goes there.
struct MeshVisit {
  std::uint32_t worm = 0;      ///< worms are injected by ascending number
  std::uint32_t distance = 0;  ///< hops from the source: the order of the stops of a worm
  TerminalId terminal{};
  RouterId router{};
  std::int32_t column = 0;  ///< x of the destination
  std::int32_t rows = 0;    ///< rows below the source, negative: above, 0: same row
  std::uint8_t group = 0;
};

/// The destinations with all but their worms and groups filled in. `mesh`: the geometry of the topology.
std::vector<MeshVisit> mesh_visits(const Topology& topology, const CubeGeometry& mesh, TerminalId source,
                                   std::span<const TerminalId> destinations);
/// Appends the worms of the visits, which come back in their order. Visits of one worm are of one group.
void append_worms(std::vector<MeshVisit>& visits, std::vector<PlannedWorm>& worms);

}  // namespace noctule
