#pragma once
// Where a fabric saturates: a search over offered loads that asks for one point after the other.

#include <optional>

namespace noctule {

/// Saturation load: the highest offered load, to within a 64th of the highest one tried, that is served in
/// full. Bisection, beginning at the highest: the same questions for the same answers.
class SaturationSearch {
 public:
  static constexpr unsigned kHalvings = 6;

  /// Loads are searched from 0 to `highest`, which is above 0.
  explicit SaturationSearch(double highest) : highest_(highest) {}

  /// The load to try next; nothing: the search is over.
  [[nodiscard]] std::optional<double> next() const {
    if (served_ == highest_ || halvings_ == kHalvings) return std::nullopt;
    return refused_ ? 0.5 * (served_ + *refused_) : highest_;
  }
  /// Was the load that next() gave served in full?
  void note(bool served) {
    const double load = next().value();
    if (refused_) ++halvings_;
    (served ? served_ : refused_.emplace()) = load;
  }

  /// The highest load found that is served in full; 0: none was.
  [[nodiscard]] double served() const { return served_; }
  /// The lowest load found that is not; nothing: all were served.
  [[nodiscard]] std::optional<double> refused() const { return refused_; }

 private:
  double highest_;
  double served_ = 0;
  std::optional<double> refused_;
  unsigned halvings_ = 0;
};

}  // namespace noctule
