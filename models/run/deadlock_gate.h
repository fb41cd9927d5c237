#pragma once
// Verifies what is about to run: each distinct fabric once, and proofs are remembered on disk.

#include <set>
#include <string>

#include "run/fabric_verdict.h"
#include "run/proof_store.h"

namespace noctule {

class DeadlockGate {
 public:
  /// `proofs`: those of earlier runs. `fresh`: they are not looked at.
  DeadlockGate(ProofStore proofs, Simulations simulations, bool fresh = false);

  /// Throws ConfigError, with the place of routing.algorithm, unless the fabric is proved or the
  /// configuration says allow_deadlock. A relation that breaks its contract is refused in any case. Throws
  /// Interrupted.
  void pass(const PointConfig& point);

 private:
  ProofStore proofs_;
  Simulations simulations_;
  bool fresh_;
  std::set<std::string> passed_;   ///< keys of fabrics that are proved
  std::set<std::string> allowed_;  ///< that are not, but whose points allow it
};

}  // namespace noctule
