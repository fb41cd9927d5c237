// Routers in hardware beside routers that are not like them: other nodes, other depths, other lanes where no
// link joins them, slow and long links. In the place of RTL is the second statement of its rules.

#include <gtest/gtest.h>

#include "cosim/reference_dut.h"
#include "cosim/shadow.h"
#include "cosim/swapped.h"
#include "fabric/fabric_support.h"
#include "fabric/rtl_router.h"
#include "fabric/uneven_support.h"
#include "rtl/hardware_rules.h"

namespace noctule::cosim_test {
namespace {

using fabric_test::Network;

/// A fabric, and those of its routers that are in hardware.
struct Mixed {
  std::string name;
  FabricPlan plan;
  std::vector<RouterId> hardware;
};

/// Nodes that hardware has, with so many lanes.
Json queued(unsigned lanes, Rng& rng) {
  return {{"model", "input_queued"},
          {"routing_delay", 0},
          {"switch_allocation_delay", 0},
          {"lanes", lanes},
          {"input_depth", 1 + rng.below(6)},
          {"injection_vcs", 1 + rng.below(lanes)},
          {"consumption_vcs", 1 + rng.below(3)}};
}
Json unit(unsigned lanes, Rng& rng) {
  static constexpr const char* kReleases[] = {"tail_crossed", "tail_left", "next_buffer_empty"};
  return {{"model", "generic"},
          {"lanes", lanes},
          {"selection", rng.below(2) == 0 ? "first" : "rotating"},
          {"release", kReleases[rng.below(3)]}};
}
NodeDescription node(Json keys) {
  const auto model = keys.at("model").get<std::string>();
  keys.erase("model");
  return node_of(model, keys);
}

/// Every router and link drawn from all there are; three of the routers from those that hardware has, and the
/// links at these from those that pins can serve.
Mixed drawn(const Network& network, std::uint64_t seed) {
  Rng rng(seed, "unlike");
  const Topology& topology = *network.topology;
  const std::size_t n = topology.routers();
  const auto lanes = static_cast<unsigned>(1 + rng.below(3));
  std::vector<fabric_test::Variant> others = fabric_test::variants();
  std::erase_if(others, [](const auto& variant) { return variant.credit_delay == 0; });
  NodeDescriptions nodes;
  for (std::uint32_t r = 0; r < n; ++r)
    nodes.set(RouterId{r}, node_of("generic", others[rng.below(others.size())].set), n, "nodes");
  Mixed mixed;
  mixed.name = network.name + " " + std::to_string(seed);
  while (mixed.hardware.size() < 3) {
    const RouterId router{static_cast<std::uint32_t>(rng.below(n))};
    if (std::ranges::find(mixed.hardware, router) != mixed.hardware.end()) continue;
    nodes.set(router, node(mixed.hardware.size() % 2 == 0 ? queued(lanes, rng) : unit(lanes, rng)), n,
              "nodes");
    mixed.hardware.push_back(router);
  }
  std::ranges::sort(mixed.hardware);
  const auto is_hardware = [&](RouterId router) {
    return std::ranges::find(mixed.hardware, router) != mixed.hardware.end();
  };
  LinkDescriptions links;
  for (const Link& link : topology.links()) {
    LinkDescription described{1 + static_cast<unsigned>(rng.below(4)),
                              1 + static_cast<unsigned>(rng.below(3)),
                              1 + static_cast<unsigned>(rng.below(2))};
    const bool at_hardware = is_hardware(link.from) || is_hardware(link.to);
    if (!at_hardware && index(link.to) < index(link.from) && rng.below(2) == 0) described.credit_delay = 0;
    if (is_hardware(link.from)) described.cycles_per_flit = 1;
    if (at_hardware) described.shape = {lanes, 1, LinkSharing::kDemand};
    links.set(link.id, described, topology.links().size(), "links");
  }
  nodes.settle();
  links.settle();
  mixed.plan =
      plan_fabric({network.topology, relation_on(network.topology, network.algorithm), nodes, links});
  return mixed;
}

std::vector<Mixed> mixed_fabrics(std::uint64_t seeds) {
  std::vector<Mixed> all;
  for (const Network& network : {Network{"mesh", fabric_test::mesh({4, 3}), "dimension_order"},
                                 Network{"torus", fabric_test::torus({4, 3}), "dimension_order"},
                                 Network{"cube", fabric_test::mesh({2, 3, 2}), "dimension_order"},
                                 Network{"adaptive", fabric_test::mesh({3, 4}), "north_last"}})
    for (std::uint64_t seed = 0; seed < seeds; ++seed) all.push_back(drawn(network, seed));
  return all;
}

std::unique_ptr<Fabric> fabric_of(const Mixed& mixed, std::uint64_t seed, FabricOptions options = {}) {
  options.discard = seed % 2 == 1;
  options.seed = seed;
  auto fabric = fabric_test::make_fabric(mixed.plan, options);
  fabric->attach(fabric_test::traffic(mixed.plan.topology, "bernoulli", seed % 2 == 1 ? 800 : 150,
                                      1 + static_cast<std::uint32_t>(seed % 7), seed));
  return fabric;
}

constexpr std::uint64_t kSeeds = 12;
constexpr Cycle kCycles = 1500;

TEST(RoutersInHardwareBesideOthers, AreAccepted) {
  for (const Mixed& mixed : mixed_fabrics(kSeeds)) {
    const auto obstacle = hardware_obstacle(mixed.plan, mixed.hardware);
    EXPECT_FALSE(obstacle.has_value()) << mixed.name << ": " << (obstacle ? obstacle->message : "");
  }
}

TEST(RoutersInHardwareBesideOthers, DeliverWhatTheModelDelivers) {
  struct Pair {
    std::unique_ptr<Fabric> model;
    std::unique_ptr<Fabric> mixed;
  };
  const auto all = mixed_fabrics(kSeeds);
  std::vector<Pair> pairs;
  for (std::size_t f = 0; f < all.size(); ++f) {
    auto rtl = std::make_shared<RtlNodes>();
    rtl->duts = reference_duts(all[f].plan, all[f].hardware);
    FabricOptions options;
    options.rtl = rtl;
    pairs.push_back({fabric_of(all[f], f), fabric_of(all[f], f, options)});
  }
  fabric_test::run_cycles(*pairs[0].model, kCycles);
  for (std::size_t f = 0; f < all.size(); ++f) {
    SCOPED_TRACE(all[f].name);
    const auto& [model, mixed] = pairs[f];
    EXPECT_NO_THROW(mixed->check_conservation());
    EXPECT_GT(model->counters().packets_delivered, 100U);
    EXPECT_EQ(mixed->digest(), model->digest());
    EXPECT_EQ(mixed->counters().zero_load, model->counters().zero_load) << "the paths are told";
  }
}

/// Fabrics of the model with shadows of those in hardware.
struct Shadowed {
  Shadowed(const std::vector<Mixed>& all, const std::vector<LostCredit>& faults) {
    for (std::size_t f = 0; f < all.size(); ++f) {
      FabricOptions options;
      options.observed = true;
      fabrics.push_back(fabric_of(all[f], f, options));
      duts.push_back(reference_duts(all[f].plan, all[f].hardware, faults.empty() ? nullptr : &faults[f]));
      shadows.push_back(std::make_unique<ShadowRouters>(*fabrics[f], duts[f], f));
      fabrics[f]->observe(*shadows[f]);
    }
    fabric_test::run_cycles(*fabrics[0], kCycles);
  }
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::vector<std::shared_ptr<const Dut>>> duts;
  std::vector<std::unique_ptr<ShadowRouters>> shadows;
};

TEST(ShadowsBesideOthers, DoNotDiffer) {
  const auto all = mixed_fabrics(kSeeds);
  const Shadowed run(all, {});
  for (std::size_t f = 0; f < all.size(); ++f) {
    SCOPED_TRACE(all[f].name);
    const auto& found = run.shadows[f]->divergence();
    EXPECT_FALSE(found.has_value()) << describe(*found, *run.duts[f][index(found->router)]->pins());
    EXPECT_EQ(run.shadows[f]->count().router_cycles, 3 * kCycles) << "those in hardware, and no others";
    EXPECT_GT(run.shadows[f]->count().moving, 300U);
  }
}

std::vector<LostCredit> faults_in(const std::vector<Mixed>& all) {
  std::vector<LostCredit> faults;
  for (std::size_t f = 0; f < all.size(); ++f) faults.push_back({all[f].hardware[f % 3], 100 + 7 * f});
  return faults;
}

TEST(ShadowsBesideOthers, FindALostCredit) {
  const auto all = mixed_fabrics(kSeeds);
  const auto faults = faults_in(all);
  const Shadowed run(all, faults);
  for (std::size_t f = 0; f < all.size(); ++f) {
    SCOPED_TRACE(all[f].name);
    const auto& found = run.shadows[f]->divergence();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->router, faults[f].router);
    EXPECT_TRUE(found->port.ends_with("_credit_o")) << found->port;
    EXPECT_GE(found->cycle, faults[f].from);
  }
}

TEST(SwappedRoutersBesideOthers, DoNotDifferAndFindALostCredit) {
  const auto all = mixed_fabrics(kSeeds);
  const auto faults = faults_in(all);
  std::vector<std::unique_ptr<SwappedRouters>> twins;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const bool faulty : {false, true})
    for (std::size_t f = 0; f < all.size(); ++f) {
      auto rtl = std::make_shared<RtlNodes>();
      rtl->duts = reference_duts(all[f].plan, all[f].hardware, faulty ? &faults[f] : nullptr);
      twins.push_back(std::make_unique<SwappedRouters>(all[f].plan, rtl->duts));
      rtl->tap = twins.back().get();
      FabricOptions options;
      options.rtl = rtl;
      fabrics.push_back(fabric_of(all[f], f, options));
    }
  fabric_test::run_cycles(*fabrics[0], kCycles);
  for (std::size_t f = 0; f < twins.size(); ++f) {
    SCOPED_TRACE(all[f % all.size()].name);
    const auto& found = twins[f]->divergence();
    if (f < all.size()) {
      EXPECT_FALSE(found.has_value()) << found->port;
      EXPECT_GT(twins[f]->count().moving, 300U);
    } else {
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->router, faults[f - all.size()].router);
    }
  }
}

}  // namespace
}  // namespace noctule::cosim_test
