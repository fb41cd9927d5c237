#pragma once
// What a proof takes for granted, and does not look at.

#include <string>
#include <vector>

#include "run/point.h"

namespace noctule {

/// Sentences for `verify` and `check`; empty: all that runs is what was looked at.
[[nodiscard]] std::vector<std::string> proof_assumptions(const PointSpec& spec);

}  // namespace noctule
