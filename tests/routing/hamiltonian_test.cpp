// Is the relation "hamiltonian" the routing function R of path-based multicasts, on both sides of the path?

#include <gtest/gtest.h>

#include "core/json.h"
#include "routing_support.h"
#include "topology/hamiltonian_path.h"

namespace noctule::routing_test {
namespace {

const std::vector<Shape> kMeshes{mesh({7}),          mesh({2, 2}),      mesh({5, 3}),    mesh({4, 6}),
                                 mesh({8, 8}),       mesh({9, 2}),      mesh({2, 5}),    mesh({2, 2, 2}),
                                 mesh({3, 4, 2}),    mesh({3, 3, 3}),   mesh({4, 2, 5}), mesh({5, 5, 3}),
                                 mesh({2, 2, 2, 2}), mesh({3, 2, 4, 2})};

/// Calls `check(network, path)` for every mesh and labelling.
template <class Check>
void on_every_mesh(Check check) {
  for (const auto& shape : kMeshes)
    for (const auto& labelling : HamiltonianPath::labellings()) {
      SCOPED_TRACE(shape.text() + " " + labelling);
      const auto net = network("hamiltonian", shape, {{"labelling", labelling}});
      check(net, HamiltonianPath(*net.cube,
                                 labelling == "rows" ? HamiltonianPath::Labelling::kRows
                                                     : HamiltonianPath::Labelling::kColumns,
                                 "", ""));
    }
}

/// Calls `check(from, to)` for all pairs of different routers.
template <class Check>
void every_pair(const CubeNetwork& cube, Check check) {
  for (std::uint32_t u = 0; u < cube.routers(); ++u)
    for (std::uint32_t v = 0; v < cube.routers(); ++v)
      if (u != v) check(RouterId{u}, RouterId{v});
}

RouterId step(const Network& net, RouterId here, RouterId to) {
  CandidateList list;
  net.relation->candidates(here, to, RouteState{0}, list);
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].vc_class, VcClass{0});
  return net.cube->outgoing(here, list[0].port)->to;
}

TEST(Hamiltonian, GoesToTheNeighbourNearestToTheDestinationsLabel) {
  on_every_mesh([](const Network& net, const HamiltonianPath& path) {
    every_pair(*net.cube, [&](RouterId u, RouterId v) {
      const auto next = step(net, u, v);
      ASSERT_EQ(net.cube->distance(u, next), 1U);
      const bool rises = path.label(v) > path.label(u);
      const auto chosen = path.label(next);
      ASSERT_EQ(chosen > path.label(u), rises);
      ASSERT_TRUE(rises ? chosen <= path.label(v) : chosen >= path.label(v)) << "passes the destination";
      // No neighbour that does not pass it comes nearer, whichever way it is found.
      for (std::uint32_t w = 0; w < net.cube->routers(); ++w) {
        const auto label = path.label(RouterId{w});
        const bool nearer =
            rises ? label > chosen && label <= path.label(v) : label < chosen && label >= path.label(v);
        ASSERT_FALSE(nearer && net.cube->distance(u, RouterId{w}) == 1);
      }
    });
  });
}

TEST(Hamiltonian, ReachesEveryRouterInTheHopsThatItStates) {
  on_every_mesh([](const Network& net, const HamiltonianPath&) {
    bool shortest = true;
    every_pair(*net.cube, [&](RouterId u, RouterId v) {
      unsigned hops = 0;
      for (auto at = u; at != v; ++hops) {
        ASSERT_LT(hops, net.cube->routers());
        at = step(net, at, v);
      }
      ASSERT_EQ(net.relation->hops(u, v), hops);
      shortest = shortest && hops == net.cube->distance(u, v);
    });
    EXPECT_EQ(net.relation->claims().minimal, shortest);
    EXPECT_EQ(shortest, net.cube->dimensions() <= 2) << "the claim of hamiltonian.cpp";
  });
}

/// The channels of a worm that rises through the labels, and of one that falls, each have an order.
TEST(Hamiltonian, NeedsOneClassOnEveryLink) {
  on_every_mesh([](const Network& net, const HamiltonianPath&) {
    EXPECT_EQ(net.relation->claims().deadlock_free, "acyclic");
    EXPECT_FALSE(net.relation->has_state());
    for (const auto& link : net.cube->links()) {
      EXPECT_EQ(net.relation->classes(link), 1U);
      EXPECT_EQ(step(net, link.from, link.to), link.to);
    }
  });
}

TEST(Hamiltonian, TakesTheShortcutsOfThePapersExample) {
  const auto net = network("hamiltonian", mesh({6, 6}));
  const auto at = [&](unsigned row, unsigned column) {
    return net.cube->router_at(std::vector<unsigned>{column, row});
  };
  EXPECT_EQ(step(net, at(3, 2), at(5, 5)), at(4, 2));
  EXPECT_EQ(step(net, at(3, 2), at(5, 0)), at(4, 2));
  EXPECT_EQ(step(net, at(3, 2), at(4, 1)), at(3, 1));
  EXPECT_EQ(step(net, at(3, 2), at(1, 4)), at(2, 2));
  EXPECT_EQ(step(net, at(2, 2), at(1, 1)), at(2, 1));
  EXPECT_EQ(step(net, at(2, 2), at(1, 4)), at(1, 2));
}

TEST(Hamiltonian, RefusesWrapsAndUnknownLabellings) {
  const auto complaint = [](const Shape& shape, const Json& set) {
    try {
      network("hamiltonian", shape, set);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto wraps = complaint(Shape{{4, 4}, {false, true}}, Json::object());
  for (const char* part :
       {"routing.algorithm", "hamiltonian needs a mesh", "dimension 1 wraps", "topology.kind mesh"})
    EXPECT_NE(wraps.find(part), std::string::npos) << wraps;
  const auto unknown = complaint(mesh({4, 4}), {{"labelling", "diagonals"}});
  for (const char* part : {"routing.labelling", "'diagonals'", "rows, columns"})
    EXPECT_NE(unknown.find(part), std::string::npos) << unknown;
}

}  // namespace
}  // namespace noctule::routing_test
