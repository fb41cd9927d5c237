// Masks are walked cyclically from a place on: in the order of a walk bit by bit?

#include "core/mask.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/rng.h"

namespace noctule {
namespace {

template <int W>
std::vector<std::size_t> bit_by_bit(const Mask<W>& mask, std::size_t start) {
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < Mask<W>::kBits; ++n)
    if (const std::size_t i = (start + n) % Mask<W>::kBits; mask.test(i)) order.push_back(i);
  return order;
}

template <int W>
void compare_with_bit_by_bit() {
  Rng rng(9, "masks");
  for (int draw = 0; draw < 200; ++draw) {
    Mask<W> mask;
    for (std::size_t n = 1 + rng.below(6); n > 0; --n) mask.set(rng.below(Mask<W>::kBits));
    for (const std::size_t start : {std::size_t{0}, std::size_t{1}, std::size_t{63}, Mask<W>::kBits - 1,
                                    Mask<W>::kBits, mask.lowest(), mask.lowest() + 1}) {
      const auto expected = bit_by_bit(mask, start);
      ASSERT_EQ(mask.next_from(start), expected.front()) << "from " << start;
      std::vector<std::size_t> order;
      ASSERT_TRUE(mask.each_from(start, [&](std::size_t i) {
        order.push_back(i);
        return true;
      }));
      ASSERT_EQ(order, expected) << "from " << start;
      std::size_t seen = 0;
      ASSERT_FALSE(mask.each_from(start, [&](std::size_t) { return ++seen < expected.size(); }));
      ASSERT_EQ(seen, expected.size()) << "stops when it is told to";
    }
  }
}

TEST(Mask, IsWalkedCyclicallyFromAPlaceOn) {
  compare_with_bit_by_bit<1>();
  compare_with_bit_by_bit<4>();
}

}  // namespace
}  // namespace noctule
