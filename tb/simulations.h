#pragma once
// What the program gives to whoever needs a verdict: simulations in child processes, and remembered proofs.

#include "run/deadlock_gate.h"
#include "tb/options.h"

namespace noctule {

/// Simulations with the progress and as many at once as the options say.
[[nodiscard]] Simulations simulations(const Options& options);
/// The gate before a run: proofs lie in the cache folder. `program`: the digest of this program and its
/// plug-ins (run/inputs.h), which have made them.
[[nodiscard]] DeadlockGate deadlock_gate(const Options& options, const std::string& program);

}  // namespace noctule
