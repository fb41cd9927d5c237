// The rule for source queues without limit: what a window shows, what it hides, and what its sentence says.

#include "stats/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "noise.h"
#include "synthetic_fabric.h"

namespace noctule {
namespace {

constexpr std::uint64_t kTerminals = 64;
constexpr double kRate = 0.05;  // packets of 4 flits, per terminal and cycle

MeasuredWorkload workload() {
  return {false, true, kTerminals, kTerminals, 4 * kRate, 4};
}

/// Batches whose queue, per terminal, follows `queue` (of the cycle); what is not queued is delivered.
std::vector<BatchRecord> batches(Cycle cycles, const std::function<double(double)>& queue,
                                 unsigned count = 20) {
  std::vector<BatchRecord> list;
  const Cycle length = cycles / count;
  const auto at = [&](Cycle t) {
    return static_cast<std::uint64_t>(kTerminals * queue(static_cast<double>(t)));
  };
  for (unsigned i = 0; i < count; ++i) {
    BatchRecord b;
    b.begin = i * length;
    b.end = b.begin + length;
    b.packets_generated = static_cast<std::uint64_t>(kRate * static_cast<double>(kTerminals * length));
    b.packets_delivered = b.packets_generated + at(b.begin) - at(b.end);
    b.flits_delivered = 4 * b.packets_delivered;
    b.queued = at(b.end);
    b.queued_packet_cycles = (at(b.begin) + at(b.end)) * length / 2;
    b.under_way_packet_cycles = b.queued_packet_cycles + 100 * length;
    list.push_back(b);
  }
  return list;
}

StatusVerdict verdict(const std::vector<BatchRecord>& list) {
  if (auto v = overloaded(list, workload())) return *v;
  if (auto v = nothing_delivered(list, workload())) return *v;
  return judge_queues(list, workload());
}

bool says(const StatusVerdict& v, const std::string& text) {
  return v.rule.find(text) != std::string::npos;
}

// What waits in unlimited injection channels is in no queue.
TEST(IsEachRuleObeyed, UnlimitedInjectionChannelsAreJudgedByWhatIsUnderWay) {
  const auto judge = [](const std::function<double(double)>& waits) {
    auto list = batches(20'000, waits);
    for (auto& b : list) b.queued = b.queued_packet_cycles = 0;
    auto open = workload();
    open.unlimited_injection = true;
    const auto over = overloaded(list, open);
    return over ? *over : judge_queues(list, open);
  };
  EXPECT_EQ(judge([](double) { return 20.0; }).status, Status::kStable);
  const auto full = judge([](double) { return 40.0; });
  EXPECT_EQ(full.status, Status::kSaturated);
  EXPECT_TRUE(says(full, "the injection channels and the network held")) << full.rule;
  const auto grows = judge([](double t) { return t * kRate / 2; });  // half of what comes stays
  EXPECT_EQ(grows.status, Status::kSaturated) << grows.rule;
}

TEST(IsEachRuleObeyed, FlatQueuesAreStableUpToTheLimit) {
  for (const double level : {0.0, 0.5, 10.0, 30.0})
    EXPECT_EQ(verdict(batches(20'000, [&](double) { return level; })).status, Status::kStable) << level;
  const auto over = verdict(batches(20'000, [](double) { return 30.1; }));
  EXPECT_EQ(over.status, Status::kSaturated);
  EXPECT_TRUE(says(over, "more than 30")) << over.rule;
}

TEST(IsEachRuleObeyed, AQueueThatGrowsIsNeverStable) {
  // 0.5 to 2.5 % of the load is left behind: too little for the rule of 0.97, and the queues are still short.
  for (const double share : {0.005, 0.01, 0.025})
    for (const double start : {0.0, 3.0}) {
      const auto v = verdict(batches(20'000, [&](double t) { return start + share * kRate * t; }));
      EXPECT_NE(v.status, Status::kStable) << v.rule;
      EXPECT_TRUE(says(v, "grow")) << v.rule;
    }
  const auto nearly = verdict(batches(20'000, [](double t) { return 15 + t / 1000; }));
  EXPECT_EQ(nearly.status, Status::kSaturated) << nearly.rule;
  EXPECT_TRUE(says(nearly, "passes 30 within another window")) << nearly.rule;
}

TEST(IsEachRuleObeyed, AWindowTooShortSaysHowLongWouldTell) {
  // The same slow swing, in a fifth of its period, and in 50 of them.
  const auto swing = [](double t) { return 3 + 2 * std::sin(t / 8000); };
  const auto early = verdict(batches(10'000, swing));
  EXPECT_EQ(early.status, Status::kNotConverged) << early.rule;
  EXPECT_TRUE(says(early, "measured cycles would tell")) << early.rule;
  const auto late = verdict(batches(2'500'000, swing));
  EXPECT_EQ(late.status, Status::kStable) << late.rule;
}

TEST(IsEachRuleObeyed, OneLongQueueNeedsALongWindow) {
  // 40 packets at one terminal are less than one per terminal.
  for (const Cycle cycles : {Cycle{10'000}, Cycle{1'000'000}}) {
    auto list = batches(cycles, [](double) { return 0.7; });
    for (auto& b : list) b.longest_queue = 40;
    const auto v = verdict(list);
    EXPECT_EQ(v.status, cycles == 10'000 ? Status::kNotConverged : Status::kStable) << v.rule;
    EXPECT_EQ(says(v, "over about 32000 cycles; about 320000 measured cycles would tell"), cycles == 10'000)
        << v.rule;
  }
}

TEST(IsEachRuleObeyed, ShrinkingQueuesAreStable) {
  const auto v = verdict(batches(20'000, [](double t) { return 8 - t / 2500; }));
  EXPECT_EQ(v.status, Status::kStable) << v.rule;
}

TEST(IsEachRuleObeyed, ShortQueuesOfAShortWindowAreStable) {
  Rng rng(3, "queue");
  for (const Cycle cycles : {Cycle{1000}, Cycle{4000}, Cycle{20'000}})
    for (int run = 0; run < 50; ++run) {
      const auto v = verdict(batches(cycles, [&](double) { return 0.05 + 0.01 * test::normal(rng); }));
      EXPECT_EQ(v.status, Status::kStable) << v.rule;
    }
}

TEST(IsEachRuleObeyed, NothingDeliveredIsNotStable) {
  auto list = batches(100, [](double) { return 0; });
  for (auto& b : list) b.packets_delivered = b.flits_delivered = 0;
  for (const bool queue : {true, false}) {
    auto w = workload();
    w.source_queue = queue;
    w.mean_length_flits = 65535;
    const auto v = nothing_delivered(list, w);
    ASSERT_TRUE(v);
    EXPECT_EQ(v->status, Status::kNotConverged);
    EXPECT_TRUE(says(*v, "320 packets were generated and none was delivered within the 100 cycles"))
        << v->rule;
    EXPECT_TRUE(says(*v, "about 1400000 measured cycles")) << v->rule;
  }
  auto silent = workload();
  silent.offered_flits_per_node_cycle = 0;
  EXPECT_FALSE(nothing_delivered(list, silent));
}

TEST(IsEachRuleObeyed, AWindowInWhichNothingWasGeneratedTellsNothing) {
  auto list = batches(20, [](double) { return 0.0; });
  for (auto& b : list) b.packets_generated = 0;
  list.front().packets_delivered = 3;  // from before
  const auto v = judge_queues(list, workload());
  EXPECT_EQ(v.status, Status::kNotConverged);
  EXPECT_TRUE(says(v, "nothing was generated within the 20 cycles")) << v.rule;
  auto silent = workload();
  silent.offered_flits_per_node_cycle = 0;
  EXPECT_EQ(judge_queues(list, silent).status, Status::kStable);
}

TEST(IsEachRuleObeyed, WhatFillsTheNetworkIsNoSaturation) {
  // No warm-up: 6 % of what is generated stays in the network, nothing in the queues.
  auto list = batches(20'000, [](double) { return 0.1; });
  for (std::size_t i = 0; i < 4; ++i) list[i].packets_delivered = list[i].packets_generated * 7 / 10;
  const auto v = verdict(list);
  EXPECT_EQ(v.status, Status::kNotConverged) << v.rule;
  EXPECT_TRUE(says(v, "94 % of the packets generated were delivered")) << v.rule;
}

TEST(IsEachRuleObeyed, AStableSentenceDoesNotContradictItsFigures) {
  // Accepted 0.949 of what is offered, unevenly, so that the interval reaches beyond 0.97 of it.
  auto list = batches(20'000, [](double) { return 0.2; });
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].packets_delivered = static_cast<std::uint64_t>(static_cast<double>(list[i].packets_generated) *
                                                           (i % 2 == 0 ? 1.1 : 0.798));
    list[i].flits_delivered = 4 * list[i].packets_delivered;
  }
  const auto v = verdict(list);
  EXPECT_NE(v.status, Status::kStable) << v.rule;
  const auto stable = verdict(batches(20'000, [](double) { return 0.2; }));
  EXPECT_TRUE(
      says(stable, "0.2 flits per injecting terminal and cycle were accepted of 0.2 offered, 100 % of the"))
      << stable.rule;
}

TEST(IsEachRuleObeyed, TheMeanQueueIsThatOfAllCycles) {
  std::vector<BatchRecord> list(2);
  list[0].end = list[1].begin = 10;
  list[1].end = 40;
  list[0].queued_packet_cycles = 640;
  list[1].queued_packet_cycles = 64 * 30;
  EXPECT_DOUBLE_EQ(mean_source_queue(list, workload()), 1);
  EXPECT_DOUBLE_EQ(mean_source_queue({}, workload()), 0);
}

/// A closed loop that delivers the same in each batch, but nothing from batch `rest` on.
std::vector<BatchRecord> closed_loop(unsigned rest, double per_batch) {
  auto list = batches(20'000, [](double) { return 0.0; });
  for (unsigned i = 0; i < list.size(); ++i) {
    list[i].packets_delivered = i < rest ? static_cast<std::uint64_t>(per_batch) : 0;
    list[i].flits_delivered = 4 * list[i].packets_delivered;
  }
  return list;
}

TEST(AClosedLoop, IsStableWhileItDelivers) {
  EXPECT_EQ(judge_closed_loop(closed_loop(20, 1000), workload()).status, Status::kStable);
  EXPECT_EQ(judge_closed_loop(closed_loop(20, 1), workload()).status, Status::kStable);
}

TEST(AClosedLoop, IsNotStableWhereItCameToRest) {
  for (const unsigned rest : {10U, 19U}) {
    const StatusVerdict v = judge_closed_loop(closed_loop(rest, 1000), workload());
    EXPECT_EQ(v.status, Status::kNotConverged) << rest;
    EXPECT_TRUE(says(v, "came to rest: nothing was delivered in the last 1000 cycles")) << v.rule;
  }
}

TEST(AClosedLoop, IsNotStableWithAnIntervalWiderThanItsMean) {
  auto list = closed_loop(0, 0);
  list.back().packets_delivered = 10'000;
  list.back().flits_delivered = 40'000;
  const StatusVerdict v = judge_closed_loop(list, workload());
  EXPECT_EQ(v.status, Status::kNotConverged);
  EXPECT_TRUE(says(v, "wider than the mean")) << v.rule;
}

/// The same with transactions that take, in each batch, what `cycles` says.
StatusVerdict with_round_trips(const std::function<double(std::size_t)>& cycles) {
  auto list = closed_loop(20, 1000);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].transactions = 500;
    list[i].transaction_cycles = static_cast<std::uint64_t>(500 * cycles(i));
  }
  return judge_closed_loop(list, workload());
}

TEST(AClosedLoop, IsNotStableWithARoundTripThatNobodyKnows) {
  EXPECT_EQ(with_round_trips([](std::size_t) { return 300.0; }).status, Status::kStable);
  const StatusVerdict v = with_round_trips([](std::size_t i) { return i == 19 ? 6000.0 : 1.0; });
  EXPECT_EQ(v.status, Status::kNotConverged);
  EXPECT_TRUE(says(v, "round trip takes 300.9 +- ") && says(v, "wider than the mean")) << v.rule;
}

TEST(AClosedLoop, IsNotStableInAWindowOfFewRoundTrips) {
  const double longest = 20'000 / kRoundTrips;
  EXPECT_EQ(with_round_trips([&](std::size_t) { return longest; }).status, Status::kStable);
  const StatusVerdict v = with_round_trips([&](std::size_t) { return longest + 10; });
  EXPECT_EQ(v.status, Status::kNotConverged);
  EXPECT_TRUE(says(v, "takes 4010 cycles, of which the window of 20000 holds less than 5; about ")) << v.rule;
}

TEST(TooWide, NamesTheQuantityAndWhatWouldDo) {
  const Estimate narrow{100, 1.0, 20, false, 1};
  const Estimate wide{10, 0.5, 20, true, 1};
  EXPECT_EQ(too_wide(narrow, wide, 0.02, 10'000),
            "not_converged: after the limit of 10000 measured cycles the interval of mean latency is +- 5 %, "
            "wanted "
            "are 2 %, and neighbouring batches are correlated; about 69000 measured cycles would tell "
            "(measurement.limit).");
  const std::string long_ago = too_wide(narrow, wide, 0.0005, 100);
  EXPECT_NE(long_ago.find("about 1200000 measured cycles"), std::string::npos) << long_ago;
  const std::string other = too_wide(wide, narrow, 0.02, 10'000);
  EXPECT_NE(other.find("of accepted throughput is"), std::string::npos) << other;
  const std::string none = too_wide(std::nullopt, std::nullopt, 0.02, 10'000);
  EXPECT_NE(none.find("no packet was delivered; about 100000"), std::string::npos) << none;
}

}  // namespace
}  // namespace noctule
