#pragma once
// Ends an evaluation of RTL that does not end by itself: a loop in an initial or always block whose condition
// stays true. Verilator compiles it, and nothing else would ever stop it.

#include <csetjmp>
#include <csignal>

namespace noctule {

/// Watches the evaluations of one thread, one at a time.
class EvaluationWatch {
 public:
  /// Processor time that one may take. A router takes microseconds to milliseconds.
  static constexpr unsigned kSeconds = 10;

  /// evaluate(), to its end: true. False: its time was over, and it was left in its midst, without running
  /// destructors. What it worked on can only be destroyed then.
  template <class F>
  [[nodiscard]] static bool completes(F&& evaluate) {
    if (!ticks_) [[unlikely]]
      start();
    if (sigsetjmp(way_out_, 0) != 0) return false;
    begun_ = begun_ + 1;
    inside_ = 1;
    try {
      evaluate();
    } catch (...) {
      inside_ = 0;
      throw;
    }
    inside_ = 0;
    return true;
  }

 private:
  static void start();
  static void tick(int signal);

  static bool ticks_;  ///< in this process: its children have no clock of their own at first
  static sigjmp_buf way_out_;
  static volatile sig_atomic_t inside_;
  static volatile sig_atomic_t begun_;  ///< evaluations
};

}  // namespace noctule
