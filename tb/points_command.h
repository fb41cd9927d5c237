#pragma once
// What run, sweep, compare and explore have in common: results on disk as they come, an interrupted run goes
// on.

#include <functional>
#include <memory>
#include <string>

#include "config/decode.h"
#include "tb/options.h"
#include "tb/points_study.h"

namespace noctule {

/// The file with the changes of the command line.
Configuration decoded(const Options& options);

/// Makes what a command wants of its points. `program`: what results depend on besides the configuration
/// (point_key).
using StudyMaker = std::function<std::unique_ptr<PointsStudy>(const std::string& program)>;

/// Simulates the points of the configuration, and writes and reports what comes of it. `series_key`: axis
/// whose values are the series to compare; empty: they are those of the file. Returns the exit code.
int simulate_points(const Options& options, const Configuration& configuration, const StudyMaker& make_study,
                    const std::string& series_key = "");
/// The same for commands that compare series and want nothing else.
int simulate_series(const Options& options, const Configuration& configuration,
                    const std::string& series_key = "");

}  // namespace noctule
