// Does it survive overload, and does every flit that goes in come out exactly once?

#include <gtest/gtest.h>

#include "core/json.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

struct NamedFabric {
  std::string name;
  std::unique_ptr<Fabric> fabric;
};

/// Every shipped model, shallow and deep, observed by nobody; shapes of all sorts for dimension order.
std::vector<FabricPlan> every_plan(std::vector<std::string>& names) {
  std::vector<FabricPlan> plans;
  const auto add = [&](const Model& model, std::shared_ptr<const Topology> topology, const Json& set) {
    plans.push_back(plan_of(model, topology, set));
    names.push_back(model.algorithm + model.set.dump() + set.dump() + " " +
                    std::to_string(topology->routers()));
  };
  const Json deep{{"input_depth", 5}, {"output_depth", 2}, {"consumption_depth", 3}};
  for (const auto& model : shipped_models())
    for (const Json& set : {Json(Json::object()), deep}) {
      add(model, torus({4, 4}), set);
      add(model, torus({5, 5}), set);
    }
  const auto dateline = shipped_models()[0];
  for (const auto& variant : variants())
    if (variant.credit_delay > 0) {
      add(dateline, torus({4, 5}), variant.set);
      add(shipped_models()[3], torus({5, 5}), variant.set);
    }
  for (const auto& shape :
       {torus({8}), torus({3, 3, 3}), torus({2, 2, 2}), torus({2, 5}), mesh({2, 2, 2, 2}), mesh({6, 3})}) {
    add(dateline, shape, Json::object());
    add(dateline, shape, deep);
  }
  add(dateline, torus({3, 3, 3}), Json{{"lanes", 8}});
  add(dateline, torus({3, 3, 3}), Json{{"lanes", 20}});
  add(dateline, torus({3, 3}), Json{{"lanes", 64}});
  add(dateline, torus({4, 4}), Json{{"lanes", 4}, {"parallel_links", 4}, {"connections_per_cycle", 1}});
  add(dateline, torus({4, 4}),
      Json{{"lanes", 2}, {"parallel_links", 2}, {"link_assignment", "by_class"}, {"release", "tail_left"}});
  return plans;
}

TEST(EveryFlit, IsSomewhereUnderOverload) {
  std::vector<std::string> names;
  std::vector<NamedFabric> runs;
  for (const auto& plan : every_plan(names)) {
    for (const bool discard : {false, true}) {
      LinkedOptions options;
      options.discard = discard;
      options.flit_delay = discard ? 1 : 2;
      runs.push_back({names[runs.size() / 2], make_fabric(plan, options)});
      runs.back().fabric->attach(traffic(plan.topology, "bernoulli", 1000, discard ? 15 : 3));
    }
  }
  std::vector<std::uint64_t> delivered(runs.size());
  for (int block = 0; block < 4; ++block) {
    run_cycles(*runs[0].fabric, 251);
    for (std::size_t n = 0; n < runs.size(); ++n) {
      SCOPED_TRACE(runs[n].name);
      const auto& fabric = *runs[n].fabric;
      ASSERT_NO_THROW(fabric.check_conservation());
      const auto c = fabric.counters();
      EXPECT_EQ(c.packets_generated, c.packets_discarded + c.packets_injected + fabric.queued());
      EXPECT_EQ(fabric.packets().live(), fabric.queued() + c.packets_in_flight());
      EXPECT_GE(c.flits_injected, c.flits_delivered);
      EXPECT_EQ(c.packets_delivered, c.total_latency.count());
      EXPECT_GT(c.packets_delivered, delivered[n]) << "it flows on";
      delivered[n] = c.packets_delivered;
      std::uint64_t by_terminal = 0;
      for (const auto flits : c.terminal_flits) by_terminal += flits;
      EXPECT_EQ(by_terminal, c.flits_delivered);
      EXPECT_EQ(c.packets_discarded > 0, fabric.options().discard);
    }
  }
}

// A worm that is consumed as it arrives gives its slots back when it is sent, but not from behind another
// one.
TEST(ImmediateCredits, NeverLetAFlitIntoAFullBuffer) {
  std::vector<NamedFabric> runs;
  for (const char* release : {"tail_crossed", "next_buffer_empty"})
    for (const unsigned depth : {1U, 2U, 3U, 8U}) {
      LinkedOptions options;
      options.credit_delay = 0;
      const Json set{{"release", release}, {"input_depth", depth}};
      runs.push_back(
          {set.dump(), make_fabric(plan_of({"dimension_order", "fixed_slot"}, torus({5, 5}), set), options)});
      runs.back().fabric->attach(traffic(torus({5, 5}), "bernoulli", 500, 4));
    }
  run_cycles(*runs[0].fabric, 1000);  // throws where worms are interleaved
  for (const auto& run : runs) {
    SCOPED_TRACE(run.name);
    EXPECT_NO_THROW(run.fabric->check_conservation());
    EXPECT_GT(run.fabric->counters().packets_delivered, 100U);
  }
}

TEST(EveryPacket, OfAStaticWorkloadIsDeliveredExactlyOnce) {
  std::vector<std::string> names;
  std::vector<NamedFabric> runs;
  std::vector<std::shared_ptr<ListSource>> sources;
  Rng rng(42);
  for (const auto& plan : every_plan(names)) {
    const std::size_t terminals = plan.topology->terminals();
    sources.push_back(std::make_shared<ListSource>());
    for (std::size_t t = 0; t < terminals; ++t)
      for (Cycle n = 0; n < 12; ++n) {
        const std::size_t destination = rng.below(terminals);  // before the length, on every compiler
        sources.back()->add(t, destination, 1 + static_cast<std::uint32_t>(rng.below(20)), n / 4 * 30);
      }
    runs.push_back({names[runs.size()], make_fabric(plan)});
    runs.back().fabric->attach(sources.back());
  }
  for (int n = 0; n < 20; ++n) run_cycles(*runs[0].fabric, 500);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    SCOPED_TRACE(runs[n].name);
    const auto& fabric = *runs[n].fabric;
    EXPECT_TRUE(fabric.drained());
    EXPECT_NO_THROW(fabric.check_conservation());
    std::map<std::pair<std::size_t, std::uint64_t>, const Delivery*> seen;
    for (const auto& delivery : sources[n]->deliveries)
      ASSERT_TRUE(seen.emplace(std::pair(index(delivery.source), delivery.number), &delivery).second)
          << "delivered twice";
    std::uint64_t flits = 0;
    Cycle last = 0;
    for (const auto& [source, list] : sources[n]->lists())
      for (std::size_t p = 0; p < list.size(); ++p) {
        const auto found = seen.find({source, p});
        ASSERT_NE(found, seen.end()) << "packet " << p << " of " << source << " is missing";
        EXPECT_EQ(found->second->destination, list[p].destination);
        EXPECT_EQ(found->second->length, list[p].length);
        EXPECT_EQ(found->second->birth, list[p].birth);
        EXPECT_LE(found->second->birth, found->second->injected);
        EXPECT_LT(found->second->injected, found->second->consumed);
        flits += list[p].length;
        last = std::max(last, found->second->consumed);
      }
    EXPECT_EQ(seen.size(), fabric.counters().packets_delivered);
    EXPECT_EQ(flits, fabric.counters().flits_delivered);
    EXPECT_EQ(last, fabric.last_delivery());
  }
}

TEST(ASourceThatDiscards, GivesAWormAwayOnlyToAnIdleChannel) {
  LinkedOptions options;
  options.discard = true;
  std::vector<std::unique_ptr<Bench>> all;
  // The first worm of b flits is in the injection channel in cycles 1 .. 2b-1 (its header entered at the end
  // of cycle 0, its tail left in 2b-1): a second one is taken from 2b on, at the start of which it is empty.
  const std::uint32_t b = 7;
  for (Cycle birth = 1; birth <= 2 * b + 1; ++birth) {
    all.push_back(std::make_unique<Bench>(plan_of(shipped_models()[0], mesh({3})), options));
    all.back()->source->add(0, 2, b, 0);
    all.back()->source->add(0, 1, b, birth);
  }
  run_cycles(*all[0]->fabric, 100);
  for (Cycle birth = 1; birth <= 2 * b + 1; ++birth) {
    const auto& bench = *all[birth - 1];
    const bool taken = birth >= 2 * b;
    EXPECT_EQ(bench.source->deliveries.size(), taken ? 2U : 1U) << birth;
    EXPECT_EQ(bench.fabric->counters().packets_discarded, taken ? 0U : 1U) << birth;
    EXPECT_EQ(bench.recorder.of(FlitEvent::kDiscard, 0).size(), taken ? 0U : 1U) << birth;
    if (taken) {
      EXPECT_EQ(bench.source->deliveries[1].injected, birth) << "and enters at once";
      EXPECT_EQ(bench.source->deliveries[1].number, 1U);
    }
  }
}

}  // namespace
}  // namespace noctule::fabric_test
