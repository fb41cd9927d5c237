// Are the channel counts those of Gravano et al. 1994 (as corrected by enumeration)? Counted, not typed in:
// per bidirectional link, per node (both ends of every channel), and at the paper's own size by exists().

#include <gtest/gtest.h>

#include <algorithm>

#include "core/json.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

struct Most {
  std::vector<unsigned> link_max;  ///< by dimension, per bidirectional link
  std::vector<unsigned> link_min;
  unsigned node = 0;  ///< both ends
  unsigned driven = 0;
};

Most count(const std::string& algorithm, const Shape& shape, const Json& set = Json::object()) {
  const auto net = network(algorithm, shape, set);
  const Surveyed seen(net.cube, *net.relation);
  Most most;
  most.link_max.assign(shape.radix.size(), 0);
  most.link_min.assign(shape.radix.size(), ~0U);
  for (const auto& link : net.cube->links()) {
    const auto d = CubeNetwork::dimension_of(link.out);
    const auto used = seen.facts.used_on_bidirectional(seen.channels, *net.cube, link);
    most.link_max[d] = std::max(most.link_max[d], used);
    most.link_min[d] = std::min(most.link_min[d], used);
  }
  for (std::uint32_t r = 0; r < net.cube->routers(); ++r) {
    most.node = std::max(most.node, seen.facts.used_at(seen.channels, *net.cube, RouterId{r}));
    most.driven = std::max(most.driven, seen.facts.used_driven_by(seen.channels, *net.cube, RouterId{r}));
  }
  return most;
}

/// Mean number of channels that a router drives, by exists().
double mean_driven(const std::string& algorithm, const Shape& shape, unsigned lanes_x, unsigned lanes_y) {
  const auto net = network(algorithm, shape);
  std::size_t sum = 0;
  for (const auto& link : net.cube->links())
    for (unsigned c = 0; c < net.relation->classes(link); ++c)
      if (net.relation->exists(link, VcClass(c)))
        sum += CubeNetwork::dimension_of(link.out) == 0 ? lanes_x : lanes_y;
  return static_cast<double>(sum) / static_cast<double>(net.cube->routers());
}

using Counts = std::vector<unsigned>;

TEST(StarChannels, NeedFivePerBidirectionalLinkAndThreeOnTheTopDimension) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto most = count("star_channels", torus(2, k));
    EXPECT_EQ(most.link_max, (Counts{3, 5})) << k;
    EXPECT_EQ(most.link_min, (Counts{2, 4})) << k;
    EXPECT_EQ(most.node, k >= 6 ? 16U : 14U) << k;
  }
  EXPECT_EQ(count("star_channels", torus(2, 3)).link_max, (Counts{2, 4}));
  for (unsigned k = 4; k <= 6; ++k) {
    const auto most = count("star_channels", torus(3, k));
    EXPECT_EQ(most.link_max, (Counts{3, 5, 5})) << k;
    EXPECT_EQ(most.node, k >= 6 ? 26U : 23U) << k;
    if (k >= 6) {
      EXPECT_EQ(most.driven, 13U);
    }
  }
}

TEST(StarChannels, NeedAsManyWithTheOtherStarClass) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto most = count("star_channels", torus(2, k), {{"star_class", "wrap_ahead"}});
    EXPECT_EQ(most.link_max, (Counts{3, 5})) << k;
    EXPECT_EQ(most.node, k >= 6 ? 16U : 14U) << k;
  }
}

TEST(StarChannels, HaveFiveOnTheTopDimensionTooIfNonstarIsAllowedThere) {
  EXPECT_EQ(count("star_channels", torus(2, 7), {{"nonstar_on_top", true}}).link_max, (Counts{5, 5}));
}

TEST(StarChannels, UseTheSecondStarClassOnlyNearWhereAWrapEnters) {
  for (unsigned k = 3; k <= 8; ++k) {
    const auto net = network("star_channels", torus(2, k));
    for (const auto& link : net.cube->links()) {
      const auto d = CubeNetwork::dimension_of(link.out);
      const auto into = net.cube->coordinate(link.to, d);
      const bool plus = CubeNetwork::is_plus(link.out);
      EXPECT_EQ(net.relation->exists(link, VcClass{1}), plus ? into < k / 2 : into >= (k + 1) / 2);
      EXPECT_EQ(net.relation->exists(link, VcClass{0}), !net.cube->is_wrap(link.from, link.out));
    }
  }
}

TEST(FourClasses, NeedEightPerBidirectionalLink) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto most = count("four_classes", torus(2, k));
    EXPECT_EQ(most.link_max, (Counts{8, 8})) << k;
    if (k >= 6) {
      EXPECT_EQ(most.node, 32U) << k;
    }
  }
}

TEST(LinderHarden, UsesEightAndFiveOfTwelveAndSix) {
  for (unsigned k = 6; k <= 8; ++k) {
    const auto most = count("linder_harden", torus(2, k));
    EXPECT_EQ(most.link_max, (Counts{8, 5})) << k;
    EXPECT_EQ(most.node, 26U) << k;
    const auto net = network("linder_harden", torus(2, k));
    EXPECT_EQ(net.relation->classes(link_by(*net.cube, CubeNetwork::plus(0))) +
                  net.relation->classes(link_by(*net.cube, CubeNetwork::minus(0))),
              12U);
    EXPECT_EQ(net.relation->classes(link_by(*net.cube, CubeNetwork::plus(1))) +
                  net.relation->classes(link_by(*net.cube, CubeNetwork::minus(1))),
              6U);
  }
}

TEST(Oblivious, NeedsEightPerNodeAndUsesOneDirection) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto most = count("oblivious", torus(2, k));
    EXPECT_EQ(most.node, 8U) << k;
    EXPECT_EQ(most.driven, 4U) << k;
    const auto net = network("oblivious", torus(2, k));
    EXPECT_EQ(net.relation->classes(link_by(*net.cube, CubeNetwork::plus(1))), 0U);
  }
}

TEST(DimensionOrder, NeedsThreePerWrappedLinkAndTwoPerUnwrapped) {
  for (const char* rule : {"dateline", "wrapped_bit"}) {
    EXPECT_EQ(count("dimension_order", torus(2, 7), {{"vc_rule", rule}}).link_max, (Counts{3, 3}));
    EXPECT_EQ(count("dimension_order", mesh({5, 4}), {{"vc_rule", rule}}).link_max, (Counts{2, 2}));
    EXPECT_EQ(count("dimension_order", Shape{{6, 4}, {true, false}}, {{"vc_rule", rule}}).link_max,
              (Counts{3, 2}));
  }
}

TEST(PaperSize, UsableChannelsPerNodeAreNotEqualised) {
  const auto paper = torus(2, 31);
  EXPECT_NEAR(mean_driven("star_channels", paper, 2, 2), 15.6, 0.05);
  EXPECT_NEAR(mean_driven("four_classes", paper, 1, 1), 15.5, 0.05);
  EXPECT_NEAR(mean_driven("oblivious", paper, 4, 4), 15.5, 0.05);
  EXPECT_NEAR(mean_driven("linder_harden", paper, 1, 1), 12.6, 0.05);
}

TEST(DependencyGraphs, HaveTheSizesKnownFromEnumeration) {
  const auto net = network("star_channels", torus(2, 7));
  EXPECT_EQ(Surveyed(net.cube, *net.relation).facts.direct.channels_in_cycles, 336U);
}

}  // namespace
}  // namespace noctule::routing_test
