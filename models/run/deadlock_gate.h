#pragma once
// Verifies what is about to run: each distinct fabric once, and proofs are remembered on disk.

#include <set>
#include <string>

#include "config/decode.h"
#include "run/point.h"
#include "verify/verifier.h"

namespace noctule {

/// What a fabric's proof depends on: parts of a resolved configuration, and the files that these name.
[[nodiscard]] std::string fabric_key(const Json& resolved);

class DeadlockGate {
 public:
  /// `program`: digest of the program and its plug-ins; proofs of others do not count. Empty: nothing is
  /// remembered on disk. `fresh`: nor believed. Proofs lie in $XDG_CACHE_HOME/noctule, else
  /// ~/.cache/noctule; where that cannot be written, they are found again each time.
  explicit DeadlockGate(std::string program, bool fresh = false);

  /// Throws ConfigError, with the place of routing.algorithm, unless the fabric is proved or the
  /// configuration says allow_deadlock. A relation that breaks its contract is refused in any case.
  void pass(const PointConfig& point, const PointSpec& spec);

 private:
  [[nodiscard]] std::string file_of(const std::string& key) const;

  std::string program_;
  std::string folder_;
  bool fresh_;
  std::set<std::string> passed_;   ///< fabrics that are proved
  std::set<std::string> allowed_;  ///< that are not, but whose points allow it
};

/// Limits of the configuration, and its cycles per hop.
VerifyOptions verify_options(const PointConfig& point);

}  // namespace noctule
