#pragma once
// Short runs of an explained fabric under more load than it can serve (explain --prove, explain --try).

#include <optional>
#include <string>

#include "tb/explanation.h"

namespace noctule {

inline constexpr double kAboveBound = 1.1;  ///< offered, of the bound on the load

/// Warm-up and measurement of so many cycles as such a run has.
void measure_shortly(PointConfig& point);
/// The point, offering a tenth more than its bound, in a short run; nothing where that is no rate that can be
/// offered, or where the fabric is too large: `obstacle` says why.
[[nodiscard]] std::optional<PointConfig> point_above(const ExplainedFabric& fabric, std::string& obstacle);

}  // namespace noctule
