// Can the survey tell right from wrong? Relations that break one rule each, and mutants of 4-Classes and
// *-Channels that are known to be cyclic.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "verify_support.h"

namespace noctule::routing_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A relation on a ring, given by its parts; a correct, cyclic single-class minimal one by default.
class Scripted final : public RoutingRelation {
 public:
  explicit Scripted(std::shared_ptr<const CubeNetwork> ring) : ring_(std::move(ring)) {}
  std::function<void(RouterId, RouterId, CandidateList&)> offer = [this](RouterId a, RouterId b,
                                                                         CandidateList& list) {
    const auto way = ring_->minimal(0, ring_->coordinate(a, 0), ring_->coordinate(b, 0));
    if (way.plus) list.add(CubeNetwork::plus(0), VcClass{0});
    if (way.minus) list.add(CubeNetwork::minus(0), VcClass{0});
  };
  bool denies = false;
  unsigned extra_hops = 0;

  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "only"; }
  [[nodiscard]] bool exists(const Link&, VcClass) const override { return !denies; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  void candidates(RouterId here, RouterId to, RouteState, CandidateList& list) const override {
    offer(here, to, list);
  }
  [[nodiscard]] unsigned hops(RouterId a, RouterId b) const override {
    return ring_->distance(a, b) + extra_hops;
  }

 private:
  std::shared_ptr<const CubeNetwork> ring_;
};

class SurveyOfAScript : public testing::Test {
 protected:
  std::shared_ptr<const CubeNetwork> ring_ =
      std::make_shared<CubeNetwork>(std::vector<unsigned>{5}, std::vector<bool>{true});
  Scripted script_{ring_};
};

TEST_F(SurveyOfAScript, FindsTheCycleOfASingleClassRing) {
  const Surveyed surveyed(ring_, script_);
  const auto& seen = surveyed.facts;
  EXPECT_TRUE(seen.always_arrives);
  EXPECT_TRUE(seen.minimal);
  EXPECT_TRUE(seen.fully_adaptive);
  EXPECT_TRUE(seen.hops_exact);
  EXPECT_EQ(seen.longest_path, 2U);
  EXPECT_EQ(seen.header_states, 20U);
  EXPECT_EQ(seen.direct.channels, 10U);
  EXPECT_EQ(seen.direct.dependencies, 20U);  // 10 of them on consumption channels
  EXPECT_EQ(seen.direct.channels_in_cycles, 10U);
  EXPECT_EQ(seen.used_at(surveyed.channels, *ring_, RouterId{0}), 4U);
}

TEST_F(SurveyOfAScript, FindsNoCycleOnALine) {
  const auto line = std::make_shared<CubeNetwork>(std::vector<unsigned>{5}, std::vector<bool>{false});
  Scripted script(line);
  const auto seen = Surveyed(line, script).survey.facts;
  EXPECT_TRUE(seen.direct.acyclic());
  EXPECT_EQ(seen.direct.channels, 8U);
  EXPECT_EQ(seen.direct.dependencies, 6U + 8U);
}

TEST_F(SurveyOfAScript, FindsAWormThatGoesInCircles) {
  script_.offer = [](RouterId, RouterId, CandidateList& list) {
    list.add(CubeNetwork::plus(0), VcClass{0});
    list.add(CubeNetwork::minus(0), VcClass{0});
  };
  const auto seen = Surveyed(ring_, script_).survey.facts;
  EXPECT_FALSE(seen.always_arrives);
  EXPECT_EQ(seen.longest_path, 0U);
  EXPECT_FALSE(seen.minimal);
}

TEST_F(SurveyOfAScript, FindsDetoursAndMissingPaths) {
  script_.offer = [](RouterId, RouterId, CandidateList& list) { list.add(CubeNetwork::plus(0), VcClass{0}); };
  const auto seen = Surveyed(ring_, script_).survey.facts;
  EXPECT_TRUE(seen.always_arrives);
  EXPECT_FALSE(seen.minimal);
  EXPECT_FALSE(seen.fully_adaptive);
  EXPECT_FALSE(seen.hops_exact);
  EXPECT_EQ(seen.longest_path, 4U);
}

TEST_F(SurveyOfAScript, RefusesBreachesOfTheContract) {
  const auto refusal = [&] {
    try {
      Surveyed(ring_, script_);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(), "");
  script_.denies = true;
  EXPECT_THAT(refusal(), HasSubstr("which it says does not exist"));
  script_.denies = false;
  script_.extra_hops = 1;
  EXPECT_EQ(refusal(), "");
  EXPECT_FALSE(Surveyed(ring_, script_).facts.hops_exact);
  script_.offer = [](RouterId, RouterId, CandidateList&) {};
  EXPECT_THAT(refusal(), AllOf(HasSubstr("offers nothing at router_"), HasSubstr("stuck there for ever")));
  script_.offer = [](RouterId, RouterId, CandidateList& list) { list.add(CubeNetwork::plus(0), VcClass{1}); };
  EXPECT_THAT(refusal(), HasSubstr("a channel that is none"));
}

TEST_F(SurveyOfAScript, StopsAtTheLimit) {
  const auto plan = plan_around(ring_, script_);
  const ChannelIndex channels(*plan);
  EXPECT_FALSE(survey(*plan, channels, 19).complete);
  EXPECT_TRUE(survey(*plan, channels, 20).complete);
}

/// A registered relation with some of its answers changed.
class Mutant final : public RoutingRelation {
 public:
  explicit Mutant(const RoutingRelation& original) : original_(original) {}
  std::function<RouteState(RouteState)> start = [](RouteState s) { return s; };
  std::function<Candidate(RouterId, RouteState, Candidate)> change = [](RouterId, RouteState, Candidate c) {
    return c;
  };
  std::function<bool(Candidate)> escape;

  [[nodiscard]] std::span<const VcField> fields() const override { return original_.fields(); }
  [[nodiscard]] unsigned classes(const Link& link) const override { return original_.classes(link); }
  [[nodiscard]] std::string class_name(const Link& link, VcClass c) const override {
    return original_.class_name(link, c);
  }
  [[nodiscard]] VcLabel output_label(const Link& l, VcClass c) const override {
    return original_.output_label(l, c);
  }
  [[nodiscard]] std::uint64_t initial_states(RouterId a, RouterId b) const override {
    return original_.initial_states(a, b);
  }
  [[nodiscard]] RouteState initial_state(RouterId a, RouterId b, std::uint64_t n) const override {
    return start(original_.initial_state(a, b, n));
  }
  void candidates(RouterId here, RouterId to, RouteState state, CandidateList& list) const override {
    CandidateList as_is;
    original_.candidates(here, to, state, as_is);
    for (const auto& c : as_is) {
      const auto changed = change(here, state, c);
      list.add(changed.port, changed.vc_class);
    }
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId to, RouteState s, Candidate c) const override {
    return original_.next_state(here, to, s, c);
  }
  [[nodiscard]] bool has_state() const override { return original_.has_state(); }
  [[nodiscard]] unsigned hops(RouterId a, RouterId b) const override { return original_.hops(a, b); }
  [[nodiscard]] bool is_escape(RouterId h, RouterId t, RouteState s, Candidate c) const override {
    return escape ? escape(c) : original_.is_escape(h, t, s, c);
  }

 private:
  const RoutingRelation& original_;
};

// State of 4-Classes: bit 0: X-, bit 1: Y-, bit 2: prefix. VC class: bit 0: prefix.
constexpr RouteState kPrefix = 4;

TEST(FourClassesMutant, IsSoundUnchanged) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto net = network("four_classes", torus(2, k));
    const Mutant same(*net.relation);
    EXPECT_TRUE(Surveyed(net.cube, same).facts.direct.acyclic()) << k;
  }
}

TEST(FourClassesMutant, IsCyclicIfTheSecondWrapKeepsPrefixOne) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto net = network("four_classes", torus(2, k));
    Mutant mutant(*net.relation);
    mutant.change = [&](RouterId here, RouteState state, Candidate c) {
      if ((state & kPrefix) != 0 && net.cube->is_wrap(here, c.port))
        c.vc_class = VcClass(index(c.vc_class) | 1);
      return c;
    };
    EXPECT_FALSE(Surveyed(net.cube, mutant).facts.direct.acyclic()) << k;
  }
}

TEST(FourClassesMutant, IsCyclicIfWrapFreeWormsStartInPrefixZero) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto net = network("four_classes", torus(2, k));
    Mutant mutant(*net.relation);
    mutant.start = [](RouteState s) { return s & ~kPrefix; };
    EXPECT_FALSE(Surveyed(net.cube, mutant).facts.direct.acyclic()) << k;
  }
}

TEST(FourClassesMutant, IsCyclicIfAClassSwitchKeepsThePrefix) {
  for (unsigned k = 4; k <= 8; k += 2) {
    const auto net = network("four_classes", torus(2, k));
    Mutant mutant(*net.relation);
    mutant.change = [&](RouterId here, RouteState state, Candidate c) {
      const bool switches =
          !CubeNetwork::is_plus(c.port) && (state >> CubeNetwork::dimension_of(c.port) & 1) == 0;
      const RouteState prefix = (state >> 2 & 1) ^ RouteState { net.cube->is_wrap(here, c.port) };
      if (switches) c.vc_class = VcClass((index(c.vc_class) & ~std::size_t{1}) | prefix);
      return c;
    };
    EXPECT_FALSE(Surveyed(net.cube, mutant).facts.direct.acyclic()) << k;
  }
}

TEST(StarChannelsMutant, HasACyclicEscapeIfAllChannelsCountAsStar) {
  const auto net = network("star_channels", torus(2, 5));
  Mutant mutant(*net.relation);
  mutant.escape = [](Candidate) { return true; };
  EXPECT_FALSE(Surveyed(net.cube, mutant).escape_acyclic());
}

TEST(StarChannelsMutant, HasACyclicEscapeIfOneStarClassServesTheWholeRing) {
  const auto net = network("star_channels", torus(2, 5));
  Mutant mutant(*net.relation);
  mutant.change = [](RouterId, RouteState, Candidate c) {
    if (index(c.vc_class) == 1) c.vc_class = VcClass{0};
    return c;
  };
  EXPECT_FALSE(Surveyed(net.cube, mutant).escape_acyclic());
}

TEST(StarChannelsMutant, LacksAnEscapeIfNonstarIsTheOnlyOffer) {
  const auto net = network("star_channels", torus(2, 5));
  Mutant mutant(*net.relation);
  mutant.escape = [](Candidate c) { return c.vc_class == VcClass{1}; };
  EXPECT_FALSE(Surveyed(net.cube, mutant).facts.escape_always_offered);
}

TEST(EscapeDependencies, ReachThroughNonstarChannels) {
  const auto net = network("star_channels", torus(2, 7));
  const Surveyed seen(net.cube, *net.relation);
  // Dimension order alone has fewer: the rest come from detours over nonstar channels.
  const auto plain = network("dimension_order", torus(2, 7), {{"vc_rule", "wrapped_bit"}});
  const Surveyed alone(plain.cube, *plain.relation);
  const std::size_t consumed = alone.facts.direct.channels;  // each leads to a consumption channel
  EXPECT_GT(seen.escape().edges(), alone.facts.direct.dependencies - consumed);
  EXPECT_EQ(std::count(seen.facts.used_as_escape.begin(), seen.facts.used_as_escape.end(), 1),
            static_cast<std::ptrdiff_t>(consumed));
}

}  // namespace
}  // namespace noctule::routing_test
