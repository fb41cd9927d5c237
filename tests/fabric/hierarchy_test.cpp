// Does a fabric do the same whether the blocks of its routers are objects of SystemC or not? What is in the
// hierarchy, and who decides it.

#include <gtest/gtest.h>

#include <set>

#include "fabric_support.h"
#include "multicast_support.h"
#include "uneven_support.h"

namespace noctule::fabric_test {
namespace {

bool exists(const Fabric& fabric, const std::string& name) {
  return sc_core::sc_find_object((std::string(fabric.name()) + "." + name).c_str()) != nullptr;
}

/// The same fabric with all blocks, with none, and with those of every third router.
class InEveryHierarchy {
 public:
  void add(const std::string& name, const FabricPlan& plan,
           const std::function<std::shared_ptr<TrafficSource>()>& source, LinkedOptions options = {}) {
    auto& group = groups_.emplace_back(name, std::vector<std::unique_ptr<Fabric>>{}).second;
    for (const Hierarchy hierarchy : {Hierarchy::kBlocks, Hierarchy::kRouters, Hierarchy::kRouters}) {
      options.hierarchy = hierarchy;
      options.with_blocks.clear();
      if (group.size() == 2)
        for (std::uint32_t r = 0; r < plan.routers.size(); r += 3) options.with_blocks.push_back(RouterId{r});
      group.push_back(make_fabric(plan, options));
      group.back()->attach(source());
    }
  }
  void run_and_compare(Cycle cycles) {
    run_cycles(*groups_[0].second[0], cycles);
    std::set<std::uint64_t> different;
    for (const auto& [name, group] : groups_) {
      SCOPED_TRACE(name);
      const auto first = group[0]->counters();
      EXPECT_GT(first.packets_delivered, 40U);
      different.insert(group[0]->digest());
      for (std::size_t n = 1; n < group.size(); ++n) {
        SCOPED_TRACE(n);
        const auto other = group[n]->counters();
        EXPECT_EQ(group[n]->digest(), group[0]->digest());
        EXPECT_EQ(other.link_flits, first.link_flits);
        EXPECT_EQ(other.terminal_flits, first.terminal_flits);
        EXPECT_EQ(other.header_wait, first.header_wait);
        EXPECT_EQ(other.connections_held, first.connections_held);
        EXPECT_EQ(other.evaluations, first.evaluations);
        EXPECT_EQ(other.total_latency.sum(), first.total_latency.sum());
        EXPECT_EQ(group[n]->state_bytes(), group[0]->state_bytes());
        EXPECT_NO_THROW(group[n]->check_conservation());
      }
    }
    EXPECT_EQ(different.size(), groups_.size()) << "a digest that is the same for all says nothing";
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::unique_ptr<Fabric>>>> groups_;
};

TEST(TheHierarchy, ChangesNoResultOfAnyNodeModel) {
  InEveryHierarchy fabrics;
  const auto topology = torus({4, 4});
  const auto source = [&] { return traffic(topology, "bernoulli", 300, 6, 9); };
  for (const auto& model : shipped_models())
    fabrics.add(model.algorithm + model.set.dump(), plan_of(model, topology), source);
  // Deep buffers, pipelines, fixed slots, immediate credits, allocators.
  for (const auto& variant : variants()) {
    if (variant.name == "unit") continue;
    LinkedOptions options;
    options.credit_delay = variant.credit_delay;
    fabrics.add(variant.name, plan_of(shipped_models()[1], topology, variant.set), source, options);
  }
  fabrics.run_and_compare(500);
}

TEST(TheHierarchy, ChangesNoResultOfRoutersThatDiffer) {
  InEveryHierarchy fabrics;
  const auto topology = mesh({5, 4});
  NodeDescriptions nodes = node_of("input_queued");
  for (std::uint32_t r = 1; r < 20; r += 2) {
    const Json set = r % 4 == 1 ? Json{{"lanes", 2}, {"input_depth", 4}, {"output_depth", 2}}
                                : Json{{"lanes", 3}, {"output_depth", 0}, {"input_depth", 2}};
    nodes.set(RouterId{r}, node_of("generic", set), 20, "nodes");
  }
  for (const bool links : {false, true})
    fabrics.add(links ? "links" : "routers",
                plan_fabric({topology, relation_on(topology, "dimension_order"), nodes,
                             links ? drawn_links(*topology, {{1, 1, 1}, {3, 2, 1}, {1, 1, 3}}, 3)
                                   : LinkDescriptions{}}),
                [&] { return traffic(topology, "bernoulli", 200, 5, 9); });
  fabrics.run_and_compare(800);
}

TEST(TheHierarchy, ChangesNoResultOfMulticasts) {
  InEveryHierarchy fabrics;
  const auto topology = mesh({5, 4});
  for (const std::string planner : {"dual_path", "column_path"})
    for (const unsigned buffers : {0U, 2U})
      fabrics.add(planner + std::to_string(buffers),
                  multicast_plan(topology, planner, paper_node(2, 4, {{"retransmission_buffers", buffers}})),
                  [&] {
                    return mixed_traffic(topology, {60, 9, 0.6, 2, 12, 7, 30, 5});
                  });
  fabrics.run_and_compare(1500);
}

TEST(TheHierarchy, HoldsTheBlocksThatAreAskedFor) {
  const auto plan = plan_of(shipped_models()[4], torus({3, 3}));  // 4-Classes: 8 crossbars, output buffers
  const std::vector<std::string> blocks{"input_buffers",  "input_buffers.credit_o_3",
                                        "vc_allocator_7", "crossbar_0",
                                        "output_buffers", "injection",
                                        "consumption",    "link_3"};
  LinkedOptions options;
  const auto with = make_fabric(plan, options);
  options.hierarchy = Hierarchy::kRouters;
  const auto without = make_fabric(plan, options);
  options.with_blocks = {RouterId{4}, RouterId{4}, RouterId{0}};
  const auto some = make_fabric(plan, options);
  const auto direct = make_fabric(
      plan_fabric({plan.topology, relation_on(plan.topology, "dimension_order"), node_of("input_queued")}));
  run_cycles(*with, 1);
  for (std::uint32_t r = 0; r < 9; ++r) {
    const std::string router = plan.topology->router_name(RouterId{r});
    for (const auto* fabric : {&with, &without, &some}) EXPECT_TRUE(exists(**fabric, router)) << router;
    for (const auto& block : blocks) {
      SCOPED_TRACE(router + "." + block);
      EXPECT_TRUE(exists(*with, router + "." + block));
      EXPECT_FALSE(exists(*without, router + "." + block));
      EXPECT_EQ(exists(*some, router + "." + block), r == 4 || r == 0);
    }
    const auto* object = sc_core::sc_find_object((std::string(without->name()) + "." + router).c_str());
    EXPECT_TRUE(object->get_child_objects().empty()) << "nothing but the router";
  }
  EXPECT_TRUE(exists(*direct, "router_0_0.switch_allocator"));
  EXPECT_TRUE(exists(*direct, "router_0_0.output_credits"));
  EXPECT_TRUE(exists(*direct, "router_0_0.vc_allocator"));
}

TEST(TheHierarchy, FollowsTheNumberOfRoutersWhereNobodySaysIt) {
  EXPECT_EQ(hierarchy_of({}, 4096), Hierarchy::kBlocks);
  EXPECT_EQ(hierarchy_of({}, 4097), Hierarchy::kRouters);
  EXPECT_EQ(hierarchy_of(Hierarchy::kBlocks, 1U << 20), Hierarchy::kBlocks);
  EXPECT_EQ(hierarchy_of(Hierarchy::kRouters, 1), Hierarchy::kRouters);
  const auto large = make_fabric(plan_of(shipped_models()[0], mesh({4097})));
  EXPECT_TRUE(exists(*large, "router_4096"));
  EXPECT_FALSE(exists(*large, "router_4096.crossbar"));
}

TEST(TheHierarchy, RefusesBlocksOfRoutersThatDoNotExist) {
  LinkedOptions options;
  options.with_blocks = {RouterId{9}};
  try {
    (void)make_fabric(plan_of(shipped_models()[0], torus({3, 3})), options);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().at(0).key, "with_blocks");
    EXPECT_NE(std::string(error.what()).find("routers 0 to 8"), std::string::npos) << error.what();
  }
}

TEST(StateBytes, AreKnownBeforeAnythingIsBuilt) {
  const auto topology = torus({4, 4});
  for (const auto& variant : variants()) {
    LinkedOptions options;
    options.credit_delay = variant.credit_delay;
    const auto fabric = make_fabric(plan_of(shipped_models()[1], topology, variant.set), options);
    EXPECT_EQ(state_bytes(fabric->plan()), fabric->state_bytes()) << variant.name;
    EXPECT_GE(fabric->state_bytes(), 16 * sizeof(RouterState<RouterConfig<1, Build::kUnit, false>>));
  }
}

}  // namespace
}  // namespace noctule::fabric_test
