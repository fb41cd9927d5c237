#include "stats/trend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/batch_means.h"

namespace noctule {
namespace {

/// Means over stretches of a random walk differ by steps that are correlated by 1/4, so their sum spreads by
/// the square root of 1.5 more than that of independent ones; the line of least squares through a random walk
/// spreads by the square root of 1.2 more than the mean step.
constexpr double kWalkOfMeans = 1.3416407864998738;

/// A random walk can look like noise by chance if fewer degrees of freedom than these were enough.
constexpr double kLeastFreedom = 4;

double walk_half_width(std::span<const double> values) {
  const std::size_t steps = values.size() - 1;
  const double mean = (values.back() - values.front()) / static_cast<double>(steps);
  double squares = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double rest = values[i] - values[i - 1] - mean;
    squares += rest * rest;
  }
  const auto n = static_cast<double>(steps);
  return kWalkOfMeans * student_t_975(steps - 1) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

double autocorrelation(std::span<const double> residuals) {
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    squares += residuals[i] * residuals[i];
    if (i > 0) products += residuals[i] * residuals[i - 1];
  }
  return squares > 0 ? products / squares : 0;
}

double effective_size(double n, double correlation) {
  const double r = correlation + 0.68 / std::sqrt(n);
  if (r >= 1) return 1;
  return std::clamp(n * (1 - r) / (1 + r), 1.0, n);
}

Trend trend_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Trend trend;
  if (values.empty()) return trend;
  for (const double v : values) trend.mean += v;
  trend.mean /= n;
  trend.ci95 = std::numeric_limits<double>::infinity();
  if (values.size() < 4) return trend;
  const double centre = (n - 1) / 2;
  const double squares = n * (n * n - 1) / 12;
  for (std::size_t i = 0; i < values.size(); ++i)
    trend.slope += (static_cast<double>(i) - centre) * (values[i] - trend.mean) / squares;
  std::vector<double> residuals;
  double spread = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    residuals.push_back(values[i] - trend.mean - trend.slope * (static_cast<double>(i) - centre));
    spread += residuals.back() * residuals.back();
  }
  trend.ci95 = walk_half_width(values);
  const double independent = effective_size(n, autocorrelation(residuals)) - 2;
  if (independent < kLeastFreedom) return trend;
  const double regression =
      student_t_975(static_cast<std::size_t>(independent)) * std::sqrt(spread / independent / squares);
  trend.ci95 = std::min(trend.ci95, regression);
  return trend;
}

}  // namespace noctule
