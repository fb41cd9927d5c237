// Kinds of topologies off the cube: their sizes and distances against the literature, their wiring against
// another text of the same rules, and what a builder refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "support/cube_network.h"
#include "support/drawn_networks.h"

namespace noctule {
namespace {

void expect_distances(const Topology& t) {
  std::map<RouterId, std::vector<unsigned>> from;
  std::vector<std::pair<RouterId, RouterId>> pairs;
  std::vector<unsigned> apart;  // of the pairs
  double sum = 0;
  unsigned far = 0;
  for (std::uint32_t a = 0; a < t.terminals(); ++a) {
    const RouterId source = t.injection_router(TerminalId{a});
    if (!from.contains(source)) from[source] = hops_from(t, source);
    for (std::uint32_t b = 0; b < t.terminals(); ++b) {
      const RouterId destination = t.consumption_router(TerminalId{b});
      const unsigned hops = from[source][index(destination)];
      ASSERT_EQ(t.distance(source, destination), hops) << a << " to " << b;
      pairs.emplace_back(source, destination);
      apart.push_back(hops);
      if (a != b) sum += hops;
      far = std::max(far, hops);
    }
  }
  std::reverse(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2));
  std::reverse(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2));
  EXPECT_EQ(t.distances(pairs), apart);
  const auto n = static_cast<double>(t.terminals());
  EXPECT_EQ(t.diameter(), far);
  EXPECT_NEAR(t.mean_distance(), sum / (n * (n - 1)), 1e-9);
}

void expect_ends(const Topology& t) {
  std::size_t ends = 0;
  for (std::uint32_t r = 0; r < t.routers(); ++r)
    for (std::size_t p = 0; p < t.ports(RouterId{r}); ++p) {
      const Link* out = t.outgoing(RouterId{r}, PortId(p));
      const Link* in = t.incoming(RouterId{r}, PortId(p));
      EXPECT_TRUE(out == nullptr || (out->from == RouterId{r} && out->out == PortId(p)));
      EXPECT_TRUE(in == nullptr || (in->to == RouterId{r} && in->in == PortId(p)));
      ends += (out != nullptr ? 1 : 0) + (in != nullptr ? 1 : 0);
    }
  EXPECT_EQ(ends, 2 * t.links().size());
}

TEST(EveryKind, KnowsItsDistances) {
  for (const Json& set : {Json{{"levels", 1}}, Json{{"levels", 2}}, Json{{"levels", 3}}})
    expect_distances(*topology_of("butterfly_fat_tree", set));
  for (const auto& [radix, stages] : {std::pair(2, 1), {2, 4}, {3, 3}, {4, 2}})
    expect_distances(*topology_of("butterfly", {{"arity", radix}, {"stages", stages}}));
  for (const char* directions : {"both", "plus", "minus"}) {
    expect_distances(*topology_of("torus", {{"radix", {5, 4}}, {"directions", directions}}));
    expect_distances(*topology_of("ring", {{"nodes", 7}, {"directions", directions}}));
    expect_distances(*topology_of(
        "torus", {{"radix", {3, 2, 4}}, {"directions", directions}, {"terminals_per_router", 3}}));
  }
  expect_distances(*topology_of("mesh", {{"radix", {4, 3}}, {"terminals_per_router", 2}}));
  expect_distances(*topology_of("mesh", {{"radix", {4, 3}}, {"terminals_at", "router_*_0"}}));
  Rng rng(7);
  for (int i = 0; i < 20; ++i) {
    const auto graph = random_graph(static_cast<std::uint32_t>(2 + rng.below(20)),
                                    static_cast<std::uint32_t>(rng.below(15)), rng);
    expect_distances(*graph);
    expect_ends(*graph);
  }
}

TEST(EveryKind, KeepsTheRulesOfATopologyInShapesThatItsKeysAllow) {
  Rng rng(26);
  const auto all = drawn_networks(8, 200, rng);
  std::map<std::string, unsigned> of_kind;
  for (const auto& drawn : all) {
    SCOPED_TRACE(drawn.text());
    const auto& t = drawn.topology;
    ++of_kind[drawn.kind];
    expect_ends(*t);
    expect_distances(*t);
    EXPECT_GT(t->capacity(), 0.0);
    if (drawn.size) {
      EXPECT_EQ(drawn.size->routers, static_cast<double>(t->routers()));
      EXPECT_EQ(drawn.size->links, static_cast<double>(t->links().size()));
    }
    std::set<std::string> names;
    std::set<std::pair<double, double>> places;
    for (std::uint32_t r = 0; r < t->routers(); ++r) {
      EXPECT_TRUE(is_identifier(t->router_name(RouterId{r})));
      names.insert(t->router_name(RouterId{r}));
      places.emplace(t->position(RouterId{r}).x, t->position(RouterId{r}).y);
    }
    EXPECT_EQ(names.size(), t->routers());
    EXPECT_EQ(places.size(), t->routers()) << "two routers lie on each other";
    for (const auto& geometry : t->geometries()) {
      const std::size_t groups = geometry->link_groups().size();
      for (const Link& link : t->links()) EXPECT_TRUE(groups == 0 || geometry->link_group(link) < groups);
    }
  }
  for (const auto* entry : TopologyRegistry::instance().entries())
    EXPECT_TRUE(of_kind[entry->name] >= 3 || !has_defaults(*entry)) << entry->name;
}

/// 2^l links lead up from each of the blocks of 4^l leaves below level l + 1 (Greenberg and Oh 1997, 2), and
/// the sizes of the table in their section 4 follow.
TEST(ButterflyFatTree, HasTheSizesOfThePaper) {
  for (unsigned h = 1; h <= 5; ++h) {
    SCOPED_TRACE(h);
    const auto t = topology_of("butterfly_fat_tree", {{"levels", h}});
    std::size_t switches = 0;
    std::size_t links = 0;
    for (unsigned l = 1; l <= h; ++l) {
      const std::size_t here = (std::size_t{1} << (2 * (h - 1))) >> (l - 1);
      switches += here;
      if (l < h) links += 4 * here;  // two pairs each
    }
    EXPECT_EQ(t->terminals(), std::size_t{1} << (2 * h));
    EXPECT_EQ(t->routers(), switches);
    EXPECT_EQ(t->links().size(), links);
    EXPECT_EQ(t->diameter(), 2 * (h - 1));
    expect_ends(*t);
  }
  // Directed links with those of the terminals: 48, 224, 960, 3968 for 16 to 1024 terminals.
  const std::size_t all[] = {48, 224, 960, 3968};
  for (unsigned h = 2; h <= 5; ++h) {
    const auto t = topology_of("butterfly_fat_tree", {{"levels", h}});
    EXPECT_EQ(t->links().size() + 2 * t->terminals(), all[h - 2]);
  }
  // Mean distance, the links of the terminals included.
  EXPECT_NEAR(topology_of("butterfly_fat_tree", {{"levels", 3}})->mean_distance() + 2, 5.429, 5e-4);
  EXPECT_NEAR(topology_of("butterfly_fat_tree", {{"levels", 5}})->mean_distance() + 2, 9.343, 5e-4);
  EXPECT_EQ(topology_of("butterfly_fat_tree", {{"levels", 3}})->bisection(), 8U);
}

/// The leaves below a switch, down its child ports alone.
std::set<std::uint32_t> leaves(const Topology& t, RouterId at, unsigned level) {
  if (level == 1) return {static_cast<std::uint32_t>(at)};
  std::set<std::uint32_t> all;
  for (std::uint16_t child = 0; child < 4; ++child) {
    const auto below = leaves(t, t.outgoing(at, PortId{child})->to, level - 1);
    all.insert(below.begin(), below.end());
  }
  return all;
}

TEST(ButterflyFatTree, IsWiredAsInThePaper) {
  const unsigned h = 4;
  const auto t = topology_of("butterfly_fat_tree", {{"levels", h}});
  std::uint32_t first = 0;
  for (unsigned l = 1; l <= h; ++l) {
    const std::uint32_t here = 64U >> (l - 1);
    const std::uint32_t above = first + here;
    for (std::uint32_t a = 0; a < here; ++a) {
      const RouterId at{first + a};
      EXPECT_EQ(t->router_name(at), "switch_" + std::to_string(l) + "_" + std::to_string(a));
      // Switch (l, a) roots block a div 2^(l-1) of 4^l terminals, that is of 4^(l-1) lowest switches.
      const std::uint32_t size = 1U << (2 * (l - 1));
      const std::uint32_t block = a / (1U << (l - 1));
      const auto below = leaves(*t, at, l);
      ASSERT_EQ(below.size(), size);
      EXPECT_EQ(*below.begin(), block * size);
      EXPECT_EQ(*below.rbegin(), block * size + size - 1);
      for (std::uint16_t child = 0; l > 1 && child < 4; ++child) {
        const auto quarter = leaves(*t, t->outgoing(at, PortId{child})->to, l - 1);
        EXPECT_EQ(*quarter.begin(), block * size + child * size / 4);
      }
      if (l == h) continue;
      const std::uint32_t two = 1U << l;
      const std::uint32_t parents[] = {a / (2 * two) * two + a % two,
                                       a / (2 * two) * two + (a + two / 2) % two};
      for (std::uint16_t p = 0; p < 2; ++p) {
        const Link* up = t->outgoing(at, PortId(4 + p));
        ASSERT_NE(up, nullptr);
        EXPECT_EQ(index(up->to), above + parents[p]);
        EXPECT_EQ(index(up->in), a / (two / 2) % 4);
        EXPECT_EQ(t->kind(up->id), LinkKind::kUp);
        const Link* down = t->incoming(at, PortId(4 + p));
        ASSERT_NE(down, nullptr);
        EXPECT_EQ(down->from, up->to);
        EXPECT_EQ(t->kind(down->id), LinkKind::kDown);
      }
    }
    first = above;
  }
  for (std::uint32_t s = 0; s < t->terminals(); ++s)
    EXPECT_EQ(t->injection_router(TerminalId{s}), RouterId{s / 4});
}

TEST(Butterfly, HasOneWayForEachPair) {
  for (const auto& [k, n] : {std::pair(2U, 3U), {4U, 3U}, {3U, 4U}, {5U, 1U}}) {
    const auto t = topology_of("butterfly", {{"arity", k}, {"stages", n}});
    std::uint32_t width = 1;
    for (unsigned s = 1; s < n; ++s) width *= k;
    EXPECT_EQ(t->terminals(), std::size_t{width} * k);
    EXPECT_EQ(t->routers(), std::size_t{width} * n);
    EXPECT_EQ(t->links().size(), std::size_t{width} * k * (n - 1));
    expect_ends(*t);
    for (const Link& link : t->links()) EXPECT_EQ(index(link.to) / width, index(link.from) / width + 1);
    // Ways from the first stage on, counted stage by stage.
    for (std::uint32_t source = 0; source < width; ++source) {
      std::vector<unsigned> ways(t->routers());
      ways[source] = 1;
      for (const Link& link : t->links()) ways[index(link.to)] += ways[index(link.from)];
      for (std::uint32_t last = 0; last < width; ++last) EXPECT_EQ(ways[(n - 1) * width + last], 1U);
    }
  }
}

TEST(Cubes, HaveAsManyTerminalsAsAsked) {
  const auto c = topology_of("mesh", {{"radix", {4, 4}}, {"terminals_per_router", 4}});
  EXPECT_EQ(c->terminals(), 64U);
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(c->consumption_router(TerminalId{t}), RouterId{t / 4});
  EXPECT_EQ(c->capacity(), 4.0 * 4 / 64);
  const auto edge = topology_of("mesh", {{"radix", {4, 3}}, {"terminals_at", "router_[03]_*"}});
  ASSERT_EQ(edge->terminals(), 6U);
  EXPECT_EQ(edge->router_name(edge->injection_router(TerminalId{1})), "router_3_0");
  // Several globs: a router that two of them match has its terminals once.
  const auto several = topology_of(
      "mesh", {{"radix", {4, 3}}, {"terminals_at", {"router_[03]_*", "router_3_?", "router_1_1"}}});
  EXPECT_EQ(several->terminals(), 7U);
}

TEST(Cubes, HaveMoreTerminalsAtSomeRouters) {
  const Json more = Json::array(
      {{{"routers", {"router_0_*", "router_3_2"}}, {"count", 1}}, {{"routers", "router_0_0"}, {"count", 2}}});
  const auto c = topology_of("mesh", {{"radix", {4, 3}}, {"more_terminals", more}});
  ASSERT_EQ(c->terminals(), 12U + 4 + 2);
  for (std::uint32_t t = 0; t < 12; ++t) EXPECT_EQ(c->injection_router(TerminalId{t}), RouterId{t});
  const char* const names[] = {"router_0_0", "router_0_1", "router_0_2",
                               "router_3_2", "router_0_0", "router_0_0"};
  for (std::uint32_t t = 12; t < 18; ++t) {
    EXPECT_EQ(c->router_name(c->injection_router(TerminalId{t})), names[t - 12]) << t;
    EXPECT_EQ(c->injection_router(TerminalId{t}), c->consumption_router(TerminalId{t}));
  }
  // No closed form holds: the mean is over the pairs that there are, some of which are at one router.
  double hops = 0;
  for (std::uint32_t a = 0; a < 18; ++a)
    for (std::uint32_t b = 0; b < 18; ++b)
      if (a != b)
        hops += c->distance(c->injection_router(TerminalId{a}), c->consumption_router(TerminalId{b}));
  EXPECT_NEAR(c->mean_distance(), hops / (18 * 17), 1e-12);
}

TEST(Cubes, RefuseGlobsThatMatchNothing) {
  const auto refusal = [](const Json& keys) {
    try {
      (void)topology_of("mesh", keys);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({{"radix", {4, 3}}, {"terminals_at", {"router_0_*", "router_4_*"}}}),
            "topology.terminals_at: no router is called 'router_4_*'; there are router_0_0 to router_3_2");
  EXPECT_EQ(
      refusal({{"radix", {4, 3}},
               {"more_terminals", Json::array({{{"routers", {"router_0_*", "edge"}}, {"count", 1}}})}}),
      "topology.more_terminals[0].routers: no router is called 'edge'; there are router_0_0 to router_3_2");
}

/// Flits per cycle on the busiest link at one flit per terminal and cycle, self included, where ways up are
/// taken alike: gamma of the closed forms, by enumeration.
TEST(Capacity, IsThatOfTheBusiestLink) {
  EXPECT_NEAR(topology_of("butterfly_fat_tree", {{"levels", 3}})->capacity(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(topology_of("butterfly_fat_tree", {{"levels", 5}})->capacity(), 1.0 / 12, 1e-12);
  EXPECT_EQ(topology_of("butterfly", {{"arity", 4}, {"stages", 3}})->capacity(), 1.0);
  EXPECT_EQ(topology_of("mesh", {{"radix", {8, 8}}})->capacity(), 0.5);
  EXPECT_EQ(topology_of("torus", {{"radix", {8, 8}}})->capacity(), 1.0);
  for (const char* way : {"plus", "minus"})
    for (const unsigned k : {2U, 5U, 16U}) {
      const auto t = topology_of("ring", {{"nodes", k}, {"directions", way}});
      std::vector<double> load(t->links().size());
      for (std::uint32_t s = 0; s < k; ++s)
        for (std::uint32_t d = 0; d < k; ++d)
          for (std::uint32_t here = s; here != d;)
            for (const Link& link : t->links())
              if (link.from == RouterId{here}) {
                load[index(link.id)] += 1.0 / k;
                here = static_cast<std::uint32_t>(link.to);
                break;
              }
      EXPECT_NEAR(t->capacity(), 1 / *std::max_element(load.begin(), load.end()), 1e-12);
    }
  const auto slow =
      topology_of("torus", {{"radix", {4, 8}}, {"directions", "plus"}, {"terminals_per_router", 2}});
  EXPECT_NEAR(slow->capacity(), 2.0 / (7 * 2), 1e-12);
}

TEST(Cubes, OfOneDirectionHaveHalfTheLinks) {
  const auto t = topology_of("torus", {{"radix", {4, 3}}, {"directions", "minus"}});
  EXPECT_EQ(t->links().size(), 24U);
  for (const Link& link : t->links()) EXPECT_FALSE(CubeGeometry::is_plus(link.out));
  EXPECT_THROW(CubeGeometry({4, 4}, {true, false}, CubeGeometry::Directions::kPlus), ConfigError);
}

std::string refusal(const std::function<void(TopologyBuilder&)>& fill) {
  try {
    TopologyBuilder builder;
    fill(builder);
    std::move(builder).build();
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics()[0].key, "topology.kind");
    return e.what();
  }
  return "";
}

TEST(ABuilder, RefusesWhatIsNoNetwork) {
  const auto expect = [](const std::function<void(TopologyBuilder&)>& fill, const std::string& word) {
    const auto text = refusal(fill);
    EXPECT_NE(text.find(word), std::string::npos) << text << " lacks " << word;
  };
  const auto two = [](TopologyBuilder& b) {
    b.add_routers(2, {"a", "b"});
    b.add_terminal(RouterId{0});
    b.add_terminal(RouterId{1});
  };
  EXPECT_EQ(refusal(two), "");
  expect([](TopologyBuilder& b) { b.add_routers(2, {"a"}); }, "two terminals");
  expect([&](TopologyBuilder& b) { two(b), b.connect(RouterId{0}, PortId{0}, RouterId{2}, PortId{0}); },
         "router 2");
  expect([&](TopologyBuilder& b) { two(b), b.connect(RouterId{0}, PortId{2}, RouterId{1}, PortId{0}); },
         "port 2");
  expect([&](TopologyBuilder& b) { two(b), b.connect(RouterId{0}, PortId{0}, RouterId{0}, PortId{1}); },
         "itself");
  expect(
      [&](TopologyBuilder& b) {
        two(b);
        b.connect(RouterId{0}, PortId{0}, RouterId{1}, PortId{0});
        b.connect(RouterId{0}, PortId{0}, RouterId{1}, PortId{1});
      },
      "two links");
  expect([&](TopologyBuilder& b) { two(b), b.add_terminal(RouterId{5}); }, "router 5");
  expect([&](TopologyBuilder& b) { two(b), b.name_routers([](RouterId) { return "same"; }); }, "'same'");
  expect([&](TopologyBuilder& b) { two(b), b.name_routers([](RouterId) { return "a b"; }); }, "'a b'");
  expect([](TopologyBuilder& b) { b.add_routers(1, {"x plus"}); }, "'x plus'");
}

}  // namespace
}  // namespace noctule
