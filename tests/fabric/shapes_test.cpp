// Visits of plain input-queued routers are compiled apart (Shape). Do they do what those of all others do,
// and is a router plain only where nothing is seldom about it?

#include <gtest/gtest.h>

#include "blocks/router_layout.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

const Model kDimensionOrder{"dimension_order", "input_queued"};

bool plain(const Json& set, const std::shared_ptr<const Topology>& network = mesh({3, 3})) {
  const FabricPlan plan = plan_of(kDimensionOrder, network, set);
  return RouterLayout<1>(plan.routers[4], plan.nodes[RouterId{4}]).plain();
}

TEST(PlainRouters, HaveNothingThatIsSeldom) {
  for (const unsigned depth : {3U, 4U, 5U, 8U}) {
    EXPECT_TRUE(plain({{"input_depth", depth}})) << depth;
    EXPECT_TRUE(plain({{"input_depth", depth}}, torus({3, 3}))) << depth;
  }
  for (const unsigned depth : {1U, 2U, 9U, 16U}) EXPECT_FALSE(plain({{"input_depth", depth}})) << depth;
  for (const auto& [key, value] : {std::pair<const char*, Json>{"injection_refill", "same_cycle"},
                                   {"release", "next_buffer_empty"},
                                   {"vc_busy_when_full", true},
                                   {"early_routing", true},
                                   {"arbiter", "matrix"},
                                   {"vc_allocator", "wavefront"},
                                   {"switch_allocator", "islip"},
                                   {"allocator_iterations", 2},
                                   {"speculative", true},
                                   {"injection_delay", 0}})
    EXPECT_FALSE(plain({{"input_depth", 8}, {key, value}})) << key;
}

/// Fabrics that differ in nothing but that the second one is observed, so that none of its routers is plain.
struct Pair {
  std::string name;
  std::unique_ptr<Fabric> plain;
  std::unique_ptr<Fabric> observed;
  Recorder recorder;
};

TEST(PlainRouters, DoWhatOthersDo) {
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const auto& network : {mesh({3, 3}), torus({4, 3})})
    for (const unsigned depth : {3U, 4U, 5U, 8U})
      for (const unsigned delay : {1U, 2U})
        for (const unsigned load : {30U, 300U}) {
          const auto plan =
              plan_of(kDimensionOrder, network, {{"input_depth", depth}, {"routing_delay", delay}});
          FabricOptions options;
          auto& pair = *pairs.emplace_back(std::make_unique<Pair>());
          pair.name =
              std::to_string(depth) + " flits, " + std::to_string(delay) + ", load " + std::to_string(load);
          pair.plain = make_fabric(plan, options);
          options.observed = true;
          pair.observed = make_fabric(plan, options);
          pair.observed->observe(pair.recorder);
          for (Fabric* fabric : {pair.plain.get(), pair.observed.get()})
            fabric->attach(traffic(network, "bernoulli", load, 5, 7));
        }
  std::size_t in_flight = 0;
  for (int cycle = 0; cycle < 150; ++cycle) {
    run_cycles(*pairs[0]->plain, 1);
    for (const auto& pair : pairs) {
      SCOPED_TRACE(pair->name + ", cycle " + std::to_string(cycle));
      EXPECT_EQ(pair->plain->digest(), pair->observed->digest());
      EXPECT_EQ(pair->plain->moves(), pair->observed->moves());
      EXPECT_EQ(pair->plain->counters().flits_injected, pair->observed->counters().flits_injected);
      if (HasFailure()) return;
      in_flight += pair->plain->counters().flits_in_flight();
    }
  }
  for (const auto& pair : pairs) EXPECT_NO_THROW(pair->plain->check_conservation()) << pair->name;
  EXPECT_GT(in_flight, 1000 * pairs.size()) << "else it says nothing";
}

}  // namespace
}  // namespace noctule::fabric_test
