// The closed forms of the k-ary n-cube against enumeration: breadth-first search over the links themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "support/cube_network.h"
#include "support/networks.h"

namespace noctule {
namespace {

struct Shape {
  std::vector<unsigned> radix;
  std::vector<bool> wrap;
};

std::string text(const Shape& s) {
  std::string t;
  for (std::size_t d = 0; d < s.radix.size(); ++d)
    t += (d == 0 ? "" : "_") + std::to_string(s.radix[d]) + (s.wrap[d] ? "w" : "m");
  return t;
}

/// Every wrap combination of some radix vectors with n = 1..4, radices 2..8.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  const std::vector<std::vector<unsigned>> radices{
      {2},    {3},    {4},    {5},       {8},       {2, 2},    {3, 2},       {4, 4},
      {5, 5}, {8, 3}, {7, 6}, {2, 2, 2}, {3, 4, 5}, {2, 6, 3}, {2, 3, 2, 4}, {3, 3, 3, 3}};
  for (const auto& r : radices)
    for (unsigned mask = 0; mask < 1U << r.size(); ++mask) {
      Shape s{r, {}};
      for (std::size_t d = 0; d < r.size(); ++d) s.wrap.push_back((mask >> d & 1U) != 0);
      all.push_back(s);
    }
  for (unsigned n = 5; n <= 8; ++n) all.push_back({std::vector<unsigned>(n, 2), std::vector<bool>(n, false)});
  return all;
}

RouterId router(std::size_t r) {
  return RouterId{static_cast<std::uint32_t>(r)};
}
PortId port_id(std::size_t p) {
  return PortId{static_cast<std::uint16_t>(p)};
}

/// One process for all shapes: they are many and take microseconds each.
template <class Check>
void for_every_shape(Check check) {
  for (const auto& shape : shapes()) {
    SCOPED_TRACE(text(shape));
    check(CubeNetwork(shape.radix, shape.wrap));
  }
}

TEST(TopologyMatchesEnumeration, DistanceDiameterAndMean) {
  for_every_shape([](const CubeNetwork& cube) {
    unsigned far = 0;
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < cube.routers(); ++a) {
      const auto hops = hops_from(cube, router(a));
      for (std::size_t b = 0; b < cube.routers(); ++b) {
        ASSERT_EQ(cube.distance(router(a), router(b)), hops[b]) << a << " to " << b;
        far = std::max(far, hops[b]);
        sum += hops[b];
      }
    }
    EXPECT_EQ(cube.diameter(), far);
    const auto n = static_cast<double>(cube.routers());
    EXPECT_DOUBLE_EQ(cube.mean_distance(), static_cast<double>(sum) / (n * (n - 1)));
  });
}

TEST(TopologyMatchesEnumeration, MinimalDirectionsAreThoseThatComeCloser) {
  for_every_shape([](const CubeNetwork& cube) {
    for (std::size_t a = 0; a < cube.routers(); ++a)
      for (std::size_t b = 0; b < cube.routers(); ++b)
        for (unsigned d = 0; d < cube.dimensions(); ++d) {
          const auto m = cube.minimal(d, cube.coordinate(router(a), d), cube.coordinate(router(b), d));
          const auto closer = [&](PortId port) {
            const Link* l = cube.outgoing(router(a), port);
            return l != nullptr && cube.distance(l->to, router(b)) + 1 == cube.distance(router(a), router(b));
          };
          ASSERT_EQ(m.plus, closer(CubeNetwork::plus(d))) << a << " to " << b << " dimension " << d;
          ASSERT_EQ(m.minus, closer(CubeNetwork::minus(d))) << a << " to " << b << " dimension " << d;
        }
  });
}

TEST(TopologyMatchesEnumeration, LinksAreDenseConsistentAndPaired) {
  for_every_shape([](const CubeNetwork& cube) {
    const auto links = cube.links();
    std::size_t connected = 0;
    for (std::size_t r = 0; r < cube.routers(); ++r)
      for (std::size_t p = 0; p < cube.ports(); ++p) {
        const PortId port{static_cast<std::uint16_t>(p)};
        const Link* out = cube.outgoing(router(r), port);
        const Link* in = cube.incoming(router(r), port);
        connected += out != nullptr;
        if (out != nullptr) {
          ASSERT_EQ(out, &links[index(out->id)]);
          ASSERT_EQ(out->from, router(r));
          ASSERT_EQ(out->out, port);
          ASSERT_EQ(out->in, port);
          ASSERT_EQ(cube.incoming(out->to, port), out);
          ASSERT_NE(cube.outgoing(out->to, port_id(p ^ 1U)), nullptr);
          ASSERT_EQ(cube.outgoing(out->to, port_id(p ^ 1U))->to, router(r));
        }
        if (in != nullptr) {
          ASSERT_EQ(in->to, router(r));
          ASSERT_EQ(in->in, port);
        }
      }
    EXPECT_EQ(connected, links.size());
    for (std::size_t i = 0; i < links.size(); ++i) ASSERT_EQ(index(links[i].id), i);
  });
}

TEST(TopologyMatchesEnumeration, WrapLinksAreExactlyThoseThatJumpBack) {
  for_every_shape([](const CubeNetwork& cube) {
    for (const Link& l : cube.links()) {
      const unsigned d = CubeNetwork::dimension_of(l.out);
      const unsigned at = cube.coordinate(l.from, d);
      const unsigned to = cube.coordinate(l.to, d);
      const bool steps = CubeNetwork::is_plus(l.out) ? to == at + 1 : to + 1 == at;
      ASSERT_NE(cube.is_wrap(l.from, l.out), steps);
      if (!steps) {
        EXPECT_TRUE(cube.wraps(d));
      }
      for (unsigned e = 0; e < cube.dimensions(); ++e)
        if (e != d) {
          ASSERT_EQ(cube.coordinate(l.from, e), cube.coordinate(l.to, e));
        }
    }
  });
}

TEST(TopologyMatchesEnumeration, CoordinatesNameRoutersUniquely) {
  for_every_shape([](const CubeNetwork& cube) {
    std::set<std::string> names;
    for (std::size_t r = 0; r < cube.routers(); ++r) {
      std::vector<unsigned> at;
      for (unsigned d = 0; d < cube.dimensions(); ++d) {
        at.push_back(cube.coordinate(router(r), d));
        ASSERT_LT(at.back(), cube.radix(d));
      }
      ASSERT_EQ(cube.router_at(at), router(r));
      names.insert(cube.router_name(router(r)));
    }
    EXPECT_EQ(names.size(), cube.routers());
    std::set<std::string> ports;
    for (std::size_t p = 0; p < cube.ports(); ++p) ports.insert(cube.port_name(port_id(p)));
    EXPECT_EQ(ports.size(), cube.ports());
  });
}

/// The cheapest straight cut, counted on the links, over all dimensions and middle positions.
TEST(TopologyMatchesEnumeration, BisectionIsTheCheapestMiddleCut) {
  for_every_shape([](const CubeNetwork& cube) {
    std::size_t fewest = ~std::size_t{0};
    for (unsigned d = 0; d < cube.dimensions(); ++d) {
      const unsigned half = cube.radix(d) / 2;
      std::size_t up = 0;
      std::size_t down = 0;
      for (const Link& l : cube.links()) {
        const bool low_from = cube.coordinate(l.from, d) < half;
        const bool low_to = cube.coordinate(l.to, d) < half;
        up += low_from && !low_to;
        down += !low_from && low_to;
      }
      ASSERT_EQ(up, down);
      fewest = std::min(fewest, up);
    }
    EXPECT_EQ(cube.bisection(), fewest);
    EXPECT_DOUBLE_EQ(cube.capacity(),
                     4.0 * static_cast<double>(fewest) / static_cast<double>(cube.routers()));
  });
}

/// No split of the routers into exact halves is cheaper, where all of them can be tried.
TEST(TopologyMatchesEnumeration, NoEvenSplitIsCheaperThanTheBisection) {
  for_every_shape([](const CubeNetwork& cube) {
    const std::size_t n = cube.routers();
    if (n > 16 || n % 2 != 0) return;
    unsigned fewest = ~0U;
    for (std::uint32_t set = 0; set < 1U << n; ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) != n / 2) continue;
      unsigned cut = 0;
      for (const Link& l : cube.links())
        cut += (set >> index(l.from) & 1U) != 0 && (set >> index(l.to) & 1U) == 0;
      fewest = std::min(fewest, cut);
    }
    EXPECT_LE(cube.bisection(), fewest);
    bool all_even = true;
    for (unsigned d = 0; d < cube.dimensions(); ++d) all_even = all_even && cube.radix(d) % 2 == 0;
    if (all_even) {
      EXPECT_EQ(cube.bisection(), fewest);
    }
  });
}

CubeNetwork torus(unsigned k, unsigned n) {
  return {std::vector<unsigned>(n, k), std::vector<bool>(n, true)};
}
CubeNetwork mesh(unsigned k, unsigned n) {
  return {std::vector<unsigned>(n, k), std::vector<bool>(n, false)};
}

TEST(TopologyMatchesTheory, TorusOfGravano) {
  const auto t = torus(31, 2);
  EXPECT_EQ(t.routers(), 961U);
  EXPECT_EQ(t.links().size(), 4U * 961U);
  EXPECT_DOUBLE_EQ(t.mean_distance(), 15.5);
  EXPECT_EQ(t.diameter(), 30U);
  EXPECT_EQ(t.bisection(), 62U);
  // tau_max of equation (2) times its 2b-1: 4 / (k c).
  EXPECT_DOUBLE_EQ(t.capacity(), 4.0 / (31 * 0.5));
}

TEST(TopologyMatchesTheory, KnownFigures) {
  EXPECT_EQ(mesh(8, 2).bisection(), 8U);
  EXPECT_DOUBLE_EQ(mesh(8, 2).capacity(), 0.5);
  EXPECT_DOUBLE_EQ(torus(8, 2).capacity(), 1.0);
  EXPECT_EQ(mesh(2, 10).bisection(), 512U);
  EXPECT_EQ(mesh(2, 10).diameter(), 10U);
  EXPECT_EQ(mesh(2, 16).routers(), 65536U);
  EXPECT_EQ(torus(16, 2).diameter(), 16U);
}

TEST(TopologyMatchesTheory, LongRowsDoNotOverflow) {
  const double k = 65535;
  EXPECT_DOUBLE_EQ(mesh(65535, 1).mean_distance(), (k + 1) / 3);
  EXPECT_DOUBLE_EQ(torus(65535, 1).mean_distance(), (k + 1) / 4);
  EXPECT_EQ(mesh(65535, 1).diameter(), 65534U);
}

TEST(TopologyObeysItsRules, WrappedRadixTwoHasTwoDistinctLinksEachWay) {
  const auto t = torus(2, 1);
  ASSERT_EQ(t.links().size(), 4U);
  const Link* up = t.outgoing(RouterId{0}, CubeNetwork::plus(0));
  const Link* down = t.outgoing(RouterId{0}, CubeNetwork::minus(0));
  ASSERT_NE(up, nullptr);
  ASSERT_NE(down, nullptr);
  EXPECT_NE(up->id, down->id);
  EXPECT_EQ(up->to, RouterId{1});
  EXPECT_EQ(down->to, RouterId{1});
  EXPECT_TRUE(t.minimal(0, 0, 1).tie());
  EXPECT_EQ(mesh(2, 1).links().size(), 2U);
}

TEST(TopologyObeysItsRules, Names) {
  const CubeNetwork t({5, 6, 2, 2}, {true, false, true, false});
  EXPECT_EQ(t.router_name(t.router_at(std::vector<unsigned>{3, 4, 0, 1})), "router_3_4_0_1");
  EXPECT_EQ(t.port_name(PortId{0}), "x_plus");
  EXPECT_EQ(t.port_name(PortId{1}), "x_minus");
  EXPECT_EQ(t.port_name(PortId{2}), "y_plus");
  EXPECT_EQ(t.port_name(PortId{5}), "z_minus");
  EXPECT_EQ(t.port_name(PortId{6}), "d3_plus");
  EXPECT_EQ(t.port_name(PortId{7}), "d3_minus");
  EXPECT_EQ(torus(31, 2).router_name(RouterId{3 + 31 * 4}), "router_3_4");
}

}  // namespace
}  // namespace noctule
