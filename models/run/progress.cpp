#include "run/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace noctule {
namespace {

constexpr double kLeastSeconds = 1;        ///< before which a speed is not worth much
constexpr double kLeastWork = 1e-9;        ///< fraction of all; below it is rounding
constexpr double kLongest = 1000 * 86400;  ///< seconds; what is longer says nothing
constexpr std::size_t kUnknownWidth = 80;  ///< columns
constexpr std::chrono::milliseconds kTerminalInterval{200};

std::string two_units(std::int64_t big, const char* big_unit, std::int64_t small, const char* small_unit) {
  auto text = std::to_string(big) + " " + big_unit;
  if (small > 0) text += " " + std::to_string(small) + " " + small_unit;
  return text;
}

std::int64_t in_units(double seconds, double unit) {
  return static_cast<std::int64_t>(std::llround(seconds / unit));
}

std::size_t columns_of(std::FILE* stream) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : kUnknownWidth;
}

}  // namespace

std::string duration_text(double seconds) {
  seconds = std::isnan(seconds) ? 0 : std::clamp(seconds, 0.0, kLongest);
  if (const auto s = in_units(seconds, 1); s < 60) return std::to_string(s) + " s";
  if (const auto tens = in_units(seconds, 10); tens < 360)
    return two_units(tens / 6, "min", tens % 6 * 10, "s");
  if (const auto minutes = in_units(seconds, 60); minutes < 24 * 60)
    return two_units(minutes / 60, "h", minutes % 60, "min");
  const auto hours = in_units(seconds, 3600);
  return two_units(hours / 24, "d", hours % 24, "h");
}

ProgressEstimate::ProgressEstimate(std::vector<double> costs, double now)
    : points_(costs.size()), start_(now) {
  const bool usable =
      std::all_of(costs.begin(), costs.end(), [](double c) { return std::isfinite(c) && c > 0; });
  for (std::size_t i = 0; i < costs.size(); ++i) {
    points_[i].cost = usable ? costs[i] : 1;
    total_ += points_[i].cost;
  }
}

void ProgressEstimate::skip(std::size_t point) {
  finish(point);
  skipped_ += points_[point].cost;
}

void ProgressEstimate::start(std::size_t point) {
  points_[point].state = State::kRunning;
}

void ProgressEstimate::progress(std::size_t point, double fraction) {
  if (!std::isnan(fraction)) points_[point].fraction = std::clamp(fraction, 0.0, 1.0);
}

void ProgressEstimate::finish(std::size_t point, bool failed) {
  points_[point].fraction = 1;
  points_[point].state = failed ? State::kFailed : State::kFinished;
}

double ProgressEstimate::fraction() const {
  double done = 0;
  for (const auto& p : points_) done += p.cost * p.fraction;
  return points_.empty() ? 1 : done / total_;
}

std::optional<double> ProgressEstimate::seconds_left(double now) const {
  if (points_.empty()) return std::nullopt;
  const double elapsed = now - start_;
  const double all = fraction();
  const double worked = all - skipped_ / total_;
  if (elapsed < kLeastSeconds || !(worked > kLeastWork)) return std::nullopt;
  return elapsed * (1 - all) / worked;
}

std::size_t ProgressEstimate::count(State state) const {
  return static_cast<std::size_t>(
      std::count_if(points_.begin(), points_.end(), [&](const Point& p) { return p.state == state; }));
}

std::string ProgressEstimate::text(double now) const {
  const auto failed = count(State::kFailed);
  auto text = std::to_string(count(State::kFinished) + failed) + "/" + std::to_string(points_.size());
  text += points_.size() == 1 ? " point" : " points";
  if (failed > 0) text += " (" + std::to_string(failed) + " failed)";
  text += ", " + std::to_string(count(State::kRunning)) + " running";
  // Rounded down, with room for rounding errors: 100 % means finished.
  text += ", " + std::to_string(static_cast<int>(fraction() * 100 + 1e-9)) + " %";
  if (const auto left = seconds_left(now)) text += ", about " + duration_text(*left) + " left";
  return text;
}

ProgressLine::ProgressLine(std::vector<double> costs, bool quiet, std::FILE* stream,
                           std::optional<std::chrono::milliseconds> plain)
    : estimate_(std::move(costs), now()),
      stream_(stream),
      terminal_(::isatty(::fileno(stream)) == 1),
      shown_(!quiet && (terminal_ || plain)),
      interval_(terminal_ ? kTerminalInterval : plain.value_or(kPlainInterval)) {}

double ProgressLine::now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void ProgressLine::tick() {
  const auto time = Clock::now();
  if (!shown_ || (written_ && time - *written_ < interval_)) return;
  written_ = time;
  if (!terminal_) return write_plain();
  on_screen_ = true;
  // A line that fills the last column would wrap, and its beginning stay behind.
  const auto text = estimate_.text(now()).substr(0, columns_of(stream_) - 1);
  std::fprintf(stream_, "\r%s\x1b[K", text.c_str());
  std::fflush(stream_);
}

void ProgressLine::write_plain() const {
  std::fprintf(stream_, "%s\n", estimate_.text(now()).c_str());
  std::fflush(stream_);
}

void ProgressLine::clear() {
  if (!on_screen_) return;
  on_screen_ = false;
  written_.reset();
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
}

void ProgressLine::end() {
  clear();
  if (shown_ && !terminal_) write_plain();
  shown_ = false;
}

}  // namespace noctule
