// Wavefront against its definition, maximum against an exhaustive search.

#include <gtest/gtest.h>

#include <map>

#include "arbitration_support.h"

namespace noctule::arbitration_test {
namespace {

constexpr ArbiterKind kKinds[] = {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix};

TEST(Wavefront, MatchesTheDiagonalThatComesFirst) {
  Bench<1> bench("wavefront", shape(3, 1, 3));
  bench.ask_all({0, 1, 2});
  EXPECT_EQ(bench.allocate(), (Grants{{0, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(bench.allocate(), (Grants{{0, 1}, {1, 0}, {2, 2}}));
  EXPECT_EQ(bench.allocate(), (Grants{{0, 2}, {1, 1}, {2, 0}}));
  EXPECT_EQ(bench.allocate(), (Grants{{0, 0}, {1, 2}, {2, 1}}));
}

TEST(Wavefront, PadsTheShorterSide) {
  // Two groups, four resources: diagonals 0 to 3.
  Bench<1> wide("wavefront", shape(2, 1, 4));
  wide.ask_all({0, 3});
  EXPECT_EQ(wide.allocate(), (Grants{{0, 0}, {1, 3}}));
  EXPECT_EQ(wide.allocate(), (Grants{{0, 3}, {1, 0}}));
  EXPECT_EQ(wide.allocate(), (Grants{{0, 3}, {1, 0}}));
  EXPECT_EQ(wide.allocate(), (Grants{{0, 3}, {1, 0}}));
  EXPECT_EQ(wide.allocate(), (Grants{{0, 0}, {1, 3}}));
  // Three groups, one resource.
  Bench<1> high("wavefront", shape(3, 1, 1));
  high.ask_all({0});
  for (const unsigned winner : {0, 1, 2, 0}) EXPECT_EQ(high.allocate(), (Grants{{winner, 0}}));
}

/// (group, resource) of the definition, place by place.
std::set<std::pair<std::size_t, std::size_t>> by_definition(const Bench<4>& bench, std::size_t first) {
  const auto wants = bench.wants_of_groups();
  const std::size_t side = std::max(wants.size(), bench.shape().resources);
  std::set<std::pair<std::size_t, std::size_t>> matching;
  std::set<std::size_t> groups;
  std::set<std::size_t> resources;
  for (std::size_t d = 0; d < side; ++d)
    for (std::size_t g = 0; g < wants.size(); ++g)
      for (std::size_t o = 0; o < bench.shape().resources; ++o)
        if ((g + o) % side == (first + d) % side && wants[g].test(o) && !groups.contains(g) &&
            !resources.contains(o)) {
          matching.insert({g, o});
          groups.insert(g);
          resources.insert(o);
        }
  return matching;
}

TEST(Wavefront, IsItsDefinition) {
  for (const auto kind : kKinds)
    for (const auto& s : {shape(5, 4, 5), shape(3, 2, 9), shape(17, 1, 6), shape(70, 1, 80)}) {
      Bench<4> bench("wavefront", s, {kind, 1});
      Rng rng(1);
      std::size_t first = 0;
      for (unsigned step = 0; step < 100; ++step) {
        bench.ask_randomly(rng, 0.5, 0.2);
        const auto expected = by_definition(bench, first);
        std::set<std::pair<std::size_t, std::size_t>> found;
        for (const auto& [r, o] : bench.allocate()) found.insert({s.group_of[r], o});
        ASSERT_EQ(found, expected);
        if (!expected.empty()) ++first;
      }
    }
}

/// Size of a maximum matching: every choice for the first group, the rest by recursion.
std::size_t exhaustive(const std::vector<Mask<1>>& wants, std::size_t group, std::uint64_t taken,
                       std::map<std::pair<std::size_t, std::uint64_t>, std::size_t>& known) {
  if (group == wants.size()) return 0;
  const auto [it, fresh] = known.insert({{group, taken}, 0});
  if (!fresh) return it->second;
  std::size_t best = exhaustive(wants, group + 1, taken, known);
  wants[group].each([&](std::size_t o) {
    if ((taken >> o & 1) == 0)
      best = std::max(best, 1 + exhaustive(wants, group + 1, taken | 1ULL << o, known));
  });
  return known[{group, taken}] = best;
}

TEST(Maximum, IsAsLargeAsAnExhaustiveSearchFinds) {
  for (const auto kind : kKinds)
    for (const auto& s : {shape(5, 4, 5), shape(3, 3, 8), shape(9, 1, 7), shape(8, 1, 8)}) {
      Bench<1> bench("maximum", s, {kind, 1});
      Bench<1> wavefront("wavefront", s, {kind, 1});
      Rng rng(4);
      bool larger = false;
      for (unsigned step = 0; step < 300; ++step) {
        bench.ask_randomly(rng, 0.3 + 0.3 * (step % 3), 0.15);
        std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> known;
        const std::size_t size = bench.allocate().size();
        ASSERT_EQ(size, exhaustive(bench.wants_of_groups(), 0, 0, known));
        for (std::size_t r = 0; r < s.group_of.size(); ++r)
          wavefront.ask(r, bench.asks(r) ? bench.wants(r) : Mask<1>{});
        larger |= size > wavefront.allocate().size();
      }
      EXPECT_TRUE(larger) << "a maximal matching would have passed too";
    }
}

TEST(Maximum, FollowsALongAugmentingPath) {
  // Group g wants resources g and g + 1, the last one only its own: one matching holds them all.
  constexpr std::size_t n = 200;
  Bench<4> bench("maximum", shape(n, 1, n));
  for (std::size_t g = 0; g + 1 < n; ++g) bench.ask(g, {g, g + 1});
  bench.ask(n - 1, {n - 1});
  for (unsigned step = 0; step < 2 * n; ++step) ASSERT_EQ(bench.allocate().size(), n);
}

TEST(Maximum, PrefersNobodyByPlace) {
  constexpr unsigned n = 5;
  for (const unsigned asking : {n, 1U}) {
    Bench<1> bench("maximum", shape(n, 1, n));
    for (unsigned g = 0; g < asking; ++g) bench.ask(g, {0, 1, 2, 3, 4});
    std::map<std::pair<unsigned, unsigned>, unsigned> count;
    for (unsigned step = 0; step < n * n; ++step)
      for (const auto& grant : bench.allocate()) ++count[grant];
    for (unsigned g = 0; g < asking; ++g)
      for (unsigned o = 0; o < n; ++o) EXPECT_EQ((count[{g, o}]), n) << g << " " << o;
  }
}

}  // namespace
}  // namespace noctule::arbitration_test
