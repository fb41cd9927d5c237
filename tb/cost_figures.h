#pragma once
// Area and clock of the routers of a run, from the cost table.

#include <optional>
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

/// The routers of a point together. `sum` is empty where `obstacle` says why.
struct CostOfAll {
  std::optional<NodeCost> sum;
  std::size_t routers = 0;
  std::string obstacle;
};
/// Of several kinds, all of which have figures.
CostOfAll cost_of_all(const std::vector<CostOfKind>& kinds);

/// "4.41-4.69"
std::string range_text(const CostRange& range, int digits);

/// Is it a plot in nanoseconds or per area?
bool needs_cost(const Json& plots);

/// The book of the table that is shipped.
CostBook shipped_cost_book();

/// Figures of every point, in its order, as to_json gives them: of its router, or where routers differ of
/// their mean, with "kinds": [{"routers", "set", ...}]. Throws ConfigError that names all series that have
/// none, and what to do.
std::vector<Json> cost_of_points(const std::vector<PointConfig>& points);

}  // namespace noctule
