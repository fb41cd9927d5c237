// Do the closed forms give the papers' numbers?

#include "analytic/capacity.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

// Gravano et al. 1994, equation 2: 31x31 torus, one-flit buffers.
TEST(TauMax, IsThatOfThePaper) {
  EXPECT_NEAR(tau_max(62, 961, kCrossingFraction, worm_cycles(15)), 0.0088988, 5e-8);
  EXPECT_NEAR(tau_max(62, 961, kCrossingFraction, worm_cycles(31)), 0.0042306, 5e-8);
  EXPECT_EQ(worm_cycles(15), 29);
}

TEST(Cumulative, EndsAtOne) {
  const auto two = cumulative({{3, 1.0}, {9, 3.0}});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], (std::pair<std::uint32_t, std::uint64_t>{3, std::uint64_t{1} << 30}));
  EXPECT_EQ(two[1], (std::pair<std::uint32_t, std::uint64_t>{9, std::uint64_t{1} << 32}));
  const auto thirds = cumulative({{1, 0.1}, {2, 0.1}, {4, 0.1}});
  EXPECT_EQ(thirds[2].second, std::uint64_t{1} << 32);
  EXPECT_NEAR(static_cast<double>(thirds[0].second), 0x1p32 / 3, 1);
  EXPECT_TRUE(cumulative({}).empty());
}

}  // namespace
}  // namespace noctule
