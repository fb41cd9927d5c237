// The calendar: is every router visited in the cycles that it was woken for, once, in order, and in no other?

#include "kernel/calendar.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "core/rng.h"

namespace noctule {
namespace {

using Visits = std::vector<std::uint32_t>;

/// What stands at each position: its number.
const std::vector<std::uint32_t>& numbers() {
  static const std::vector<std::uint32_t> kNumbers = [] {
    std::vector<std::uint32_t> all(256);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }();
  return kNumbers;
}

/// Performs a cycle in which nobody asks for the next one.
Visits perform(Calendar& calendar, Cycle t) {
  Visits visits;
  const auto calls = calendar.run(t, 0, calendar.words(), numbers().data(), [&](std::uint32_t position) {
    visits.push_back(position);
    return false;
  });
  EXPECT_EQ(calls, visits.size());
  return visits;
}

TEST(TheCalendar, VisitsInAscendingOrderAcrossWords) {
  Calendar calendar(200, 4);
  for (const std::uint32_t position : {199U, 64U, 0U, 63U, 128U, 64U}) calendar.wake(position, 7);
  EXPECT_EQ(perform(calendar, 7), (Visits{0, 63, 64, 128, 199}));
  EXPECT_EQ(perform(calendar, 7), Visits{}) << "a visit is made once";
}

TEST(TheCalendar, KnowsTheNextCycleWithWork) {
  Calendar calendar(65, 5);
  EXPECT_EQ(calendar.next(0), kNever);
  calendar.wake(64, 12);
  calendar.wake(3, 10);
  EXPECT_EQ(calendar.next(8), 10U);
  EXPECT_EQ(calendar.next(10), 10U);
  EXPECT_EQ(perform(calendar, 10), Visits{3});
  EXPECT_EQ(calendar.next(10), 12U);
  EXPECT_EQ(perform(calendar, 11), Visits{});
  EXPECT_EQ(perform(calendar, 12), Visits{64});
  EXPECT_EQ(calendar.next(13), kNever);
}

TEST(TheCalendar, ReachesItsWholeHorizonButNotRoundTheRing) {
  for (const std::size_t horizon : {1U, 2U, 3U, 4U, 7U, 8U, 100U}) {
    Calendar calendar(1, horizon);
    for (const Cycle t : {Cycle{0}, Cycle{1}, Cycle{1000}}) {
      calendar.wake(0, t + horizon);
      for (Cycle at = t; at < t + horizon; ++at) EXPECT_EQ(perform(calendar, at), Visits{}) << horizon;
      EXPECT_EQ(perform(calendar, t + horizon), Visits{0}) << horizon;
    }
  }
}

TEST(TheCalendar, WakesAgainWhoHasWorkInTheNextCycle) {
  Calendar calendar(70, 2);
  calendar.wake(5, 0);
  calendar.wake(69, 0);
  calendar.run(0, 0, calendar.words(), numbers().data(),
               [](std::uint32_t position) { return position == 69; });
  EXPECT_EQ(perform(calendar, 1), Visits{69});
}

TEST(TheCalendar, VisitsWhoIsWokenForTheSameCycleAtALaterPosition) {
  Calendar calendar(140, 1);
  calendar.wake(2, 4);
  Visits visits;
  calendar.run(4, 0, calendar.words(), numbers().data(), [&](std::uint32_t position) {
    visits.push_back(position);
    if (position == 2) calendar.wake(9, 4);    // in the same word
    if (position == 9) calendar.wake(139, 4);  // in a later one
    return false;
  });
  EXPECT_EQ(visits, (Visits{2, 9, 139}));
}

TEST(TheCalendar, AnnouncesTheNextVisitOfTheSameWordOrTheNext) {
  Calendar calendar(140, 1);
  for (const std::uint32_t position : {2U, 9U, 63U, 64U, 139U}) calendar.wake(position, 4);
  Visits told;
  Visits order;
  calendar.run(
      4, 0, calendar.words(), numbers().data(),
      [&](std::uint32_t position) {
        order.push_back(position);
        return false;
      },
      [&](std::uint32_t position) {
        told.push_back(position);
        order.push_back(position);
      });
  EXPECT_EQ(told, (Visits{9, 63, 64, 139}));
  EXPECT_EQ(order, (Visits{9, 2, 63, 9, 64, 63, 139, 64, 139})) << "before the visit that goes before";
}

TEST(TheCalendar, ForgetsEverythingWhenCleared) {
  Calendar calendar(100, 3);
  for (Cycle t = 0; t <= 3; ++t) calendar.wake(99, t);
  calendar.clear();
  EXPECT_EQ(calendar.next(0), kNever);
}

/// Against sets by cycle, at random.
TEST(TheCalendar, AgreesWithSetsByCycle) {
  constexpr std::size_t kHorizon = 6;
  constexpr std::uint32_t kRouters = 150;
  Calendar calendar(kRouters, kHorizon);
  std::vector<std::set<std::uint32_t>> expected(2000 + kHorizon + 1);
  Rng rng(1, "calendar");
  for (Cycle t = 0; t < 2000; ++t) {
    for (std::uint64_t n = rng.below(4); n > 0; --n) {
      const auto position = static_cast<std::uint32_t>(rng.below(kRouters));
      const Cycle at = t + rng.below(kHorizon + 1);
      calendar.wake(position, at);
      expected[at].insert(position);
    }
    Cycle first = kNever;
    for (Cycle at = t + kHorizon + 1; at-- > t;)
      if (!expected[at].empty()) first = at;
    ASSERT_EQ(calendar.next(t), first);
    ASSERT_EQ(perform(calendar, t), Visits(expected[t].begin(), expected[t].end())) << t;
  }
}

}  // namespace
}  // namespace noctule
