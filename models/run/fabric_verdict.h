#pragma once
// Can worms deadlock in this fabric? A proof, or a simulation that shows a deadlock, or neither: the same
// answer for `verify`, `explore` and the gate before a run.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "run/process_pool.h"
#include "verify/verifier.h"

namespace noctule {

/// The fabric of a point: all that a verdict reads.
struct FabricOfPoint {
  /// Of what the plan and the options are made from (fabric_part), and of the files that it names: fabrics
  /// with the same key are the same.
  std::string key;
  std::shared_ptr<const FabricPlan> plan;  ///< without routes that a traffic source prescribes
  VerifyOptions options;
  std::uint64_t router_cycles = 0;  ///< that the search for a deadlock may simulate
};
/// Throws ConfigErrors that name places.
[[nodiscard]] FabricOfPoint fabric_of(const PointConfig& point);
/// The key alone; makes nothing.
[[nodiscard]] std::string fabric_key(const Json& resolved);

/// A signal asked the program to stop.
struct Interrupted {};

/// How simulations are run: in child processes, in which SystemC may elaborate.
struct Simulations {
  /// Calls the work from the program's sc_main; once per process.
  std::function<void(const std::function<void()>& work)> elaborate;
  /// Runs the jobs and calls `finished` for each; true: a signal ended it early.
  std::function<bool(const std::vector<Job>& jobs, const std::function<void(const Outcome&)>& finished)> run;
};

/// A simulation that ended in a deadlock.
struct SimulatedDeadlock {
  std::string workload;  ///< "the worms of the witness", "overload with packets of 4 flits", ...
  Cycle cycle = 0;       ///< in which it was found
  Json worms;            ///< those that wait for each other for ever: as `deadlock` in results.json
  std::string file;      ///< the configuration that deadlocks; empty: none was asked for
};

/// What a search for a deadlock by simulation came to.
struct DeadlockSearch {
  std::optional<SimulatedDeadlock> found;
  std::vector<WitnessWorm> worms;   ///< those of the witness, started as they deadlocked; else empty
  std::size_t runs = 0;             ///< simulations that did not deadlock
  std::uint64_t router_cycles = 0;  ///< of these, in all
  bool cut = false;                 ///< more would have been tried, had the limit allowed it
};

/// Simulates the fabric of `point` until it deadlocks: the worms of the certificate's witness, the messages
/// of its cycle, overload of many kinds; at most `router_cycles` in all. Same configuration, same outcome,
/// for any number of processes. A configuration that deadlocks is left in STEM.yaml (with STEM.trace), unless
/// `stem` is empty. Throws ConfigError where files cannot be written, and Interrupted.
[[nodiscard]] DeadlockSearch search_deadlock(const Certificate& certificate, const PointConfig& point,
                                             std::uint64_t router_cycles, const Simulations& simulations,
                                             const std::string& stem);

struct FabricVerdict {
  Certificate certificate;
  std::optional<SimulatedDeadlock> deadlock;  ///< for Verdict::kDeadlockPossible
};

/// Proved; else deadlock possible, with a simulation that shows it; else unknown, with the reason and with
/// what is missing. Throws as search_deadlock, and ConfigErrors of the verifier that name places.
[[nodiscard]] FabricVerdict judge_fabric(const FabricOfPoint& fabric, const PointConfig& point,
                                         const Simulations& simulations, const std::string& stem = "");

}  // namespace noctule
