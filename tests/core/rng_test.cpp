// Streams of random numbers that are skipped: as if they had been drawn.

#include "core/rng.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

TEST(RandomNumbers, ThatAreSkippedAreThoseThatWouldBeDrawn) {
  for (const std::uint64_t draws : {0U, 1U, 2U, 63U, 64U, 100000U}) {
    Rng drawn(7, "stream");
    Rng skipped = drawn;
    for (std::uint64_t n = 0; n < draws; ++n) static_cast<void>(drawn.below(3));
    skipped.skip(draws);
    EXPECT_EQ(drawn.next(), skipped.next()) << draws;
  }
}

TEST(RandomNumbers, AreCountedBetweenTwoStatesOfAStream) {
  const Rng earlier(7, "stream");
  Rng later = earlier;
  EXPECT_EQ(later.draws_since(earlier), 0U);
  for (std::uint64_t n = 1; n < 100; ++n) {
    static_cast<void>(later.next());
    EXPECT_EQ(later.draws_since(earlier), n);
  }
  later.skip(~std::uint64_t{0});
  EXPECT_EQ(later.draws_since(earlier), 98U) << "modulo 2^64";
}

}  // namespace
}  // namespace noctule
