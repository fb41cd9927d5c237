// Weights of waits, by least squares.

#include <algorithm>
#include <cmath>
#include <utility>

#include "analytic/link_utilisation.h"

namespace noctule {
namespace {

constexpr std::size_t kParts = kWaitParts.size();
using Row = std::array<double, kParts + 1>;

/// By elimination with pivots. A part that nobody waits in, or that is the same as others, weighs nothing.
std::array<double, kParts> solved(std::array<Row, kParts> rows) {
  std::array<double, kParts> result{};
  std::array<bool, kParts> known{};
  for (std::size_t n = 0; n < kParts; ++n) {
    const double scale = rows[n][n];
    std::size_t pivot = n;
    for (std::size_t r = n; r < kParts; ++r)
      if (std::abs(rows[r][n]) > std::abs(rows[pivot][n])) pivot = r;
    std::swap(rows[n], rows[pivot]);
    known[n] = std::abs(rows[n][n]) > 1e-9 * std::max(1.0, std::abs(scale));
    if (!known[n]) continue;
    for (std::size_t r = 0; r < kParts; ++r) {
      if (r == n) continue;
      const double factor = rows[r][n] / rows[n][n];
      for (std::size_t c = n; c <= kParts; ++c) rows[r][c] -= factor * rows[n][c];
    }
  }
  for (std::size_t n = 0; n < kParts; ++n)
    if (known[n]) result[n] = rows[n][kParts] / rows[n][n];
  return result;
}

/// For one steepness: the part whose weight comes out most negative is left out, one after the other.
WaitWeights fit(const std::vector<WaitSample>& samples, double steep) {
  std::array<bool, kParts> used;
  used.fill(true);
  WaitWeights weights;
  weights.steep = steep;
  for (;;) {
    std::array<Row, kParts> rows{};
    for (const WaitSample& sample : samples) {
      std::array<double, kParts> x{};
      for (std::size_t n = 0; n < kParts; ++n)
        x[n] = used[n] ? sample.shares.of[n] * weights.growth(sample.shares.busy) : 0;
      for (std::size_t n = 0; n < kParts; ++n) {
        for (std::size_t c = 0; c < kParts; ++c) rows[n][c] += sample.packets * x[n] * x[c];
        rows[n][kParts] += sample.packets * x[n] * (sample.wait - sample.shares.own);
      }
    }
    weights.of = solved(rows);
    const auto least = std::ranges::min_element(weights.of);
    if (*least >= 0) return weights;
    used[static_cast<std::size_t>(least - weights.of.begin())] = false;
  }
}

}  // namespace

WaitWeights fit_waits(const std::vector<WaitSample>& samples) {
  constexpr double kStep = 0.25;
  constexpr double kMost = 8;
  double busy = 0;
  for (const WaitSample& sample : samples) busy = std::max(busy, sample.shares.busy);
  WaitWeights best;
  double least = -1;
  for (double steep = 0; steep <= kMost && steep * busy < 0.75; steep += kStep) {
    const WaitWeights weights = fit(samples, steep);
    double error = 0;
    for (const WaitSample& sample : samples)
      error += sample.packets * std::pow(weights.wait(sample.shares) - sample.wait, 2);
    if (least >= 0 && error >= least) continue;
    least = error;
    best = weights;
  }
  best.busiest = 0;
  for (const WaitSample& sample : samples) best.busiest = std::max(best.busiest, sample.shares.busiest);
  return best;
}

}  // namespace noctule
