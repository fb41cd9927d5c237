#pragma once
// Area and clock of the routers of a run, from the cost table.

#include <string>
#include <vector>

#include "config/decode.h"
#include "config/node_cost.h"
#include "core/json.h"

namespace noctule {

inline constexpr double kMm2 = 1e-6;  ///< of a square micrometre

/// {"low": , "high": }
Json to_json(const CostRange& range);
/// What results.json says of the hardware of a point.
Json to_json(const NodeCost& cost, const std::vector<std::string>& notes);

/// "4.41-4.69"
std::string range_text(const CostRange& range, int digits);

/// Is it a plot in nanoseconds or per area?
bool needs_cost(const Json& plots);

/// The book of the table that is shipped.
CostBook shipped_cost_book();

/// Figures of every point, in its order, as to_json gives them. Throws ConfigError that names all series that
/// have none, and what to do.
std::vector<Json> cost_of_points(const std::vector<PointConfig>& points);

}  // namespace noctule
