// Is a latency the sum of its parts? A lone packet takes exactly what the closed form says, for every way in
// which the blocks of a router work together; in traffic, the waits make up the rest.

#include <gtest/gtest.h>

#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

struct LatencyRun {
  std::string name;
  std::unique_ptr<Fabric> fabric;
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
};

void add_lone_packets(LatencyRun& run, Cycle& birth) {
  const std::size_t n = run.fabric->plan().topology->terminals();
  for (const std::size_t s : {std::size_t{0}, n / 2 + 1})
    for (std::size_t d = 0; d < n; ++d)
      for (const std::uint32_t length : {1U, 2U, 5U, 17U}) run.source->add(s, d, length, birth += 301);
  run.fabric->attach(run.source);
}

TEST(ALonePacket, TakesWhatTheClosedFormSays) {
  std::vector<LatencyRun> runs;
  Cycle end = 0;
  for (const Model& model : {shipped_models()[0], Model{"negative_hop", "generic"}})
    for (const auto& variant : variants())
      for (const Cycle extra : {0, 2}) {
        // A header that may go several ways may ask the switch for another one than its VC is on.
        if (model.algorithm == "negative_hop" && variant.set.contains("speculative")) continue;
        LinkedOptions options;
        options.flit_delay = 1 + extra;
        options.credit_delay = variant.credit_delay + (variant.credit_delay == 0 ? 0 : extra);
        LatencyRun run;
        run.name = model.algorithm + " " + variant.name + " +" + std::to_string(extra);
        run.fabric = make_fabric(plan_of(model, torus({4, 4}), variant.set), options);
        Cycle birth = 3;
        add_lone_packets(run, birth);
        end = std::max(end, birth + 400);
        runs.push_back(std::move(run));
      }
  run_cycles(*runs[0].fabric, end);
  for (const LatencyRun& run : runs) {
    SCOPED_TRACE(run.name);
    const auto& plan = run.fabric->plan();
    ASSERT_EQ(run.source->deliveries.size(), 2U * 16U * 4U);
    for (const auto& d : run.source->deliveries) {
      const RouterId from = plan.topology->injection_router(d.source);
      const RouterId to = plan.topology->consumption_router(d.destination);
      const unsigned hops = from == to ? 0 : plan.relation->hops(from, to);
      ASSERT_EQ(d.consumed - d.birth, run.fabric->zero_load().latency(hops, d.length))
          << d.length << " flits over " << hops << " hops; " << run.fabric->zero_load().formula();
    }
    const auto counters = run.fabric->counters();
    EXPECT_EQ(counters.header_wait, 0U);
    EXPECT_EQ(counters.zero_load, counters.total_latency.sum());
  }
}

TEST(TheCreditRoundTrip, IsTheDepthFromWhichOneWormHasTheWholeLink) {
  // The round trip of the textbook router: switch allocation, traversal, link, credit. Tight on both sides.
  struct Case {
    Cycle link, credit;
    unsigned depth;
    LatencyRun run;
  };
  std::vector<Case> cases;
  constexpr std::uint32_t kLength = 97;
  for (const Cycle link : {1, 3})
    for (const Cycle credit : {1, 2, 5})
      for (const int off : {-1, 0, 1}) {
        const auto depth = static_cast<unsigned>(static_cast<Cycle>(2 + off) + link + credit);
        LinkedOptions options;
        options.flit_delay = link;
        options.credit_delay = credit;
        Case c{link, credit, depth, {}};
        c.run.fabric = make_fabric(
            plan_of({"dimension_order", "input_queued"}, mesh({4}), {{"input_depth", depth}}), options);
        c.run.source->add(0, 3, kLength, 5);
        c.run.fabric->attach(c.run.source);
        cases.push_back(std::move(c));
      }
  run_cycles(*cases[0].run.fabric, 2000);
  for (const Case& c : cases) {
    SCOPED_TRACE("link " + std::to_string(c.link) + ", credit " + std::to_string(c.credit) + ", depth " +
                 std::to_string(c.depth));
    const Cycle trip = 2 + c.link + c.credit;
    EXPECT_EQ(c.run.fabric->zero_load().credit_round_trip(LinkId{0}), trip);
    ASSERT_EQ(c.run.source->deliveries.size(), 1U);
    const auto& d = c.run.source->deliveries[0];
    const Cycle body = d.consumed - d.birth - c.run.fabric->zero_load().latency(3, 1);
    if (c.depth >= trip)
      EXPECT_EQ(body, kLength - 1) << "a flit in every cycle";
    else
      EXPECT_EQ(body, (kLength - 1) / c.depth * trip + (kLength - 1) % c.depth)
          << "one cycle lost in each trip";
  }
}

TEST(WithFixedSlots, LatencyIsWaitPlusTheTimeOfALoneWorm) {
  // Boppana and Chalasani 1993, section 3: w + (b + d - 1) V. A worm advances as a train: nothing else adds.
  LatencyRun run;
  const auto topology = torus({6, 6});
  LinkedOptions options;
  options.credit_delay = 0;
  run.fabric = make_fabric(plan_of({"dimension_order", "fixed_slot"}, topology), options);
  run.fabric->attach(traffic(topology, "bernoulli", 320, 4, 3));
  run_cycles(*run.fabric, 6000);
  const auto c = run.fabric->counters();
  ASSERT_GT(c.packets_delivered, 10000U);
  constexpr std::uint64_t kV = 2;
  constexpr std::uint64_t kB = 4;
  EXPECT_EQ(c.zero_load, (c.hops + (kB - 1) * c.packets_delivered) * kV);
  const std::uint64_t source_queue = c.total_latency.sum() - c.network_latency.sum();
  EXPECT_GT(c.header_wait, c.packets_delivered) << "they do wait";
  EXPECT_EQ(c.total_latency.sum(), source_queue + c.header_wait + c.zero_load);
}

}  // namespace
}  // namespace noctule::fabric_test
