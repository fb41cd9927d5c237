// Schemes for consumption channels that rules of a node cannot all express, as quotients of one finer graph:
// worms of every kind get a class of their own, and what classes share is put together afterwards.

#include <gtest/gtest.h>

#include <array>

#include "verify/multicast_support.h"

namespace noctule::multicast_test {
namespace {

/// A graph with fine classes, and what becomes of it when these are mapped to coarse ones.
class FineGraph {
 public:
  FineGraph(const Scheme& scheme, Classes classes)
      : fine_(static_cast<unsigned>(classes.size())),
        plan_(multicast_plan(scheme, multicast_node(fine_, std::move(classes)))),
        channels_(*plan_),
        survey_(survey_planned(*plan_, channels_, 1'000'000)) {}

  /// Worms of fine class c may take, and wait for, channels of any of the coarse classes coarse[c].
  [[nodiscard]] bool acyclic(const std::vector<std::vector<unsigned>>& coarse) const {
    DependencyGraph graph(channels_.size());
    for (ChannelId from = 0; from < channels_.size(); ++from)
      for (const ChannelId to : survey_.graph.successors(from))
        for (const ChannelId a : images(from, coarse))
          for (const ChannelId b : images(to, coarse)) graph.add(a, b);
    graph.finish();
    return graph.numbering().has_value();
  }

 private:
  [[nodiscard]] std::vector<ChannelId> images(ChannelId c,
                                              const std::vector<std::vector<unsigned>>& coarse) const {
    if (!channels_.is_consumption(c)) return {c};
    const auto at = static_cast<unsigned>(c - channels_.virtual_channels());
    std::vector<ChannelId> list;
    for (const unsigned image : coarse[at % fine_]) list.push_back(c - at % fine_ + image);
    return list;
  }

  unsigned fine_;
  std::shared_ptr<const FabricPlan> plan_;
  ChannelIndex channels_;
  PlannedSurvey survey_;
};

/// Where a worm of e-mcast comes from and where it goes on; "none": it ends.
Classes ways_of_e_mcast() {
  constexpr std::array<std::array<const char*, 2>, 12> kWays{{{"x_plus", "x_plus"},
                                                              {"x_plus", "y_plus"},
                                                              {"x_plus", "y_minus"},
                                                              {"x_plus", "none"},
                                                              {"x_minus", "x_minus"},
                                                              {"x_minus", "y_plus"},
                                                              {"x_minus", "y_minus"},
                                                              {"x_minus", "none"},
                                                              {"y_plus", "y_plus"},
                                                              {"y_plus", "none"},
                                                              {"y_minus", "y_minus"},
                                                              {"y_minus", "none"}}};
  Classes classes;
  for (const auto& [in, out] : kWays)
    classes.push_back({static_cast<unsigned>(classes.size()), {{"incoming", {in}}, {"outgoing", {out}}}});
  return classes;
}

TEST(EMcast, HasNoTwoClassesByIncomingAndOutgoingChannelThatAreEnough) {
  const FineGraph graph({"e_mcast"}, ways_of_e_mcast());
  std::vector<std::vector<unsigned>> coarse(12, std::vector<unsigned>{0});
  unsigned enough = 0;
  for (unsigned map = 0; map < 2048; ++map) {
    for (unsigned way = 1; way < 12; ++way) coarse[way][0] = map >> (way - 1) & 1;
    enough += graph.acyclic(coarse) ? 1 : 0;
  }
  EXPECT_EQ(enough, 0U);
  // The three classes that are enough, as a check of the method.
  coarse = {{0}, {0}, {0}, {0}, {1}, {1}, {1}, {1}, {0}, {0}, {2}, {2}};
  EXPECT_TRUE(graph.acyclic(coarse));
}

TEST(EMcast, QuotientsSayWhatRulesSay) {
  const FineGraph graph({"e_mcast"}, ways_of_e_mcast());
  for (unsigned map = 0; map < 2048; map += 97) {
    std::vector<std::vector<unsigned>> coarse{{0}};
    Classes classes = ways_of_e_mcast();
    for (unsigned way = 1; way < 12; ++way) coarse.push_back({map >> (way - 1) & 1});
    for (unsigned way = 0; way < 12; ++way) classes[way].number = coarse[way][0];
    EXPECT_EQ(verify_scheme({"e_mcast"}, multicast_node(2, classes)).proved(), graph.acyclic(coarse)) << map;
  }
}

TEST(ColumnPath, OnlyCopiesThatStayInTheRowMayCommitThemselvesToAnyClass) {
  const std::vector<std::string> row{"x_plus", "x_minus"};
  const Classes classes{{2, {{"destinations", {"one"}}, {"incoming", row}}},
                        {3, {{"destinations", {"one"}}}},
                        {0, {{"group", {"up"}}}},
                        {1, {}}};
  for (const char* rule : {"merge", "own_copy"}) {
    const FineGraph graph({"column_path", {{"same_row", rule}}}, classes);
    EXPECT_TRUE(graph.acyclic({{0}, {1}, {0, 1}, {0}}));  // others: like those that go up
    EXPECT_FALSE(graph.acyclic({{0}, {1}, {0, 1}, {0, 1}}));
  }
}

}  // namespace
}  // namespace noctule::multicast_test
