// Labels that only a sweep can give: is each rule obeyed?

#include "stats/status.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace noctule {
namespace {

SweepPoint at(double offered, double accepted, std::string series = "a", Status status = Status::kStable) {
  return {std::move(series), offered, accepted, true, status, "was"};
}

using Indices = std::vector<std::size_t>;

TEST(IsEachRuleObeyed, PointsPastTheMaximumAreSaturatedAndTheMaximumIsNot) {
  std::vector<SweepPoint> points = {at(0.2, 0.2), at(1.0, 0.45), at(0.5, 0.48), at(0.3, 0.3), at(2.0, 0.4)};
  EXPECT_EQ(label_sweep(points), (Indices{1, 4}));
  EXPECT_EQ(points[2].status, Status::kStable);
  EXPECT_EQ(points[2].rule, "was");
  EXPECT_NE(points[4].rule.find("0.48 at offered 0.5"), std::string::npos) << points[4].rule;
}

TEST(IsEachRuleObeyed, ARisingCurveHasNoSaturatedPoint) {
  std::vector<SweepPoint> points = {at(0.1, 0.1), at(0.2, 0.2), at(0.3, 0.2)};
  EXPECT_TRUE(label_sweep(points).empty());
}

TEST(IsEachRuleObeyed, SeriesAreJudgedApart) {
  std::vector<SweepPoint> points = {at(0.1, 0.1, "a"), at(0.3, 0.2, "b"), at(0.2, 0.15, "a"),
                                    at(0.4, 0.19, "b")};
  EXPECT_EQ(label_sweep(points), (Indices{3}));
}

TEST(IsEachRuleObeyed, DeadlocksAndSourceQueuesAreLeftAlone) {
  std::vector<SweepPoint> points = {at(0.1, 0.1), at(0.2, 0.9, "a", Status::kDeadlocked), at(0.3, 0.3),
                                    at(0.4, 0.01, "a", Status::kDeadlocked),
                                    at(0.5, 0.2, "a", Status::kNotConverged)};
  points.push_back(at(0.6, 0.1));
  points.back().discarding = false;
  EXPECT_EQ(label_sweep(points), (Indices{4}));
}

TEST(IsEachRuleObeyed, WordsAreThoseOfTheResultFile) {
  for (const auto* word : {"stable", "saturated", "deadlocked", "not_converged"})
    EXPECT_STREQ(to_string(status_from_string(word)), word);
  EXPECT_THROW((void)status_from_string("fine"), ConfigError);
}

}  // namespace
}  // namespace noctule
