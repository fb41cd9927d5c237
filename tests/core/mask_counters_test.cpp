// Counters that are counted many at a time: do they say what counters one by one say?

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/mask_counters.h"
#include "core/rng.h"

namespace noctule {
namespace {

template <int W>
struct Counters : MaskCounters<W> {
  explicit Counters(bool deep) {
    if (deep) this->far = planes.data();
  }
  std::array<Mask<W>, MaskCounters<W>::kFar> planes{};
};

template <int W>
void compare_with_one_by_one(std::size_t most) {
  const bool deep = MaskCounters<W>::needs_far(most);
  Counters<W> counters(deep);
  Counters<W> at_once(deep);
  Counters<W> full(deep);
  std::array<std::size_t, Mask<W>::kBits> expected{};
  for (std::size_t i = 0; i < expected.size(); ++i) full.set(i, most);
  Rng rng(7, "mask counters");
  const std::size_t start = most - std::min<std::size_t>(most, 3);  // so that carries reach the highest plane
  for (std::size_t i = 0; i < expected.size(); ++i) {
    counters.set(i, expected[i] = start);
    at_once.set(i, start);
  }
  for (int step = 0; step < 200; ++step) {
    Mask<W> up;
    Mask<W> down;
    Mask<W> both;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto draw = rng.below(3);
      up.set_if(i, draw == 0 && expected[i] < most);
      down.set_if(i, draw == 1 && expected[i] > 0);
      both.set_if(i, draw == 2 && rng.below(2) == 0);
      expected[i] += up.test(i) ? 1 : 0;
      expected[i] -= down.test(i) ? 1 : 0;
    }
    counters.add(up);
    counters.change({}, down);
    at_once.change(up | both, down | both);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(counters[i], expected[i]) << "counter " << i << ", step " << step;
      ASSERT_EQ(at_once[i], expected[i]) << "at once: counter " << i << ", step " << step;
      ASSERT_EQ(counters.any().test(i), expected[i] != 0);
      ASSERT_EQ(counters.differ(full).test(i), expected[i] != most);
    }
  }
  counters.clear();
  EXPECT_TRUE(counters.any().none());
}

TEST(MaskCounters, CountAsCountersOneByOneDo) {
  for (const std::size_t most : {1U, 2U, 8U, 15U, 16U, 300U, 65536U}) {
    compare_with_one_by_one<1>(most);
    compare_with_one_by_one<4>(most);
  }
}

template <int W>
void add_up_to_seven(std::size_t most) {
  Counters<W> counters(MaskCounters<W>::needs_far(most));
  std::array<std::size_t, Mask<W>::kBits> expected{};
  Rng rng(8, "mask counters");
  for (int step = 0; step < 50; ++step) {
    std::array<Mask<W>, 3> bits{};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto more = rng.below(std::min<std::size_t>(7, most - expected[i]) + 1);
      for (unsigned b = 0; b < 3; ++b) bits[b].set_if(i, (more >> b & 1) != 0);
      expected[i] += more;
    }
    counters.add(bits[0], bits[1], bits[2]);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(counters[i], expected[i]) << "counter " << i << ", step " << step;
  }
}

TEST(MaskCounters, AddUpToSevenAtOnce) {
  for (const std::size_t most : {7U, 15U, 300U}) {
    add_up_to_seven<1>(most);
    add_up_to_seven<4>(most);
  }
}

TEST(MaskCounters, StartFromZeroWithWhatTheNearPlanesHold) {
  for (std::size_t value = 0; value <= MaskCounters<4>::kMostNear; ++value)
    for (const std::size_t i : {0U, 63U, 64U, 255U}) {
      Counters<4> counters(false);
      counters.set(7, 3);
      counters.start(i, value);
      EXPECT_EQ(counters[i], value);
      EXPECT_EQ(counters[7], 3U);
    }
}

TEST(MaskCounters, NeedFarPlanesFromSixteenOn) {
  EXPECT_FALSE(MaskCounters<1>::needs_far(15));
  EXPECT_TRUE(MaskCounters<1>::needs_far(16));
}

}  // namespace
}  // namespace noctule
