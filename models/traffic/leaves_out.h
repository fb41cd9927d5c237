#pragma once
// Sources that do not send all that their file holds.

#include <string>

namespace noctule {

class LeavesOut {
 public:
  virtual ~LeavesOut() = default;
  /// What, and why, for a warning; empty: nothing.
  [[nodiscard]] virtual std::string left_out() const = 0;
};

}  // namespace noctule
