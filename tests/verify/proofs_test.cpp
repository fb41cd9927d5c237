// Do independent ways to a verdict agree? The checker of numberings against tampered ones, proofs by factors
// against following every worm, escape proofs against the exact search for deadlocked sets.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "routing/dimension_ordered.h"
#include "verify/require_proof.h"
#include "verify/unicast/check_numbering.h"
#include "verify/witness/deadlocked_set.h"
#include "verify_support.h"

namespace noctule::routing_test {
namespace {

// --- the checker --------------------------------------------------------------------------------------

class Checker : public testing::TestWithParam<std::pair<std::string, bool>> {};

TEST_P(Checker, AcceptsTheNumberingAndRefusesAnySwapAlongADependency) {
  const auto [algorithm, escape_only] = GetParam();
  const auto net = network(algorithm, torus(2, 4));
  const auto c = verify_relation(net, careful_node(), {.use_factors = false});
  ASSERT_TRUE(c.proved());
  EXPECT_EQ(check_numbering(*c.plan, *c.channels, c.numbering, escape_only), "");
  const Surveyed surveyed(net.cube, *net.relation);
  const DependencyGraph graph = escape_only ? surveyed.escape() : surveyed.survey.direct;
  std::size_t swapped = 0;
  for (ChannelId from = 0; from < graph.vertices(); from += 3)
    for (const ChannelId to : graph.successors(from)) {
      auto number = c.numbering;
      std::swap(number[from], number[to]);
      EXPECT_NE(check_numbering(*c.plan, *c.channels, number, escape_only), "");
      ++swapped;
    }
  EXPECT_GT(swapped, 50U);
}

TEST_P(Checker, RefusesEqualAndMissingNumbers) {
  const auto [algorithm, escape_only] = GetParam();
  const auto c = verify_relation(network(algorithm, torus(2, 4)), careful_node(), {.use_factors = false});
  const auto used =
      static_cast<ChannelId>(std::find(c.facts.used_as_escape.begin(), c.facts.used_as_escape.end(), 1) -
                             c.facts.used_as_escape.begin());
  auto number = c.numbering;
  number[used] = Certificate::kUnnumbered;
  EXPECT_EQ(check_numbering(*c.plan, *c.channels, number, escape_only), c.channels->name(used));
  EXPECT_NE(check_numbering(*c.plan, *c.channels, std::vector<std::uint32_t>(number.size(), 7), escape_only),
            "");
}

INSTANTIATE_TEST_SUITE_P(Proofs, Checker,
                         testing::Values(std::pair{std::string("dimension_order"), false},
                                         std::pair{std::string("four_classes"), false},
                                         std::pair{std::string("linder_harden"), false},
                                         std::pair{std::string("star_channels"), true}),
                         [](const auto& info) { return info.param.first; });

// --- by factors ---------------------------------------------------------------------------------------

TEST(Factors, SayWhatFollowingEveryWormSays) {
  for (const auto& shape : {torus({4, 5}), torus({3, 4, 5}), mesh({4, 3}),
                            Shape{{4, 3, 2}, {true, false, false}}, torus({2, 6}), mesh({2, 2, 2, 2})})
    for (const auto& [algorithm, rule] :
         {std::pair{"dimension_order", "dateline"}, {"dimension_order", "wrapped_bit"}, {"oblivious", ""}}) {
      if (std::string(algorithm) == "oblivious" &&
          std::count(shape.wrap.begin(), shape.wrap.end(), false) > 0)
        continue;
      SCOPED_TRACE(algorithm + shape.text());
      Json set = Json::object();
      if (*rule != '\0') set["vc_rule"] = rule;
      const auto net = network(algorithm, shape, set);
      const auto factored = verify_relation(net);
      const auto followed = verify_relation(net, careful_node(), {.use_factors = false});
      EXPECT_EQ(factored.followed, Certificate::Followed::kRings);
      EXPECT_EQ(followed.followed, Certificate::Followed::kWorms);
      EXPECT_EQ(factored.verdict, followed.verdict);
      EXPECT_EQ(factored.facts.used, followed.facts.used);
      EXPECT_EQ(factored.facts.direct.channels, followed.facts.direct.channels);
      EXPECT_EQ(factored.facts.direct.dependencies, followed.facts.direct.dependencies);
      EXPECT_EQ(factored.facts.longest_path, followed.facts.longest_path);
      EXPECT_EQ(factored.facts.minimal, followed.facts.minimal);
      EXPECT_EQ(factored.facts.hops_exact, followed.facts.hops_exact);
      EXPECT_EQ(factored.facts.fully_adaptive, followed.facts.fully_adaptive);
      EXPECT_EQ(check_numbering(*followed.plan, *followed.channels, factored.numbering, false), "");
    }
}

TEST(Factors, ShowTheCycleOfARingHoweverLargeTheNetwork) {
  const auto cube =
      std::make_shared<CubeNetwork>(std::vector<unsigned>{40, 41}, std::vector<bool>{true, true});
  const Ringed ringed(cube);
  const auto c = verify(plan_around(cube, ringed));
  EXPECT_EQ(c.method, "cyclic");
  EXPECT_EQ(c.witness.cycle.size(), 40U);
  EXPECT_FALSE(c.witness.worms.empty());
}

/// The same with a worm that strays: hops() is wrong.
class Astray final : public Ringed {
 public:
  using Ringed::Ringed;
  [[nodiscard]] unsigned classes(const Link&) const override { return 2; }
  [[nodiscard]] RingHop ring_hop(unsigned d, unsigned at, unsigned to, RingState) const override {
    const bool minus = !cube().minimal(d, at, to).plus;
    return {minus, VcClass((minus ? to > at : to < at) ? 0 : 1)};
  }
  [[nodiscard]] unsigned hops(RouterId a, RouterId b) const override { return Ringed::hops(a, b) + 1; }
};

TEST(Factors, NoticeWrongHops) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{5, 5}, std::vector<bool>{true, true});
  const Astray astray(cube);
  const auto c = verify(plan_around(cube, astray));
  EXPECT_TRUE(c.proved());
  EXPECT_EQ(c.followed, Certificate::Followed::kRings);
  EXPECT_FALSE(c.facts.hops_exact);
}

/// Goes round in the + direction; its class is the number of hops made, kept in more bits than a ring has.
class Counting final : public Ringed {
 public:
  Counting(std::shared_ptr<const Topology> topology, bool says_so)
      : Ringed(std::move(topology)), says_so_(says_so) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 5; }
  [[nodiscard]] RingHop ring_hop(unsigned, unsigned, unsigned, RingState state) const override {
    return {false, VcClass(state)};
  }
  [[nodiscard]] RingState ring_next(unsigned, unsigned, RingHop, RingState state) const override {
    return static_cast<RingState>(state + 1);
  }
  [[nodiscard]] bool has_state() const override { return says_so_; }
  [[nodiscard]] unsigned hops(RouterId a, RouterId b) const override {
    unsigned sum = 0;
    for (unsigned d = 0; d < 2; ++d) sum += (cube().coordinate(b, d) + 6 - cube().coordinate(a, d)) % 6;
    return sum;
  }

 private:
  bool says_so_;
};

TEST(Factors, DoNotTrustStatesThatDoNotFitIntoTheHeader) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{6, 6}, std::vector<bool>{true, true});
  const Counting counting(cube, true);
  // On its own each ring would be proved; the bits that spill over belong to the next dimension.
  try {
    EXPECT_FALSE(verify(plan_around(cube, counting)).proved());
  } catch (const ConfigError&) {
  }
}

TEST(Factors, DoNotTrustAStateThatNobodyCarries) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 4}, std::vector<bool>{true, true});
  const Counting counting(cube, false);
  EXPECT_THROW(verify(plan_around(cube, counting)), ConfigError);
}

TEST(Factors, AreLeftAloneWhereTheNodeIsPartitioned) {
  const auto net = network("dimension_order", torus(2, 4));
  NodeDescription node = careful_node();
  node.lanes = 2;
  node.crossbar_per = {"lane"};
  const auto c = verify_relation(net, node);
  EXPECT_TRUE(c.proved());
  EXPECT_EQ(c.followed, Certificate::Followed::kWorms);
  EXPECT_EQ(c.channels->groups(), 2U);
}

// --- the exact search ---------------------------------------------------------------------------------

std::size_t deadlocked_channels(const Network& net) {
  const auto plan = plan_around(net.cube, *net.relation);
  const ChannelIndex channels(*plan);
  std::vector<HeaderGraph> graphs;
  for (std::size_t r = 0; r < net.cube->routers(); ++r) {
    graphs.emplace_back(*plan, channels);
    graphs.back().explore(RouterId(r));
  }
  const auto set = largest_deadlocked_set(graphs, channels);
  return static_cast<std::size_t>(std::count(set.begin(), set.end(), true));
}

TEST(DeadlockedSets, AreEmptyWhereverAProofSaysSo) {
  for (const char* algorithm :
       {"star_channels", "four_classes", "linder_harden", "oblivious", "dimension_order"})
    for (unsigned k = 3; k <= 6; ++k)
      EXPECT_EQ(deadlocked_channels(network(algorithm, torus(2, k))), 0U) << algorithm << k;
  EXPECT_EQ(deadlocked_channels(network("star_channels", torus(3, 3))), 0U);
}

TEST(DeadlockedSets, HoldTheRingsThatHaveNoDateline) {
  const auto cube =
      std::make_shared<CubeNetwork>(std::vector<unsigned>{5, 4}, std::vector<bool>{true, false});
  const Network net{cube, std::make_shared<Ringed>(cube)};
  EXPECT_EQ(deadlocked_channels(net),
            2U * 5U * 4U);  // both directions of the wrapped dimension, nothing else
}

// --- the gate for programs ----------------------------------------------------------------------------

TEST(RequireProof, RefusesWithTheCycleAndTheRemedy) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{5}, std::vector<bool>{true});
  const Ringed ringed(cube);
  try {
    require_proof(plan_around(cube, ringed));
    FAIL() << "a ring without dateline passed";
  } catch (const ConfigError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("router_0.x_plus.only -> router_1.x_plus.only"), std::string::npos) << text;
    EXPECT_NE(text.find("allow_deadlock: true"), std::string::npos);
  }
  const auto net = network("dimension_order", torus(1, 5));
  EXPECT_TRUE(require_proof(plan_around(net.cube, *net.relation)).proved());
}

}  // namespace
}  // namespace noctule::routing_test
