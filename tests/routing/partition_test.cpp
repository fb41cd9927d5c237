// Do the labels split a router into the independent crossbars of Gravano et al. 1994, V.B: eight of 2 + 2
// for 4-Classes, six of 3 + 3 for Linder-Harden, and does a worm never have to leave its own?

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "routing/initial_states.h"
#include "routing_support.h"

namespace noctule::routing_test {
namespace {

struct Size {
  unsigned inputs = 0;
  unsigned outputs = 0;
  friend bool operator==(const Size&, const Size&) = default;
};
std::ostream& operator<<(std::ostream& out, const Size& s) {
  return out << s.inputs << " inputs and " << s.outputs << " outputs";
}

/// Crossbars of a router, one per label.
std::map<VcLabel, Size> crossbars(const Network& net, RouterId router, bool only_existing = false) {
  std::map<VcLabel, Size> sets;
  for (std::uint16_t p = 0; p < net.cube->ports(); ++p)
    for (unsigned c = 0; c < net.relation->classes(link_by(*net.cube, PortId{p})); ++c) {
      const auto& out = *net.cube->outgoing(router, PortId{p});
      const auto& in = *net.cube->incoming(router, PortId{p});
      if (!only_existing || net.relation->exists(out, VcClass(c)))
        ++sets[net.relation->output_label(out, VcClass(c))].outputs;
      if (!only_existing || net.relation->exists(in, VcClass(c)))
        ++sets[net.relation->input_label(in, VcClass(c))].inputs;
    }
  return sets;
}

/// Follows all worms. Counts the candidates of headers in transit that lie in the crossbar in which the
/// header sits, and those that lie in another.
struct Tally {
  std::size_t own = 0;
  std::size_t foreign = 0;
  std::size_t stranded = 0;  ///< headers with no candidate in their own crossbar
};
Tally follow(const Network& net) {
  Tally tally;
  using Visit = std::tuple<RouterId, RouteState, VcLabel>;
  for (std::uint32_t d = 0; d < net.cube->routers(); ++d) {
    const RouterId to{d};
    std::set<Visit> seen;
    std::vector<Visit> open;
    for (std::uint32_t s = 0; s < net.cube->routers(); ++s) {
      if (s == d) continue;
      for (const RouteState state : initial_states_of(*net.relation, RouterId{s}, to))
        open.emplace_back(RouterId{s}, state, VcLabel{});
    }
    while (!open.empty()) {
      const auto [here, state, label] = open.back();
      open.pop_back();
      CandidateList list;
      net.relation->candidates(here, to, state, list);
      bool any = false;
      for (const auto& c : list) {
        const auto& link = *net.cube->outgoing(here, c.port);
        const bool own = label.empty() || net.relation->output_label(link, c.vc_class) == label;
        any = any || own;
        if (!label.empty()) ++(own ? tally.own : tally.foreign);
        Visit next{link.to, net.relation->next_state(here, to, state, c),
                   net.relation->input_label(link, c.vc_class)};
        if (link.to != to && seen.insert(next).second) open.push_back(next);
      }
      if (!any) ++tally.stranded;
    }
  }
  return tally;
}

TEST(FourClassesPartition, IsEightCrossbarsOfTwoInputsAndTwoOutputsAtEveryRouter) {
  for (unsigned k = 3; k <= 8; ++k) {
    const auto net = network("four_classes", torus(2, k));
    for (std::uint32_t r = 0; r < net.cube->routers(); ++r) {
      const auto sets = crossbars(net, RouterId{r});
      ASSERT_EQ(sets.size(), 8U);
      for (const auto& [label, size] : sets) ASSERT_EQ(size, (Size{2, 2})) << "router " << r << " k " << k;
    }
  }
}

TEST(FourClassesPartition, KeepsEveryWormInItsCrossbarForOddRadices) {
  for (const auto& shape : {torus(2, 3), torus(2, 5), torus(2, 7), torus({3, 5})}) {
    const auto tally = follow(network("four_classes", shape));
    EXPECT_GT(tally.own, 0U);
    EXPECT_EQ(tally.foreign, 0U) << shape.text();
  }
}

TEST(FourClassesPartition, KeepsEveryWormInItsCrossbarWhereTiesAreDrawn) {
  for (const auto& shape : {torus(2, 4), torus(2, 6), torus(2, 8), torus({4, 5})}) {
    const auto tally = follow(network("four_classes", shape, {{"tie", "drawn"}}));
    EXPECT_GT(tally.own, 0U);
    EXPECT_EQ(tally.foreign, 0U) << shape.text();
  }
}

TEST(FourClassesPartition, LosesOnlyClassSwitchesForEvenRadices) {
  for (unsigned k = 4; k <= 8; k += 2) {
    const auto tally = follow(network("four_classes", torus(2, k)));
    EXPECT_GT(tally.foreign, 0U) << "a class switch changes the crossbar";
    EXPECT_EQ(tally.stranded, 0U);
  }
}

TEST(LinderHardenPartition, IsSixCrossbarsOfAtMostThreeInputsAndThreeOutputs) {
  for (unsigned k = 4; k <= 8; ++k) {
    const auto net = network("linder_harden", torus(2, k));
    for (std::uint32_t r = 0; r < net.cube->routers(); ++r) {
      bool inner = true;
      for (std::uint16_t p = 0; p < 4; ++p)
        inner = inner && !net.cube->is_wrap(net.cube->incoming(RouterId{r}, PortId{p})->from, PortId{p});
      for (const auto& [label, size] : crossbars(net, RouterId{r}, true)) {
        ASSERT_LE(size.inputs, 3U);
        ASSERT_LE(size.outputs, 3U);
      }
      const auto sets = crossbars(net, RouterId{r});
      ASSERT_EQ(sets.size(), 6U);
      for (const auto& [label, size] : sets) {
        ASSERT_EQ(size.outputs, 3U);
        if (inner) {
          ASSERT_EQ(size.inputs, 3U);
        }
      }
    }
  }
}

TEST(LinderHardenPartition, KeepsEveryWormInItsCrossbar) {
  for (const auto& shape : {torus(2, 3), torus(2, 4), torus(2, 7), torus(2, 8), torus({6, 5})}) {
    const auto tally = follow(network("linder_harden", shape));
    EXPECT_GT(tally.own, 0U);
    EXPECT_EQ(tally.foreign, 0U) << shape.text();
  }
}

TEST(ObliviousPartition, CannotBeSplitByLevel) {
  EXPECT_GT(follow(network("oblivious", torus(2, 5))).foreign, 0U);
}

}  // namespace
}  // namespace noctule::routing_test
