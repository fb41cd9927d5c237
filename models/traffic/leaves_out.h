#pragma once
// Sources that do not send all that their file, or the configuration, names.

#include <string>

namespace noctule {

/// A TrafficSource may be one as well.
class LeavesOut {
 public:
  virtual ~LeavesOut() = default;
  /// What, and why, for a warning; empty: nothing.
  [[nodiscard]] virtual std::string left_out() const = 0;
};

}  // namespace noctule
