// First come, first served: who comes first among headers that come in the same cycle?

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "core/json.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

constexpr Cycle kApart = 53;

/// Router (1,1) of a 3x3 mesh, whose output y_plus three worms want in the same cycle, once in 53 cycles:
/// from (0,1) by x, from (1,0) by y, and one that is born there.
struct Contest {
  explicit Contest(const Json& set, std::size_t rounds, bool three) : three_(three) {
    const auto topology = mesh({3, 3});
    Json keys{{"injection_delay", 0}, {"transit_first", false}, {"consumption_channels", 1}};
    keys.update(set);
    bench = std::make_unique<Bench>(plan_of({"dimension_order", "fixed_slot"}, topology, keys));
    hop = bench->fabric->zero_load().latency(2, 1) - bench->fabric->zero_load().latency(1, 1);
    for (std::size_t n = 0; n < rounds; ++n) {
      const Cycle at = 10 + kApart * n;
      bench->source->add(3, 7, 1, at);
      bench->source->add(1, 7, 1, at);
      if (three) bench->source->add(4, 7, 1, at + hop);
    }
  }
  /// Sources in the order in which they got the output, round by round.
  [[nodiscard]] std::vector<std::size_t> winners() const {
    std::map<std::uint64_t, std::pair<Cycle, std::size_t>> first;
    for (const Event& e : bench->recorder.of(FlitEvent::kGrant, 4)) {
      const auto it = first.find(e.number);
      if (it == first.end() || e.t < it->second.first) first[e.number] = {e.t, index(e.source)};
    }
    std::vector<std::size_t> list;
    for (const auto& [number, winner] : first) list.push_back(winner.second);
    return list;
  }
  bool three_;
  Cycle hop = 0;
  std::unique_ptr<Bench> bench;
};

/// All headers of a round bid from the same cycle on; one gets the output in it, the others later.
void expect_ties(const Contest& contest, std::size_t rounds) {
  const std::size_t each = contest.three_ ? 3 : 2;
  const auto grants = contest.bench->recorder.of(FlitEvent::kGrant, 4);
  ASSERT_EQ(grants.size(), rounds * each);
  for (std::size_t n = 0; n < grants.size(); ++n) {
    const Cycle tie = 10 + kApart * (n / each) + contest.hop;
    ASSERT_EQ(grants[n].number, n / each);
    const Cycle before = n % each == 0 ? tie - 1 : grants[n - 1].t;
    ASSERT_GT(grants[n].t, before);
    ASSERT_TRUE(n % each != 0 || grants[n].t == tie);
  }
  ASSERT_EQ(contest.winners().size(), rounds);
}

TEST(Ties, DrawnAreWonByEveryPortAlike) {
  constexpr std::size_t kRounds = 1500;
  std::vector<std::unique_ptr<Contest>> contests;
  for (const Json& channels : {Json(2), Json("unlimited")})
    for (const bool three : {false, true})
      contests.push_back(std::make_unique<Contest>(Json{{"injection_channels", channels}, {"ties", "random"}},
                                                   kRounds, three));
  run_cycles(*contests[0]->bench->fabric, kApart * kRounds + 200);
  for (const auto& contest : contests) {
    expect_ties(*contest, kRounds);
    std::map<std::size_t, double> wins;
    for (const std::size_t source : contest->winners()) ++wins[source];
    const double ports = contest->three_ ? 3 : 2;
    ASSERT_EQ(wins.size(), static_cast<std::size_t>(ports));
    double chi_square = 0;
    for (const auto& [source, n] : wins) {
      const double expected = kRounds / ports;
      chi_square += (n - expected) * (n - expected) / expected;
    }
    // 0.1 % of fair draws are above 10.8 (one degree of freedom) and 13.8 (two).
    EXPECT_LT(chi_square, contest->three_ ? 13.8 : 10.8);
    std::size_t changes = 0;
    const auto list = contest->winners();
    for (std::size_t n = 1; n < list.size(); ++n) changes += list[n] != list[n - 1] ? 1 : 0;
    EXPECT_LT(changes, list.size() - 100) << "drawn, not alternating";
  }
  // Numbered or not, the draws are the same ones.
  EXPECT_EQ(contests[0]->winners(), contests[2]->winners());
  EXPECT_EQ(contests[1]->winners(), contests[3]->winners());
}

TEST(Ties, RotatingAreWonInTurn) {
  constexpr std::size_t kRounds = 60;
  std::vector<std::unique_ptr<Contest>> contests;
  for (const Json& channels : {Json(2), Json("unlimited")})
    for (const bool three : {false, true})
      contests.push_back(std::make_unique<Contest>(
          Json{{"injection_channels", channels}, {"ties", "rotating"}}, kRounds, three));
  run_cycles(*contests[0]->bench->fabric, kApart * kRounds + 200);
  for (const auto& contest : contests) {
    expect_ties(*contest, kRounds);
    const auto list = contest->winners();
    const std::size_t ports = contest->three_ ? 3 : 2;
    for (std::size_t n = 0; n < list.size(); ++n) {
      EXPECT_EQ(list[n], list[n % ports]);
      EXPECT_TRUE(n == 0 || list[n] != list[n - 1]);
    }
  }
}

TEST(Ties, ByPortAreWonByTheLowerOneNearlyAlways) {
  constexpr std::size_t kRounds = 300;
  std::vector<std::unique_ptr<Contest>> contests;
  for (const Json& channels : {Json(2), Json("unlimited")})
    contests.push_back(
        std::make_unique<Contest>(Json{{"injection_channels", channels}, {"ties", "port"}}, kRounds, false));
  run_cycles(*contests[0]->bench->fabric, kApart * kRounds + 200);
  for (const auto& contest : contests) {
    expect_ties(*contest, kRounds);
    const auto list = contest->winners();
    const auto by_x = static_cast<std::size_t>(std::count(list.begin(), list.end(), 3U));
    EXPECT_GT(by_x, kRounds * 11 / 20);
    EXPECT_LT(by_x, kRounds);
  }
}

TEST(Ties, AreDecidedByTheSeedAndNotByTheOrderOfEvaluation) {
  const auto topology = torus({5, 5});
  std::map<std::string, std::vector<std::unique_ptr<Fabric>>> groups;
  for (const char* ties : {"random", "rotating", "port"})
    for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
      LinkedOptions options;
      options.credit_delay = 0;
      options.order_seed = seed;
      groups[ties].push_back(make_fabric(
          plan_of({"dimension_order", "fixed_slot"}, topology, {{"injection_channels", 8}, {"ties", ties}}),
          options));
      groups[ties].back()->attach(traffic(topology, "bernoulli", 350, 4));
    }
  run_cycles(*groups["port"][0], 3000);
  std::vector<std::uint64_t> digests;
  for (const auto& [ties, group] : groups) {
    for (const auto& fabric : group) EXPECT_EQ(fabric->digest(), group[0]->digest()) << ties;
    EXPECT_GT(group[0]->counters().packets_delivered, 3000U);
    digests.push_back(group[0]->digest());
  }
  EXPECT_NE(digests[0], digests[1]);
  EXPECT_NE(digests[0], digests[2]);
  EXPECT_NE(digests[1], digests[2]);
}

}  // namespace
}  // namespace noctule::fabric_test
