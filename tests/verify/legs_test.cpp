// Do proofs leg by leg say what following every worm says? Do worms that go to drawn routers first spread
// what dimension order does not?

#include <gtest/gtest.h>

#include <algorithm>

#include "core/json.h"
#include "patterns/pattern.h"
#include "routing/two_phase.h"
#include "verify/unicast/channel_load.h"
#include "verify/unicast/check_numbering.h"
#include "verify/unicast/legs.h"
#include "verify_support.h"

namespace noctule::routing_test {
namespace {

constexpr std::uint64_t kAll = 100'000'000;

TEST(Legs, SayWhatFollowingEveryWormSays) {
  for (const auto& shape : {torus({5, 3}), torus({4, 4}), torus({3, 3, 3}), mesh({4, 3}),
                            Shape{{4, 3}, {false, true}}, mesh({2, 2, 2, 2})})
    for (const char* algorithm : {"valiant", "romm"}) {
      SCOPED_TRACE(algorithm + shape.text());
      const auto net = network(algorithm, shape);
      const auto followed = verify_relation(net, careful_node(), {.use_factors = false});
      const auto legs = prove_by_legs(*followed.plan, *followed.channels, kAll);
      ASSERT_TRUE(legs.has_value());
      EXPECT_EQ(followed.verdict, Verdict::kProved);
      EXPECT_EQ(legs->facts.used, followed.facts.used);
      EXPECT_EQ(legs->facts.minimal, followed.facts.minimal);
      EXPECT_EQ(legs->facts.hops_exact, followed.facts.hops_exact);
      EXPECT_EQ(legs->facts.always_arrives, followed.facts.always_arrives);
      EXPECT_GE(legs->facts.longest_path, followed.facts.longest_path);
      EXPECT_LT(legs->facts.header_states, followed.facts.header_states);
      EXPECT_EQ(check_numbering(*followed.plan, *followed.channels, legs->numbering, false), "");
    }
}

TEST(Legs, AreAllThatIsFollowedOfALargeNetwork) {
  const auto c = verify_relation(network("valiant", torus({12, 12})));
  EXPECT_TRUE(c.proved());
  EXPECT_EQ(c.followed, Certificate::Followed::kLegs);
  EXPECT_LT(c.facts.header_states, 4U * 2 * 144 * 144) << "pairs, not triples; ties are two states";
  EXPECT_FALSE(c.facts.minimal);
  EXPECT_TRUE(verify_relation(network("romm", mesh({12, 12}))).facts.minimal);
  const auto& uniform = PatternRegistry::instance().at("uniform");
  const auto pattern = uniform.make(c.plan->topology, Parameters::defaults(uniform.parameters), 1);
  EXPECT_FALSE(channel_load(*c.plan, *c.channels, *pattern, kAll).has_value()) << "that would be all triples";
}

/// Worms of two legs without a dateline, by way of the first routers.
class Rings : public TwoPhaseRelation {
 public:
  Rings(const std::shared_ptr<const Topology>& topology, std::uint64_t drawn)
      : TwoPhaseRelation(topology, std::make_shared<const Ringed>(topology)), drawn_(drawn) {}
  [[nodiscard]] std::uint64_t intermediates(RouterId, RouterId) const override { return drawn_; }
  [[nodiscard]] RouterId intermediate(RouterId, RouterId, std::uint64_t n) const override {
    return RouterId(static_cast<std::uint32_t>(n));
  }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return kHopsVary; }

 private:
  std::uint64_t drawn_;
};

TEST(Legs, ProveNothingWhereALegHasACycle) {
  const auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{6, 5}, std::vector<bool>{true, true});
  // Legs are followed between all routers; by way of one router alone the worms themselves make no cycle.
  for (const auto& [drawn, method] : {std::pair{1U, "acyclic"}, {30U, "cyclic"}}) {
    const Rings rings(cube, drawn);
    const auto plan = plan_around(cube, rings);
    EXPECT_FALSE(prove_by_legs(*plan, ChannelIndex(*plan), kAll).has_value());
    EXPECT_EQ(verify(plan).method, method);
  }
}

TEST(Legs, AreNotFollowedPastTheLimitOrThroughPartitionedRouters) {
  const auto net = network("valiant", mesh({4, 4}));
  const auto plan = std::make_shared<const FabricPlan>(plan_fabric({net.cube, net.relation, careful_node()}));
  EXPECT_TRUE(prove_by_legs(*plan, ChannelIndex(*plan), 480).has_value()) << "2 legs of 16 * 15 pairs";
  EXPECT_FALSE(prove_by_legs(*plan, ChannelIndex(*plan), 479).has_value());
  NodeDescription node = careful_node();
  node.crossbars = {{{"direction", {"x_plus", "x_minus"}}}, {{"direction", {"y_plus", "y_minus"}}}};
  EXPECT_THROW((void)verify_relation(net, node), ConfigError) << "X to Y needs one crossbar";
}

TEST(WormsByWayOfAnyRouter, LoadLinksAlikeWhateverThePermutation) {
  const auto on = [](const std::string& algorithm, const std::string& pattern) {
    const auto net = network(algorithm, torus({8, 8}));
    const auto plan =
        std::make_shared<const FabricPlan>(plan_fabric({net.cube, net.relation, careful_node()}));
    const auto& entry = PatternRegistry::instance().at(pattern);
    const auto made = entry.make(net.cube, Parameters::defaults(entry.parameters), 1);
    return channel_load(*plan, ChannelIndex(*plan), *made, kAll)->max;
  };
  const double uniform = on("dimension_order", "uniform");
  EXPECT_GT(on("dimension_order", "tornado"), 2.9 * uniform);
  for (const char* pattern : {"tornado", "transpose", "bit_complement", "uniform"}) {
    SCOPED_TRACE(pattern);
    // Two ways as long as those of uniform traffic; a few packets pass their destination on the first one.
    EXPECT_LT(on("valiant", pattern), 2.35 * uniform);
    EXPECT_GT(on("valiant", pattern), 1.7 * uniform);
  }
}

}  // namespace
}  // namespace noctule::routing_test
