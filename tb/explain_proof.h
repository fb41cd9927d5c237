#pragma once
// Simulations that hold an explanation against the fabric (explain --prove).

#include <string>
#include <vector>

#include "run/lone_worms.h"
#include "tb/explanation.h"
#include "tb/options.h"

namespace noctule {

/// What simulations said of an explanation.
struct ExplanationProof {
  bool holds = true;
  std::vector<std::string> text;  ///< both numbers, for people
  Json json = Json::object();     ///< both numbers, for programs
};

/// Lone worms for every pair of terminals, or for drawn ones of a large fabric, of the configured lengths and
/// of some others, against the latency of a lone packet; and a run a tenth above the bound, against the
/// bound. In child processes. Throws ConfigErrors that name places, InternalError, Interrupted.
[[nodiscard]] ExplanationProof prove(const ExplainedFabric& fabric, const Options& options);

}  // namespace noctule
