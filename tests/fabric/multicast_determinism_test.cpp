// Are multicasts deterministic? The same deliveries whatever the order of evaluation and construction, on the
// fabric's own time or a clock, from a source inside or from calls; and nothing is left of them after a
// reset.

#include <gtest/gtest.h>

#include <functional>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

const std::vector<std::string> kPlanners{"individual", "dual_path", "multipath", "column_path", "e_mcast"};

TEST(TheDigestOfMulticasts, DoesNotDependOnTheOrderOfEvaluationOrConstruction) {
  const std::vector<Json> nodes{
      paper_node(1, 4), paper_node(2, 4, {{"scan", "random_start"}, {"consumption_wait", "committed"}}),
      paper_node(4, 6, {{"scan", "round_robin"}, {"selection", "least_busy"}}),
      paper_node(2, 4, {{"scan", "rotating"}, {"acquisition", "output_first"}, {"input_depth", 1}}),
      paper_node(2, 4, {{"retransmission_buffers", 2}, {"release", "next_buffer_empty"}})};
  std::vector<std::vector<std::unique_ptr<Fabric>>> groups;
  std::vector<std::unique_ptr<Recorder>> recorders;
  const auto topology = mesh({5, 4});
  for (std::size_t p = 0; p < kPlanners.size(); ++p)
    for (std::size_t n = 0; n < 2 * nodes.size(); ++n) {
      if ((p + n) % 2 != 0) continue;
      groups.emplace_back();
      const Json& node = nodes[n / 2];
      const auto plan = n % 4 < 2
                            ? multicast_plan(topology, kPlanners[p], node, p % 2 == 0)
                            : multicast_plan(topology, kPlanners[p],
                                             drawn_nodes(*topology, node, unlike_keys(), n + p), p % 2 == 0);
      for (const std::uint64_t seed : {0, 1, 2, 3}) {
        FabricOptions options;
        options.order_seed = seed;
        options.construction_seed = seed == 0 ? 0 : seed + 10;
        options.observed = seed == 3;
        groups.back().push_back(make_fabric(plan, options));
        Mixture mixture{60, 9, 0.6, 2, 12, 7, 30, 5};
        groups.back().back()->attach(mixed_traffic(topology, mixture));
        if (!options.observed) continue;
        recorders.push_back(std::make_unique<Recorder>());
        groups.back().back()->observe(*recorders.back());
      }
    }
  run_cycles(*groups[0][0], 1500);
  std::set<std::uint64_t> different;
  for (const auto& group : groups) {
    const auto first = group[0]->counters();
    EXPECT_GT(first.packets_delivered, 40U);
    different.insert(group[0]->digest());
    for (const auto& fabric : group) {
      const auto c = fabric->counters();
      EXPECT_EQ(fabric->digest(), group[0]->digest());
      EXPECT_EQ(c.link_flits, first.link_flits);
      EXPECT_EQ(c.flits_copied, first.flits_copied);
      EXPECT_EQ(c.header_wait, first.header_wait);
      EXPECT_EQ(c.connections_held, first.connections_held);
      EXPECT_EQ(c.total_latency.sum(), first.total_latency.sum());
    }
  }
  EXPECT_EQ(different.size(), groups.size()) << "a digest that is the same for all says nothing";
}

TEST(DrawnMulticasts, AreTheSameForEveryPlanner) {
  using Messages =
      std::map<std::tuple<std::size_t, std::uint64_t, Cycle, std::uint32_t>, std::set<std::size_t>>;
  const auto topology = mesh({4, 4});
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::unique_ptr<Listener>> listeners;
  for (const auto& name : kPlanners) {
    fabrics.push_back(make_fabric(multicast_plan(topology, name, paper_node(2, 4))));
    fabrics.back()->attach(mixed_traffic(topology, {20, 7, 0.5, 2, 15}));
    listeners.push_back(std::make_unique<Listener>(unique("listener").c_str()));
    fabrics.back()->consumption.bind(*listeners.back());
  }
  run_cycles(*fabrics[0], 4000);
  std::vector<Messages> all(kPlanners.size());
  for (std::size_t n = 0; n < all.size(); ++n)
    for (const auto& d : listeners[n]->deliveries)
      if (d.birth < 3000) all[n][{index(d.source), d.number, d.birth, d.length}].insert(index(d.destination));
  EXPECT_GT(all[0].size(), 50U);
  for (const auto& messages : all) EXPECT_EQ(messages, all[0]);
}

TEST(TheDigestOfMulticasts, IsTheSameOnAClock) {
  // Long preparations: in between the fabric sleeps, where it keeps its own time.
  sc_core::sc_clock clk("clk", sc_core::sc_time(1, sc_core::SC_NS), 0.5, sc_core::SC_ZERO_TIME, true);
  const auto topology = mesh({4, 4});
  std::vector<std::unique_ptr<Fabric>> all;
  for (const bool clocked : {false, true})
    for (const unsigned buffers : {0, 2}) {
      all.push_back(make_fabric(
          multicast_plan(topology, "dual_path", paper_node(2, 2, {{"retransmission_buffers", buffers}}))));
      Mixture mixture{4, 20, 0.5, 2, 15, 3, 500, 100};
      all.back()->attach(mixed_traffic(topology, mixture));
      if (clocked) all.back()->clk_i.bind(clk);
    }
  run_cycles(*all[0], 6000);
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_GT(all[n]->counters().packets_delivered, 10U);
    EXPECT_EQ(all[n]->digest(), all[n + 2]->digest());
    EXPECT_EQ(all[n]->counters().occupancy_samples, all[n + 2]->counters().occupancy_samples);
  }
  EXPECT_NE(all[0]->digest(), all[1]->digest());
}

/// Hands a list of messages over, each in the cycle before its birth.
class Caller final : public sc_core::sc_module {
 public:
  sc_core::sc_port<injection_if> network{"network"};
  SC_HAS_PROCESS(Caller);
  Caller(sc_core::sc_module_name name, const MessageList& list) : sc_module(name) {
    for (const auto& [source, packets] : list.lists())
      for (const auto& packet : packets) all_.emplace(packet.birth, std::pair(TerminalId(source), packet));
    SC_THREAD(run);
  }

 private:
  void run() {
    for (auto& [birth, call] : all_) {
      const sc_core::sc_time at(static_cast<double>(birth) - 0.5, sc_core::SC_NS);
      if (at > sc_core::sc_time_stamp()) wait(at - sc_core::sc_time_stamp());
      EXPECT_TRUE(network->can_accept(call.first));
      EXPECT_TRUE(network->inject(call.first, call.second));
    }
  }
  std::multimap<Cycle, std::pair<TerminalId, GeneratedPacket>> all_;
};

void add_messages(MessageList& list, std::size_t terminals, Cycle from) {
  Rng rng(11, "messages");
  for (std::size_t t = 0; t < terminals; ++t)
    for (Cycle n = 0; n < 6; ++n) {
      const Destinations to = drawn_destinations(rng, terminals, t);
      list.add(t, to, 1 + static_cast<std::uint32_t>(rng.below(20)), from + 100 * n + t, n % 3 == 1 ? 70 : 0);
    }
}

TEST(MessagesFromOutside, ArriveLikeThoseOfASourceInside) {
  const auto topology = mesh({4, 3});
  std::vector<Scenario> inside;
  std::vector<std::unique_ptr<Fabric>> outside;
  std::vector<std::unique_ptr<Caller>> callers;
  for (const auto& name : kPlanners) {
    const auto plan = multicast_plan(topology, name, paper_node(2, 4));
    inside.emplace_back(name, plan);
    add_messages(*inside.back().source, topology->terminals(), 5);
    outside.push_back(make_fabric(plan));
    callers.push_back(std::make_unique<Caller>(unique("caller").c_str(), *inside.back().source));
    callers.back()->network.bind(outside.back()->injection);
  }
  run_cycles(*outside[0], 5000);
  for (std::size_t n = 0; n < inside.size(); ++n) {
    expect_delivered(inside[n]);
    EXPECT_TRUE(outside[n]->drained());
    EXPECT_EQ(outside[n]->digest(), inside[n].fabric->digest()) << kPlanners[n];
  }
}

constexpr Cycle kReset = 700;

void expect_empty(const Scenario& run, const FabricCounters& before) {
  SCOPED_TRACE(run.name);
  const auto& fabric = *run.fabric;
  const auto c = fabric.counters();
  EXPECT_EQ(fabric.packets().live(), 0U);
  EXPECT_EQ(fabric.worms().live(), 0U);
  EXPECT_EQ(fabric.queued(), 0U);
  EXPECT_EQ(c.packets_in_flight(), 0U);
  EXPECT_EQ(c.flits_in_flight(), 0U);
  EXPECT_EQ(c.flits_dropped, before.flits_in_flight());
  EXPECT_EQ(c.packets_dropped, before.packets_in_flight());
  EXPECT_EQ(c.packets_generated, c.packets_delivered + c.packets_dropped + c.packets_discarded);
  EXPECT_EQ(c.packets_delivered, before.packets_delivered);
  for (std::size_t t = 0; t < fabric.plan().topology->terminals(); ++t)
    EXPECT_TRUE(fabric.absorbed(TerminalId(t)).empty());
  EXPECT_NO_THROW(fabric.check_conservation());
}

/// Cycles kReset to kReset + 19 are in reset.
void reset_in_the_midst_of_everything(const std::vector<Scenario>& runs, sc_core::sc_signal<bool>& rst_n) {
  run_cycles(*runs[0].fabric, kReset - 1);
  rst_n.write(false);
  run_cycles(*runs[0].fabric, 1);  // the signal changes within this cycle, and counts in the next
  std::vector<FabricCounters> before;
  for (const auto& run : runs) {
    before.push_back(run.fabric->counters());
    EXPECT_GT(before.back().flits_in_flight(), 50U) << run.name;
    EXPECT_GT(run.fabric->worms().live(), 10U) << run.name;
  }
  run_cycles(*runs[0].fabric, 19);
  rst_n.write(true);
  run_cycles(*runs[0].fabric, 1);
  for (std::size_t n = 0; n < runs.size(); ++n) expect_empty(runs[n], before[n]);
}

TEST(AResetAmongMulticasts, LosesNothingInTheAccounts) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  const auto topology = mesh({4, 4});
  std::vector<Scenario> runs;
  for (const auto& name : kPlanners)
    for (const unsigned buffers : {0, 1, 3}) {
      if (name == "individual" && buffers > 0) continue;
      const Json set{{"retransmission_buffers", buffers}};
      runs.emplace_back(name + std::to_string(buffers),
                        multicast_plan(topology, name, paper_node(2, 4, set)));
      auto& list = *runs.back().source;
      for (std::size_t t = 0; t < 16; ++t)
        for (Cycle n = 0; n < 24; ++n)  // some are being prepared when the reset comes
          list.add(t, {(t + 1) % 16, (t + 5) % 16, (t + 10) % 16, (t + 11) % 16}, 15, 30 * n + t,
                   n % 4 == 3 ? 90 : 0);
      list.add(0, {5, 10, 15}, 20, 3000);
      runs.back().fabric->rst_ni.bind(rst_n);
    }
  reset_in_the_midst_of_everything(runs, rst_n);
  run_cycles(*runs[0].fabric, 9000);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    SCOPED_TRACE(runs[n].name);
    EXPECT_TRUE(runs[n].fabric->drained());
    EXPECT_NO_THROW(runs[n].fabric->check_conservation());
    const auto c = runs[n].fabric->counters();
    EXPECT_EQ(c.packets_generated, 16U * 24 + 1);
    EXPECT_EQ(c.packets_generated, c.packets_delivered + c.packets_dropped + c.packets_discarded);
    EXPECT_GT(c.packets_discarded, 0U) << "born in reset, queued or prepared";
    for (const auto& d : runs[n].listener->deliveries)
      EXPECT_TRUE(d.consumed < kReset || d.birth >= kReset + 20) << "was dropped";
    EXPECT_EQ(runs[n].listener->deliveries.back().birth, 3000U) << "as if nothing had been";
  }
}

TEST(AfterAReset, ALoneMulticastTakesAsLongAsEver) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  std::vector<Scenario> runs;
  for (const unsigned buffers : {0, 1}) {
    runs.emplace_back(
        "", multicast_plan(mesh({4}), "dual_path", paper_node(1, 2, {{"retransmission_buffers", buffers}})));
    runs.back().source->add(0, {1, 2, 3}, 40, 0);
    runs.back().source->add(3, {2, 1, 0}, 40, 0);
    runs.back().source->add(0, {1, 3}, 9, 200);
    runs.back().fabric->rst_ni.bind(rst_n);
  }
  run_cycles(*runs[0].fabric, 30);
  rst_n.write(false);
  run_cycles(*runs[0].fabric, 1);
  rst_n.write(true);
  run_cycles(*runs[0].fabric, 300);
  for (const auto& run : runs) {
    ASSERT_EQ(run.listener->deliveries.size(), 2U);
    const Cycle first = 200 + 4 + 9 + 3;
    const bool absorbed = run.fabric->plan().common_node().retransmission_buffers > 0;
    EXPECT_EQ(run.listener->deliveries[0].consumed, first);
    EXPECT_EQ(run.listener->deliveries[1].consumed, absorbed ? first + 8 + 9 + 3 : 200 + 12 + 9 + 3);
  }
}

}  // namespace
}  // namespace noctule::fabric_test
