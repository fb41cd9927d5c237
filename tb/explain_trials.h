#pragma once
// What ends the throughput, by trial: runs of the fabric under overload, as it is and with one key changed in
// each (explain --try).

#include <string>
#include <vector>

#include "run/deadlock_gate.h"
#include "tb/explanation.h"
#include "tb/options.h"

namespace noctule {

struct ExplanationTrials {
  std::vector<std::string> text;  ///< for people
  Json json = Json::object();     ///< for programs
};

/// In child processes, of the same packets each. Fabrics that the gate does not pass are not tried; of the
/// fabric itself it throws. Throws ConfigErrors that name places, InternalError, Interrupted.
[[nodiscard]] ExplanationTrials try_changes(const ExplainedFabric& fabric, DeadlockGate& gate,
                                            const Options& options);

}  // namespace noctule
