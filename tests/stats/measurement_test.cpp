// Measurement phases: is each length, limit and status rule obeyed, tight on both sides?

#include "stats/measurement.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "synthetic_fabric.h"

namespace noctule {
namespace {

using test::measure;
using test::Recipe;
using test::SyntheticFabric;
using test::workload_of;

MeasurementSettings fixed(Cycle warm_up, Cycle cycles, unsigned batches = 32) {
  MeasurementSettings s;
  s.warm_up_cycles = warm_up;
  s.measure_cycles = cycles;
  s.batches = batches;
  return s;
}

MeasurementSettings automatic(double precision) {
  MeasurementSettings s;
  s.measure_cycles = 3200;
  s.precision = precision;
  s.measure_limit_cycles = 200'000;
  return s;
}

TEST(DoesItRun, FixedLengthsAreKeptToTheCycle) {
  for (const Cycle warm_up : {Cycle{0}, Cycle{1}, Cycle{20'000}})
    for (const Cycle cycles : {Cycle{1}, Cycle{31}, Cycle{32}, Cycle{1001}, Cycle{30'000}}) {
      Recipe recipe;
      recipe.noise = 0;
      const auto o = measure(recipe, fixed(warm_up, cycles));
      EXPECT_EQ(o.warm_up_cycles, warm_up);
      EXPECT_EQ(o.measured_cycles, cycles);
      ASSERT_EQ(o.batches.size(), std::min<Cycle>(32, cycles));
      EXPECT_EQ(o.window.packets_delivered, 4 * cycles);
      EXPECT_EQ(o.final.packets_delivered, 4 * (warm_up + cycles));
      EXPECT_EQ(o.status, cycles > 1 ? Status::kStable : Status::kNotConverged) << o.rule;
      EXPECT_FALSE(o.transient_cycles);
      Cycle next = warm_up;
      std::uint64_t flits = 0;
      std::set<Cycle> lengths;
      for (const auto& b : o.batches) {
        EXPECT_EQ(b.begin, next);
        next = b.end;
        flits += b.flits_delivered;
        lengths.insert(b.end - b.begin);
      }
      EXPECT_EQ(next, warm_up + cycles);
      EXPECT_EQ(flits, o.window.flits_delivered);
      EXPECT_LE(*lengths.rbegin() - *lengths.begin(), 1U);
    }
}

TEST(IsEachRuleObeyed, TheWindowHoldsWhatHappenedInItOnly) {
  Recipe recipe;
  recipe.tau = 2000;
  const auto o = measure(recipe, fixed(10'000, 20'000));
  EXPECT_EQ(o.window.total_latency.count(), o.window.packets_delivered);
  EXPECT_TRUE(o.window.total_latency.max_is_exact());
  EXPECT_EQ(o.window.total_latency.max(), 118U);
  std::uint64_t latency = 0;
  for (const auto& b : o.batches) latency += b.total_latency;
  EXPECT_EQ(latency, o.window.total_latency.sum());
}

TEST(IsEachRuleObeyed, APrecisionIsReachedAndNotOverdone) {
  for (const double precision : {0.02, 0.005, 0.002}) {
    Recipe recipe;
    const auto o = measure(recipe, automatic(precision));
    EXPECT_EQ(o.status, Status::kStable) << o.rule;
    const auto flits = estimate_ratio(accepted_flits(o.batches, recipe.terminals));
    const auto latency = estimate_ratio(total_latency(o.batches));
    EXPECT_LE(flits->relative_half_width(), precision);
    EXPECT_LE(latency->relative_half_width(), precision);
    EXPECT_NEAR(flits->mean, 20.0 / 64, 3 * precision * 20.0 / 64);
    // Poisson arrivals: relative half width 2 / sqrt(4 T); T must not be a multiple of what that asks for.
    const double needed = 1 / (precision * precision);
    EXPECT_LT(static_cast<double>(o.measured_cycles), std::max(3300.0, 3 * needed)) << precision;
    EXPECT_GE(o.measured_cycles, 3200U);
  }
}

TEST(IsEachRuleObeyed, TheLimitEndsAnUnreachedPrecision) {
  auto settings = automatic(0.0005);
  settings.measure_limit_cycles = 10'001;
  Recipe recipe;
  recipe.discards = true;
  const auto o = measure(recipe, settings);
  EXPECT_EQ(o.status, Status::kNotConverged);
  EXPECT_EQ(o.measured_cycles, 10'001U);
  EXPECT_NE(o.rule.find("limit of 10001"), std::string::npos) << o.rule;
}

TEST(IsEachRuleObeyed, WarmUpIsDetectedAndBounded) {
  Recipe recipe;
  recipe.tau = 1000;
  recipe.discards = true;
  auto settings = automatic(0.02);
  const auto o = measure(recipe, settings);
  EXPECT_GT(o.warm_up_cycles, 3000U);
  EXPECT_LT(o.warm_up_cycles, 25'000U);
  ASSERT_TRUE(o.transient_cycles);
  EXPECT_LE(2 * *o.transient_cycles, o.warm_up_cycles);
  EXPECT_EQ(o.status, Status::kStable) << o.rule;

  settings.warm_up_limit_cycles = 1501;
  const auto early = measure(recipe, settings);
  EXPECT_EQ(early.warm_up_cycles, 1501U);
  EXPECT_EQ(early.status, Status::kNotConverged);
  EXPECT_FALSE(early.transient_cycles);
  EXPECT_NE(early.rule.find("warm-up"), std::string::npos);
}

Status status_with(double accepted, double start_queue, bool discards, double noise = 0) {
  Recipe recipe;
  recipe.accepted_fraction = accepted;
  recipe.start_queue = start_queue;
  recipe.discards = discards;
  recipe.noise = noise;
  recipe.offered_packets_per_cycle = 10;
  const auto o = measure(recipe, fixed(100, 3200));
  EXPECT_EQ(o.rule.rfind(to_string(o.status), 0), 0U) << o.rule;
  return o.status;
}

TEST(IsEachRuleObeyed, SaturatedBelow97PercentOfOfferedWithASourceQueue) {
  EXPECT_EQ(status_with(0.969, 0, false), Status::kSaturated);
  EXPECT_EQ(status_with(0.971, 0, false), Status::kNotConverged);
  EXPECT_EQ(status_with(0.9999, 0, false), Status::kStable);
  // 32,000 packets: the interval is about one per cent of the throughput.
  EXPECT_EQ(status_with(0.95, 0, false, 1), Status::kSaturated);
  EXPECT_EQ(status_with(0.99, 0, false, 1), Status::kNotConverged);  // the queues grow all the same
  EXPECT_EQ(status_with(1, 0, false, 1), Status::kStable);
}

TEST(IsEachRuleObeyed, TooFewPacketsAreNoEvidenceOfSaturation) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Recipe recipe;
    recipe.offered_packets_per_cycle = 0.02;  // 64 packets
    recipe.seed = seed;
    EXPECT_EQ(measure(recipe, fixed(0, 3200)).status, Status::kStable) << seed;
  }
}

TEST(IsEachRuleObeyed, SaturatedAbove30QueuedPacketsPerTerminal) {
  EXPECT_EQ(status_with(1, 30 * 64, false), Status::kStable);
  EXPECT_EQ(status_with(1, 30 * 64 + 1, false), Status::kSaturated);
}

TEST(IsEachRuleObeyed, OnlyInjectingTerminalsCountInTheOfferedLoadAndTheQueue) {
  Recipe recipe;
  recipe.noise = 0;
  auto workload = workload_of(recipe);
  workload.injecting_terminals = 32;
  workload.offered_flits_per_node_cycle *= 2;  // the same load from half of the terminals
  EXPECT_EQ(measure(recipe, fixed(0, 3200), workload).status, Status::kStable);
  recipe.start_queue = 20 * 64;
  const auto o = measure(recipe, fixed(0, 3200), workload);
  EXPECT_EQ(o.status, Status::kSaturated);
  EXPECT_DOUBLE_EQ(o.mean_queue_packets, 40);
}

TEST(IsEachRuleObeyed, DiscardingSourcesAreNeverSaturatedAlone) {
  EXPECT_EQ(status_with(0.3, 0, true), Status::kStable);
}

TEST(IsEachRuleObeyed, ASaturatedPointDoesNotRunToItsLimits) {
  for (const double accepted : {0.5, 0.9}) {
    Recipe recipe;
    recipe.accepted_fraction = accepted;
    auto settings = automatic(0.0001);
    const auto o = measure(recipe, settings);
    EXPECT_EQ(o.status, Status::kSaturated) << o.rule;
    EXPECT_LT(o.warm_up_cycles, 8'000U);
    EXPECT_LT(o.measured_cycles, 10'000U);
  }
}

TEST(DoesItRun, AFiniteWorkloadIsMeasuredFromZeroUntilDrained) {
  Recipe recipe;
  recipe.noise = 0;
  MeasuredWorkload workload{true, true, 64, 64, 0};
  MeasurementController controller({}, workload);
  EXPECT_EQ(controller.phase(), MeasurementController::Phase::kMeasure);
  EXPECT_EQ(controller.next_block(), 1'000'000U);
  SyntheticFabric fabric(recipe);
  fabric.advance(777);
  controller.drained(777, fabric.counters());
  const auto& o = controller.outcome();
  EXPECT_EQ(o.status, Status::kStable);
  EXPECT_EQ(o.time_to_drain_cycles, Cycle{777});
  EXPECT_EQ(o.warm_up_cycles, 0U);
  EXPECT_EQ(o.measured_cycles, 777U);
  EXPECT_EQ(o.window.packets_delivered, 4 * 777U);
  EXPECT_EQ(controller.next_block(), 0U);

  MeasurementSettings brief;
  brief.measure_limit_cycles = 500;
  const auto stuck = measure(recipe, brief, workload);
  EXPECT_EQ(stuck.status, Status::kNotConverged);
  EXPECT_EQ(stuck.measured_cycles, 500U);
  EXPECT_FALSE(stuck.time_to_drain_cycles);

  MeasurementController losing({}, workload);
  FabricCounters counters = fabric.counters();
  counters.packets_discarded = 7;
  counters.packets_generated += 7;
  losing.drained(777, counters);
  EXPECT_NE(losing.outcome().rule.find("7 of "), std::string::npos) << losing.outcome().rule;
  EXPECT_NE(losing.outcome().rule.find("were discarded"), std::string::npos);
}

TEST(DoesItRun, ADeadlockEndsTheRunInEitherPhase) {
  for (const Cycle warm_up : {Cycle{100}, Cycle{1000}}) {
    Recipe recipe;
    SyntheticFabric fabric(recipe);
    MeasurementController controller(fixed(warm_up, 3200), workload_of(recipe));
    if (warm_up == 100) {
      fabric.advance(controller.next_block());
      EXPECT_TRUE(controller.observe(fabric.now(), fabric.counters(), 0));
    }
    fabric.advance(17);
    controller.stop(fabric.now(), fabric.counters(), 0, Status::kDeadlocked, "deadlocked: 4 worms.");
    EXPECT_EQ(controller.next_block(), 0U);
    EXPECT_EQ(controller.outcome().status, Status::kDeadlocked);
    EXPECT_EQ(controller.outcome().measured_cycles, warm_up == 100 ? 17U : 0U);
    EXPECT_THROW(controller.observe(fabric.now() + 1, fabric.counters(), 0), InternalError);
  }
}

TEST(DoesItSurviveBadInput, SettingsWithoutSenseAreRefusedByKey) {
  const auto key_of = [](const MeasurementSettings& s) -> std::string {
    try {
      MeasurementController c(s, MeasuredWorkload{false, false, 4, 4, 0.1});
    } catch (const ConfigError& e) {
      return e.diagnostics().front().key;
    }
    return "";
  };
  EXPECT_EQ(key_of(fixed(0, 1, 2)), "");
  EXPECT_EQ(key_of(fixed(0, 0)), "measurement.cycles");
  EXPECT_EQ(key_of(fixed(0, 100, 1)), "measurement.batches");
  auto s = automatic(0.02);
  s.precision = 0;
  EXPECT_EQ(key_of(s), "measurement.precision");
  s.precision = 0.02;
  s.measure_limit_cycles = s.measure_cycles - 1;
  EXPECT_EQ(key_of(s), "measurement.limit");
}

TEST(IsItDeterministic, TheSameRunGivesTheSameNumbers) {
  const auto a = measure({}, automatic(0.01));
  const auto b = measure({}, automatic(0.01));
  EXPECT_EQ(a.measured_cycles, b.measured_cycles);
  EXPECT_EQ(a.window.total_latency.rows(), b.window.total_latency.rows());
  EXPECT_EQ(*estimate_ratio(total_latency(a.batches))->ci95, *estimate_ratio(total_latency(b.batches))->ci95);
}

TEST(DoesItRun, ProgressEndsWhereTheRunEnds) {
  Recipe recipe;
  SyntheticFabric fabric(recipe);
  MeasurementController controller(fixed(500, 3200), workload_of(recipe));
  EXPECT_EQ(controller.expected_end(), 3700U);
  while (const Cycle block = controller.next_block()) {
    EXPECT_GE(controller.expected_end(), fabric.now() + block);
    fabric.advance(block);
    controller.observe(fabric.now(), fabric.counters(), fabric.queue());
  }
  EXPECT_EQ(controller.expected_end(), 3700U);
}

}  // namespace
}  // namespace noctule
