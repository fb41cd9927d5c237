// Absorb and retransmit (Boppana et al. 1998, 3.1): how long it takes, who goes first, and that it deadlocks
// exactly where the paper says.

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// A row of routers with dual_path, one class, `buffers` retransmission buffers per terminal.
FabricPlan row(unsigned routers, unsigned buffers, unsigned lanes = 1, unsigned channels = 1,
               const Json& set = Json::object()) {
  const Json keys = with({{"retransmission_buffers", buffers}}, set);
  return multicast_plan(mesh({routers}), "dual_path", with(paper_node(lanes, channels, keys), one_class()));
}
/// From generation to the tail d hops away (see multicast_latency_test.cpp).
Cycle alone(Cycle d, Cycle length) {
  return 4 * d + length + 3;
}

TEST(ARetransmittedMessage, TakesEachLegLikeAMessageOfItsOwn) {
  std::vector<Scenario> runs;
  for (const unsigned buffers : {1, 2})
    for (const unsigned lanes : {1, 2})
      for (const unsigned delay : {0, 1})  // of injection
        for (const std::uint32_t length : {1U, 5U, 20U}) {
          runs.emplace_back(std::to_string(delay), row(8, buffers, lanes, 1, {{"injection_delay", delay}}));
          runs.back().source->add(1, {2, 4, 7}, length, 10);
          // Traffic of the terminals that send it on does not share their retransmission buffers.
          runs.back().source->add(2, {0}, 300, 0);
          runs.back().source->add(4, {3}, 300, 0);
        }
  run_cycles(*runs[0].fabric, 1000);
  for (const auto& run : runs) {
    expect_delivered(run);
    const Cycle saved = run.name == "0" ? 1 : 0;
    std::map<std::size_t, Delivery> at_terminal;
    for (const auto& d : run.source->deliveries)
      if (index(d.source) == 1) at_terminal[index(d.destination)] = d;
    const Cycle length = at_terminal[2].length;
    // A message that is absorbed in one cycle enters the injection buffer in that one or the next.
    EXPECT_EQ(at_terminal[2].consumed, 10 + alone(1, length) - saved);
    EXPECT_EQ(at_terminal[4].consumed, at_terminal[2].consumed + alone(2, length));
    EXPECT_EQ(at_terminal[7].consumed, at_terminal[4].consumed + alone(3, length));
    EXPECT_EQ(at_terminal[7].hops, 6U);
    EXPECT_EQ(at_terminal[7].injected, 10U);
    EXPECT_EQ(at_terminal[7].remaining, 0U);
    const auto c = run.fabric->counters();
    EXPECT_EQ(c.flits_copied, 0U);
    EXPECT_EQ(c.flits_injected, 600 + 3 * length);
    EXPECT_EQ(c.flits_delivered, c.flits_injected);
    EXPECT_EQ(c.packets_injected, 3U);
    EXPECT_EQ(c.packets_delivered, 3U);
  }
}

TEST(RetransmissionBuffers, GoToMessagesInTheOrderOfTheirAbsorption) {
  // Four messages are absorbed in terminal 2, which has four consumption channels; the way on is blocked for
  // long by its own message. With n buffers the first n of them wait there, the others in their channels.
  std::vector<Scenario> runs;
  for (const unsigned buffers : {1, 2, 3}) {
    runs.emplace_back(std::to_string(buffers), row(6, buffers, 4, 4));
    auto& source = *runs.back().source;
    for (int n = 0; n < 4; ++n) source.add(2, {3}, 300, 0);  // all VCs of the link onward
    source.add(1, {2, 3}, 10, 40);
    source.add(1, {2, 4}, 10, 60);
    source.add(1, {2, 5}, 10, 80);
    source.add(0, {2, 3}, 10, 120);
  }
  run_cycles(*runs[0].fabric, 300);
  for (const auto& run : runs) {
    const auto& waiting = run.fabric->absorbed(TerminalId{2});
    const std::size_t buffers = run.fabric->plan().common_node().retransmission_buffers;
    ASSERT_EQ(waiting.size(), 4 - buffers);
    const auto number = [&](const Absorbed& a) {
      const auto& packet = run.fabric->packets()[a.packet];
      return packet.source == TerminalId{0} ? 3U : packet.number;
    };
    for (std::size_t n = 0; n < waiting.size(); ++n) EXPECT_EQ(number(waiting[n]), buffers + n);
    EXPECT_FALSE(autopsy(*run.fabric).deadlocked);
    EXPECT_NO_THROW(run.fabric->check_conservation());
  }
  run_cycles(*runs[0].fabric, 2000);
  for (const auto& run : runs) {
    expect_delivered(run);
    std::vector<std::size_t> order;  // in which they come to their last destinations
    for (const auto& d : run.listener->deliveries)
      if (index(d.source) < 2 && d.remaining == 0) order.push_back(index(d.source) == 0 ? 3 : d.number);
    if (run.fabric->plan().common_node().retransmission_buffers == 1) {
      EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
    }
  }
}

TEST(FourMessages, DeadlockInTheStateOfTable1) {
  // a sends m3 to {b, c, d}, then m1 to {b, c}; d sends m4 to {c, b, a}, then m2 to {c, b}.
  struct Variant {
    unsigned buffers;
    bool second;
    bool deadlock;
  };
  std::vector<Variant> variants;
  std::vector<Scenario> runs;
  for (const std::uint32_t length : {20U, 60U})
    for (const unsigned depth : {1, 8})
      for (const Variant& v : {Variant{1, true, true}, {1, false, false}, {2, true, false}}) {
        variants.push_back(v);
        runs.emplace_back(std::to_string(v.buffers), row(4, v.buffers, 1, 1, {{"input_depth", depth}}));
        auto& source = *runs.back().source;
        source.add(0, {1, 2, 3}, length, 0);
        source.add(3, {2, 1, 0}, length, 0);
        if (!v.second) continue;
        source.add(0, {1, 2}, length, 0);
        source.add(3, {2, 1}, length, 0);
      }
  run_cycles(*runs[0].fabric, 3000);
  // By source and number: who holds what, waits for what, and where its header is.
  const StuckWorms table_1{
      {{0, 1}, {{"router_1.consumption"}, {"router_1.retransmission"}, 1}},
      {{0, 0}, {{"router_1.retransmission", "router_1.x_plus.class0"}, {"router_2.consumption"}, 2}},
      {{3, 1}, {{"router_2.consumption"}, {"router_2.retransmission"}, 2}},
      {{3, 0}, {{"router_2.retransmission", "router_2.x_minus.class0"}, {"router_1.consumption"}, 1}}};
  for (std::size_t n = 0; n < runs.size(); ++n) {
    if (!variants[n].deadlock) {
      expect_delivered(runs[n]);
      continue;
    }
    const Autopsy found = autopsy(*runs[n].fabric);
    SCOPED_TRACE(to_text(found));
    ASSERT_TRUE(found.deadlocked);
    EXPECT_EQ(stuck_worms(found), table_1);
    ASSERT_EQ(found.circle.size(), 4U);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto& worm = found.worms[found.circle[c]];
      ASSERT_EQ(worm.waits_for.size(), 1U);
      EXPECT_EQ(worm.waits_for[0].owners, std::vector<std::size_t>{found.circle[(c + 1) % 4]});
      if (worm.number == 1) {
        EXPECT_EQ(worm.buffer, "output consumption");
        EXPECT_EQ(worm.destinations.size(), 1U);
      }
    }
    EXPECT_NO_THROW(runs[n].fabric->check_conservation());
  }
}

TEST(TwoMessages, ThatDeadlockWhenTheyPassAreDeliveredWhenTheyAreAbsorbed) {
  // Figure 4 of the paper with absorption: a to {b, c}, d to {b, c}.
  std::vector<Scenario> runs;
  for (const unsigned buffers : {0, 1, 2}) {
    runs.emplace_back(std::to_string(buffers), row(4, buffers));
    runs.back().source->add(0, {1, 2}, 20, 0);
    runs.back().source->add(3, {1, 2}, 20, 0);
  }
  run_cycles(*runs[0].fabric, 1000);
  EXPECT_TRUE(autopsy(*runs[0].fabric).deadlocked);
  expect_delivered(runs[1]);
  expect_delivered(runs[2]);
}

/// `messages` random multicasts on a row of five, born within a few cycles.
Scenario drawn(unsigned buffers, unsigned messages, std::uint64_t seed) {
  FabricOptions options;
  options.seed = seed;
  Scenario run(std::to_string(seed), row(5, buffers, 2, 1, {{"scan", "random_start"}}), options);
  Rng rng(seed, "messages");
  Cycle birth = 0;
  for (unsigned n = 0; n < messages; ++n) {
    const bool up = rng.below(2) == 0;
    const std::size_t from = rng.below(2);
    Destinations stops;
    for (std::size_t d = from + 1; d < 5; ++d)
      if (rng.below(3) != 0) stops.push_back(up ? d : 4 - d);
    if (stops.empty()) stops.push_back(2);
    run.source->add(up ? from : 4 - from, stops, 40, birth += rng.below(15));
  }
  return run;
}

TEST(DrawnMessages, DeadlockOnlyIfThereAreTwoMoreThanTwiceTheBuffers) {
  // Theorem 2: two nodes must be full, of one message in the consumption channel and one in each buffer.
  std::vector<Scenario> few;
  std::vector<Scenario> many;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    for (const unsigned buffers : {1, 2}) few.push_back(drawn(buffers, 2 * buffers + 1, seed));
    many.push_back(drawn(1, 12, seed));
  }
  run_cycles(*few[0].fabric, 5000);
  for (const auto& run : few) expect_delivered(run);
  std::size_t deadlocks = 0;
  for (const auto& run : many) {
    const Autopsy found = autopsy(*run.fabric);
    EXPECT_NE(found.deadlocked, run.fabric->drained()) << "stuck or through, after all this time";
    deadlocks += found.deadlocked ? 1 : 0;
    if (found.deadlocked) {
      EXPECT_GE(found.worms.size(), 4U) << to_text(found);
    }
    EXPECT_NO_THROW(run.fabric->check_conservation());
  }
  EXPECT_GT(deadlocks, 10U);
  EXPECT_LT(deadlocks, many.size());
}

}  // namespace
}  // namespace noctule::fabric_test
