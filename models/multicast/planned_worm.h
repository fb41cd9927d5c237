#pragma once
// Where a worm with several destinations goes.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace noctule {

/// A place that a worm visits.
struct Stop {
  RouterId router{};
  TerminalId terminal = kNoTerminal;  ///< is served there; kNoTerminal: the worm is only routed via here
  [[nodiscard]] constexpr bool serves() const { return terminal != kNoTerminal; }
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// Destinations among stops.
[[nodiscard]] inline std::uint32_t destinations(const std::vector<Stop>& stops) {
  return static_cast<std::uint32_t>(
      std::count_if(stops.begin(), stops.end(), [](const Stop& s) { return s.serves(); }));
}

/// A copy of a message, and the places that it visits in this order: at least one, the last with a terminal.
struct PlannedWorm {
  std::vector<Stop> stops;
  std::uint8_t group = 0;  ///< what kind of copy it is (MulticastPlanner::groups)
  friend bool operator==(const PlannedWorm&, const PlannedWorm&) = default;
};

}  // namespace noctule
