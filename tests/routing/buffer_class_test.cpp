// Does the construction behind PHop and NHop serve class functions of anybody else's, and does the rank
// condition of lemma 1 (Boppana and Chalasani 1993) tell those that are sound from others?

#include <gtest/gtest.h>

#include <algorithm>

#include "routing/buffer_class.h"
#include "verify/unicast/rank_condition.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

constexpr PortId kXPlus = CubeNetwork::plus(0);
constexpr PortId kYMinus = CubeNetwork::minus(1);

unsigned most_classes(const Network& net) {
  return net.relation->classes(link_by(*net.cube, kXPlus));
}

/// Breach of the rank condition under the relation's own labels.
std::string breach(std::shared_ptr<const Topology> topology, const BufferClassRelation& relation) {
  const Surveyed seen(std::move(topology), relation);
  return rank_breach(*seen.plan, seen.channels, [&](RouterId r) { return relation.algorithm().label(r); });
}

std::unique_ptr<BufferClassRelation> derived(std::shared_ptr<const Topology> topology,
                                             std::shared_ptr<const BufferClasses> algorithm) {
  return std::make_unique<BufferClassRelation>(std::move(topology), std::move(algorithm), "mine");
}

/// Hops left, from above: a class function of the destination, which the relation has to follow.
class HopsLeft : public BufferClasses {
 public:
  explicit HopsLeft(const Topology& topology) : topology_(topology) {}
  [[nodiscard]] unsigned at_source(RouterId source, RouterId destination) const override {
    return topology_.diameter() - topology_.distance(source, destination);
  }
  [[nodiscard]] unsigned behind(const Link&, RouterId, unsigned before) const override { return before + 1; }

 protected:
  const Topology& topology_;
};

/// One class for all, labels by the sum of the coordinates; in dimension order or fully adaptive.
class OneClass : public BufferClasses {
 public:
  explicit OneClass(const CubeNetwork& cube, bool order) : cube_(cube), order_(order) {}
  [[nodiscard]] unsigned behind(const Link&, RouterId, unsigned before) const override { return before; }
  [[nodiscard]] bool may_take(const Link& link, RouterId destination, unsigned) const override {
    return !order_ || CubeNetwork::dimension_of(link.out) == 0 ||
           cube_.coordinate(link.from, 0) == cube_.coordinate(destination, 0);
  }
  [[nodiscard]] unsigned label(RouterId r) const override {
    return cube_.coordinate(r, 0) + cube_.coordinate(r, 1);
  }

 private:
  const CubeNetwork& cube_;
  bool order_;
};

TEST(BufferClassRelation, FollowsPacketsOfAClassFunctionOfTheDestination) {
  const auto net = network("positive_hop", torus(2, 5));
  const auto relation = derived(net.cube, std::make_shared<HopsLeft>(*net.cube));
  EXPECT_EQ(relation->claims().deadlock_free, "acyclic");
  EXPECT_TRUE(relation->claims().fully_adaptive);
  EXPECT_EQ(relation->classes(link_by(*net.cube, kXPlus)), 4U);
  EXPECT_EQ(relation->header_bits(), 2U);
  EXPECT_EQ(relation->class_name(link_by(*net.cube, kXPlus), VcClass{3}), "buffer3");
  const Surveyed seen(net.cube, *relation);
  EXPECT_TRUE(seen.facts.direct.acyclic());
  EXPECT_EQ(breach(net.cube, *relation), "");
  // One hop left: the highest class.
  CandidateList list;
  relation->candidates(RouterId{0}, RouterId{1}, relation->algorithm().at_source(RouterId{0}, RouterId{1}),
                       list);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].vc_class, VcClass{3});
}

TEST(BufferClassRelation, FindsTheChannelsThatAnAlgorithmKnowsOfItself) {
  // The same algorithm without its knowledge.
  class Counted : public BufferClasses {
   public:
    explicit Counted(std::shared_ptr<const RoutingRelation> known)
        : known_(std::move(known)),
          algorithm_(dynamic_cast<const BufferClassRelation&>(*known_).algorithm()) {}
    [[nodiscard]] unsigned behind(const Link& link, RouterId to, unsigned before) const override {
      return algorithm_.behind(link, to, before);
    }
    [[nodiscard]] unsigned label(RouterId r) const override { return algorithm_.label(r); }

   private:
    std::shared_ptr<const RoutingRelation> known_;
    const BufferClasses& algorithm_;
  };
  for (const char* name : {"positive_hop", "negative_hop"})
    for (const auto& shape : {torus(2, 6), torus({3, 7}), mesh({5, 4}), Shape{{4, 3}, {true, false}}}) {
      SCOPED_TRACE(name + (" " + shape.text()));
      const auto net = network(name, shape);
      const auto relation = derived(net.cube, std::make_shared<Counted>(net.relation));
      EXPECT_EQ(relation->claims().deadlock_free, "acyclic");
      for (const auto& link : net.cube->links())
        for (std::uint16_t c = 0; c <= most_classes(net); ++c)
          EXPECT_EQ(relation->exists(link, VcClass{c}), net.relation->exists(link, VcClass{c}))
              << "link " << index(link.id) << " class " << c;
    }
}

TEST(BufferClassRelation, ClaimsNothingWhereRanksDoNotRise) {
  const auto net = network("positive_hop", mesh({4, 4}));
  const auto free = derived(net.cube, std::make_shared<OneClass>(*net.cube, false));
  EXPECT_EQ(free->claims().deadlock_free, "none");
  EXPECT_FALSE(free->has_state());
  EXPECT_FALSE(Surveyed(net.cube, *free).facts.direct.acyclic());
  EXPECT_EQ(breach(net.cube, *free),
            "a worm for router_0_0 that holds router_2_0.x_minus.buffer0 of rank (0, 2) may take "
            "router_1_0.x_minus.buffer0 of rank (0, 1), which is not higher");
}

TEST(BufferClassRelation, ClaimsNothingWhereTheGraphIsAcyclicForAnotherReason) {
  const auto net = network("positive_hop", mesh({4, 4}));
  const auto ordered = derived(net.cube, std::make_shared<OneClass>(*net.cube, true));
  EXPECT_EQ(ordered->claims().deadlock_free, "none");
  EXPECT_FALSE(ordered->claims().fully_adaptive);
  EXPECT_NE(breach(net.cube, *ordered), "") << "the condition is sufficient, not necessary";
  EXPECT_TRUE(Surveyed(net.cube, *ordered).facts.direct.acyclic());
}

TEST(BufferClassRelation, RefusesAnAlgorithmThatLeavesAPacketStuck) {
  class Stuck : public HopsLeft {
   public:
    using HopsLeft::HopsLeft;
    [[nodiscard]] bool may_take(const Link& link, RouterId, unsigned) const override {
      return link.out != kYMinus;
    }
  };
  const auto net = network("positive_hop", mesh({3, 3}));
  try {
    derived(net.cube, std::make_shared<Stuck>(*net.cube));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "routing.algorithm: mine leaves a packet in a buffer of class 2 at router_0_2 no link to "
                 "router_0_0; let BufferClasses::may_take allow one of those that lead closer");
  }
}

TEST(BufferClassRelation, TakesAsManyClassesAsAreSupportedAndNoMore) {
  EXPECT_EQ(most_classes(network("positive_hop", torus(1, 512))), BufferClassRelation::kMostClasses);
  EXPECT_THROW(network("positive_hop", torus(1, 514)), ConfigError);
}

// --- lemma 1 -----------------------------------------------------------------------------------------

std::string breach_of(const Network& net, const std::function<unsigned(RouterId)>& label) {
  const Surveyed seen(net.cube, *net.relation);
  return rank_breach(*seen.plan, seen.channels, label);
}

TEST(RankCondition, HoldsForBothUnderTheirOwnLabels) {
  for (const char* name : {"positive_hop", "negative_hop"})
    for (const auto& shape : every_shape()) {
      if (shape.radix.size() > 2 && !shape.any_radix_2()) continue;
      const auto net = network(name, shape);
      const auto& relation = dynamic_cast<const BufferClassRelation&>(*net.relation);
      EXPECT_EQ(breach(net.cube, relation), "") << name << " " << shape.text();
    }
}

TEST(RankCondition, NeedsTheLabelsForNegativeHops) {
  const auto none = [](RouterId) { return 0U; };
  EXPECT_EQ(breach_of(network("positive_hop", torus(2, 4)), none), "") << "the class alone rises";
  EXPECT_NE(breach_of(network("negative_hop", torus(2, 4)), none), "") << "it does not at a positive hop";
}

TEST(RankCondition, IsBrokenByTwoRoutersOfOneColour) {
  const auto net = network("negative_hop", torus(2, 5));
  const auto& algorithm = dynamic_cast<const BufferClassRelation&>(*net.relation).algorithm();
  const auto own = [&](RouterId r) { return algorithm.label(r); };
  EXPECT_EQ(breach_of(net, own), "");
  // Colour 2 sunk to 1: some hops now stay in the class and on the level.
  const auto two = [&](RouterId r) { return std::min(1U, algorithm.label(r)); };
  const auto found = breach_of(net, two);
  EXPECT_NE(found.find("of rank (0, 1) may take"), std::string::npos) << found;
}

TEST(RankCondition, IsBrokenByParityOnAnOddRing) {
  // Negative hops by parity, which is no proper colouring of a ring of five.
  class Parity : public BufferClasses {
   public:
    [[nodiscard]] unsigned behind(const Link& link, RouterId, unsigned before) const override {
      return before + (label(link.from) > label(link.to) ? 1 : 0);
    }
    [[nodiscard]] unsigned label(RouterId r) const override { return static_cast<unsigned>(index(r)) % 2; }
  };
  for (const unsigned k : {8U, 9U}) {
    const auto net = network("positive_hop", torus(1, k));
    const auto relation = derived(net.cube, std::make_shared<Parity>());
    EXPECT_EQ(relation->claims().deadlock_free, k == 8 ? "acyclic" : "none");
    EXPECT_EQ(breach(net.cube, *relation).empty(), k == 8);
  }
}

TEST(RankCondition, IsBrokenByAClassThatFalls) {
  // The variation of the paper's footnote: any class up to the hops taken; here always one less.
  class Falls : public BufferClasses {
   public:
    [[nodiscard]] unsigned at_source(RouterId, RouterId) const override { return 1; }
    [[nodiscard]] unsigned behind(const Link&, RouterId, unsigned before) const override {
      return before == 1 ? 0 : before + 2;
    }
    [[nodiscard]] unsigned label(RouterId r) const override { return static_cast<unsigned>(index(r)); }
  };
  const auto net = network("positive_hop", mesh({4}));
  const auto relation = derived(net.cube, std::make_shared<Falls>());
  EXPECT_EQ(relation->claims().deadlock_free, "none");
  EXPECT_NE(
      breach(net.cube, *relation).find("of rank (1, 2) may take router_1.x_minus.buffer0 of rank (0, 1)"),
      std::string::npos)
      << breach(net.cube, *relation);
}

}  // namespace
}  // namespace noctule::routing_test
