// The timing wheel: is every entry fired in its cycle, once, and never one that was taken out?

#include "kernel/timing_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/rng.h"

namespace noctule {
namespace {

constexpr Cycle kRound = 4096;  // cycles that share a bucket are so far apart

std::vector<std::uint32_t> fired(TimingWheel& wheel, Cycle t) {
  std::vector<std::uint32_t> who;
  wheel.fire(t, [&](std::uint32_t entry) { who.push_back(entry); });
  std::sort(who.begin(), who.end());
  return who;
}

using Entries = std::vector<std::uint32_t>;

TEST(TheTimingWheel, FiresWhatIsDueAndKeepsWhatSharesTheBucket) {
  TimingWheel wheel(5);
  wheel.add(0, 10);
  wheel.add(1, 10 + kRound);
  wheel.add(2, 10);
  wheel.add(3, 11);
  wheel.add(4, 10 + 2 * kRound);
  EXPECT_EQ(fired(wheel, 9), Entries{});
  EXPECT_EQ(fired(wheel, 10), (Entries{0, 2}));
  EXPECT_EQ(fired(wheel, 10), Entries{}) << "an entry fires once";
  EXPECT_EQ(fired(wheel, 11), Entries{3});
  EXPECT_EQ(fired(wheel, 10 + kRound), Entries{1});
  EXPECT_EQ(fired(wheel, 10 + 2 * kRound), Entries{4});
  EXPECT_EQ(wheel.next(0), kNever);
}

TEST(TheTimingWheel, AnEntryMayBeAddedAgainWhileItFires) {
  TimingWheel wheel(3);
  wheel.add(0, 5);
  wheel.add(1, 5);
  Entries who;
  wheel.fire(5, [&](std::uint32_t entry) {
    who.push_back(entry);
    wheel.add(entry, entry == 0 ? 6 : 5 + kRound);  // the second into the bucket that fires
  });
  EXPECT_EQ(who.size(), 2U);
  EXPECT_EQ(fired(wheel, 6), Entries{0});
  EXPECT_EQ(fired(wheel, 5 + kRound), Entries{1});
}

TEST(TheTimingWheel, TakesOutFromTheFrontTheMiddleAndTheEndOfABucket) {
  for (std::uint32_t out = 0; out < 3; ++out) {
    TimingWheel wheel(3);
    for (std::uint32_t who = 0; who < 3; ++who) wheel.add(who, 7);
    wheel.remove(out);
    wheel.remove(out);  // is not in: nothing happens
    Entries expected{0, 1, 2};
    expected.erase(expected.begin() + out);
    EXPECT_EQ(fired(wheel, 7), expected);
  }
}

TEST(TheTimingWheel, NeverIsNoCycle) {
  TimingWheel wheel(2);
  wheel.add(0, kNever);
  EXPECT_EQ(wheel.next(0), kNever);
  wheel.remove(0);
  wheel.add(0, 3);
  EXPECT_EQ(wheel.next(0), 3U);
}

TEST(TheTimingWheel, TheNextCycleIsExactWithinARoundAndNeverTooLate) {
  TimingWheel wheel(2);
  wheel.add(0, 100);
  EXPECT_EQ(wheel.next(0), 100U);
  EXPECT_EQ(wheel.next(100), 100U);
  wheel.remove(0);
  const Cycle far = 5 * kRound + 17;
  wheel.add(1, far);
  Cycle t = 0;
  for (int hops = 0; hops < 10 && t < far; ++hops) {
    const Cycle next = wheel.next(t);
    ASSERT_GT(next, t);
    ASSERT_LE(next, far);
    ASSERT_EQ(fired(wheel, next), next == far ? Entries{1} : Entries{});
    t = next;
  }
  EXPECT_EQ(t, far);
}

/// Against a map, at random.
TEST(TheTimingWheel, AgreesWithAMap) {
  constexpr std::uint32_t kEntries = 40;
  TimingWheel wheel(kEntries);
  std::map<std::uint32_t, Cycle> due;
  Rng rng(1, "wheel");
  for (Cycle t = 0; t < 30000; ++t) {
    const auto who = static_cast<std::uint32_t>(rng.below(kEntries));
    const auto draw = rng.below(8);
    if (draw == 0 && due.erase(who) > 0) wheel.remove(who);
    if (draw == 1 && !due.contains(who)) {
      due[who] = t + rng.below(2 * kRound + 100);
      wheel.add(who, due[who]);
    }
    Entries expected;
    for (const auto& [entry, when] : due)
      if (when == t) expected.push_back(entry);
    for (const auto entry : expected) due.erase(entry);
    ASSERT_EQ(fired(wheel, t), expected) << t;
  }
}

}  // namespace
}  // namespace noctule
