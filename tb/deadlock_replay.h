#pragma once
// From a certificate to a configuration that deadlocks in simulation, and the simulation that shows it.

#include <optional>
#include <string>

#include "config/decode.h"
#include "verify/certificate.h"

namespace noctule {

struct DeadlockReplay {
  std::string file;         ///< configuration that was written
  bool deadlocked = false;  ///< the simulation ended in a deadlock
  Cycle cycle = 0;          ///< in which it was found
  std::string how;          ///< "the worms of the witness", "overload with packets of 4 flits", ...
};

/// A signal asked the program to stop.
struct Interrupted {};

/// Writes STEM.yaml (and STEM.trace) and simulates it in a child process. The worms of the witness come
/// first, their starts moved a little where that helps; where there are none, or they do not deadlock,
/// overload with packets of several lengths is tried. What is left on disk is what deadlocked, else the
/// witness. Nothing: there was nothing to write. Throws ConfigError where files cannot be written, and
/// Interrupted.
std::optional<DeadlockReplay> replay_deadlock(Certificate& certificate, const PointConfig& point,
                                              const std::string& stem);

}  // namespace noctule
