#pragma once
// Proofs that are kept on disk between runs, so that a large fabric is not proved anew each time. What is
// read is never believed: the numbering of the channels is checked against the plan again.

#include <filesystem>
#include <string>

#include "verify/certificate.h"

namespace noctule {

class ProofStore {
 public:
  /// Proofs lie in `folder`, which is made when the first one is kept; empty: nothing is kept. `program`:
  /// digest of the program and its plug-ins; proofs of others do not count.
  ProofStore(std::filesystem::path folder, std::string program);

  /// Is there a proof of this plan under the key that holds when it is checked? Files that belong to somebody
  /// else, that others may write to, or that are damaged do not count.
  [[nodiscard]] bool holds(const std::string& key, const FabricPlan& plan) const;
  /// Keeps a proof that can be checked later (verify/recheck.h); others are found again each time. Where the
  /// folder cannot be written, belongs to somebody else or cannot be closed to others, nothing is kept.
  void keep(const std::string& key, const Certificate& certificate) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;
  std::string program_;
};

}  // namespace noctule
