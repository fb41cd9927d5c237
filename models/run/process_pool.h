#pragma once
// Jobs that each run in a child process of their own: SystemC elaborates once per process, and a crash takes
// one job only.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "run/stop_signals.h"

namespace noctule {

/// Told the fraction done, 0 to 1, as often as convenient; passed on at most ten times a second.
using ReportProgress = std::function<void(double fraction)>;

struct Job {
  std::string name;  ///< for messages
  /// Runs in the child, which ends as soon as it returns: no static destructors, nothing registered with
  /// atexit. Returns one record of any bytes. What it writes to standard output goes to standard error.
  /// Should ask stop_requested() now and then and, if told so, return anything quickly.
  std::function<std::string(const ReportProgress&)> work;
  double cost = 1;  ///< expected run time, relative to the other jobs
};

/// How a job ended.
struct Outcome {
  enum Kind {
    kDone,           ///< `record` is complete
    kConfigError,    ///< the work threw one: `diagnostics`
    kInternalError,  ///< the work threw an InternalError, or ran out of memory, or threw anything else
    kCrashed,        ///< a signal, or an end without a record: `signal`, `exit_code`
    kInterrupted     ///< stopped by a signal to the parent, or never started because of it
  };
  std::size_t job = 0;  ///< index into the jobs
  Kind kind = kDone;
  std::string record;
  /// What went wrong, for the user, with the name of the job; of a ConfigError without it. Empty: nothing
  /// did.
  std::string message;
  std::vector<Diagnostic> diagnostics;  ///< of the ConfigError, places included
  int signal = 0;                       ///< that ended the child; 0: none
  int exit_code = 0;                    ///< of the child, if no signal ended it
};

struct PoolOptions {
  unsigned processes = 1;     ///< at once; with one, too, jobs run in children
  bool longest_first = true;  ///< by cost; among equals, and otherwise, in the order given
  /// From the first signal, when children are asked to stop, to their killing.
  std::chrono::milliseconds grace{2000};
};

/// All are called in the parent, between its other duties: they should return soon. What they throw ends the
/// run: the children are killed, and run() throws it on.
struct PoolCallbacks {
  std::function<void(Outcome)> finished;  ///< exactly once per job, as they end
  std::function<void(std::size_t job)> started;
  std::function<void(std::size_t job, double fraction)> progressed;
  std::function<void()> tick;  ///< at least ten times a second
};

struct PoolResult {
  bool interrupted = false;  ///< SIGINT, SIGTERM or SIGHUP came in
  int signal = 0;            ///< which
};

/// The first signal ends the run in order: no job starts, children get SIGTERM and, after the grace, SIGKILL;
/// a job that ends meanwhile with its work complete counts as done. The second kills them at once. No child
/// outlives run(), nor the parent if it dies.
class ProcessPool {
 public:
  /// Throws ConfigError under the key "threads" for 0 processes.
  explicit ProcessPool(PoolOptions options);

  /// Throws ConfigError under the key "threads" if not a single process can be started.
  PoolResult run(const std::vector<Job>& jobs, const PoolCallbacks& callbacks) const;

 private:
  PoolOptions options_;
};

}  // namespace noctule
