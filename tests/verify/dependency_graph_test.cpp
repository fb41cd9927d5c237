// Does the graph find cycles, orders and shortest cycles? Against brute force on small random graphs.

#include "verify/graph/dependency_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"

namespace noctule {
namespace {

DependencyGraph graph_of(std::size_t vertices, const std::vector<std::pair<ChannelId, ChannelId>>& edges) {
  DependencyGraph graph(vertices);
  for (const auto& [from, to] : edges) graph.add(from, to);
  graph.finish();
  return graph;
}

TEST(DependencyGraph, KeepsEachEdgeOnce) {
  const auto graph = graph_of(3, {{0, 1}, {0, 1}, {0, 2}, {2, 1}});
  EXPECT_EQ(graph.edges(), 3U);
  EXPECT_TRUE(graph.has(0, 2));
  EXPECT_FALSE(graph.has(2, 0));
}

TEST(DependencyGraph, NumbersRiseAlongEveryEdge) {
  const auto graph = graph_of(5, {{3, 1}, {1, 4}, {4, 0}, {3, 0}, {2, 4}});
  const auto number = graph.numbering();
  ASSERT_TRUE(number);
  for (ChannelId c = 0; c < 5; ++c)
    for (const ChannelId d : graph.successors(c)) EXPECT_LT((*number)[c], (*number)[d]);
  EXPECT_TRUE(graph.shortest_cycle().empty());
}

TEST(DependencyGraph, FindsALoopAtOneVertex) {
  const auto graph = graph_of(2, {{0, 1}, {1, 1}});
  EXPECT_EQ(graph.in_cycles(), (std::vector<bool>{false, true}));
  EXPECT_EQ(graph.shortest_cycle(), std::vector<ChannelId>{1});
  EXPECT_FALSE(graph.numbering());
}

TEST(DependencyGraph, PartsAreWhatEdgesJoin) {
  // 0 -> 1 <-> 2 and 3 -> 4 -> 5 have a vertex 6 that both lead to, from which nothing leads on.
  const auto graph = graph_of(8, {{0, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 5}, {2, 6}, {4, 6}, {7, 4}});
  EXPECT_EQ(graph.in_parts_with_cycles(),
            (std::vector<bool>{true, true, true, false, false, false, false, false}));
  const auto joined = graph_of(8, {{0, 1}, {1, 2}, {2, 1}, {3, 4}, {4, 5}, {2, 6}, {4, 6}, {6, 7}});
  EXPECT_EQ(joined.in_parts_with_cycles(),
            (std::vector<bool>{true, true, true, true, true, false, true, false}));
}

TEST(DependencyGraph, PrefersTheShorterOfTwoCycles) {
  const auto graph = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}, {4, 5}, {5, 2}});
  auto cycle = graph.shortest_cycle();
  std::sort(cycle.begin(), cycle.end());
  EXPECT_EQ(cycle, (std::vector<ChannelId>{2, 4, 5}));
}

/// Length of a shortest cycle by powers of the adjacency matrix; 0: none.
std::size_t brute_force(const DependencyGraph& graph) {
  const std::size_t n = graph.vertices();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (ChannelId c = 0; c < n; ++c) reach[c][c] = true;
  for (std::size_t length = 1; length <= n; ++length) {
    std::vector<std::vector<bool>> next(n, std::vector<bool>(n));
    for (ChannelId a = 0; a < n; ++a)
      for (ChannelId b = 0; b < n; ++b)
        if (reach[a][b])
          for (const ChannelId c : graph.successors(b)) next[a][c] = true;
    for (ChannelId c = 0; c < n; ++c)
      if (next[c][c]) return length;
    reach = std::move(next);
  }
  return 0;
}

TEST(DependencyGraph, AgreesWithBruteForce) {
  Rng rng(7);
  std::size_t cyclic = 0;
  for (int round = 0; round < 400; ++round) {
    DependencyGraph graph(9);
    const auto edges = 4 + rng.below(14);
    for (std::uint64_t e = 0; e < edges; ++e) {
      const auto from = static_cast<ChannelId>(rng.below(9));
      graph.add(from, static_cast<ChannelId>(rng.below(9)));
    }
    graph.finish();
    const auto cycle = graph.shortest_cycle();
    EXPECT_EQ(cycle.size(), brute_force(graph));
    for (std::size_t i = 0; i < cycle.size(); ++i)
      EXPECT_TRUE(graph.has(cycle[i], cycle[(i + 1) % cycle.size()]));
    EXPECT_EQ(graph.numbering().has_value(), cycle.empty());
    const auto in_cycles = graph.in_cycles();
    EXPECT_EQ(std::count(in_cycles.begin(), in_cycles.end(), true) == 0, cycle.empty());
    cyclic += cycle.empty() ? 0 : 1;
  }
  EXPECT_GT(cyclic, 100U);
  EXPECT_LT(cyclic, 390U);
}

}  // namespace
}  // namespace noctule
