// Is each rule obeyed, hop by hop? Cases worked out by hand from the papers' rules.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/json.h"
#include "routing/initial_states.h"
#include "routing_support.h"

namespace noctule::routing_test {
namespace {

/// One network with helpers that speak in coordinates and class names ("x_plus star0").
class Bench {
 public:
  Bench(const std::string& algorithm, const Shape& shape, const Json& set = Json::object())
      : net_(network(algorithm, shape, set)) {}

  [[nodiscard]] RouterId at(std::vector<unsigned> coordinates) const {
    return net_.cube->router_at(coordinates);
  }
  [[nodiscard]] std::vector<RouteState> starts(RouterId source, RouterId destination) const {
    std::vector<RouteState> states;
    for (const RouteState state : initial_states_of(*net_.relation, source, destination))
      states.push_back(state);
    return states;
  }
  [[nodiscard]] std::vector<std::string> offers(RouterId here, RouterId to, RouteState state) const {
    CandidateList list;
    net_.relation->candidates(here, to, state, list);
    std::vector<std::string> names;
    for (const auto& c : list)
      names.push_back(net_.cube->port_name(c.port) + " " +
                      net_.relation->class_name(link_by(*net_.cube, c.port), c.vc_class));
    std::sort(names.begin(), names.end());
    return names;
  }
  /// Takes the offer of this name; it must be there.
  void take(RouterId& here, RouterId to, RouteState& state, const std::string& name) const {
    CandidateList list;
    net_.relation->candidates(here, to, state, list);
    for (const auto& c : list) {
      if (net_.cube->port_name(c.port) + " " +
              net_.relation->class_name(link_by(*net_.cube, c.port), c.vc_class) !=
          name)
        continue;
      state = net_.relation->next_state(here, to, state, c);
      here = net_.cube->outgoing(here, c.port)->to;
      return;
    }
    ADD_FAILURE() << name << " is not on offer";
  }

 private:
  Network net_;
};

using Names = std::vector<std::string>;

TEST(StarChannelsRule, FollowsTheRepairedExampleFromOneZeroToFourTwo) {
  const Bench b("star_channels", torus(2, 7));
  auto here = b.at({1, 0});
  const auto to = b.at({4, 2});
  auto state = b.starts(here, to).at(0);
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus star0", "y_plus nonstar"}));
  for (int i = 0; i < 3; ++i) b.take(here, to, state, "x_plus star0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"y_plus nonstar", "y_plus star0"}));
}

TEST(StarChannelsRule, UsesTheSecondClassFromTheWrapLinkOn) {
  const Bench b("star_channels", torus(2, 7));
  auto here = b.at({5, 3});
  const auto to = b.at({1, 6});
  auto state = b.starts(here, to).at(0);
  b.take(here, to, state, "x_plus star0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus star1", "y_plus nonstar"}));
  b.take(here, to, state, "x_plus star1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus star1", "y_plus nonstar"}));
}

TEST(StarChannelsRule, RemembersAWrapCrossedOnANonstarChannel) {
  const Bench b("star_channels", torus(2, 7));
  auto here = b.at({0, 5});
  const auto to = b.at({2, 1});
  auto state = b.starts(here, to).at(0);
  b.take(here, to, state, "y_plus nonstar");
  b.take(here, to, state, "y_plus nonstar");  // crosses 6 -> 0
  b.take(here, to, state, "x_plus star0");
  b.take(here, to, state, "x_plus star0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"y_plus nonstar", "y_plus star1"}));
}

TEST(StarChannelsRule, WrapAheadIsTheOtherWayRound) {
  const Bench b("star_channels", torus(2, 7), {{"star_class", "wrap_ahead"}});
  EXPECT_EQ(b.offers(b.at({6, 0}), b.at({1, 0}), 0), (Names{"x_plus star0"}));
  EXPECT_EQ(b.offers(b.at({0, 0}), b.at({1, 0}), 0), (Names{"x_plus star1"}));
}

TEST(StarChannelsRule, OffersBothWaysOfATie) {
  const Bench b("star_channels", torus(2, 6));
  EXPECT_EQ(b.offers(b.at({0, 0}), b.at({3, 3}), 0),
            (Names{"x_minus star1", "x_plus star0", "y_minus nonstar", "y_plus nonstar"}));
}

TEST(FourClassesRule, StartsInPrefixZeroOnlyIfAWrapIsNeeded) {
  const Bench b("four_classes", torus(2, 7));
  const auto straight = b.starts(b.at({1, 1}), b.at({3, 4}));
  ASSERT_EQ(straight.size(), 1U);
  EXPECT_EQ(b.offers(b.at({1, 1}), b.at({3, 4}), straight[0]), (Names{"x_plus X+Y+.1", "y_plus X+Y+.1"}));
  const auto wrap = b.starts(b.at({5, 1}), b.at({1, 4}));
  ASSERT_EQ(wrap.size(), 1U);
  EXPECT_EQ(b.offers(b.at({5, 1}), b.at({1, 4}), wrap[0]), (Names{"x_plus X+Y+.0", "y_plus X+Y+.0"}));
}

TEST(FourClassesRule, FlipsThePrefixOnEveryWrapLink) {
  const Bench b("four_classes", torus(2, 7));
  auto here = b.at({6, 0});
  const auto to = b.at({1, 5});  // X+ over the wrap, Y- over the wrap
  auto state = b.starts(here, to).at(0);
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus X+Y-.1", "y_minus X+Y-.1"}));
  b.take(here, to, state, "x_plus X+Y-.1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus X+Y-.1", "y_minus X+Y-.0"}));
  b.take(here, to, state, "y_minus X+Y-.0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus X+Y-.0", "y_minus X+Y-.0"}));
}

TEST(FourClassesRule, SwitchesClassAtATieAsIfInjectedThere) {
  const Bench b("four_classes", torus(2, 6));
  auto here = b.at({1, 1});
  const auto to = b.at({4, 4});
  auto state = b.starts(here, to).at(0);
  // X+, Y+: no wrap. X-: 1 -> 0 -> 5 -> 4 wraps, so the new class starts in prefix 0.
  EXPECT_EQ(b.offers(here, to, state),
            (Names{"x_minus X-Y+.0", "x_plus X+Y+.1", "y_minus X+Y-.0", "y_plus X+Y+.1"}));
  b.take(here, to, state, "y_plus X+Y+.1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_minus X-Y+.0", "x_plus X+Y+.1", "y_plus X+Y+.1"}));
  b.take(here, to, state, "x_minus X-Y+.0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_minus X-Y+.1", "y_plus X-Y+.0"}))
      << "at x = 0 the wrap link flips the prefix";
}

TEST(FourClassesRule, DrawsTheSignOfAZeroOffset) {
  const Bench random("four_classes", torus(2, 7));
  const Bench positive("four_classes", torus(2, 7), {{"zero_offset", "positive"}});
  const auto from = random.at({1, 1});
  const auto to = random.at({3, 1});
  ASSERT_EQ(random.starts(from, to).size(), 2U);
  EXPECT_EQ(random.offers(from, to, random.starts(from, to)[1]), (Names{"x_plus X+Y-.1"}));
  ASSERT_EQ(positive.starts(from, to).size(), 1U);
  EXPECT_EQ(positive.offers(from, to, positive.starts(from, to)[0]), (Names{"x_plus X+Y+.1"}));
}

TEST(LinderHardenRule, RaisesTheLevelByOnePerWrapInEitherDimension) {
  const Bench b("linder_harden", torus(2, 7));
  auto here = b.at({6, 0});
  const auto to = b.at({1, 5});
  auto state = b.starts(here, to).at(0);
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus Y-.0", "y_minus Y-.0"}));
  b.take(here, to, state, "y_minus Y-.0");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus Y-.1", "y_minus Y-.1"}));
  b.take(here, to, state, "x_plus Y-.1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_plus Y-.2", "y_minus Y-.2"}));
}

TEST(LinderHardenRule, SettlesATieInYAtInjectionAndLeavesOneInXOpen) {
  const Bench b("linder_harden", torus(2, 6), {{"zero_offset", "positive"}});
  const auto from = b.at({1, 1});
  const auto to = b.at({4, 4});
  const auto states = b.starts(from, to);
  ASSERT_EQ(states.size(), 2U) << "a tie is drawn even where a zero offset is not";
  EXPECT_EQ(b.offers(from, to, states[0]), (Names{"x_minus Y+.0", "x_plus Y+.0", "y_plus Y+.0"}));
  EXPECT_EQ(b.offers(from, to, states[1]), (Names{"x_minus Y-.0", "x_plus Y-.0", "y_minus Y-.0"}));
  EXPECT_EQ(b.starts(from, b.at({3, 1})).size(), 1U);
  EXPECT_EQ(Bench("linder_harden", torus(2, 6)).starts(from, b.at({3, 1})).size(), 2U);
}

TEST(ObliviousRule, GoesDownHighUntilNodeZeroThenLow) {
  const Bench b("oblivious", torus(2, 5));
  auto here = b.at({1, 2});
  const auto to = b.at({3, 2});
  RouteState state = 0;
  b.take(here, to, state, "x_minus high");
  b.take(here, to, state, "x_minus high");  // 0 -> 4
  EXPECT_EQ(b.offers(here, to, state), (Names{"x_minus low"}));
}

TEST(DimensionOrderRule, DatelineUsesClassZeroWhileTheWrapIsAhead) {
  const Bench b("dimension_order", torus(2, 7));
  auto here = b.at({5, 0});
  const auto to = b.at({1, 3});
  RouteState state = 0;
  b.take(here, to, state, "x_plus class0");
  b.take(here, to, state, "x_plus class0");  // the wrap link itself
  b.take(here, to, state, "x_plus class1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"y_plus class1"})) << "a worm that never wraps";
}

TEST(DimensionOrderRule, WrappedBitUsesClassOneFromTheWrapLinkOn) {
  const Bench b("dimension_order", torus(2, 7), {{"vc_rule", "wrapped_bit"}});
  auto here = b.at({1, 0});
  const auto to = b.at({5, 3});
  RouteState state = 0;
  b.take(here, to, state, "x_minus class0");
  b.take(here, to, state, "x_minus class1");  // 0 -> 6
  b.take(here, to, state, "x_minus class1");
  EXPECT_EQ(b.offers(here, to, state), (Names{"y_plus class0"}));
}

TEST(DimensionOrderRule, DrawsEveryCombinationOfTiesAndKeepsIt) {
  const Bench b("dimension_order", torus(2, 6));
  const auto from = b.at({0, 0});
  const auto to = b.at({3, 3});
  const auto states = b.starts(from, to);
  ASSERT_EQ(states.size(), 4U);
  std::vector<std::string> paths;
  for (auto state : states) {
    auto here = from;
    std::string path;
    while (here != to) {
      const auto offer = b.offers(here, to, state).at(0);
      path += offer.substr(0, 3);
      b.take(here, to, state, offer);
    }
    paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(paths,
            (Names{"x_mx_mx_my_my_my_m", "x_mx_mx_my_py_py_p", "x_px_px_py_my_my_m", "x_px_px_py_py_py_p"}));
  EXPECT_EQ(b.starts(from, b.at({3, 2})).size(), 2U);
  EXPECT_EQ(b.starts(from, b.at({2, 2})).size(), 1U);
}

TEST(DimensionOrderRule, CarriesNothingWhereNoTieIsPossible) {
  EXPECT_FALSE(network("dimension_order", torus(2, 31)).relation->has_state());
  EXPECT_FALSE(network("dimension_order", mesh({8, 8})).relation->has_state());
  EXPECT_TRUE(network("dimension_order", torus(2, 8)).relation->has_state());
  EXPECT_TRUE(network("dimension_order", torus(2, 31), {{"vc_rule", "wrapped_bit"}}).relation->has_state());
}

}  // namespace
}  // namespace noctule::routing_test
