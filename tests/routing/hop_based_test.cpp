// Are PHop and NHop those of Boppana and Chalasani 1993, with the channel counts that the theory gives?

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

using Names = std::vector<std::string>;

Names offers(const Network& net, RouterId here, RouterId to, RouteState state) {
  CandidateList list;
  net.relation->candidates(here, to, state, list);
  Names names;
  for (const auto& c : list)
    names.push_back(net.cube->port_name(c.port) + " " +
                    net.relation->class_name(link_by(*net.cube, c.port), c.vc_class));
  return names;
}

/// Goes by these ports, in this order; the class that was offered at each.
std::vector<unsigned> classes_along(const Network& net, std::vector<unsigned> from, std::vector<unsigned> to,
                                    const std::vector<PortId>& ports) {
  auto here = net.cube->router_at(from);
  const auto destination = net.cube->router_at(to);
  EXPECT_EQ(net.relation->initial_states(here, destination), 1U);
  auto state = net.relation->initial_state(here, destination, 0);
  std::vector<unsigned> classes;
  for (const auto port : ports) {
    CandidateList list;
    net.relation->candidates(here, destination, state, list);
    const auto* taken = std::find_if(&*list.begin(), &*list.begin() + list.size(),
                                     [&](const Candidate& c) { return c.port == port; });
    if (taken == &*list.begin() + list.size()) {
      ADD_FAILURE() << net.cube->port_name(port) << " is not on offer";
      return classes;
    }
    classes.push_back(static_cast<unsigned>(taken->vc_class));
    state = net.relation->next_state(here, destination, state, *taken);
    here = net.cube->outgoing(here, port)->to;
  }
  EXPECT_EQ(here, destination);
  return classes;
}

/// Classes by exists() on every link: least and most, by the parity of the coordinate sum of its sender.
struct Counts {
  unsigned least[2] = {~0U, ~0U};
  unsigned most[2] = {0, 0};
};
Counts count(const Network& net) {
  Counts counts;
  for (const auto& link : net.cube->links()) {
    unsigned sum = 0;
    for (unsigned d = 0; d < net.cube->dimensions(); ++d) sum += net.cube->coordinate(link.from, d);
    unsigned n = 0;
    for (unsigned c = 0; c < net.relation->classes(link); ++c)
      n += net.relation->exists(link, VcClass(static_cast<std::uint16_t>(c))) ? 1 : 0;
    counts.least[sum % 2] = std::min(counts.least[sum % 2], n);
    counts.most[sum % 2] = std::max(counts.most[sum % 2], n);
  }
  return counts;
}

unsigned most_classes(const Network& net) {
  unsigned most = 0;
  for (std::uint16_t p = 0; p < net.cube->ports(); ++p)
    most = std::max(most, net.relation->classes(link_by(*net.cube, PortId{p})));
  return most;
}

constexpr PortId kXPlus = CubeNetwork::plus(0);
constexpr PortId kXMinus = CubeNetwork::minus(0);
constexpr PortId kYPlus = CubeNetwork::plus(1);
constexpr PortId kYMinus = CubeNetwork::minus(1);
using Classes = std::vector<unsigned>;

TEST(PositiveHop, CountsHops) {
  const auto net = network("positive_hop", torus(2, 6));
  EXPECT_EQ(classes_along(net, {5, 1}, {1, 4}, {kXPlus, kYPlus, kYPlus, kXPlus, kYPlus}),
            (Classes{0, 1, 2, 3, 4}));
  EXPECT_EQ(offers(net, net.cube->router_at(std::vector<unsigned>{0, 0}),
                   net.cube->router_at(std::vector<unsigned>{3, 5}), 2),
            (Names{"x_plus hop2", "x_minus hop2", "y_minus hop2"}))
      << "both ways of the tie";
}

TEST(NegativeHop, CountsHopsOutOfOddRoutersForEvenRadices) {
  const auto net = network("negative_hop", torus(2, 6));
  // (1,0) is odd: -> (2,0) negative, -> (2,5) positive, -> (3,5) negative, -> (3,4) positive.
  EXPECT_EQ(classes_along(net, {1, 0}, {3, 4}, {kXPlus, kYMinus, kXPlus, kYMinus}), (Classes{0, 1, 1, 2}));
  // (0,0) is even: the first hop is positive.
  EXPECT_EQ(classes_along(net, {0, 0}, {4, 1}, {kXMinus, kYPlus, kXMinus}), (Classes{0, 0, 1}));
}

TEST(NegativeHop, ColoursAnOddRingWithThree) {
  // Colours 0 1 0 1 0 1 2: from 6 over 5 to 4 two hops in a row are negative.
  const auto net = network("negative_hop", torus(1, 7));
  EXPECT_EQ(classes_along(net, {6}, {3}, {kXMinus, kXMinus, kXMinus}), (Classes{0, 1, 2}));
  EXPECT_EQ(classes_along(net, {3}, {6}, {kXPlus, kXPlus, kXPlus}), (Classes{0, 1, 1}));
  EXPECT_EQ(classes_along(net, {5}, {1}, {kXPlus, kXPlus, kXPlus}), (Classes{0, 0, 1}));
}

TEST(NegativeHop, AddsTheStepsOfAllDimensionsForOddRadices) {
  const auto net = network("negative_hop", torus(2, 5));
  // Places (sum mod 5): (3,1) 4, (2,1) 3, (2,0) 2, (1,0) 1, (1,4) 0: colours 2 1 0 1 0.
  EXPECT_EQ(classes_along(net, {3, 1}, {1, 4}, {kXMinus, kYMinus, kXMinus, kYMinus}), (Classes{0, 1, 2, 2}));
}

TEST(PositiveHop, NeverUsesThePapersHighestClass) {
  const auto net = network("positive_hop", torus(2, 16));
  EXPECT_EQ(most_classes(net), 16U);
  EXPECT_EQ(net.relation->header_bits(), 4U);
  const auto counts = count(net);
  for (const unsigned parity : {0U, 1U}) {
    EXPECT_EQ(counts.least[parity], 16U);
    EXPECT_EQ(counts.most[parity], 16U);
  }
}

TEST(NegativeHop, UsesNineClassesOutOfEvenRoutersAndEightOutOfOddOnes) {
  const auto net = network("negative_hop", torus(2, 16));
  EXPECT_EQ(most_classes(net), 9U);
  EXPECT_EQ(net.relation->header_bits(), 4U);
  const auto counts = count(net);
  EXPECT_EQ(counts.least[0], 9U);
  EXPECT_EQ(counts.most[0], 9U);
  EXPECT_EQ(counts.least[1], 8U);
  EXPECT_EQ(counts.most[1], 8U);
}

TEST(NegativeHop, NeedsHalfTheDiameterAndOneForEvenRadices) {
  for (unsigned n = 1; n <= 3; ++n)
    for (const unsigned k : {4U, 6U, 8U})
      EXPECT_EQ(most_classes(network("negative_hop", torus(n, k))), n * (k / 2) / 2 + 1) << n << " " << k;
  EXPECT_EQ(most_classes(network("negative_hop", torus(3, 6))), 5U);
}

TEST(NegativeHop, NeedsAtMostOneClassMoreForOddRadices) {
  const auto over = [](const Shape& shape) {
    const auto net = network("negative_hop", shape);
    return static_cast<int>(most_classes(net)) - static_cast<int>(net.cube->diameter() / 2 + 1);
  };
  for (const unsigned k : {3U, 5U, 7U, 9U, 15U, 31U}) EXPECT_EQ(over(torus(2, k)), 0) << k;
  for (const auto& shape : {torus(1, 7), torus(3, 3), torus(3, 7), torus({5, 7}), torus({3, 15}),
                            torus({6, 5}), torus({5, 3, 4})})
    EXPECT_EQ(over(shape), 1) << shape.text();
  for (const auto& shape : {torus(1, 9), torus(3, 5), torus({5, 9}), torus({9, 16}), torus(4, 3)})
    EXPECT_EQ(over(shape), 0) << shape.text();
}

TEST(NegativeHop, KeepsToParityOnMeshesOfAnyRadix) {
  for (const auto& shape : {mesh({4, 4}), mesh({3, 4, 2}), Shape{{4, 3}, {true, false}}}) {
    const auto net = network("negative_hop", shape);
    EXPECT_EQ(most_classes(net), net.cube->diameter() / 2 + 1) << shape.text();
  }
  // All corners are even, the ends of the longest paths: their first hop is positive.
  for (const auto& shape : {mesh({5, 5}), mesh({7}), mesh({3, 5, 7})}) {
    const auto net = network("negative_hop", shape);
    EXPECT_EQ(most_classes(net), net.cube->diameter() / 2) << shape.text();
  }
}

/// The shapes of which verdicts are known from independent enumeration.
TEST(HopBased, AreProvedAcyclicAndFullyAdaptiveAtEveryHop) {
  const auto check = [](const char* algorithm, unsigned n, unsigned k) {
    SCOPED_TRACE(std::string(algorithm) + " " + torus(n, k).text());
    const auto c = verify_relation(network(algorithm, torus(n, k)));
    EXPECT_TRUE(c.proved());
    EXPECT_EQ(c.method, "acyclic");
    EXPECT_TRUE(c.facts.fully_adaptive);
    EXPECT_TRUE(c.facts.minimal);
    EXPECT_EQ(c.facts.longest_path, n * (k / 2));
  };
  for (unsigned k = 3; k <= 8; ++k) {
    check("positive_hop", 2, k);
    check("negative_hop", 2, k);
  }
  for (unsigned k = 3; k <= 6; ++k) {
    check("positive_hop", 3, k);
    check("negative_hop", 3, k);
  }
}

TEST(HopBased, AreProvedOnThePapersTorus) {
  for (const char* algorithm : {"positive_hop", "negative_hop"}) {
    const auto c = verify_relation(network(algorithm, torus(2, 16)));
    EXPECT_EQ(c.method, "acyclic") << algorithm;
    EXPECT_TRUE(c.facts.fully_adaptive) << algorithm;
  }
}

}  // namespace
}  // namespace noctule::routing_test
