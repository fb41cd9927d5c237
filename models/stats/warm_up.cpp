#include "stats/warm_up.h"

#include <algorithm>
#include <cmath>

#include "stats/status.h"

namespace noctule {
namespace {

constexpr std::size_t kLeastKept = 5;
constexpr double kGrowthScore = 5;
constexpr double kTrendScore = 2.5;
constexpr double kTrendFraction = 0.02;

struct Moments {
  double mean = 0;
  double variance = 0;  ///< of one value
  double n = 0;
};

Moments moments(const std::vector<double>& values, std::size_t first, std::size_t last) {
  Moments m;
  m.n = static_cast<double>(last - first);
  for (std::size_t i = first; i < last; ++i) m.mean += values[i];
  m.mean /= m.n;
  for (std::size_t i = first; i < last; ++i) m.variance += (values[i] - m.mean) * (values[i] - m.mean);
  m.variance = m.n > 1 ? m.variance / (m.n - 1) : 0;
  return m;
}

/// Does the regression line through values first .. end rise or fall significantly, and by more than a small
/// part of their mean?
bool trends(const std::vector<double>& values, std::size_t first) {
  const auto m = moments(values, first, values.size());
  double products = 0;
  double squares = 0;
  const double centre = (m.n - 1) / 2;
  for (std::size_t i = first; i < values.size(); ++i) {
    const double x = static_cast<double>(i - first) - centre;
    products += x * (values[i] - m.mean);
    squares += x * x;
  }
  const double slope = products / squares;
  const double residual = std::max(0.0, m.variance * (m.n - 1) - slope * products) / (m.n - 2);
  return std::abs(slope) * (m.n - 1) > kTrendFraction * m.mean &&
         slope * slope * squares > kTrendScore * kTrendScore * residual;
}

}  // namespace

std::size_t mser_truncation(const std::vector<double>& values) {
  if (values.size() <= kLeastKept) return 0;
  std::size_t best = 0;
  double least = 0;
  const std::size_t kept = std::max(kLeastKept, values.size() / 3);
  for (std::size_t d = 0; d + kept <= values.size(); ++d) {
    const auto m = moments(values, d, values.size());
    const double spread = m.variance * (m.n - 1) / (m.n * m.n);
    if (d == 0 || spread < least) {
      best = d;
      least = spread;
    }
  }
  return best;
}

void WarmUpDetector::add(const WarmUpBlock& block) {
  blocks_.push_back(block);
  observed_ += block.cycles;
  const std::size_t n = blocks_.size();
  if (n == kLeastBlocks || n == kLeastBlocks + kLeastBlocks / 2 || n == kMostBlocks) assess();
  if (n == kMostBlocks) pair_blocks();
}

void WarmUpDetector::pair_blocks() {
  for (std::size_t i = 0; i < blocks_.size() / 2; ++i) {
    auto merged = blocks_[2 * i + 1];
    const auto& early = blocks_[2 * i];
    merged.cycles += early.cycles;
    merged.flits += early.flits;
    merged.packets += early.packets;
    merged.latency_sum += early.latency_sum;
    blocks_[i] = merged;
  }
  blocks_.resize(blocks_.size() / 2);
  block_cycles_ *= 2;
}

void WarmUpDetector::assess() {
  std::vector<double> throughput;
  std::vector<double> latency;
  std::vector<double> population;
  std::vector<std::size_t> block_of_latency;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& b = blocks_[i];
    population.push_back(static_cast<double>(b.population));
    throughput.push_back(static_cast<double>(b.flits) / static_cast<double>(b.cycles));
    if (b.packets == 0) continue;
    latency.push_back(static_cast<double>(b.latency_sum) / static_cast<double>(b.packets));
    block_of_latency.push_back(i);
  }
  const std::size_t half = blocks_.size() / 2;
  if (latency.size() < half) {
    const bool silent = latency.empty() && std::all_of(blocks_.begin(), blocks_.end(),
                                                       [](const auto& b) { return b.population == 0; });
    settled_ = silent;
    transient_ = silent ? 0 : observed_;
    return;
  }
  const std::size_t dropped =
      std::max(mser_truncation(throughput), block_of_latency[mser_truncation(latency)]);
  transient_ = 0;
  for (std::size_t i = 0; i < dropped; ++i) transient_ += blocks_[i].cycles;
  settled_ = dropped <= half && !trends(throughput, dropped) && !trends(population, dropped);
}

bool WarmUpDetector::clearly_saturated(double offered_flits_per_cycle,
                                       std::uint64_t injecting_terminals) const {
  constexpr std::size_t kLast = 5;
  const std::size_t n = blocks_.size();
  if (n < 2 * kLast || injecting_terminals == 0) return false;
  double queue = 0;
  for (std::size_t i = n - kLast; i < n; ++i) queue += static_cast<double>(blocks_[i].queue);
  if (queue / kLast > kSaturatedQueue * static_cast<double>(injecting_terminals)) return true;

  std::vector<double> growth;
  double flits = 0;
  double cycles = 0;
  for (std::size_t i = n / 2; i < n; ++i) {
    growth.push_back(static_cast<double>(blocks_[i].queue) - static_cast<double>(blocks_[i - 1].queue));
    flits += static_cast<double>(blocks_[i].flits);
    cycles += static_cast<double>(blocks_[i].cycles);
  }
  if (flits >= kSaturatedAccepted * offered_flits_per_cycle * cycles) return false;
  const auto m = moments(growth, 0, growth.size());
  return m.mean > 0 && m.mean > kGrowthScore * std::sqrt(m.variance / m.n);
}

}  // namespace noctule
