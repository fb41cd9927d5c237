#pragma once
// Plots are drawn by a script that stands beside the program.

#include <string>
#include <vector>

#include "core/parameters.h"
#include "tb/options.h"

namespace noctule {

/// Draws the wanted plots of a result folder; returns the files. What keeps it from doing so is said on
/// standard error: results without pictures are still results.
std::vector<std::string> draw_plots(const Json& wanted, const std::string& folder, const Options& options);

}  // namespace noctule
