#pragma once
// How far many points have come, as a line on the terminal.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// "45 s", "2 min 10 s", "1 h 20 min", "2 d 3 h".
[[nodiscard]] std::string duration_text(double seconds);

/// Fractions done, weighted by cost, and the time that the rest will take at the speed so far. Times are
/// seconds on any steady clock.
class ProgressEstimate {
 public:
  /// Costs relative to each other; where none is positive and finite, all points count alike.
  ProgressEstimate(std::vector<double> costs, double now);

  /// Finished in an earlier run: counts as done, but says nothing about the speed.
  void skip(std::size_t point);
  void start(std::size_t point);
  void progress(std::size_t point, double fraction);
  void finish(std::size_t point, bool failed = false);

  [[nodiscard]] double fraction() const;
  /// Nothing before there is something to go by.
  [[nodiscard]] std::optional<double> seconds_left(double now) const;
  /// "12/56 points, 3 running, 41 %, about 2 min 10 s left"
  [[nodiscard]] std::string text(double now) const;

 private:
  enum class State : std::uint8_t { kWaiting, kRunning, kFinished, kFailed };
  struct Point {
    double cost = 1;
    double fraction = 0;
    State state = State::kWaiting;
  };
  [[nodiscard]] std::size_t count(State state) const;

  std::vector<Point> points_;
  double total_ = 0;
  double skipped_ = 0;
  double start_ = 0;
};

/// Rewrites one line of a terminal in place, at most five times a second. On a stream that is no terminal: a
/// line at the start, one per `plain` and one at the end, or nothing at all without `plain`. Nothing if
/// `quiet`.
class ProgressLine {
 public:
  static constexpr std::chrono::seconds kPlainInterval{30};

  ProgressLine(std::vector<double> costs, bool quiet, std::FILE* stream = stderr,
               std::optional<std::chrono::milliseconds> plain = std::nullopt);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  ProgressEstimate& estimate() { return estimate_; }
  /// Shows what has changed, if it is time to.
  void tick();
  /// Takes the line of a terminal away, so that something else can be written there; the next tick brings it
  /// back.
  void clear();
  /// Nothing comes any more: the last line where there is no terminal.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] static double now();

  ProgressEstimate estimate_;
  void write_plain() const;

  std::FILE* stream_;
  bool terminal_;
  bool shown_;
  std::chrono::milliseconds interval_;
  bool on_screen_ = false;
  std::optional<Clock::time_point> written_;
};

}  // namespace noctule
