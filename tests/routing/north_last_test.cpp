// Is north-last what it says on meshes, and on tori acyclic by default and refused with the obvious rule?

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

using Names = std::vector<std::string>;

Network dateline(const Shape& shape) {
  return network("north_last", shape, {{"vc_rule", "dateline"}});
}

Network wrapped_bit(const Shape& shape) {
  return network("north_last", shape, {{"vc_rule", "wrapped_bit"}});
}

RouterId at(const Network& net, std::vector<unsigned> coordinates) {
  return net.cube->router_at(coordinates);
}

/// In the order of preference.
Names offers(const Network& net, std::vector<unsigned> here, std::vector<unsigned> to, RouteState state = 0) {
  CandidateList list;
  net.relation->candidates(at(net, here), at(net, to), state, list);
  Names names;
  for (const auto& c : list)
    names.push_back(net.cube->port_name(c.port) + " " +
                    net.relation->class_name(link_by(*net.cube, c.port), c.vc_class));
  return names;
}

std::uint64_t starts(const Network& net, std::vector<unsigned> from, std::vector<unsigned> to) {
  return net.relation->initial_states(at(net, from), at(net, to));
}

TEST(NorthLast, GoesNorthOnlyWhenXIsCorrectedOnAMesh) {
  const auto net = network("north_last", mesh({5, 5}));
  EXPECT_EQ(offers(net, {1, 3}, {3, 1}), (Names{"x_plus class0"}));
  EXPECT_EQ(offers(net, {3, 3}, {3, 1}), (Names{"y_minus class0"}));
  EXPECT_EQ(offers(net, {3, 1}, {1, 3}), (Names{"x_minus class0", "y_plus class0"}));
  EXPECT_EQ(offers(net, {1, 1}, {1, 3}), (Names{"y_plus class0"}));
  EXPECT_EQ(net.relation->classes(link_by(*net.cube, CubeNetwork::plus(0))), 1U);
  EXPECT_FALSE(net.relation->has_state());
}

TEST(NorthLast, CrossesTheSouthWrapOnlyWhenXIsCorrected) {
  const auto net = network("north_last", torus(2, 7));
  const auto plain = dateline(torus(2, 7));
  // From row 5 to row 1 by the wrap 6 -> 0: free until the wrap is next.
  EXPECT_EQ(offers(net, {1, 5}, {3, 1}), (Names{"x_plus class1", "y_plus class0"}));
  EXPECT_EQ(offers(net, {1, 6}, {3, 1}), (Names{"x_plus class1"}));
  EXPECT_EQ(offers(net, {3, 6}, {3, 1}), (Names{"y_plus class1"})) << "the wrap link itself";
  EXPECT_EQ(offers(plain, {1, 6}, {3, 1}), (Names{"x_plus class1", "y_plus class0"}));
  EXPECT_EQ(offers(plain, {3, 6}, {3, 1}), (Names{"y_plus class0"}));
}

TEST(NorthLast, ClassesSouthLinksByWhatIsBehindAndOthersByWhatIsAhead) {
  const auto net = network("north_last", torus(2, 7));
  EXPECT_EQ(offers(net, {3, 1}, {3, 3}), (Names{"y_plus class0"})) << "never wraps";
  const auto wrapped =
      net.relation->next_state(at(net, {3, 6}), at(net, {3, 1}), 0, {CubeNetwork::plus(1), VcClass{1}});
  EXPECT_EQ(offers(net, {3, 0}, {3, 1}, wrapped), (Names{"y_plus class1"}));
  EXPECT_EQ(offers(net, {3, 1}, {3, 5}), (Names{"y_minus class0"})) << "the wrap to the north is ahead";
  EXPECT_EQ(offers(net, {3, 6}, {3, 5}), (Names{"y_minus class1"}));
  EXPECT_EQ(offers(net, {5, 3}, {1, 3}), (Names{"x_plus class0"}));
  EXPECT_EQ(offers(net, {0, 3}, {1, 3}), (Names{"x_plus class1"}));
  EXPECT_EQ(offers(dateline(torus(2, 7)), {3, 1}, {3, 3}), (Names{"y_plus class1"}));
  EXPECT_EQ(offers(wrapped_bit(torus(2, 7)), {3, 6}, {3, 5}), (Names{"y_minus class0"}));
  EXPECT_EQ(offers(wrapped_bit(torus(2, 7)), {6, 6}, {1, 1}), (Names{"x_plus class1", "y_plus class1"}));
}

TEST(NorthLast, DrawsTheWayOfATieAtInjection) {
  const auto net = network("north_last", torus(2, 6));
  EXPECT_EQ(starts(net, {0, 0}, {3, 3}), 4U);
  EXPECT_EQ(starts(net, {0, 0}, {3, 2}), 2U);
  EXPECT_EQ(starts(net, {0, 0}, {2, 2}), 1U);
  EXPECT_EQ(offers(net, {0, 0}, {3, 3}, 0), (Names{"x_plus class1", "y_plus class0"}));
  EXPECT_EQ(offers(net, {0, 0}, {3, 3}, 1), (Names{"x_minus class0", "y_plus class0"}));
  EXPECT_EQ(offers(net, {0, 0}, {3, 3}, 3), (Names{"x_minus class0"})) << "to the north: last";
}

TEST(NorthLast, CarriesWhatItsRulesNeed) {
  const auto bits = [](const Network& net) { return net.relation->header_bits(); };
  EXPECT_EQ(bits(network("north_last", torus(2, 16))), 3U);
  EXPECT_EQ(bits(dateline(torus(2, 16))), 2U);
  EXPECT_EQ(bits(wrapped_bit(torus(2, 16))), 4U);
  EXPECT_EQ(bits(network("north_last", torus(2, 7))), 1U);
  EXPECT_EQ(bits(dateline(torus(2, 7))), 0U);
}

TEST(NorthLast, UsesTwoClassesOnTorusLinksAndOneOnWrapLinks) {
  for (const auto& net : {network("north_last", torus(2, 16)), dateline(torus(2, 16))})
    for (const auto& link : net.cube->links()) {
      const unsigned used =
          unsigned{net.relation->exists(link, VcClass{0})} + unsigned{net.relation->exists(link, VcClass{1})};
      EXPECT_LE(used, 2U);
      EXPECT_GE(used, 1U);
      if (net.cube->is_wrap(link.from, link.out)) {
        EXPECT_EQ(used, 1U);
      }
    }
}

TEST(NorthLast, IsProvedOnMeshesWithOneClass) {
  for (const auto& shape : {mesh({4, 4}), mesh({5, 3}), mesh({8, 8}), mesh({2, 7})}) {
    const auto c = verify_relation(network("north_last", shape));
    EXPECT_EQ(c.method, "acyclic") << shape.text();
    EXPECT_FALSE(c.facts.fully_adaptive) << shape.text();
  }
}

TEST(NorthLast, IsProvedOnToriByDefault) {
  for (const unsigned k : {3U, 4U, 5U, 6U, 7U, 8U, 16U}) {
    const auto c = verify_relation(network("north_last", torus(2, k)));
    EXPECT_TRUE(c.proved()) << k;
    EXPECT_EQ(c.method, "acyclic") << k;
    EXPECT_FALSE(c.facts.fully_adaptive_at_injection) << k;
    EXPECT_TRUE(c.facts.minimal) << k;
  }
}

TEST(NorthLast, IsProvedWhereOneDimensionWrapsAlone) {
  for (const auto& shape : {Shape{{6, 5}, {true, false}}, Shape{{5, 6}, {false, true}}})
    EXPECT_EQ(verify_relation(network("north_last", shape)).method, "acyclic") << shape.text();
}

TEST(NorthLastByTheObviousRules, AreRefusedWithWormsThatBlockEachOther) {
  for (unsigned k = 4; k <= 8; ++k)
    for (const auto& net : {dateline(torus(2, k)), wrapped_bit(torus(2, k))}) {
      const auto c = verify_relation(net);
      EXPECT_EQ(c.method, "cyclic") << k;
      EXPECT_FALSE(c.facts.direct.acyclic()) << k;
      EXPECT_GE(c.witness.cycle.size(), 4U) << k;
      EXPECT_GE(c.witness.worms.size(), 2U) << k;
    }
}

TEST(NorthLastByTheObviousRules, ClaimNothingButOnMeshes) {
  EXPECT_EQ(dateline(torus(2, 6)).relation->claims().deadlock_free, "none");
  EXPECT_EQ(wrapped_bit(torus(2, 6)).relation->claims().deadlock_free, "none");
  EXPECT_EQ(dateline(mesh({6, 6})).relation->claims().deadlock_free, "acyclic");
  EXPECT_EQ(network("north_last", torus(2, 6)).relation->claims().deadlock_free, "acyclic");
}

/// Channels of the cycle that enumeration found, k = 6: south, east, south to the wrap and over it, west,
/// back.
std::vector<ChannelId> known_cycle(const Network& net, const ChannelIndex& channels) {
  std::vector<ChannelId> cycle;
  const auto add = [&](std::vector<unsigned> from, PortId port, std::uint16_t vc_class) {
    cycle.push_back(channels.of(net.cube->outgoing(at(net, from), port)->id, VcClass{vc_class}));
  };
  constexpr PortId kEast = CubeNetwork::plus(0);
  constexpr PortId kWest = CubeNetwork::minus(0);
  constexpr PortId kSouth = CubeNetwork::plus(1);
  add({0, 0}, kSouth, 0);
  add({0, 1}, kEast, 1);
  for (unsigned y = 1; y < 6; ++y) add({1, y}, kSouth, 0);
  // The wrap link is in class 1 by this rule.
  cycle.back() = channels.of(net.cube->outgoing(at(net, {1, 5}), kSouth)->id, VcClass{1});
  add({1, 0}, kWest, 0);
  return cycle;
}

/// Arcs of the cycle that are there.
std::size_t arcs_of_known_cycle(const Network& net) {
  const Surveyed seen(net.cube, *net.relation);
  const auto cycle = known_cycle(net, seen.channels);
  std::size_t found = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    found += seen.survey.direct.has(cycle[i], cycle[(i + 1) % cycle.size()]) ? 1 : 0;
  return found;
}

TEST(NorthLastByWrappedBit, HasTheCycleThatIsKnown) {
  EXPECT_EQ(arcs_of_known_cycle(wrapped_bit(torus(2, 6))), 8U);
  EXPECT_LT(arcs_of_known_cycle(network("north_last", torus(2, 6))), 8U);
}

TEST(NorthLast, RefusesOtherThanTwoDimensionsAndUnknownRules) {
  EXPECT_THROW(network("north_last", torus(3, 4)), ConfigError);
  EXPECT_THROW(network("north_last", torus(2, 4), {{"vc_rule", "obvious"}}), ConfigError);
}

}  // namespace
}  // namespace noctule::routing_test
