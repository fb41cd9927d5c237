#include "tb/jobs.h"

#include <algorithm>
#include <thread>

#include "tb/plug_ins.h"

namespace noctule {

bool run_jobs(const std::vector<Job>& jobs, const Options& options,
              const std::function<void(const Outcome&, ProgressLine&)>& finished) {
  if (jobs.empty()) return false;
  std::vector<double> costs;
  std::vector<Job> guarded;
  for (const Job& job : jobs) {
    costs.push_back(job.cost);
    guarded.push_back({job.name,
                       [&](const ReportProgress& report) {
                         return ask_libraries(options.libraries, [&] { return job.work(report); });
                       },
                       job.cost});
  }
  ProgressLine progress(
      costs, options.quiet, stderr,
      options.progress ? ProgressLine::kPlainInterval : std::optional<std::chrono::milliseconds>());
  PoolOptions pool;
  pool.processes = options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  PoolCallbacks callbacks;
  callbacks.started = [&](std::size_t job) {
    progress.estimate().start(job);
    progress.tick();
  };
  callbacks.progressed = [&](std::size_t job, double fraction) {
    progress.estimate().progress(job, fraction);
  };
  callbacks.tick = [&] { progress.tick(); };
  callbacks.finished = [&](const Outcome& outcome) {
    progress.estimate().finish(outcome.job, outcome.kind != Outcome::kDone);
    finished(outcome, progress);
  };
  const bool interrupted = ProcessPool(pool).run(guarded, callbacks).interrupted;
  progress.end();
  return interrupted;
}

void throw_failure(const Outcome& outcome) {
  if (outcome.kind == Outcome::kConfigError) throw ConfigError(outcome.diagnostics);
  if (outcome.kind == Outcome::kInternalError || outcome.kind == Outcome::kCrashed)
    throw InternalError(outcome.message);
}

}  // namespace noctule
