#include "tb/simulations.h"

#include "core/data_files.h"
#include "tb/elaboration.h"
#include "tb/jobs.h"

namespace noctule {

Simulations simulations(const Options& options) {
  return {run_in_sc_main,
          [options](const std::vector<Job>& jobs, const std::function<void(const Outcome&)>& finished) {
            return run_jobs(jobs, options, [&](const Outcome& outcome, ProgressLine&) { finished(outcome); });
          }};
}

DeadlockGate deadlock_gate(const Options& options, const std::string& program) {
  const auto cache = cache_folder();
  return DeadlockGate(ProofStore(cache.empty() ? cache : cache / "proofs", program), simulations(options),
                      options.fresh);
}

}  // namespace noctule
