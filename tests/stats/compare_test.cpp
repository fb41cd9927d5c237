// Paired comparison: are differences seen that single intervals hide, and none where there are none?

#include "stats/compare.h"
#include "core/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "noise.h"

namespace noctule {
namespace {

/// A run whose batches share the load of `seed` and lie `extra` cycles of latency above it.
ComparedRun run(const std::string& label, std::uint64_t seed, double extra, std::uint64_t own_seed,
                Cycle begin = 1000, std::size_t batches = 32) {
  Rng common(seed, "common");
  Rng own(own_seed, "own");
  ComparedRun r;
  r.label = label;
  r.set = Json{{"traffic.offered_load", 0.5}};
  r.terminals = 64;
  for (std::size_t i = 0; i < batches; ++i) {
    BatchRecord b;
    b.begin = begin + 1000 * i;
    b.end = b.begin + 1000;
    const double load = test::normal(common);
    b.packets_delivered = test::noisy_count(own, 4000 + 200 * load, 3);
    b.flits_delivered = 5 * b.packets_delivered;
    const double latency = 80 + extra + 4 * load + 0.1 * test::normal(own);
    b.total_latency = static_cast<std::uint64_t>(latency * static_cast<double>(b.packets_delivered));
    b.network_latency = b.total_latency / 2;
    r.batches.push_back(b);
  }
  return r;
}

TEST(DoesTheShapeMatchTheory, SeriesThatAreTheSameTwiceAreNamed) {
  const auto same = compare_runs({run("a", 1, 0, 2), run("b", 1, 0, 2), run("c", 1, 0.5, 3)});
  ASSERT_EQ(same.size(), 2U);
  EXPECT_TRUE(same[0].alike);
  EXPECT_FALSE(same[1].alike);
  EXPECT_TRUE(to_json(same)[0].contains("alike"));
  EXPECT_FALSE(to_json(same)[1].contains("alike"));
  EXPECT_THAT(to_table(same), testing::HasSubstr("b and a are the same twice"));
  EXPECT_THAT(to_table(same), testing::Not(testing::HasSubstr("c and a are the same twice")));
  // At one point of two is no proof that there is no effect.
  auto first = run("b", 1, 0, 2);
  auto base = run("a", 1, 0, 2);
  auto later = run("b", 1, 0.5, 3);
  first.set = base.set = Json{{"load", 1}};
  const auto once = compare_runs({run("a", 1, 0, 2), later, base, first});
  EXPECT_TRUE(once[1].alike);
  EXPECT_THAT(to_table(once), testing::Not(testing::HasSubstr("the same twice")));
}

TEST(IsEachRuleObeyed, FiniteWorkloadsAreComparedByHowLongTheyTake) {
  std::vector<ComparedRun> runs{run("a", 1, 0, 2, 0, 1), run("b", 1, 5, 3, 0, 1)};
  runs[0].time_to_drain = 400;
  runs[1].time_to_drain = 500;
  const auto compared = compare_runs(runs);
  ASSERT_EQ(compared.size(), 1U);
  EXPECT_EQ(compared[0].time_to_drain_cycles->mean, 100);
  EXPECT_EQ(to_json(compared)[0]["time_to_drain_cycles"], (Json{{"mean", 100.0}, {"relative", 0.25}}));
  const std::string text = to_table(compared);
  EXPECT_THAT(text, testing::HasSubstr("time to drain, cycles"));
  EXPECT_THAT(text, testing::HasSubstr("+100 +- - (+25.0 %)"));
  EXPECT_THAT(text, testing::HasSubstr("time to drain is 25.0 % higher, total latency"));
  for (const char* word : {"chance)", "Pairs need the same cycles", "unpaired"})
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(word)));
}

TEST(DoesTheShapeMatchTheory, PairingSeesADifferenceOfHalfACycleThatIndependentRunsHide) {
  const auto paired = compare_runs({run("a", 1, 0, 2), run("b", 1, 0.5, 3)});
  ASSERT_EQ(paired.size(), 1U);
  EXPECT_EQ(paired[0].label, "b");
  EXPECT_EQ(paired[0].baseline, "a");
  EXPECT_EQ(paired[0].unpaired, "");
  EXPECT_EQ(paired[0].pairs, 32U);
  const auto& latency = *paired[0].latency_total_cycles;
  EXPECT_NEAR(latency.mean, 0.5, 0.1);
  EXPECT_LT(*latency.ci95, 0.1);
  EXPECT_TRUE(latency.significant());
  EXPECT_NEAR(*latency.relative, 0.5 / 80, 0.002);

  const auto apart = compare_runs({run("a", 1, 0, 2), run("b", 1, 0.5, 3, 1500)});
  EXPECT_EQ(apart[0].unpaired,
            "0 batches cover the same cycles, 8 are needed: b has 32 over cycles 1500 to 33500, a has 32 "
            "over cycles 1000 to 33000");
  EXPECT_THAT(to_table(apart), testing::HasSubstr("measurement.warm_up and measurement.cycles as numbers"));
  EXPECT_THAT(to_table(apart),
              testing::HasSubstr("--set measurement.warm_up=1500 --set measurement.cycles=32000"));
  EXPECT_GT(*apart[0].latency_total_cycles->ci95, 1);
  EXPECT_FALSE(apart[0].latency_total_cycles->significant());
}

TEST(DoesTheShapeMatchTheory, IntervalsOfEqualModelsHoldZero95PercentOfTheTime) {
  int covered = 0;
  constexpr int kRuns = 600;
  for (std::uint64_t s = 0; s < kRuns; ++s) {
    const auto c = compare_runs({run("a", s, 0, 3 * s + 1), run("b", s, 0, 3 * s + 2)});
    covered += c[0].latency_total_cycles->significant() ? 0 : 1;
  }
  EXPECT_GT(covered, kRuns * 92 / 100);
  EXPECT_LT(covered, kRuns * 98 / 100);
}

TEST(IsEachRuleObeyed, OnlyBatchesOfTheSameCyclesArePaired) {
  auto longer = run("b", 1, 0, 3, 1000, 40);
  EXPECT_EQ(compare_runs({run("a", 1, 0, 2), longer})[0].pairs, 32U);
  EXPECT_EQ(compare_runs({run("a", 1, 0, 2, 33'000, 32), longer})[0].pairs, 8U);
  EXPECT_NE(compare_runs({run("a", 1, 0, 2, 34'000, 32), longer})[0].unpaired, "");
}

TEST(IsEachRuleObeyed, RunsOfUnequalNumbersOfTerminalsAreNotPaired) {
  auto larger = run("b", 1, 0.5, 3);
  larger.terminals = 60;
  const auto c = compare_runs({run("a", 1, 0, 2), larger});
  EXPECT_EQ(c[0].unpaired, "60 terminals inject in b, 64 in a: not the same packets");
  EXPECT_EQ(c[0].pairs, 0U);
  EXPECT_GT(*c[0].latency_total_cycles->ci95, 1);
  EXPECT_EQ(to_json(c)[0].at("unpaired"), c[0].unpaired);
  EXPECT_EQ(to_json(c)[0].at("paired"), false);
  const auto table = to_table(c);
  EXPECT_NE(table.find("b - a (unpaired)"), std::string::npos) << table;
  EXPECT_NE(table.find("because\n  60 terminals inject in b, 64 in a"), std::string::npos) << table;
}

TEST(IsEachRuleObeyed, ARunWithoutBatchesIsNamedWithItsStatus) {
  auto dead = run("b", 1, 0, 3);
  dead.batches.clear();
  dead.status = Status::kDeadlocked;
  EXPECT_NE(compare_runs({run("a", 1, 0, 2), dead})[0].unpaired.find("b has no batches (deadlocked)"),
            std::string::npos);
}

TEST(IsEachRuleObeyed, EverySweepPointHasItsOwnBaseline) {
  auto other = run("a", 5, 0, 2);
  other.set = Json{{"traffic.offered_load", 0.6}};
  auto second = run("c", 5, 2, 4);
  second.set = other.set;
  const auto c = compare_runs({run("a", 1, 0, 2), run("b", 1, 1, 3), other, second, run("d", 1, 0, 9)});
  ASSERT_EQ(c.size(), 3U);
  EXPECT_EQ(c[0].label, "b");
  EXPECT_EQ(c[1].label, "c");
  EXPECT_NEAR(c[1].latency_total_cycles->mean, 2, 0.1);
  EXPECT_EQ(c[2].label, "d");
}

TEST(DoesItSurviveBadInput, ARunThatDeliveredNothingHasNoLatencyDifference) {
  auto dead = run("b", 1, 0, 3);
  for (auto& b : dead.batches)
    b.packets_delivered = b.flits_delivered = b.total_latency = b.network_latency = 0;
  dead.status = Status::kDeadlocked;
  const auto c = compare_runs({run("a", 1, 0, 2), dead});
  EXPECT_FALSE(c[0].latency_total_cycles);
  EXPECT_NEAR(*c[0].accepted_flits_per_node_cycle->relative, -1, 1e-12);
  const auto json = to_json(c);
  EXPECT_FALSE(json[0].contains("latency_total_cycles"));
  EXPECT_EQ(json[0]["status"], "deadlocked");
  dead.batches.clear();
  EXPECT_FALSE(compare_runs({dead, run("a", 1, 0, 2)})[0].accepted_flits_per_node_cycle);
}

TEST(DoesItRun, TableAndJsonSayTheSame) {
  const auto c = compare_runs({run("a", 1, 0, 2), run("b", 1, 0.5, 3)});
  const auto json = to_json(c);
  ASSERT_TRUE(json.is_array());
  EXPECT_EQ(json[0]["set"]["traffic.offered_load"], 0.5);
  EXPECT_EQ(json[0]["latency_total_cycles"]["significant"], true);
  EXPECT_DOUBLE_EQ(json[0]["latency_total_cycles"]["mean"], c[0].latency_total_cycles->mean);
  const auto table = to_table(c);
  EXPECT_NE(table.find("b - a"), std::string::npos) << table;
  EXPECT_NE(table.find("traffic.offered_load=0.5"), std::string::npos) << table;
  EXPECT_NE(table.find("%) *"), std::string::npos) << table;
  EXPECT_EQ(table.find("unpaired"), std::string::npos) << table;
}

TEST(DoesItRun, AVerdictIsOneSentenceForEachPairOfSeries) {
  EXPECT_THAT(
      verdicts(compare_runs({run("a", 1, 0, 2), run("b", 1, 0.02, 3), run("c", 1, 8, 4)})),
      testing::ElementsAre("b against a: equal within 1 % in total latency and accepted throughput "
                           "where both are stable (the one point).",
                           testing::MatchesRegex("c against a: where both are stable .the one point., "
                                                 "total latency is (9|10).[0-9] % higher, accepted "
                                                 "throughput is equal within 1 %.")));
}

/// Runs of two series at three loads, the second one `extra` cycles above the first one; at the last load
/// both are saturated.
std::vector<ComparedRun> sweep_of(const std::vector<double>& extra) {
  std::vector<ComparedRun> runs;
  for (std::size_t i = 0; i < 3; ++i)
    for (const bool second : {false, true}) {
      runs.push_back(run(second ? "b" : "a", i, second ? extra[i] : 0, 2 * i + (second ? 1 : 0)));
      runs.back().set = Json{{"traffic.offered_load", i}};
      runs.back().endless_queues = true;
      if (i == 2) runs.back().status = Status::kSaturated;
    }
  return runs;
}

TEST(DoesItRun, RoundTripsOfClosedLoopsAreCompared) {
  std::vector<ComparedRun> runs{run("a", 1, 0, 2), run("b", 1, 0, 3)};
  EXPECT_FALSE(compare_runs(runs)[0].round_trip_cycles);
  EXPECT_THAT(to_table(compare_runs(runs)), testing::Not(testing::HasSubstr("round trip")));
  for (std::size_t i = 0; i < 2; ++i)
    for (BatchRecord& batch : runs[i].batches) {
      batch.transactions = 50 + batch.begin % 7;
      batch.transaction_cycles = batch.transactions * (i == 0 ? 200 : 150);
    }
  const auto c = compare_runs(runs);
  ASSERT_TRUE(c[0].round_trip_cycles);
  EXPECT_NEAR(c[0].round_trip_cycles->mean, -50, 1e-9);
  EXPECT_EQ(to_json(c)[0]["round_trip_cycles"]["significant"], true);
  EXPECT_THAT(to_table(c), testing::HasSubstr("round trip, cycles"));
  EXPECT_THAT(verdicts(c).at(0), testing::HasSubstr(" round trip is 25.0 % lower, accepted throughput is "));
}

TEST(DoesItRun, AVerdictLooksWhereBothAreStable) {
  const auto one_of = [](const std::vector<double>& extra) {
    return verdicts(compare_runs(sweep_of(extra))).at(0);
  };
  EXPECT_EQ(one_of({0, 0, 500}),
            "b against a: equal within 1 % in total latency and accepted throughput where both are stable "
            "(2 of 3 points); at the others accepted throughput is equal within 1 %.");
  auto more = sweep_of({0, 0, 500});
  for (BatchRecord& batch : more.back().batches) batch.flits_delivered += batch.flits_delivered / 4;
  EXPECT_THAT(verdicts(compare_runs(more)).at(0),
              testing::ContainsRegex(".2 of 3 points.; at the others accepted throughput is 2[45]\\.[0-9] % "
                                     "higher\\.$"))
      << "the winner at overload must be named";
  EXPECT_THAT(one_of({4, 8, 0}),
              testing::ContainsRegex("total latency is [45]\\.[0-9] to (9|10)\\.[0-9] % higher, accepted"));
  EXPECT_THAT(one_of({-8, -8, 0}), testing::HasSubstr("% lower, accepted throughput is equal within 1 %;"));
  EXPECT_THAT(
      one_of({-8, 8, 0}),
      testing::ContainsRegex("total latency is between (9|10)\\.[0-9] % lower and (9|10)\\.[0-9] % higher"));
}

TEST(DoesItRun, AVerdictNamesWhoDeadlocks) {
  auto runs = sweep_of({0, 0, 0});
  runs[4].status = Status::kDeadlocked;
  EXPECT_THAT(verdicts(compare_runs(runs)).at(0), testing::EndsWith("; a deadlocks at 1 of 3 points."));
  for (std::size_t i = 0; i < runs.size(); i += 2) runs[i].status = Status::kDeadlocked;
  EXPECT_EQ(verdicts(compare_runs(runs)).at(0), "b against a: a deadlocks at 3 of 3 points.");
}

TEST(DoesItRun, SmallDifferencesBeyondChanceAreNamed) {
  const auto small = verdicts(compare_runs(sweep_of({0.3, 0, 500}))).at(0);
  EXPECT_THAT(small,
              testing::HasSubstr("equal within 1 % in total latency and accepted throughput where both "
                                 "are stable (2 of 3 points), though latency differs by more than "
                                 "chance at "));
}

TEST(DoesItRun, SaturatedLatencyHasNoIntervalWhereQueuesAreEndless) {
  auto runs = sweep_of({0, 0, 500});
  const auto grows = compare_runs(runs);
  EXPECT_FALSE(grows[1].latency_total_grows);
  EXPECT_TRUE(grows[2].latency_total_grows);
  EXPECT_THAT(to_table(grows), testing::HasSubstr("+500 +- - ("));
  for (auto& each : runs) each.endless_queues = false;
  EXPECT_THAT(to_table(compare_runs(runs)), testing::Not(testing::HasSubstr("+- - (")));
}

TEST(DoesItRun, NumbersHaveTwoDigitsOfTheirInterval) {
  ComparedPoint point;
  point.label = "b";
  point.baseline = "a";
  point.accepted_flits_per_node_cycle = Difference{8.929e-07, 1.6e-05, 0.0};
  point.latency_total_cycles = Difference{12.3456, 0.0312, 0.1};
  point.latency_network_cycles = Difference{1234.5, 456.7, 0.5};
  EXPECT_THAT(to_table({point}), testing::AllOf(testing::HasSubstr("+0.000001 +- 0.000016 (+0.0 %)  "),
                                                testing::HasSubstr("+12.346 +- 0.031 (+10.0 %) *"),
                                                testing::HasSubstr("+1234 +- 457 (+50.0 %) *")));
}

}  // namespace
}  // namespace noctule
