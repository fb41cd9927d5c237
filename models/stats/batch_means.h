#pragma once
// Means with 95 % confidence intervals by batch means. Every mean is a ratio of sums of integers (latency
// over packets, flits over node-cycles), so it is the same on every machine; intervals need only + - * / and
// sqrt, for the same reason.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace noctule {

/// Two-sided 95 % quantile of Student's t (the 0.975 point), at least 1 degree of freedom; error below 1e-7.
[[nodiscard]] double student_t_975(std::size_t degrees_of_freedom);

/// One batch of a ratio: e.g. sum of latencies and number of packets.
struct RatioSample {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 0;
  friend bool operator==(const RatioSample&, const RatioSample&) = default;
};

struct Estimate {
  double mean = 0;
  std::optional<double> ci95;  ///< half width; absent where fewer than two batches have a denominator
  std::size_t batches = 0;     ///< that the interval rests on, after grouping
  /// Neighbouring batches are still positively correlated although they could not be paired any further:
  /// the process is slow for the length measured, and the interval may still be too narrow.
  bool correlated = false;
  /// By this `ci95` exceeds the interval of independent pairs, since the batches before pairing were clearly
  /// correlated; at least 1.
  double widened = 1;

  /// Half width over |mean|; infinite where there is no interval or no mean.
  [[nodiscard]] double relative_half_width() const noexcept;
};

struct BatchRule {
  std::size_t target = 32;  ///< more batches than twice this are grouped first
  std::size_t least = 8;    ///< pairing never goes below this
};

/// Sum of numerators over sum of denominators, interval by the delta method on batches. Neighbouring batches
/// are paired while von Neumann's ratio shows positive correlation (one-sided, 5 %). Few pairs hide a slow
/// process: where the batches before pairing are clearly correlated (one-sided, 1 %), the interval is at
/// least that of as many independent ones as their autocorrelation leaves (effective_size). Nothing if all
/// denominators are zero.
[[nodiscard]] std::optional<Estimate> estimate_ratio(std::span<const RatioSample> batches,
                                                     BatchRule rule = {});

/// Difference of two ratios, a - b, whose batches i cover the same cycles: what both have in common (common
/// random numbers) cancels. The spans have equal length.
[[nodiscard]] std::optional<Estimate> estimate_difference(std::span<const RatioSample> a,
                                                          std::span<const RatioSample> b,
                                                          BatchRule rule = {});

/// Von Neumann's statistic of serial correlation in units of its standard deviation under independence;
/// about normal from 8 values on, positive for positive correlation. 0 if all values are equal.
[[nodiscard]] double serial_correlation_score(std::span<const double> values);

}  // namespace noctule
