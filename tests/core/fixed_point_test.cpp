#include "core/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace noctule {
namespace {

TEST(FixedPoint, CoversTheUnitInterval) {
  EXPECT_EQ(to_fixed_point(0), 0U);
  EXPECT_EQ(to_fixed_point(-1), 0U);
  EXPECT_EQ(to_fixed_point(std::nan("")), 0U);
  EXPECT_EQ(to_fixed_point(0.5), std::uint64_t{1} << 63);
  EXPECT_EQ(to_fixed_point(0x1p-64), 1U);
  EXPECT_EQ(to_fixed_point(0x1p-65), 0U);
  EXPECT_EQ(to_fixed_point(1), ~std::uint64_t{0});
  EXPECT_EQ(to_fixed_point(2), ~std::uint64_t{0});
}

TEST(FixedPoint, ComesBack) {
  for (const double p : {0.0, 0x1p-64, 0.1, 0.5, 1 - 0x1p-53})
    EXPECT_EQ(from_fixed_point(to_fixed_point(p)), p);
  EXPECT_EQ(from_fixed_point(to_fixed_point(1)), 1);
}

}  // namespace
}  // namespace noctule
