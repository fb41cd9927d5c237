// Who is cut off: against the links followed one by one, on networks with links both ways, one way and none.

#include "topology/reachability.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "support/networks.h"
#include "topology/distances.h"

namespace noctule {
namespace {

/// The first two terminals of which one cannot send to the other, by another text.
std::optional<std::pair<std::size_t, std::size_t>> first_cut_off(const std::vector<std::vector<bool>>& joined,
                                                                 const std::vector<Attachment>& terminals) {
  const std::size_t n = joined.size();
  auto reach = joined;
  for (std::size_t r = 0; r < n; ++r) reach[r][r] = true;
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (reach[a][via] && reach[via][b]) reach[a][b] = true;
  for (std::size_t s = 0; s < terminals.size(); ++s)
    for (std::size_t d = 0; d < terminals.size(); ++d)
      if (s != d && !reach[index(terminals[s].injection)][index(terminals[d].consumption)])
        return std::pair(s, d);
  return {};
}

TEST(WhoIsCutOff, IsFoundWhateverTheLinksAre) {
  Rng rng(11);
  unsigned cut = 0;
  unsigned whole = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = 2 + rng.below(7);
    Reachability links(n);
    std::vector<std::vector<bool>> joined(n, std::vector<bool>(n));
    const auto some_router = [&] { return RouterId{static_cast<std::uint32_t>(rng.below(n))}; };
    const auto join = [&](RouterId from, RouterId to) {
      if (from == to || joined[index(from)][index(to)]) return;
      joined[index(from)][index(to)] = true;
      links.add(from, to);
    };
    for (std::size_t i = rng.below(4 * n); i-- > 0;) join(some_router(), some_router());
    const RouterId from = some_router();
    const RouterId to = some_router();
    if (joined[index(from)][index(to)] && rng.below(2) == 0) {
      links.remove(from, to);
      joined[index(from)][index(to)] = false;
    }
    std::vector<Attachment> terminals;
    for (std::size_t i = 2 + rng.below(4); i-- > 0;) {
      const RouterId injection = some_router();
      terminals.push_back({injection, rng.below(3) == 0 ? some_router() : injection});
    }
    const auto found = links.cut_off(terminals);
    EXPECT_EQ(found, first_cut_off(joined, terminals)) << "round " << round;
    ++(found ? cut : whole);
  }
  EXPECT_GT(cut, 200U);
  EXPECT_GT(whole, 200U);
}

TEST(ManyDistancesAtOnce, AreThoseOfOneSearchEach) {
  Rng rng(5);
  const auto graph = random_graph(150, 40, rng);
  std::vector<RouterId> destinations;
  for (std::uint32_t r = 0; r < 150; ++r)
    if (r % 7 != 0) destinations.push_back(RouterId{r});  // more than two words of bits
  std::vector<std::vector<unsigned>> found(150, std::vector<unsigned>(150, kUnreachable));
  std::size_t calls = 0;
  for_each_distance(*graph, destinations, [&](RouterId from, RouterId to, unsigned hops) {
    found[index(from)][index(to)] = hops;
    ++calls;
  });
  EXPECT_EQ(calls, 150 * destinations.size());
  for (std::uint32_t from = 0; from < 150; ++from) {
    const auto hops = hops_from(*graph, RouterId{from});
    for (const RouterId to : destinations) {
      EXPECT_EQ(found[from][index(to)], hops[index(to)]);
      EXPECT_EQ(distances_to(*graph, to)[from], hops[index(to)]);
    }
  }
}

}  // namespace
}  // namespace noctule
