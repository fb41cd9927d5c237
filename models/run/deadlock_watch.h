#pragma once
// Looks for deadlocks while a fabric runs.

#include <optional>
#include <string>

#include "fabric/autopsy.h"

namespace noctule {

class DeadlockWatch {
 public:
  /// Looks every `interval` cycles, at least 1. `rtl`: some routers are hardware; what waits in them is not
  /// known from outside. Keeps a reference.
  DeadlockWatch(const Fabric& fabric, Cycle interval, bool rtl)
      : fabric_(fabric), interval_(interval), next_(interval), rtl_(rtl) {}

  /// The next look.
  [[nodiscard]] Cycle next() const { return next_; }
  [[nodiscard]] bool due() const;
  /// Is anything deadlocked now, as far as can be seen? A sentence that begins with the status, or nothing.
  std::optional<std::string> look();
  /// Notes whether anything has moved; the more often, the sooner a standstill is found. Time linear in
  /// links.
  void look_for_moves();
  /// What the last look found; not deadlocked where it was about routers in hardware alone.
  [[nodiscard]] const Autopsy& autopsy() const { return autopsy_; }

 private:
  [[nodiscard]] std::optional<std::string> silent_rtl() const;

  static constexpr Cycle kSilent = 5000;  ///< that a router may hold flits without sending one
  static constexpr Cycle kStill = 2000;   ///< longer than anything in a fabric takes by itself
  const Fabric& fabric_;
  Cycle interval_;
  Cycle next_;
  bool rtl_;
  std::uint64_t moves_ = 0;  ///< at the last look for moves
  Cycle moved_at_ = 0;       ///< something had moved, or would of itself, by then
  Autopsy autopsy_;
};

}  // namespace noctule
