#pragma once
// What a run says on the terminal when it is done.

#include <string>

#include "core/parameters.h"

namespace noctule {

/// One line per point, aligned, units in the header. `points`: the array of results.json.
std::string points_table(const Json& points);

/// "3 stable, 1 saturated".
std::string status_summary(const Json& points);

}  // namespace noctule
