// Division by a number that stays the same: is it what the operator gives?

#include <gtest/gtest.h>

#include <vector>

#include "core/divisor.h"
#include "core/rng.h"

namespace noctule {
namespace {

constexpr std::uint64_t kLast = ~std::uint64_t{0};

/// Powers of two, and what lies beside them; 0 left out.
std::vector<std::uint64_t> corners() {
  std::vector<std::uint64_t> all;
  for (unsigned bits = 0; bits < 64; ++bits)
    for (const std::uint64_t off : {kLast, std::uint64_t{0}, std::uint64_t{1}})
      if (const std::uint64_t value = (std::uint64_t{1} << bits) + off; value != 0) all.push_back(value);
  all.push_back(kLast);
  return all;
}

void compare(std::uint64_t by, std::uint64_t a) {
  const Divisor divisor(by);
  ASSERT_EQ(divisor.divide(a), a / by) << a << " / " << by;
  ASSERT_EQ(divisor.remainder(a), a % by) << a << " % " << by;
  ASSERT_EQ(divisor.divide_up(a), a / by + (a % by != 0 ? 1 : 0)) << a << " / " << by;
}

TEST(Divisor, EqualsTheOperatorAtCorners) {
  for (const std::uint64_t by : corners()) {
    compare(by, 0);
    for (const std::uint64_t a : corners()) compare(by, a);
  }
}

TEST(Divisor, EqualsTheOperatorAroundMultiples) {
  Rng rng(1, "divisor");
  for (int n = 0; n < 20'000; ++n) {
    const std::uint64_t by = 1 + (rng.next() >> rng.below(64));
    const std::uint64_t a = rng.next() >> rng.below(64);
    compare(by, a);
    for (const std::uint64_t near : {a - a % by, a - a % by - 1}) compare(by, near);
  }
}

}  // namespace
}  // namespace noctule
