// Wrong relations off cubes: turns down and up again, routes that close a loop, two roots at once. Each is
// refused, of parts that are alike and of some that differ, and the worms of its witness do deadlock.

#include <gtest/gtest.h>

#include "fabric/autopsy.h"
#include "witness_replay.h"

namespace noctule::fabric_test {
namespace {

/// One class of channels on every link.
class OneClass : public RoutingRelation {
 public:
  explicit OneClass(std::shared_ptr<const Topology> topology) : topology_(std::move(topology)) {}
  [[nodiscard]] unsigned classes(const Link&) const override { return 1; }
  [[nodiscard]] std::string class_name(const Link&, VcClass) const override { return "class0"; }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass) const override { return {}; }
  [[nodiscard]] unsigned hops(RouterId, RouterId) const override { return kHopsVary; }

 protected:
  template <class F>
  void each_link(RouterId here, F&& f) const {
    for (std::size_t p = 0; p < topology_->ports(here); ++p)
      if (const Link* link = topology_->outgoing(here, PortId(p))) f(*link);
  }
  std::shared_ptr<const Topology> topology_;
};

/// Any shortest way: up*/down* without its rule.
class AnyShortest final : public OneClass {
 public:
  using OneClass::OneClass;
  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    each_link(here, [&](const Link& link) {
      if (topology_->distance(link.to, destination) < topology_->distance(here, destination))
        list.add(link.out, VcClass{0});
    });
  }
};

/// Round a loop of routers one way, whoever is the destination; others go to the loop first, and leave it
/// last.
class RoundTheRing final : public OneClass {
 public:
  using OneClass::OneClass;
  void candidates(RouterId here, RouterId, RouteState, CandidateList& list) const override {
    list.add(topology_->outgoing(here, PortId{0})->out, VcClass{0});
  }
};

/// Up*/down* by one of two roots, as the destination is even or odd.
class TwoRoots final : public OneClass {
 public:
  TwoRoots(const std::shared_ptr<const Topology>& topology, unsigned a, unsigned b) : OneClass(topology) {
    for (const unsigned root : {a, b})
      by_.push_back(relation_on(topology, "up_down", {{"root", "router_" + std::to_string(root)}}));
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    of(destination).candidates(here, destination, state, list);
  }
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override {
    return of(destination).next_state(here, destination, state, taken);
  }
  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] unsigned header_bits() const override { return 1; }

 private:
  [[nodiscard]] const RoutingRelation& of(RouterId destination) const { return *by_[index(destination) % 2]; }
  std::vector<std::shared_ptr<const RoutingRelation>> by_;
};

struct Mutant {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<const RoutingRelation> relation;
};

/// Routers on a ring of links one way.
std::shared_ptr<const Topology> one_way_ring(std::uint32_t routers) {
  TopologyBuilder builder;
  builder.add_routers(routers, {"on"});
  for (std::uint32_t r = 0; r < routers; ++r) {
    builder.connect(RouterId{r}, PortId{0}, RouterId{(r + 1) % routers}, PortId{0});
    builder.add_terminal(RouterId{r});
  }
  return std::make_shared<const Topology>(std::move(builder).build());
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  for (std::uint32_t n = 3; n < 12; ++n) {
    const auto ring = one_way_ring(n);
    all.push_back({"ring_" + std::to_string(n), ring, std::make_shared<RoundTheRing>(ring)});
  }
  Rng rng(41);
  const auto proved = [](const Mutant& mutant) {
    return verify(std::make_shared<const FabricPlan>(plan_fabric({mutant.topology, mutant.relation})))
        .proved();
  };
  // Of the graphs drawn, those where the mutation is one: in a sparse graph shortest ways may be all there
  // are.
  for (int found = 0; found < 12;) {
    const auto graph = random_graph(8 + static_cast<std::uint32_t>(rng.below(8)), 6, rng);
    Mutant mutant{"any_shortest_" + std::to_string(found), graph, std::make_shared<AnyShortest>(graph)};
    if (proved(mutant)) continue;
    all.push_back(std::move(mutant));
    ++found;
  }
  for (int found = 0; found < 10;) {
    const auto graph = random_graph(8 + static_cast<std::uint32_t>(rng.below(8)), 6, rng);
    const auto n = graph->routers();
    const auto a = static_cast<unsigned>(rng.below(n));
    const auto b = static_cast<unsigned>(rng.below(n));
    Mutant mutant{"two_roots_" + std::to_string(found), graph, std::make_shared<TwoRoots>(graph, a, b)};
    if (proved(mutant)) continue;
    all.push_back(std::move(mutant));
    ++found;
  }
  return all;
}

/// Some routers deeper and wider, some links slower.
FabricPlan unlike(const Mutant& mutant) {
  NodeDescriptions nodes = node_of("generic");
  const std::size_t n = mutant.topology->routers();
  for (std::uint32_t r = 0; r < n; r += 3)
    nodes.set(RouterId{r}, node_of("generic", {{"input_depth", 3}, {"output_depth", 2}}), n, "nodes");
  LinkDescriptions links;
  const std::size_t l = mutant.topology->links().size();
  for (std::uint32_t i = 0; i < l; i += 4) links.set(LinkId{i}, {3, 2, 2}, l, "links");
  return plan_fabric({mutant.topology, mutant.relation, nodes, links});
}

TEST(MutantsOffCubes, AreRefusedWithWormsThatDeadlock) {
  const auto all = mutants();
  ASSERT_GE(all.size(), 30U);
  std::vector<std::pair<std::string, std::unique_ptr<Fabric>>> runs;
  Cycle end = 0;
  for (const Mutant& mutant : all) {
    SCOPED_TRACE(mutant.name);
    const auto unlike_parts = verify(std::make_shared<const FabricPlan>(unlike(mutant)));
    EXPECT_FALSE(unlike_parts.proved());
    EXPECT_FALSE(unlike_parts.witness.cycle.empty()) << unlike_parts.reason;
    const auto certificate =
        verify(std::make_shared<const FabricPlan>(plan_fabric({mutant.topology, mutant.relation})));
    EXPECT_FALSE(certificate.proved());
    ASSERT_FALSE(certificate.witness.worms.empty()) << certificate.reason;
    runs.emplace_back(mutant.name, replay(certificate, certificate.witness.worms));
    end = std::max(end, long_enough(certificate));
  }
  run_cycles(*runs[0].second, end);
  for (const auto& [name, fabric] : runs) {
    EXPECT_TRUE(autopsy(*fabric).deadlocked) << name;
    EXPECT_NO_THROW(fabric->check_conservation()) << name;
  }
}

}  // namespace
}  // namespace noctule::fabric_test
