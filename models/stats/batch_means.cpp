#include "stats/batch_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "stats/trend.h"

namespace noctule {
namespace {

constexpr double kNormal975 = 1.959963984540054;
/// Score above which neighbouring batches count as correlated: one-sided, 5 %.
constexpr double kCorrelated = 1.6448536269514722;
/// The same, one-sided, 1 %.
constexpr double kClearlyCorrelated = 2.3263478740408408;

constexpr std::array<double, 30> kStudent975 = {
    12.706204736175, 4.302652729749, 3.182446305284, 2.776445105198, 2.570581835636, 2.446911851145,
    2.364624251593,  2.306004135204, 2.262157162798, 2.228138851986, 2.200985160092, 2.178812829667,
    2.160368656463,  2.144786687918, 2.131449545560, 2.119905299221, 2.109815577833, 2.100922040241,
    2.093024054408,  2.085963447266, 2.079613844728, 2.073873067904, 2.068657610419, 2.063898561628,
    2.059538552753,  2.055529438643, 2.051830516480, 2.048407141795, 2.045229642133, 2.042272456301};

/// Adds up `size` neighbours at a time; what is left over joins the last group.
std::vector<RatioSample> grouped(std::span<const RatioSample> batches, std::size_t size) {
  std::vector<RatioSample> groups(batches.size() / size);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    auto& g = groups[i / size < groups.size() ? i / size : groups.size() - 1];
    g.numerator += batches[i].numerator;
    g.denominator += batches[i].denominator;
  }
  return groups;
}

std::size_t group_size(std::size_t batches, const BatchRule& rule) {
  return batches > 2 * rule.target ? batches / rule.target : 1;
}

struct Ratio {
  double mean = 0;
  /// Per batch, (numerator - mean * denominator) / mean denominator: sums to 0, and its spread over
  /// sqrt(batches) is that of `mean`.
  std::vector<double> residuals;
  std::size_t filled = 0;  ///< batches with something in them: the others say nothing
};

std::optional<Ratio> ratio_of(std::span<const RatioSample> batches) {
  RatioSample total;
  for (const auto& b : batches) {
    total.numerator += b.numerator;
    total.denominator += b.denominator;
  }
  if (total.denominator == 0) return std::nullopt;
  Ratio ratio;
  ratio.mean = static_cast<double>(total.numerator) / static_cast<double>(total.denominator);
  const double scale = static_cast<double>(batches.size()) / static_cast<double>(total.denominator);
  for (const auto& b : batches) {
    const double expected = ratio.mean * static_cast<double>(b.denominator);
    ratio.residuals.push_back((static_cast<double>(b.numerator) - expected) * scale);
    ratio.filled += b.denominator > 0 ? 1 : 0;
  }
  return ratio;
}

std::optional<double> half_width(const Ratio& ratio) {
  if (ratio.filled < 2) return std::nullopt;
  const auto n = static_cast<double>(ratio.residuals.size());
  const auto filled = static_cast<double>(ratio.filled);
  double squares = 0;
  for (const double r : ratio.residuals) squares += r * r;
  const double variance = ratio.filled == ratio.residuals.size() ? squares / (n - 1) / n
                                                                 : squares * filled / (filled - 1) / n / n;
  return student_t_975(ratio.filled - 1) * std::sqrt(variance);
}

/// As if only effective_size of the residuals were independent; 0 where they are not clearly correlated.
double slow_half_width(const std::vector<double>& residuals, const BatchRule& rule) {
  if (residuals.size() < rule.least || serial_correlation_score(residuals) <= kClearlyCorrelated) return 0;
  const auto n = static_cast<double>(residuals.size());
  const double independent = std::max(2.0, effective_size(n, autocorrelation(residuals)));
  double squares = 0;
  for (const double r : residuals) squares += r * r;
  return student_t_975(static_cast<std::size_t>(independent) - 1) *
         std::sqrt(squares / (n - 1) / independent);
}

/// `evaluate(size)` gives mean and residuals with `size` batches in a group.
template <class Evaluate>
std::optional<Estimate> estimate(std::size_t batches, const BatchRule& rule, Evaluate&& evaluate) {
  if (batches == 0) return std::nullopt;
  double slow = 0;
  for (std::size_t size = group_size(batches, rule);; size *= 2) {
    const std::optional<Ratio> ratio = evaluate(size);
    if (!ratio) return std::nullopt;
    const std::size_t n = ratio->residuals.size();
    if (size == group_size(batches, rule)) slow = slow_half_width(ratio->residuals, rule);
    const bool correlated =
        n >= rule.least && n >= 4 && serial_correlation_score(ratio->residuals) > kCorrelated;
    const bool can_pair = batches / (2 * size) >= rule.least;
    if (correlated && can_pair) continue;
    Estimate found{ratio->mean, half_width(*ratio), n, correlated};
    if (found.ci95 && *found.ci95 > 0 && slow > *found.ci95) {
      found.widened = slow / *found.ci95;
      found.ci95 = slow;
    }
    return found;
  }
}

}  // namespace

double student_t_975(std::size_t degrees_of_freedom) {
  if (degrees_of_freedom == 0) throw InternalError("Student's t needs at least one degree of freedom");
  if (degrees_of_freedom <= kStudent975.size()) return kStudent975[degrees_of_freedom - 1];
  // Expansion in 1/dof around the normal quantile (Abramowitz and Stegun, 26.7.5).
  const double z = kNormal975;
  const double z2 = z * z;
  const double v = 1.0 / static_cast<double>(degrees_of_freedom);
  const double g1 = z * (z2 + 1) / 4;
  const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + v * (g1 + v * (g2 + v * (g3 + v * g4)));
}

double Estimate::relative_half_width() const noexcept {
  if (!ci95 || mean == 0) return std::numeric_limits<double>::infinity();
  return *ci95 / std::abs(mean);
}

double serial_correlation_score(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double v : values) mean += v;
  mean /= n;
  double squares = 0;
  double steps = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) steps += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  if (squares == 0) return 0;
  return (1 - steps / (2 * squares)) / std::sqrt((n - 2) / (n * n - 1));
}

std::optional<Estimate> estimate_ratio(std::span<const RatioSample> batches, BatchRule rule) {
  return estimate(batches.size(), rule, [&](std::size_t size) { return ratio_of(grouped(batches, size)); });
}

std::optional<Estimate> estimate_difference(std::span<const RatioSample> a, std::span<const RatioSample> b,
                                            BatchRule rule) {
  if (a.size() != b.size()) throw InternalError("paired difference: the series differ in batches");
  return estimate(a.size(), rule, [&](std::size_t size) -> std::optional<Ratio> {
    auto left = ratio_of(grouped(a, size));
    const auto right = ratio_of(grouped(b, size));
    if (!left || !right) return std::nullopt;
    left->mean -= right->mean;
    left->filled = std::min(left->filled, right->filled);
    for (std::size_t i = 0; i < left->residuals.size(); ++i) left->residuals[i] -= right->residuals[i];
    return left;
  });
}

}  // namespace noctule
