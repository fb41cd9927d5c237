#include "core/linear_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace noctule {
namespace {

constexpr double kLeastGain = 1e-10;  ///< of the largest one
constexpr double kLeastUse = 1e-10;   ///< of a capacity, for a pivot

/// The dictionary of the simplex method: every basic variable, and the gain, by those that are not.
class Dictionary {
 public:
  explicit Dictionary(const SharedCapacities& shared)
      : rates_(shared.gain.size()), gain_(shared.gain), outside_(rates_), inside_(shared.capacities.size()) {
    std::iota(outside_.begin(), outside_.end(), std::size_t{0});
    std::iota(inside_.begin(), inside_.end(), rates_);
    const double largest = gain_.empty() ? 0 : *std::ranges::max_element(gain_);
    for (double& gain : gain_) gain /= std::max(largest, std::numeric_limits<double>::min());
    largest_ = largest;
    for (const auto& capacity : shared.capacities) {
      auto& row = rows_.emplace_back(capacity.used);
      for (double& used : row) used /= capacity.most;
      left_.push_back(1);
    }
  }

  /// What each capacity costs.
  std::vector<double> costs() {
    for (std::size_t step = 20 * (rates_ + rows_.size()) + 100; step > 0 && pivot(); --step)
      ;
    std::vector<double> costs(rows_.size());
    for (std::size_t j = 0; j < rates_; ++j)
      if (outside_[j] >= rates_) costs[outside_[j] - rates_] = std::max(0.0, -gain_[j] * largest_);
    return costs;
  }

 private:
  bool pivot() {
    const auto enters = static_cast<std::size_t>(std::ranges::max_element(gain_) - gain_.begin());
    if (rates_ == 0 || gain_[enters] <= kLeastGain) return false;
    std::size_t leaves = rows_.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i][enters] <= kLeastUse) continue;
      const double ratio = left_[i] / rows_[i][enters];
      if (ratio > least || (ratio == least && inside_[i] > inside_[leaves])) continue;
      least = ratio;
      leaves = i;
    }
    if (leaves == rows_.size()) return false;
    auto& row = rows_[leaves];
    const double by = 1 / row[enters];
    for (double& used : row) used *= by;
    row[enters] = by;
    left_[leaves] *= by;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == leaves || rows_[i][enters] == 0) continue;
      left_[i] = std::max(0.0, left_[i] - rows_[i][enters] * left_[leaves]);
      eliminate(rows_[i], row, enters);
    }
    eliminate(gain_, row, enters);
    std::swap(inside_[leaves], outside_[enters]);
    return true;
  }
  static void eliminate(std::vector<double>& from, const std::vector<double>& row, std::size_t enters) {
    const double times = from[enters];
    from[enters] = 0;
    for (std::size_t j = 0; j < row.size(); ++j) from[j] -= times * row[j];
  }

  std::size_t rates_;
  double largest_ = 0;
  std::vector<double> gain_;
  std::vector<std::vector<double>> rows_;
  std::vector<double> left_;          ///< of each capacity, or value of a rate
  std::vector<std::size_t> outside_;  ///< by column: a rate, or `rates_` and more: what is left of a capacity
  std::vector<std::size_t> inside_;   ///< by row
};

}  // namespace

std::vector<double> rates_alone(const SharedCapacities& shared) {
  std::vector<double> most(shared.gain.size(), std::numeric_limits<double>::infinity());
  for (const auto& capacity : shared.capacities)
    for (std::size_t i = 0; i < most.size(); ++i)
      if (capacity.used[i] > 0) most[i] = std::min(most[i], capacity.most / capacity.used[i]);
  return most;
}

LinearBound linear_bound(const SharedCapacities& shared) {
  LinearBound bound;
  bound.cost = Dictionary(shared).costs();
  std::vector<double> beyond = shared.gain;
  for (std::size_t k = 0; k < bound.cost.size(); ++k) {
    bound.value += bound.cost[k];
    if (bound.cost[k] == 0) continue;
    const auto& capacity = shared.capacities[k];
    for (std::size_t i = 0; i < beyond.size(); ++i)
      beyond[i] -= bound.cost[k] / capacity.most * capacity.used[i];
  }
  const auto most = rates_alone(shared);
  for (std::size_t i = 0; i < beyond.size(); ++i)
    if (beyond[i] > 0) bound.value += beyond[i] * most[i];
  return bound;
}

double linear_bound(const SharedCapacities& shared, std::size_t capacity, const std::vector<double>& alone) {
  const std::vector<double>& used = shared.capacities[capacity].used;
  std::vector<std::size_t> order(used.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // What gains most by what it uses comes first.
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return used[a] * shared.gain[b] < used[b] * shared.gain[a];
  });
  double left = shared.capacities[capacity].most;
  double value = 0;
  for (const std::size_t i : order) {
    const double rate = used[i] > 0 ? std::min(alone[i], left / used[i]) : alone[i];
    value += shared.gain[i] * rate;
    left = std::max(0.0, left - rate * used[i]);
  }
  return value;
}

}  // namespace noctule
