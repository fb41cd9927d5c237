// Is the bound of a linear program what corners of small ones say, and never below any rates that are
// possible?

#include "core/linear_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/rng.h"

namespace noctule {
namespace {

TEST(LinearBound, OfOneCapacityIsWhatTheBestRateMakesOfIt) {
  const SharedCapacities shared{{1, 1}, {{10, {2, 5}}}};
  const auto bound = linear_bound(shared);
  EXPECT_NEAR(bound.value, 5, 1e-9);
  EXPECT_NEAR(bound.cost.at(0), 5, 1e-9);
}

// Dantzig's example by hand: 3 x + 5 y with x <= 4, 2 y <= 12, 3 x + 2 y <= 18 is 36 at (2, 6).
TEST(LinearBound, OfSeveralIsThatOfTheCorner) {
  const SharedCapacities shared{{3, 5}, {{4, {1, 0}}, {12, {0, 2}}, {18, {3, 2}}}};
  const auto bound = linear_bound(shared);
  EXPECT_NEAR(bound.value, 36, 1e-9);
  EXPECT_NEAR(bound.cost.at(0), 0, 1e-9) << "what is left over costs nothing";
  EXPECT_NEAR(bound.cost.at(1) + bound.cost.at(2), 36, 1e-9);
}

TEST(LinearBound, OfOneCapacityAmongSeveralIsNotBelowThatOfAll) {
  const SharedCapacities shared{{3, 5}, {{4, {1, 0}}, {12, {0, 2}}, {18, {3, 2}}}};
  const auto alone = rates_alone(shared);
  EXPECT_NEAR(alone.at(0), 4, 1e-9);
  EXPECT_NEAR(alone.at(1), 6, 1e-9);
  EXPECT_NEAR(linear_bound(shared, 2, alone), 36, 1e-9);
  EXPECT_NEAR(linear_bound(shared, 0, alone), 3 * 4 + 5 * 6, 1e-9);
}

SharedCapacities random_program(Rng& rng) {
  SharedCapacities shared;
  const std::size_t rates = 1 + rng.below(6);
  const std::size_t capacities = 1 + rng.below(8);
  const auto number = [&] { return static_cast<double>(1 + rng.below(20)); };
  for (std::size_t i = 0; i < rates; ++i) shared.gain.push_back(number());
  for (std::size_t k = 0; k < capacities; ++k) {
    shared.capacities.push_back({number(), {}});
    for (std::size_t i = 0; i < rates; ++i)
      shared.capacities.back().used.push_back(k == 0 || rng.below(2) == 0 ? number() : 0);
  }
  return shared;
}

/// Rates at which each in turn, in some order, takes all that is left to it.
double greedy(const SharedCapacities& shared, const std::vector<std::size_t>& order) {
  std::vector<double> left;
  for (const auto& capacity : shared.capacities) left.push_back(capacity.most);
  double gain = 0;
  for (const std::size_t i : order) {
    double rate = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < left.size(); ++k)
      if (shared.capacities[k].used[i] > 0) rate = std::min(rate, left[k] / shared.capacities[k].used[i]);
    for (std::size_t k = 0; k < left.size(); ++k)
      left[k] = std::max(0.0, left[k] - rate * shared.capacities[k].used[i]);
    gain += rate * shared.gain[i];
  }
  return gain;
}

// From above: no rates gain more. From below: prices of a corner cost what its rates gain, so that a bound
// which is too high would be one that some mixture of corners does not reach; each capacity alone is never
// below.
TEST(LinearBound, HoldsForAllRatesOfRandomPrograms) {
  Rng rng(20261125, "linear_bound_test");
  std::size_t reached = 0;
  constexpr std::size_t kPrograms = 300;
  for (std::size_t n = 0; n < kPrograms; ++n) {
    const auto shared = random_program(rng);
    const double bound = linear_bound(shared).value;
    std::vector<std::size_t> order(shared.gain.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double most = 0;
    do most = std::max(most, greedy(shared, order));
    while (std::ranges::next_permutation(order).found);
    EXPECT_LE(most, bound * (1 + 1e-9)) << n;
    reached += most >= bound * (1 - 1e-9) ? 1 : 0;
    const auto alone = rates_alone(shared);
    for (std::size_t k = 0; k < shared.capacities.size(); ++k)
      EXPECT_LE(bound, linear_bound(shared, k, alone) * (1 + 1e-9)) << n << ' ' << k;
  }
  EXPECT_GT(reached, kPrograms / 2) << "rates that reach the bound";
}

}  // namespace
}  // namespace noctule
