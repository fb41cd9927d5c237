#pragma once
// Does a correlated series rise? The regression line through it, with an interval that allows for the memory
// that neighbouring values have of each other. Only + - * / and sqrt, so that no machine differs.

#include <span>

namespace noctule {

/// A line through values that are equally far apart.
struct Trend {
  double mean = 0;
  double slope = 0;  ///< rise from one value to the next
  double ci95 = 0;   ///< half width of the 95 % interval of `slope`; infinite for fewer than 4 values
};

/// Least squares. The interval is the narrower of two that both hold for a series between noise and a random
/// walk: that of the regression, with as many independent values as the autocorrelation of the residuals
/// leaves (Nychka et al. 2000, "Confidence intervals for trend estimates with autocorrelated observations"),
/// and that of the mean step of a random walk.
[[nodiscard]] Trend trend_of(std::span<const double> values);

/// Correlation of each value with the next one, for values that have mean 0; 0 if all are 0.
[[nodiscard]] double autocorrelation(std::span<const double> residuals);

/// Independent values that are worth as much as `n` with this correlation of each with the next, which was
/// estimated from them: biased towards few where n is small. At least 1, at most n.
[[nodiscard]] double effective_size(double n, double correlation);

}  // namespace noctule
