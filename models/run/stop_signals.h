#pragma once
// Signals that ask a program with child processes to stop. The parent coordinates: it catches what the
// terminal sends, the children hear from it alone.

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <optional>

#include "core/unique_fd.h"

namespace noctule {

/// For its lifetime SIGINT, SIGTERM and SIGHUP are counted instead of ending the process (those that were
/// ignored before stay so, as under nohup), and SIGCHLD has its default action, so that waitpid works. The
/// third signal ends the process after all, in case it no longer listens. Signal actions belong to the
/// process: one that is made inside another's lifetime counts along with it, so that between two pools of a
/// command no signal is missed. Made and destroyed by one thread. Throws ConfigError under the key "threads"
/// if there is no pipe to be had.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Signals since the outermost one was made.
  [[nodiscard]] int count() const noexcept;
  /// Number of the first one; 0: none yet.
  [[nodiscard]] int first() const noexcept;
  /// For poll(): readable after a signal, until `drain`.
  [[nodiscard]] int fd() const noexcept { return outermost_->read_end_.get(); }
  void drain() const noexcept;

  /// Forks. The child ignores the terminal's signals, takes SIGTERM as a request (`stop_requested`), is
  /// killed when its parent dies, and has none of this object left: it must end with _exit.
  [[nodiscard]] pid_t fork_child() const;

 private:
  static constexpr std::array kCaught{SIGINT, SIGTERM, SIGHUP};

  const StopSignals* outermost_ = this;
  UniqueFd read_end_;  ///< the pipe is the outermost one's
  UniqueFd write_end_;
  std::array<struct sigaction, kCaught.size()> before_{};
  struct sigaction child_before_ {};
};

/// In a child process: has the parent asked it to stop? From the first true answer on its work counts as
/// abandoned. Always false elsewhere.
[[nodiscard]] bool stop_requested() noexcept;

/// In a child process: has `stop_requested` ever said yes?
[[nodiscard]] bool stop_noticed() noexcept;

}  // namespace noctule
