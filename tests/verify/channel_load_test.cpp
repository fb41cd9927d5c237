// Is the load of every link what theory says, and does the bound on throughput follow from it?

#include "verify/unicast/channel_load.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/error.h"
#include "support/cube_network.h"

namespace noctule {
namespace {

constexpr std::uint64_t kPlenty = 10'000'000;
using Cube = std::shared_ptr<const CubeNetwork>;

Cube torus(std::vector<unsigned> radix) {
  const std::vector<bool> wrap(radix.size(), true);
  return std::make_shared<CubeNetwork>(std::move(radix), wrap);
}
Cube mesh(std::vector<unsigned> radix) {
  const std::vector<bool> wrap(radix.size(), false);
  return std::make_shared<CubeNetwork>(std::move(radix), wrap);
}

std::shared_ptr<const RoutingRelation> relation(const std::string& algorithm, const Cube& cube) {
  const auto& entry = RoutingRegistry::instance().at(algorithm);
  return entry.make(cube, Parameters::defaults(entry.parameters));
}

std::unique_ptr<TrafficPattern> traffic(const std::string& name, const Cube& cube,
                                        const Json& set = Json::object()) {
  const auto& entry = PatternRegistry::instance().at(name);
  auto keys = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) keys.set(key, value);
  return entry.make(cube, keys, 1);
}

std::optional<ChannelLoad> load_of(const Cube& cube, std::shared_ptr<const RoutingRelation> routing,
                                   const TrafficPattern& pattern, NodeDescription node = {},
                                   std::uint64_t limit = kPlenty) {
  const auto plan = plan_fabric({cube, std::move(routing), std::move(node)});
  return channel_load(plan, ChannelIndex(plan), pattern, limit);
}

ChannelLoad load_of(const Cube& cube, const std::string& algorithm, const std::string& pattern,
                    NodeDescription node = {}) {
  return load_of(cube, relation(algorithm, cube), *traffic(pattern, cube), std::move(node)).value();
}

double sum(const ChannelLoad& load) {
  return std::accumulate(load.by_link.begin(), load.by_link.end(), 0.0);
}

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

/// Flits per cycle from a terminal into itself do not count as load, but as offered.
std::size_t injecting(const Cube& cube, const TrafficPattern& pattern) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < cube->terminals(); ++t) count += pattern.injects(terminal(t)) ? 1 : 0;
  return count;
}

// --- closed forms ---------------------------------------------------------------------------------------

// The + link from column i to i+1 of a row carries what the i+1 routers to its left send to the
// (k-1-i) k routers right of it: (i+1) (k-1-i) k / (k^2-1), most in the middle.
TEST(ChannelLoadOfXY, IsTheClosedFormOnEveryLinkOfAMesh) {
  for (const unsigned k : {2U, 5U, 8U}) {
    const auto cube = mesh({k, k});
    const auto load = load_of(cube, "dimension_order", "uniform");
    for (const Link& link : cube->links()) {
      const auto d = CubeNetwork::dimension_of(link.out);
      const double at = std::min(cube->coordinate(link.from, d), cube->coordinate(link.to, d));
      EXPECT_NEAR(load.by_link[index(link.id)], (at + 1) * (k - 1 - at) * k / (k * k - 1.0), 1e-12)
          << k << ' ' << cube->router_name(link.from) << ' ' << cube->port_name(link.out);
    }
    const double most = k % 2 == 0 ? std::pow(k, 3) / 4 / (k * k - 1.0) : k / 4.0;
    EXPECT_NEAR(load.max, most, 1e-12);
    EXPECT_NEAR(load.links_full, 1 / most, 1e-12);
    EXPECT_NEAR(load.mean_hops, cube->mean_distance(), 1e-12);
  }
}

TEST(ChannelLoadOfXY, NamesABusiestLinkInTheMiddle) {
  const auto cube = mesh({8, 8});
  const auto load = load_of(cube, "dimension_order", "uniform");
  const Link& link = cube->links()[index(load.busiest)];
  const auto d = CubeNetwork::dimension_of(link.out);
  EXPECT_EQ(std::min(cube->coordinate(link.from, d), cube->coordinate(link.to, d)), 3U);
  EXPECT_EQ(cube->router_name(link.from), "router_3_0") << "the first of those that are equally busy";
}

// (x, y) sends along row y to column y, then along column y to row x.
TEST(ChannelLoadOfXY, TransposedGrowsTowardsTheDiagonal) {
  const unsigned k = 6;
  const auto cube = mesh({k, k});
  const auto load = load_of(cube, "dimension_order", "transpose");
  for (const Link& link : cube->links()) {
    const unsigned x = cube->coordinate(link.from, 0);
    const unsigned y = cube->coordinate(link.from, 1);
    unsigned expected = 0;
    switch (index(link.out)) {
      case 0:
        expected = y > x ? x + 1 : 0;
        break;
      case 1:
        expected = y < x ? k - x : 0;
        break;
      case 2:
        expected = x <= y ? k - 1 - y : 0;
        break;
      default:
        expected = x >= y ? y : 0;
    }
    EXPECT_NEAR(load.by_link[index(link.id)], expected, 1e-12)
        << cube->router_name(link.from) << ' ' << cube->port_name(link.out);
  }
  EXPECT_NEAR(load.max, k - 1, 1e-12);
  EXPECT_NEAR(load.links_full, 1.0 / (k - 1), 1e-12);
}

TEST(ChannelLoadOnARing, TornadoUsesOneDirectionOnly) {
  const auto ring = torus({8});
  const auto load = load_of(ring, "dimension_order", "tornado");
  for (const Link& link : ring->links())
    EXPECT_NEAR(load.by_link[index(link.id)], CubeNetwork::is_plus(link.out) ? 3 : 0, 1e-12);
  EXPECT_NEAR(load.mean, 1.5, 1e-12);
  EXPECT_NEAR(load.links_full, 1.0 / 3, 1e-12);
  EXPECT_NEAR(load.distance_bound, 2.0 / 3, 1e-12) << "both directions, equally busy";
}

TEST(ChannelLoadOnATorus, IsTheSameEverywhereForUniformTraffic) {
  for (const auto& radix : {std::vector<unsigned>{5, 5}, {3, 3, 3}, {7}}) {
    const auto cube = torus(radix);
    const auto load = load_of(cube, "dimension_order", "uniform");
    const double each = cube->mean_distance() / (2.0 * static_cast<double>(radix.size()));
    for (const double l : load.by_link) EXPECT_NEAR(l, each, 1e-12);
    EXPECT_NEAR(load.mean, each, 1e-12);
    EXPECT_NEAR(load.links_full, load.distance_bound, 1e-12);
    EXPECT_NEAR(load.links_full, 1 / each, 1e-9);
  }
}

// Unidirectional rings: (k-1)/2 hops in each dimension, the source itself among the destinations; N/(N-1)
// times that without it. All of it on the - links, which alone count as links.
TEST(ChannelLoadOfTheObliviousRelation, FillsOneDirectionEvenly) {
  const auto cube = torus({5, 5});
  const auto load = load_of(cube, "oblivious", "uniform");
  const double each = 2.0 * 25 / 24;
  for (const Link& link : cube->links())
    EXPECT_NEAR(load.by_link[index(link.id)], CubeNetwork::is_plus(link.out) ? 0 : each, 1e-12);
  EXPECT_NEAR(load.mean_hops, 2 * each, 1e-12);
  EXPECT_NEAR(load.mean, each, 1e-12);
  EXPECT_NEAR(load.links_full, 0.48, 1e-12);
  EXPECT_NEAR(load.distance_bound, 0.48, 1e-12);
}

// --- what holds for any relation and pattern ------------------------------------------------------------

struct Case {
  const char* algorithm;
  Cube cube;
};

TEST(ChannelLoadOfAnyMinimalRelation, AddsUpToTheDistances) {
  const std::vector<Case> cases{{"dimension_order", torus({4, 4})}, {"star_channels", torus({4, 4})},
                                {"star_channels", torus({5, 3})},   {"four_classes", torus({4, 4})},
                                {"linder_harden", torus({4, 4})},   {"turn_table", mesh({4, 4})},
                                {"dimension_order", mesh({3, 5})}};
  for (const auto& [algorithm, cube] : cases)
    for (const char* name : {"uniform", "neighbor", "hotspot", "tornado", "permutation_random"}) {
      const auto pattern =
          traffic(name, cube,
                  std::string(name) == "hotspot" ? Json{{"fraction", 0.25}, {"nodes", Json::array({3})}}
                                                 : Json::object());
      const auto load = load_of(cube, relation(algorithm, cube), *pattern).value();
      const double hops = mean_distance(*cube, *pattern);
      EXPECT_NEAR(load.mean_hops, hops, 1e-9) << algorithm << ' ' << name;
      EXPECT_NEAR(sum(load), hops * static_cast<double>(injecting(cube, *pattern)), 1e-9)
          << algorithm << ' ' << name;
      EXPECT_LE(load.links_full, load.distance_bound * (1 + 1e-9)) << algorithm << ' ' << name;
      EXPECT_EQ(load.by_link[index(load.busiest)], load.max);
    }
}

// The source's own share of a pattern loads nothing, but is offered.
TEST(ChannelLoadOfAnyMinimalRelation, LeavesOutWhatATerminalSendsToItself) {
  const auto cube = mesh({4, 4});
  const auto with =
      load_of(cube, relation("dimension_order", cube), *traffic("uniform", cube, Json{{"allow_self", true}}))
          .value();
  const auto without = load_of(cube, "dimension_order", "uniform");
  EXPECT_NEAR(with.max, without.max * 15 / 16, 1e-12);
}

// A free choice between two paths is taken half and half: corner to corner on a 2x2 mesh.
class CornerToCorner final : public TrafficPattern {
 public:
  [[nodiscard]] bool injects(TerminalId source) const override { return index(source) == 0; }
  [[nodiscard]] TerminalId destination(TerminalId, Rng&) const override { return TerminalId{3}; }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId) const override {
    return {{TerminalId{3}, 1.0}};
  }
};

TEST(ChannelLoadOfAdaptiveRelations, DividesEvenlyOverWhatIsOnOffer) {
  const auto cube = mesh({2, 2});
  const auto load = load_of(cube, relation("turn_table", cube), CornerToCorner()).value();
  EXPECT_NEAR(sum(load), 2, 1e-12);
  for (const auto out : {CubeNetwork::plus(0), CubeNetwork::plus(1)})
    EXPECT_NEAR(load.by_link[index(cube->outgoing(RouterId{0}, out)->id)], 0.5, 1e-12);
  EXPECT_NEAR(load.mean_hops, 2, 1e-12);
  EXPECT_NEAR(load.links_full, 2, 1e-12);
}

TEST(ThroughputBound, GrowsWithParallelLinksButNotWithLanes) {
  const auto cube = mesh({4, 4});
  const auto one = load_of(cube, "dimension_order", "uniform");
  NodeDescription wide;
  wide.lanes = 2;
  const auto lanes = load_of(cube, "dimension_order", "uniform", wide);
  wide.parallel_links = 2;
  const auto links = load_of(cube, "dimension_order", "uniform", wide);
  EXPECT_NEAR(lanes.links_full, one.links_full, 1e-12);
  EXPECT_NEAR(links.links_full, 2 * one.links_full, 1e-12);
  EXPECT_NEAR(links.distance_bound, 2 * one.distance_bound, 1e-12);
  EXPECT_NEAR(links.max, one.max, 1e-12);
}

// With lanes in crossbars of their own a lane is a channel: the load of a link stays what it was.
TEST(ThroughputBound, IsTheSameWhereCrossbarsAreChosenByLane) {
  const auto cube = torus({4, 4});
  NodeDescription node;
  node.lanes = 2;
  node.crossbar_per = {"lane"};
  const auto split = load_of(cube, "dimension_order", "uniform", node);
  const auto whole = load_of(cube, "dimension_order", "uniform");
  for (std::size_t l = 0; l < whole.by_link.size(); ++l)
    EXPECT_NEAR(split.by_link[l], whole.by_link[l], 1e-12);
}

class Silence final : public TrafficPattern {
 public:
  [[nodiscard]] bool injects(TerminalId) const override { return false; }
  [[nodiscard]] TerminalId destination(TerminalId source, Rng&) const override { return source; }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const override {
    return {{source, 1.0}};
  }
};

TEST(ThroughputBound, IsInfiniteWithoutLoad) {
  const auto cube = mesh({3, 3});
  const auto load = load_of(cube, relation("dimension_order", cube), Silence()).value();
  EXPECT_EQ(load.max, 0);
  EXPECT_EQ(load.mean_hops, 0);
  EXPECT_TRUE(std::isinf(load.links_full));
  EXPECT_TRUE(std::isinf(load.distance_bound));
}

// --- ring by ring ---------------------------------------------------------------------------------------

TEST(LoadOfRings, IsThatOfAllHeaders) {
  // A limit of 0 follows no header at all.
  for (const auto& [cube, algorithm] : std::vector<std::pair<Cube, std::string>>{
           {mesh({4, 4}), "dimension_order"},
           {mesh({5, 2, 3}), "dimension_order"},
           {torus({5, 4}), "dimension_order"},
           {torus({4, 6}), "dimension_order"},
           {torus({7}), "dimension_order"},
           {std::make_shared<CubeNetwork>(std::vector<unsigned>{4, 3}, std::vector<bool>{true, false}),
            "dimension_order"},
           {torus({5, 5}), "oblivious"},
           {torus({4, 4}), "oblivious"}}) {
    const auto pattern = traffic("uniform", cube);
    const auto all = load_of(cube, relation(algorithm, cube), *pattern).value();
    const auto rings = load_of(cube, relation(algorithm, cube), *pattern, {}, 0).value();
    SCOPED_TRACE(algorithm + " on " + std::to_string(cube->routers()) + " routers");
    ASSERT_EQ(all.by_channel.size(), rings.by_channel.size());
    for (std::size_t c = 0; c < all.by_channel.size(); ++c)
      ASSERT_NEAR(all.by_channel[c], rings.by_channel[c], 1e-12) << "channel " << c;
    for (std::size_t l = 0; l < all.by_link.size(); ++l) ASSERT_NEAR(all.by_link[l], rings.by_link[l], 1e-12);
    EXPECT_EQ(all.busiest, rings.busiest);
    EXPECT_NEAR(all.links_full, rings.links_full, 1e-12);
    EXPECT_NEAR(all.least_hops, rings.least_hops, 1e-12);
    EXPECT_NEAR(all.mean_hops, rings.mean_hops, 1e-12);
    EXPECT_EQ(all.links_given, rings.links_given);
    EXPECT_EQ(all.classes_given, rings.classes_given);
  }
}

// --- where there is no answer ---------------------------------------------------------------------------

TEST(ChannelLoadWithoutAnAnswer, ComesFromTheLimitOfHeaderStatesExactly) {
  const auto cube = mesh({4, 4});
  // Uniform but for a hot spot, so that loads do not follow from single rings.
  const auto pattern = traffic("hotspot", cube, {{"fraction", 0.2}, {"nodes", Json::array({5})}});
  // No routing state: one header state per router and destination.
  EXPECT_TRUE(load_of(cube, relation("dimension_order", cube), *pattern, {}, 16 * 15).has_value());
  EXPECT_FALSE(load_of(cube, relation("dimension_order", cube), *pattern, {}, 16 * 15 - 1).has_value());
}

/// Any direction at any time: a header may come back. Or nothing at all, against the contract.
class Stray final : public RoutingRelation {
 public:
  Stray(Cube cube, bool stuck) : cube_(std::move(cube)), stuck_(stuck) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId here, RouterId, RouteState, CandidateList& list) const override {
    for (std::size_t p = 0; !stuck_ && p < cube_->ports(); ++p)
      if (cube_->outgoing(here, PortId(p)) != nullptr) list.add(PortId(p), VcClass{0});
  }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return 1; }

 private:
  Cube cube_;
  bool stuck_;
};

TEST(ChannelLoadWithoutAnAnswer, ComesFromHeadersThatCanComeBack) {
  const auto ring = torus({4});
  const auto pattern = traffic("uniform", ring);
  EXPECT_FALSE(load_of(ring, std::make_shared<Stray>(ring, false), *pattern).has_value());
}

TEST(ChannelLoadWithoutAnAnswer, IsAnErrorWhereTheRelationOffersNothing) {
  const auto ring = torus({4});
  const auto pattern = traffic("uniform", ring);
  try {
    (void)load_of(ring, std::make_shared<Stray>(ring, true), *pattern);
    FAIL() << "no error";
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.diagnostics().front().key, "routing.algorithm");
    EXPECT_NE(std::string(e.what()).find("offers nothing at router_"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace noctule
