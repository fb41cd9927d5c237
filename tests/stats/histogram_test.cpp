// Latency histogram and counters: do the buckets keep what was recorded, to their stated error?

#include "stats/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.h"
#include "stats/counters.h"

namespace noctule {
namespace {

/// Skewed latencies from a few cycles to some ten thousand.
std::vector<std::uint64_t> latencies(std::size_t n, std::uint64_t seed) {
  Rng rng(seed, "histogram");
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < n; ++i) {
    const auto octave = rng.below(12);
    list.push_back(20 + (rng.next() >> (64 - 4 - octave)));
  }
  return list;
}

LatencyHistogram histogram_of(const std::vector<std::uint64_t>& list) {
  LatencyHistogram h;
  for (const auto v : list) h.record(v);
  return h;
}

TEST(IsEachRuleObeyed, BucketsTileAllLatenciesWithAnErrorOfOneIn128) {
  std::uint64_t next = 0;
  for (std::size_t b = 0; next < (1ULL << 40); ++b) {
    ASSERT_EQ(LatencyHistogram::low(b), next);
    ASSERT_EQ(LatencyHistogram::bucket(LatencyHistogram::low(b)), b);
    ASSERT_EQ(LatencyHistogram::bucket(LatencyHistogram::high(b)), b);
    const auto width = LatencyHistogram::high(b) - LatencyHistogram::low(b) + 1;
    if (next < 1024)
      ASSERT_EQ(width, 1U);
    else
      ASSERT_LE(width * 128, LatencyHistogram::low(b));
    next = LatencyHistogram::high(b) + 1;
  }
  LatencyHistogram h;
  h.record(~0ULL);
  EXPECT_EQ(h.rows().front().high, ~0ULL);
  EXPECT_EQ(h.max(), ~0ULL);
}

TEST(IsEachRuleObeyed, PercentilesAreThoseOfASort) {
  for (const std::size_t n : {1U, 2U, 7U, 100U, 20'001U}) {
    auto list = latencies(n, n);
    const auto h = histogram_of(list);
    std::sort(list.begin(), list.end());
    for (const unsigned percent : {1U, 50U, 95U, 99U, 100U}) {
      const auto exact = list[std::max<std::size_t>((n * percent + 99) / 100, 1) - 1];
      const auto got = h.percentile(percent);
      if (exact < 1024) {
        EXPECT_EQ(got, exact) << n << ' ' << percent;
      } else {
        EXPECT_LE(got * 256, exact * 257) << n << ' ' << percent;
        EXPECT_GE(got * 256, exact * 255) << n << ' ' << percent;
      }
    }
    EXPECT_EQ(h.max(), list.back());
    EXPECT_EQ(h.count(), n);
    EXPECT_EQ(h.sum(), std::accumulate(list.begin(), list.end(), std::uint64_t{0}));
  }
}

TEST(IsEachRuleObeyed, RowsHoldEverySampleOnce) {
  const auto list = latencies(5000, 3);
  std::uint64_t count = 0;
  for (const auto& row : histogram_of(list).rows()) {
    EXPECT_EQ(row.count, static_cast<std::uint64_t>(std::count_if(list.begin(), list.end(), [&](auto v) {
                return v >= row.low && v <= row.high;
              })));
    count += row.count;
  }
  EXPECT_EQ(count, list.size());
}

TEST(IsEachRuleObeyed, DifferenceOfSnapshotsIsTheWindowWithItsExactMaximum) {
  const auto warm_up = latencies(3000, 1);
  const auto measured = latencies(2000, 2);
  auto running = histogram_of(warm_up);
  running.record(1'000'000'007);
  const auto before = running;
  running.begin_window();
  for (const auto v : measured) running.record(v);
  const auto window = running - before;
  const auto alone = histogram_of(measured);
  EXPECT_EQ(window.rows(), alone.rows());
  EXPECT_EQ(window.sum(), alone.sum());
  EXPECT_EQ(window.max(), alone.max());
  EXPECT_TRUE(window.max_is_exact());
}

TEST(IsEachRuleObeyed, AnUnannouncedWindowBoundsItsMaximum) {
  LatencyHistogram running;
  running.record(9000);
  const auto before = running;
  running.record(5001);
  auto window = running - before;
  EXPECT_FALSE(window.max_is_exact());
  EXPECT_EQ(window.max(), LatencyHistogram::high(LatencyHistogram::bucket(5001)));
  running.record(9001);
  window = running - before;
  EXPECT_TRUE(window.max_is_exact());
  EXPECT_EQ(window.max(), 9001U);
  EXPECT_EQ((before - before).max(), 0U);
}

TEST(IsItDeterministic, MergedPartsEqualTheWhole) {
  const auto a = latencies(1000, 4);
  const auto b = latencies(1500, 5);
  auto all = a;
  all.insert(all.end(), b.begin(), b.end());
  auto forth = histogram_of(a);
  forth += histogram_of(b);
  auto back = histogram_of(b);
  back += histogram_of(a);
  EXPECT_EQ(forth.rows(), histogram_of(all).rows());
  EXPECT_EQ(back.rows(), forth.rows());
  EXPECT_EQ(forth.max(), histogram_of(all).max());
  EXPECT_EQ(forth.sum(), histogram_of(all).sum());
}

TEST(DoesItSurviveBadInput, SnapshotsInTheWrongOrderAreRefused) {
  const auto small = histogram_of({1, 2, 3});
  const auto large = histogram_of({1, 2, 3, 4000});
  EXPECT_THROW((void)(small - large), InternalError);
  EXPECT_THROW((void)(large - histogram_of({9})), InternalError);
  FabricCounters before;
  before.flits_delivered = 5;
  EXPECT_THROW((void)(FabricCounters{} - before), InternalError);
  before = {};
  before.link_flits = {1};
  EXPECT_THROW((void)(FabricCounters{} - before), InternalError);
}

TEST(IsEachRuleObeyed, CountersSubtractAndAddMemberByMember) {
  FabricCounters c;
  c.packets_generated = 10;
  c.packets_discarded = 1;
  c.packets_injected = 7;
  c.packets_delivered = 4;
  c.flits_injected = 30;
  c.flits_delivered = 21;
  c.evaluations = 99;
  c.terminal_flits = {20, 1};
  c.link_flits = {3, 4, 5};
  c.total_latency.record(7);
  EXPECT_EQ(c.packets_in_flight(), 3U);
  EXPECT_EQ(c.packets_queued(), 2U);
  EXPECT_EQ(c.flits_in_flight(), 9U);
  auto twice = c;
  twice += c;
  const auto once = twice - c;
  EXPECT_EQ(once.packets_generated, 10U);
  EXPECT_EQ(once.evaluations, 99U);
  EXPECT_EQ(once.terminal_flits, c.terminal_flits);
  EXPECT_EQ(once.link_flits, c.link_flits);
  EXPECT_EQ(once.total_latency.sum(), 7U);
  EXPECT_EQ((c - FabricCounters{}).link_flits, c.link_flits);
}

}  // namespace
}  // namespace noctule
