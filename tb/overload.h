#pragma once
// Short runs of an explained fabric under more load than it can serve (explain --prove, explain --try).

#include <optional>
#include <string>

#include "tb/explanation.h"

namespace noctule {

inline constexpr double kAboveBound = 1.1;  ///< offered, of the bound on the load

/// The point in a short run; nothing where the fabric is too large: `obstacle` says so.
[[nodiscard]] std::optional<PointConfig> short_point(const ExplainedFabric& fabric, std::string& obstacle);
/// The same, offering a tenth more than its bound; nothing, too, where that is no rate that can be offered.
[[nodiscard]] std::optional<PointConfig> point_above(const ExplainedFabric& fabric, std::string& obstacle);

}  // namespace noctule
