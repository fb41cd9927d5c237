#pragma once
// Jobs of a command in child processes, with progress on the terminal.

#include <functional>
#include <vector>

#include "run/process_pool.h"
#include "run/progress.h"
#include "tb/options.h"

namespace noctule {

/// Runs the jobs, as many at once as the options say, and shows their progress. `finished`: once per job, as
/// it ends; whoever writes to the terminal there clears the line first. True: a signal ended it early.
bool run_jobs(const std::vector<Job>& jobs, const Options& options,
              const std::function<void(const Outcome&, ProgressLine&)>& finished);

/// ConfigError or InternalError for a job that failed.
void throw_failure(const Outcome& outcome);

}  // namespace noctule
