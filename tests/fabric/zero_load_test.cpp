// Does the shape match theory? A lone worm takes exactly the cycles that the rules of the cycle imply.

#include <gtest/gtest.h>

#include "core/json.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

/// What the rules imply for a worm of b flits over d hops, from the cycle in which its header enters the
/// injection buffer to the one in which its tail is consumed.
///
/// The header enters in t, is given its output and crosses in t+1, leaves in t+2, may cross again when it has
/// arrived, flit_delay later: 1 + flit_delay per hop; at the destination it crosses and is consumed one cycle
/// later. A buffer of one flit passes one flit every two cycles; a VC with one place behind sends every
/// flit_delay + credit_delay cycles. With two places or more at every stage (four behind a link) a flit
/// follows in every cycle.
Cycle lone_latency(const NodeDescription& node, const LinkDescription& link, Cycle d, Cycle b) {
  const bool deep = node.input_depth > 1 && node.consumption_depth > 1 && (d == 0 || node.output_depth > 1);
  Cycle interval = deep ? 1 : 2;
  if (d > 0 && node.input_depth == 1)
    interval = std::max<Cycle>(interval, link.flit_delay + link.credit_delay);
  return 2 + d * (1 + link.flit_delay) + interval * (b - 1);
}

/// Lone worms from some sources to every destination, one after the other.
struct LoneWorms {
  LoneWorms(FabricPlan plan, const LinkedOptions& options, const std::vector<std::size_t>& from,
            const std::vector<std::uint32_t>& lengths)
      : fabric(make_fabric(std::move(plan), options)) {
    const auto& topology = *fabric->plan().topology;
    const Cycle apart = 400;
    Cycle birth = 7;
    for (const std::size_t s : from)
      for (std::size_t d = 0; d < topology.terminals(); ++d)
        for (const auto length : lengths) {
          source->add(s, d, length, birth);
          birth += apart + length % 2;  // also at odd cycles
        }
    end = birth;
    fabric->attach(source);
  }
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  std::unique_ptr<Fabric> fabric;
  Cycle end = 0;
  std::string name;

  void check() const {
    SCOPED_TRACE(name);
    std::size_t expected = 0;
    for (const auto& [terminal, list] : source->lists()) expected += list.size();
    ASSERT_EQ(source->deliveries.size(), expected);
    const auto& plan = fabric->plan();
    for (const auto& delivery : source->deliveries) {
      const auto& topology = *plan.topology;
      const RouterId from = topology.injection_router(delivery.source);
      const RouterId to = topology.consumption_router(delivery.destination);
      const unsigned d = from == to ? 0 : plan.relation->hops(from, to);
      ASSERT_EQ(delivery.hops, d);
      ASSERT_EQ(delivery.injected, delivery.birth) << "an idle channel takes the header at once";
      ASSERT_EQ(delivery.consumed - delivery.injected,
                lone_latency(plan.common_node(), plan.links.kinds().front(), d, delivery.length))
          << "terminal " << index(delivery.source) << " to " << index(delivery.destination) << ", "
          << delivery.length << " flits, " << d << " hops";
    }
    EXPECT_NO_THROW(fabric->check_conservation());
    EXPECT_TRUE(fabric->drained());
  }
};

void run_and_check(const std::vector<std::unique_ptr<LoneWorms>>& all) {
  Cycle end = 0;
  for (const auto& worms : all) end = std::max(end, worms->end);
  run_cycles(*all[0]->fabric, end);
  for (const auto& worms : all) worms->check();
}

const std::vector<std::uint32_t> kLengths{1, 2, 5, 15, 31};

TEST(ALoneWormTakes, TwiceHopsPlusLengthOnEveryShippedModel) {
  std::vector<std::unique_ptr<LoneWorms>> all;
  const auto add = [&](const Model& model, std::shared_ptr<const Topology> topology,
                       std::vector<std::size_t> from) {
    all.push_back(std::make_unique<LoneWorms>(plan_of(model, topology), LinkedOptions{}, from, kLengths));
    all.back()->name = model.algorithm + model.set.dump() + " on " + std::to_string(topology->routers());
    // The formula itself, as stated by Gravano et al. 1994, V.B: 2 (d + b).
    EXPECT_EQ(lone_latency(all.back()->fabric->plan().common_node(), LinkDescription{}, 3, 15),
              2U * (3 + 15));
  };
  for (const auto& model : shipped_models()) {
    add(model, torus({4, 4}), {0, 5, 11, 15});
    add(model, torus({5, 5}), {0, 7, 24});
  }
  add(shipped_models()[0], mesh({4, 4}), {0, 5, 15});
  add(shipped_models()[0], mesh({5, 5}), {2, 24});
  for (const std::size_t m : {0, 1, 3}) add(shipped_models()[m], torus({3, 3, 3}), {0, 13, 26});
  add(shipped_models()[0], mesh({3, 3, 3}), {13, 26});
  run_and_check(all);
}

TEST(ALoneWormTakes, AFlitPerCycleThroughDeepBuffers) {
  std::vector<std::unique_ptr<LoneWorms>> all;
  for (const auto& model : shipped_models())
    for (const unsigned depth : {2, 4}) {
      const Json set{{"input_depth", depth}, {"output_depth", 2}, {"consumption_depth", 2}};
      all.push_back(std::make_unique<LoneWorms>(plan_of(model, torus({4, 4}), set), LinkedOptions{},
                                                std::vector<std::size_t>{0, 6}, kLengths));
      all.back()->name = model.algorithm + set.dump();
      EXPECT_EQ(lone_latency(all.back()->fabric->plan().common_node(), LinkDescription{}, 3, 15),
                2U * 3 + 15 + 1);
    }
  // One shallow stage is enough to halve the rate.
  for (const char* shallow : {"output_depth", "consumption_depth"}) {
    Json set{{"input_depth", 4}, {"output_depth", 2}, {"consumption_depth", 2}};
    set[shallow] = 1;
    all.push_back(std::make_unique<LoneWorms>(plan_of(shipped_models()[0], mesh({4, 4}), set),
                                              LinkedOptions{}, std::vector<std::size_t>{0}, kLengths));
    all.back()->name = set.dump();
  }
  run_and_check(all);
}

TEST(ALoneWormTakes, LongerOverSlowLinks) {
  std::vector<std::unique_ptr<LoneWorms>> all;
  for (const Cycle flit : {1, 2, 3, 6})
    for (const Cycle credit : {1, 2, 5}) {
      LinkedOptions options;
      options.flit_delay = flit;
      options.credit_delay = credit;
      all.push_back(std::make_unique<LoneWorms>(plan_of(shipped_models()[1], torus({4, 4})), options,
                                                std::vector<std::size_t>{0, 9}, kLengths));
      all.back()->name = "delays " + std::to_string(flit) + " and " + std::to_string(credit);
      if (flit + credit > 12) continue;
      // 12 places behind the link cover the longest round trip here: a flit in every cycle.
      const Json set{{"input_depth", 12}, {"output_depth", 2}, {"consumption_depth", 2}};
      all.push_back(std::make_unique<LoneWorms>(plan_of(shipped_models()[1], torus({4, 4}), set), options,
                                                std::vector<std::size_t>{0, 9}, kLengths));
      all.back()->name = "deep, delays " + std::to_string(flit) + " and " + std::to_string(credit);
    }
  run_and_check(all);
}

TEST(ALoneWormTakes, TheSameInRoutersOfAnySize) {
  // More than 64, 128 and 256 inputs: masks of two, four and sixteen words.
  std::vector<std::unique_ptr<LoneWorms>> all;
  const auto add = [&](std::shared_ptr<const Topology> topology, unsigned lanes, std::size_t most) {
    all.push_back(std::make_unique<LoneWorms>(
        plan_of(shipped_models()[0], topology, Json{{"lanes", lanes}}), LinkedOptions{},
        std::vector<std::size_t>{0, topology->terminals() - 1}, std::vector<std::uint32_t>{1, 5}));
    all.back()->name = std::to_string(lanes) + " lanes";
    std::size_t places = 0;
    for (const auto& router : all.back()->fabric->plan().routers)
      places = std::max(places, router->inputs.size());
    EXPECT_LE(places, most);
    EXPECT_GT(places, most == 1024 ? 256U : most == 64 ? 0U : most / 2) << "fewer words would do";
  };
  add(torus({3, 3}), 12, 64);
  add(torus({3, 3, 3}), 16, 128);
  add(torus({3, 3, 3}), 30, 256);
  add(torus({3, 3, 3}), 60, 1024);
  run_and_check(all);
}

TEST(ALoneWormTakes, TheSameOnRingsHypercubesAndRadixTwo) {
  std::vector<std::unique_ptr<LoneWorms>> all;
  const auto dateline = shipped_models()[0];
  const std::vector<std::shared_ptr<const CubeNetwork>> shapes{
      torus({8}),
      mesh({2, 2, 2, 2}),
      torus({2, 2, 2}),
      torus({2, 5}),
      torus({4, 3, 2}),
      std::make_shared<const CubeNetwork>(std::vector<unsigned>{4, 3}, std::vector<bool>{true, false})};
  for (const auto& shape : shapes) {
    all.push_back(std::make_unique<LoneWorms>(plan_of(dateline, shape), LinkedOptions{},
                                              std::vector<std::size_t>{0, shape->terminals() / 2}, kLengths));
    all.back()->name = "shape with " + std::to_string(shape->terminals());
  }
  run_and_check(all);
}

TEST(ALoneWorm, EntersInTwiceItsLengthAndKeepsALinkOneCycleLess) {
  // Gravano et al. 1994, V.B: injection takes 2b cycles, a link is busy for 2b - 1.
  Bench bench(plan_of(shipped_models()[0], mesh({4})));
  const std::uint32_t b = 9;
  bench.source->add(0, 3, b, 10);
  bench.source->add(0, 3, b, 10);
  run_cycles(*bench.fabric, 200);
  const auto injected = bench.recorder.of(FlitEvent::kInject, 0, 0);
  ASSERT_EQ(injected.size(), 2U * b);
  EXPECT_EQ(injected[0].t, 10U);
  EXPECT_EQ(injected[b].t - injected[0].t, 2U * b) << "the next header enters 2b cycles later";
  for (const std::size_t router : {0, 1, 2}) {
    const auto sent = bench.recorder.of(FlitEvent::kLink, router);
    ASSERT_EQ(sent.size(), 2U * b);
    EXPECT_EQ(sent[b - 1].t - sent[0].t + 1, 2U * b - 1);
    EXPECT_EQ(sent[0].t, 12U + 2 * router);
  }
}

}  // namespace
}  // namespace noctule::fabric_test
