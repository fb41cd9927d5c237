// Individual copies run on every router: do they do what the same messages would do, sent one by one?

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// A plan with planner individual, and the same without a planner.
struct Pair {
  std::string name;
  FabricPlan plain;
  bool same_cycles = true;  ///< not where the header starts with a drawn state, or routers draw
  Cycle credit_delay = 1;

  [[nodiscard]] FabricPlan planned() const {
    return plan_fabric({plain.topology,
                        plain.relation,
                        plain.nodes,
                        {},
                        multicast_test::make_planner(plain.topology, "individual")});
  }
};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const auto& model : shipped_models())
    all.push_back({model.algorithm + model.set.dump(), plan_of(model, torus({5, 5})), false});
  for (const auto& variant : variants()) {
    Json set = variant.set;
    if (!set.contains("vc_allocator")) set["selection"] = "first";
    all.push_back(
        {variant.name, plan_of(shipped_models()[0], mesh({4, 4}), set), true, variant.credit_delay});
  }
  for (const unsigned lanes : {1, 2, 4})
    all.push_back(
        {"paper " + std::to_string(lanes),
         plan_of(shipped_models()[0], mesh({4, 4}), paper_node(lanes, 1, {{"selection", "first"}}))});
  all.push_back({"input_queued", plan_of({"dimension_order", "input_queued"}, mesh({4, 4}))});
  all.push_back({"fixed_slot", plan_of({"negative_hop", "fixed_slot"}, mesh({4, 4})), true, 0});
  return all;
}

using Arrivals = std::multiset<std::tuple<std::size_t, std::size_t, Cycle, Cycle>>;

/// Source, destination, birth and, if it is asked for, cycle of consumption.
Arrivals arrivals(const Scenario& run, bool cycles) {
  Arrivals all;
  for (const auto& d : run.listener->deliveries)
    all.emplace(index(d.source), index(d.destination), d.birth, cycles ? d.consumed : 0);
  return all;
}

void add_messages(MessageList& several, MessageList& one_by_one, std::size_t terminals) {
  Rng rng(5, "messages");
  for (std::size_t t = 0; t < terminals; ++t)
    for (Cycle n = 0; n < 6; ++n) {
      const Destinations to = drawn_destinations(rng, terminals, t);
      const auto length = 1 + static_cast<std::uint32_t>(rng.below(12));
      const Cycle birth = 60 * n + rng.below(50);
      several.add(t, to, length, birth);
      for (const auto d : to) one_by_one.add(t, {d}, length, birth);
    }
}

TEST(IndividualCopies, AreDeliveredLikeMessagesWithOneDestination) {
  std::vector<Scenario> planned;
  std::vector<Scenario> plain;
  const auto all = pairs();
  for (const Pair& pair : all) {
    LinkedOptions options;
    options.credit_delay = pair.credit_delay;
    planned.emplace_back(pair.name, pair.planned(), options);
    plain.emplace_back(pair.name, pair.plain, options);
    add_messages(*planned.back().source, *plain.back().source, pair.plain.topology->terminals());
  }
  for (int n = 0; n < 5; ++n) {
    run_cycles(*plain[0].fabric, n < 4 ? 101 : 20000);
    for (const auto& run : planned) {
      SCOPED_TRACE(run.name);
      EXPECT_NO_THROW(run.fabric->check_conservation());
      const auto c = run.fabric->counters();
      EXPECT_LE(c.packets_delivered, c.packets_injected);
      EXPECT_EQ(c.packets_generated, c.packets_injected + run.fabric->queued());
    }
  }
  for (std::size_t n = 0; n < all.size(); ++n) {
    SCOPED_TRACE(all[n].name);
    expect_delivered(planned[n]);
    expect_delivered(plain[n]);
    EXPECT_EQ(arrivals(planned[n], all[n].same_cycles), arrivals(plain[n], all[n].same_cycles));
    const auto c = planned[n].fabric->counters();
    const auto one = plain[n].fabric->counters();
    EXPECT_EQ(c.packets_delivered, c.packets_generated);
    EXPECT_EQ(c.total_latency.count(), c.packets_generated);
    EXPECT_EQ(c.copies, one.packets_delivered);
    EXPECT_EQ(c.destinations, one.packets_delivered);
    EXPECT_EQ(c.message_flits, one.message_flits);
    EXPECT_EQ(c.hops, one.hops);
    EXPECT_EQ(planned[n].fabric->worms().live(), 0U);
  }
}

}  // namespace
}  // namespace noctule::fabric_test
