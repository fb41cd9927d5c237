#pragma once
// The result of a point, plane by plane, where its network has several.

#include <cstddef>
#include <string>
#include <vector>

#include "core/json.h"
#include "stats/measurement.h"

namespace noctule {

/// What the result takes of a plane besides the measurement.
struct PlaneContext {
  std::string name;
  std::size_t routers = 0;
  std::size_t first_link = 0;  ///< its links, as FabricCounters::link_flits has them, are these
  std::size_t links = 0;
  std::vector<std::size_t> message_classes;  ///< that it carries, by number
};

struct PlaneResult {
  std::string name;
  std::size_t routers = 0;
  std::size_t links = 0;
  std::vector<std::string> message_classes;
  double flits_per_node_cycle = 0;   ///< delivered, over the terminals that inject (all, where none does)
  double link_utilization_mean = 0;  ///< share of the cycles in which a link is busy
  double link_utilization_max = 0;
};

/// `link_cycles`: for which a flit occupies each link; empty: 1. `node_cycles`: cycles measured, once for
/// each terminal counted.
[[nodiscard]] std::vector<PlaneResult> plane_results(const std::vector<PlaneContext>& planes,
                                                     const MeasurementOutcome& outcome,
                                                     const std::vector<unsigned>& link_cycles,
                                                     std::uint64_t node_cycles,
                                                     const std::vector<std::string>& class_names);

/// As in results.json: by name.
[[nodiscard]] Json to_json(const std::vector<PlaneResult>& planes);

}  // namespace noctule
