// Do the planners make the copies of Boppana et al. 1998: the example of section 2, the mean numbers of hops
// and copies of its section 4, and the channels that copies share or do not?

#include <gtest/gtest.h>

#include <set>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::multicast_test {
namespace {

/// A place as the paper writes it: row from the top, column from the left.
struct Place {
  unsigned row = 0;
  unsigned column = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;

void PrintTo(const Place& place, std::ostream* out) {
  *out << "(" << place.row << "," << place.column << ")";
}

class MulticastExample : public testing::TestWithParam<Shape> {
 protected:
  /// Where the copies go, destinations alone, and the hops of all of them.
  std::pair<std::vector<Places>, unsigned> copies(const std::string& name, const Json& set = Json::object()) {
    const auto net = planned(GetParam(), name, set);
    const auto at = [&](Place p) {
      return terminal(index(net.cube->router_at(std::vector<unsigned>{p.column, p.row})));
    };
    Terminals destinations;
    for (const auto p : Places{{5, 0}, {3, 1}, {0, 4}, {1, 4}, {0, 5}, {1, 5}, {5, 5}})
      destinations.push_back(at(p));
    std::pair<std::vector<Places>, unsigned> result;
    for (const auto& worm : net.plan(at({3, 2}), destinations)) {
      auto& places = result.first.emplace_back();
      for (const auto& stop : worm.stops)
        if (stop.terminal != kNoTerminal)
          places.push_back({net.cube->coordinate(stop.router, 1), net.cube->coordinate(stop.router, 0)});
      result.second += net.hops(at({3, 2}), worm);
    }
    return result;
  }
};

TEST_P(MulticastExample, HasThePapersCopies) {
  const auto individual = copies("individual");
  EXPECT_EQ(individual.first.size(), 7U);
  EXPECT_EQ(individual.second, 30U);

  const auto dual_path = copies("dual_path");
  EXPECT_EQ(dual_path.first,
            (std::vector<Places>{{{3, 1}, {5, 5}, {5, 0}}, {{1, 4}, {1, 5}, {0, 5}, {0, 4}}}));
  EXPECT_EQ(dual_path.second, 19U);

  for (const char* partition : {"recommended", "lmn"}) {
    const auto multipath = copies("multipath", {{"partition", partition}});
    EXPECT_EQ(multipath.first,
              (std::vector<Places>{{{3, 1}, {5, 0}}, {{5, 5}}, {{1, 4}, {1, 5}, {0, 5}, {0, 4}}}));
    EXPECT_EQ(multipath.second, 16U);
  }
  for (const char* rule : {"merge", "own_copy"}) {
    const auto column_path = copies("column_path", {{"same_row", rule}});
    EXPECT_EQ(column_path.first,
              (std::vector<Places>{{{5, 0}}, {{3, 1}}, {{1, 4}, {0, 4}}, {{1, 5}, {0, 5}}, {{5, 5}}}));
    EXPECT_EQ(column_path.second, 21U);
  }
  const auto e_mcast = copies("e_mcast");
  EXPECT_EQ(e_mcast.first,
            (std::vector<Places>{{{3, 1}, {5, 0}}, {{1, 4}, {0, 4}}, {{1, 5}, {0, 5}}, {{5, 5}}}));
  EXPECT_EQ(e_mcast.second, 20U);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MulticastExample, testing::Values(mesh({6, 6}), mesh({8, 8}), mesh({9, 7})),
                         [](const auto& info) { return info.param.text(); });

/// Worms of one message on a mesh of 4 columns, as {group, {terminals}}.
using Copies = std::vector<std::pair<std::string, std::vector<unsigned>>>;
Copies copies_on_4x4(const std::string& name, unsigned source, const std::vector<unsigned>& to,
                     const Json& set = Json::object()) {
  const auto net = planned(mesh({4, 4}), name, set);
  Terminals destinations;
  for (const auto t : to) destinations.push_back(terminal(t));
  Copies copies;
  for (const auto& worm : net.plan(terminal(source), destinations)) {
    auto& [group, stops] = copies.emplace_back(net.planner->groups()[worm.group], std::vector<unsigned>{});
    for (const auto& stop : worm.stops)
      stops.push_back(stop.terminal == kNoTerminal ? 100 + static_cast<unsigned>(stop.router)
                                                   : static_cast<unsigned>(stop.terminal));
  }
  return copies;
}

TEST(ColumnPath, SendsTheSameRowUpUnlessOnlyDownIsNeeded) {
  // Row 1 is 4 5 6 7; the source is 5.
  EXPECT_EQ(copies_on_4x4("column_path", 5, {7}), (Copies{{"up", {7}}}));
  EXPECT_EQ(copies_on_4x4("column_path", 5, {7, 3, 11}), (Copies{{"up", {7, 3}}, {"down", {11}}}));
  EXPECT_EQ(copies_on_4x4("column_path", 5, {7, 15, 11}), (Copies{{"down", {7, 11, 15}}}));
  EXPECT_EQ(copies_on_4x4("column_path", 5, {7, 15, 11}, {{"same_row", "own_copy"}}),
            (Copies{{"up", {7}}, {"down", {11, 15}}}));
  EXPECT_EQ(copies_on_4x4("column_path", 5, {13, 1, 4, 9}),
            (Copies{{"up", {4}}, {"up", {1}}, {"down", {9, 13}}}));
}

TEST(EMcast, ServesTheRowInPassing) {
  EXPECT_EQ(copies_on_4x4("e_mcast", 5, {7, 6}), (Copies{{"row", {6, 7}}}));
  EXPECT_EQ(copies_on_4x4("e_mcast", 5, {7, 6, 4}), (Copies{{"row", {4}}, {"row", {6, 7}}}));
  EXPECT_EQ(copies_on_4x4("e_mcast", 5, {7, 6, 10}), (Copies{{"down", {6, 10}}, {"row", {7}}}));
  EXPECT_EQ(copies_on_4x4("e_mcast", 5, {7, 6, 11, 3}), (Copies{{"up", {6, 7, 3}}, {"down", {11}}}));
  EXPECT_EQ(copies_on_4x4("e_mcast", 4, {5, 2, 7, 15}), (Copies{{"up", {5, 2}}, {"down", {7, 15}}}));
  EXPECT_EQ(copies_on_4x4("e_mcast", 5, {1, 9, 6}), (Copies{{"up", {1}}, {"down", {9}}, {"row", {6}}}));
}

TEST(Multipath, LeadsEachHalfToItsNeighbour) {
  // Row 1 goes back: from 5 the path goes on to 4 and across to 9, and comes from 6 and across from 1.
  EXPECT_EQ(copies_on_4x4("multipath", 5, {12, 8, 13}), (Copies{{"up", {104, 8, 12}}, {"up", {109, 13}}}));
  EXPECT_EQ(copies_on_4x4("multipath", 5, {4, 9}), (Copies{{"up", {4}}, {"up", {9}}}));
  EXPECT_EQ(copies_on_4x4("multipath", 5, {1, 0, 3}), (Copies{{"down", {106, 3, 1}}, {"down", {101, 0}}}));
  EXPECT_EQ(copies_on_4x4("multipath", 5, {1, 0, 3}, {{"partition", "lmn"}}),
            (Copies{{"down", {106, 3}}, {"down", {1, 0}}}));
  // At the end of a row the path itself goes across; in the last row nothing does.
  EXPECT_EQ(copies_on_4x4("multipath", 4, {8, 15, 10}), (Copies{{"up", {8, 10, 15}}}));
  EXPECT_EQ(copies_on_4x4("multipath", 14, {13, 12}), (Copies{{"up", {13, 12}}}));
}

/// With 1 to 19 destinations, all numbers as likely, on an 8x8 mesh. 0: not stated.
struct Means {
  Variant variant;
  double hops;                   ///< network hops of all copies of all messages, per destination
  double copies = 0;             ///< per message
  double hops_of_the_paper = 0;  ///< section 4, from simulations
};

class MeanNumbers : public testing::TestWithParam<Means> {};

TEST_P(MeanNumbers, AreThoseOfTheReferenceAndOfThePaper) {
  const auto& expected = GetParam();
  const auto net = planned(mesh({8, 8}), expected.variant.algorithm, expected.variant.set);
  constexpr unsigned kMessages = 120'000;
  Draws draws(64);
  Worms worms;
  double hops = 0;
  double destinations = 0;
  double copies = 0;
  for (unsigned i = 0; i < kMessages; ++i) {
    const auto& message = draws.draw(1 + draws.below(19));
    worms.clear();
    net.planner->plan(message.source, message.destinations, worms);
    for (const auto& worm : worms) hops += net.hops(message.source, worm);
    destinations += static_cast<double>(message.destinations.size());
    copies += static_cast<double>(worms.size());
  }
  const auto near = [](double measured, double stated, double relative) {
    if (stated > 0) {
      EXPECT_NEAR(measured, stated, relative * stated);
    }
  };
  near(hops / destinations, expected.hops, 0.005);
  near(hops / destinations, expected.hops_of_the_paper, 0.01);
  near(copies / kMessages, expected.copies, 0.005);
  RecordProperty("hops", std::to_string(hops / destinations));
  RecordProperty("copies", std::to_string(copies / kMessages));
}

INSTANTIATE_TEST_SUITE_P(Uniform, MeanNumbers,
                         testing::Values(Means{{"individual"}, 16.0 / 3, 10, 5.35},
                                         Means{{"dual_path"}, 3.004}, Means{{"multipath"}, 2.809, 2.60, 2.81},
                                         Means{{"multipath", {{"partition", "lmn"}}}, 2.756},
                                         Means{{"column_path"}, 3.745, 6.49, 3.76},
                                         Means{{"column_path", {{"same_row", "own_copy"}}}, 3.843},
                                         Means{{"e_mcast"}, 3.699, 6.31, 3.72}),
                         [](const auto& info) { return name_of(info.param.variant); });

/// Do two copies of the message use the same channel?
bool shares_a_channel(const Planned& net, const Multicast& message) {
  std::set<LinkId> used;
  std::vector<const Link*> links;
  for (const auto& worm : net.plan(message.source, message.destinations)) {
    links.clear();
    auto at = net.cube->injection_router(message.source);
    for (const auto& stop : worm.stops) net.walk(std::exchange(at, stop.router), stop.router, links);
    for (const auto* link : links)
      if (!used.insert(link->id).second) return true;
  }
  return false;
}

TEST(SharedChannels, AreNoneBetweenCopiesOfDualPathAndOfTheOriginalMultipath) {
  const std::vector<std::pair<const char*, Json>> disjoint{
      {"dual_path", {{"labelling", "rows"}}},
      {"dual_path", {{"labelling", "columns"}}},
      {"multipath", {{"partition", "lmn"}}},
      {"multipath", {{"partition", "lmn"}, {"labelling", "columns"}}}};
  for (const auto& each : disjoint) {
    const char* const name = each.first;
    const Json& set = each.second;
    const auto small = planned(mesh({4, 3}), name, set);
    every_message(12, 4,
                  [&](const Multicast& message) { ASSERT_FALSE(shares_a_channel(small, message)) << name; });
    for (const auto& shape : {mesh({8, 8}), mesh({5, 6})}) {
      const auto net = planned(shape, name, set);
      Draws draws(net.cube->terminals());
      for (unsigned i = 0; i < 1000; ++i)
        ASSERT_FALSE(shares_a_channel(net, draws.draw(1 + draws.below(19)))) << name;
    }
  }
}

TEST(SharedChannels, AreRareInTheRecommendedMultipath) {
  const auto net = planned(mesh({8, 8}), "multipath");
  Draws draws(64);
  constexpr unsigned kMessages = 10'000;
  unsigned sharing = 0;
  for (unsigned i = 0; i < kMessages; ++i)
    sharing += shares_a_channel(net, draws.draw(1 + draws.below(19))) ? 1 : 0;
  RecordProperty("share", std::to_string(static_cast<double>(sharing) / kMessages));
  EXPECT_NEAR(static_cast<double>(sharing) / kMessages, 0.03, 0.01);
}

}  // namespace
}  // namespace noctule::multicast_test
