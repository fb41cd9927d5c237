#pragma once
// The points that a command works on.

#include <string>
#include <vector>

#include "config/decode.h"
#include "tb/options.h"

namespace noctule {

/// All points. Throws ConfigError for keys of the file, or of the command line, that count in none of them.
/// Those of a base, and those of the file that count for nothing because of the command line, are said to be
/// so on standard error, unless --quiet.
std::vector<PointConfig> points_of(const Configuration& configuration, const Options& options);

/// Label of a point with what it sets: "star_channels traffic.offered_load=0.1".
std::string point_name(std::string label, const Json& set);

}  // namespace noctule
