#pragma once
// The points that a command works on.

#include <cstddef>
#include <string>
#include <vector>

#include "config/decode.h"
#include "tb/options.h"

namespace noctule {

/// All points. Throws ConfigError for keys of the file, or of the command line, that count in none of them.
/// Those of a base, and those of the file that count for nothing because of the command line, are said to be
/// so on standard error, unless --quiet.
std::vector<PointConfig> points_of(const Configuration& configuration, const Options& options);

/// Is point i the first one of its series? Unless the file says otherwise, only that is traced.
bool first_of_series(const std::vector<PointConfig>& points, std::size_t i);

/// Label of a point with what it sets: "star_channels traffic.offered_load=0.1".
std::string point_name(std::string label, const Json& set);

}  // namespace noctule
