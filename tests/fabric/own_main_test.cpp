// Does it behave inside somebody's own sc_main: their clock, their reset, calls at any time, several fabrics?

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"
#include "process_support.h"
#include "topology/cube_geometry.h"

namespace noctule::fabric_test {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;

/// Calls a function once, at a time and after a number of delta cycles.
class Caller final : public sc_core::sc_module {
 public:
  sc_core::sc_port<injection_if> network{"network"};
  SC_HAS_PROCESS(Caller);
  Caller(sc_core::sc_module_name name, sc_time at, int deltas, std::function<void(injection_if&)> what)
      : sc_module(name), at_(at), deltas_(deltas), what_(std::move(what)) {
    SC_THREAD(run);
  }

 private:
  void run() {
    if (at_ != sc_core::SC_ZERO_TIME) wait(at_);
    for (int n = 0; n < deltas_; ++n) wait(sc_core::SC_ZERO_TIME);
    what_(*network.operator->());
  }
  sc_time at_;
  int deltas_;
  std::function<void(injection_if&)> what_;
};

GeneratedPacket packet_to(std::size_t destination, std::uint32_t length, void* user = nullptr) {
  GeneratedPacket packet;
  packet.destination = TerminalId(destination);
  packet.length = length;
  packet.user = user;
  packet.message_class = 0;
  return packet;
}

/// A cycle of reset, then `cycles` more.
void reset_and_run(const Fabric& fabric, sc_core::sc_signal<bool>& rst_n, Cycle cycles) {
  rst_n.write(false);
  run_cycles(fabric, 1);
  rst_n.write(true);
  run_cycles(fabric, cycles);
}

TEST(AFabricOnSomebodysClock, DoesWhatItDoesOnItsOwn) {
  const auto topology = torus({4, 4});
  sc_core::sc_clock clk("clk", sc_time(7, SC_NS), 0.5, sc_core::SC_ZERO_TIME, true);
  sc_core::sc_clock late("late", sc_time(7, SC_NS), 0.3, sc_time(4, SC_NS), true);
  std::vector<std::unique_ptr<Fabric>> all;
  for (std::size_t n = 0; n < 3; ++n) {
    LinkedOptions options;
    options.period = sc_time(n == 0 ? 7 : 1, SC_NS);  // ignored where a clock is bound
    all.push_back(make_fabric(plan_of(shipped_models()[2], topology), options));
    all.back()->attach(traffic(topology, "bernoulli", 80, 5));
  }
  all[1]->clk_i.bind(clk);
  all[2]->clk_i.bind(late);
  sc_core::sc_start(sc_time(7 * 2000, SC_NS));
  for (const auto& fabric : all) {
    EXPECT_EQ(fabric->cycles(), 2000U);
    EXPECT_EQ(fabric->digest(), all[0]->digest());
    EXPECT_EQ(fabric->counters().total_latency.sum(), all[0]->counters().total_latency.sum());
    EXPECT_NO_THROW(fabric->check_conservation());
  }
  EXPECT_GT(all[0]->counters().packets_delivered, 300U);
}

TEST(AReset, DropsEverythingAndThenTheFabricGoesOn) {
  const auto topology = torus({4, 4});
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  std::vector<std::unique_ptr<Fabric>> all;
  for (const Json& set : {Json(Json::object()), Json{{"input_depth", 4}, {"output_depth", 2}}}) {
    all.push_back(make_fabric(plan_of(shipped_models()[4], topology, set)));
    all.back()->attach(traffic(topology, "bernoulli", 600, 15));
    all.back()->rst_ni.bind(rst_n);
  }
  const auto run = [&](Cycle n) {
    run_cycles(*all[0], n);
    for (const auto& fabric : all) ASSERT_NO_THROW(fabric->check_conservation());
  };
  run(500);
  std::vector<FabricCounters> before;
  for (const auto& fabric : all) {
    before.push_back(fabric->counters());
    EXPECT_GT(fabric->packets().live(), 0U);
  }
  rst_n.write(false);
  run(3);
  std::vector<Flit> flits;
  for (std::size_t n = 0; n < all.size(); ++n) {
    EXPECT_EQ(all[n]->packets().live(), 0U);
    EXPECT_EQ(all[n]->queued(), 0U);
    EXPECT_EQ(all[n]->counters().packets_delivered, before[n].packets_delivered) << "none in reset";
    for (std::size_t r = 0; r < 16; ++r) {
      const RouterView& view = all[n]->router(RouterId(r));
      for (std::size_t i = 0; i < view.plan().inputs.size(); ++i) {
        view.input_flits(i, flits);
        EXPECT_TRUE(flits.empty());
        EXPECT_FALSE(view.waiting(i));
        EXPECT_EQ(view.connected_output(i), kNoSlot);
      }
      for (std::size_t o = 0; o + 1 < view.plan().outputs.size(); ++o) {
        view.output_flits(o, flits);
        EXPECT_TRUE(flits.empty());
        EXPECT_EQ(view.credits(o), all[n]->plan().common_node().input_depth);
      }
    }
  }
  rst_n.write(true);
  run(1000);
  for (std::size_t n = 0; n < all.size(); ++n)
    EXPECT_GT(all[n]->counters().packets_delivered, before[n].packets_delivered + 100);
}

TEST(AfterAReset, ALoneWormTakesAsLongAsEver) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  Bench bench(small());
  bench.fabric->rst_ni.bind(rst_n);
  for (std::size_t t = 0; t < 16; ++t) bench.source->add(t, 15 - t, 30, 0);
  bench.source->add(0, 5, 7, 100);
  run_cycles(*bench.fabric, 20);
  reset_and_run(*bench.fabric, rst_n, 300);
  ASSERT_EQ(bench.source->deliveries.size(), 1U);
  EXPECT_EQ(bench.source->deliveries[0].consumed - bench.source->deliveries[0].injected, 2U * (2 + 7));
  EXPECT_TRUE(bench.fabric->drained());
}

TEST(AfterAReset, EveryTerminalOfARouterStillGetsItsOwn) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  const auto topology = std::make_shared<const Topology>(make_cube({3, 2}, {false, false}, 3));
  Bench bench(plan_of(shipped_models()[0], topology));
  bench.fabric->rst_ni.bind(rst_n);
  for (std::size_t t = 0; t < 18; ++t) bench.source->add(t, 17 - t, 4, 40 + t);
  run_cycles(*bench.fabric, 20);
  reset_and_run(*bench.fabric, rst_n, 300);
  EXPECT_EQ(bench.source->deliveries.size(), 18U);
  EXPECT_TRUE(bench.fabric->drained());
}

TEST(ACall, TakesEffectAtTheFirstCycleThatStartsAfterIt) {
  struct Case {
    sc_time at;
    int deltas;
    Cycle birth;
  };
  const std::vector<Case> cases{
      {sc_core::SC_ZERO_TIME, 0, 1}, {sc_core::SC_ZERO_TIME, 3, 1}, {sc_time(1, SC_PS), 0, 1},
      {sc_time(39999, SC_PS), 0, 4}, {sc_time(39999, SC_PS), 2, 4}, {sc_time(40, SC_NS), 0, 5},
      {sc_time(40, SC_NS), 1, 5},    {sc_time(40, SC_NS), 9, 5},    {sc_time(40001, SC_PS), 0, 5}};
  sc_core::sc_clock clk("clk", sc_time(10, SC_NS), 0.5, sc_core::SC_ZERO_TIME, true);
  std::vector<std::unique_ptr<Caller>> callers;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<Case> expected;
  // The fabric asleep or busy with its own traffic, on its own time or on a clock, built before or after.
  for (const auto& c : cases)
    for (const bool busy : {false, true})
      for (const bool clocked : {false, true})
        for (const bool before : {false, true}) {
          const auto caller = [&] {
            callers.push_back(
                std::make_unique<Caller>(unique("caller").c_str(), c.at, c.deltas, [](injection_if& network) {
                  EXPECT_TRUE(network.can_accept(TerminalId{5}));
                  EXPECT_TRUE(network.inject(TerminalId{5}, packet_to(6, 4)));
                }));
          };
          if (before) caller();
          LinkedOptions options;
          options.period = sc_time(10, SC_NS);
          fabrics.push_back(make_fabric(small(), options));
          if (!before) caller();
          callers.back()->network.bind(fabrics.back()->injection);
          receivers.push_back(std::make_unique<Receiver>(unique("receiver").c_str()));
          fabrics.back()->consumption.bind(*receivers.back());
          if (clocked) fabrics.back()->clk_i.bind(clk);
          if (busy) {
            auto list = std::make_shared<ListSource>();
            for (Cycle n = 0; n < 30; ++n) list->add(0, 1, 1, n);
            fabrics.back()->attach(list);
          }
          expected.push_back(c);
        }
  sc_core::sc_start(sc_time(2000, SC_NS));
  for (std::size_t n = 0; n < expected.size(); ++n) {
    SCOPED_TRACE(std::to_string(n) + ": at " + expected[n].at.to_string() + ", delta " +
                 std::to_string(expected[n].deltas));
    const Delivery* found = nullptr;
    for (const auto& delivery : receivers[n]->deliveries)
      if (index(delivery.source) == 5) found = &delivery;
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->birth, expected[n].birth);
    EXPECT_EQ(found->injected, found->birth);
    EXPECT_EQ(found->consumed - found->injected, 2U * (1 + 4));
  }
}

TEST(ASleepingFabric, WakesForACallLongAfterward) {
  LinkedOptions options;
  options.period = sc_time(3, SC_NS);
  auto fabric = make_fabric(small(), options);
  Receiver receiver("receiver");
  fabric->consumption.bind(receiver);
  // The source's next packet is far ahead: the fabric has jumped to it when the call comes.
  auto list = std::make_shared<ListSource>();
  list->add(1, 2, 3, 10);
  list->add(1, 2, 3, 1000000);
  fabric->attach(list);
  Caller caller("caller", sc_time(3000001, SC_PS), 0,
                [](injection_if& network) { network.inject(TerminalId{0}, packet_to(3, 2)); });
  caller.network.bind(fabric->injection);
  run_cycles(*fabric, 1000050);
  ASSERT_EQ(receiver.deliveries.size(), 3U);
  EXPECT_EQ(receiver.deliveries[1].birth, 1001U);
  EXPECT_EQ(receiver.deliveries[1].consumed, 1001U + 2 * (1 + 2));
  EXPECT_EQ(receiver.at[1], sc_time(3 * (1001 + 6), SC_NS)) << "told in the cycle of consumption";
  EXPECT_EQ(receiver.deliveries[2].birth, 1000000U);
  EXPECT_EQ(fabric->cycles(), 1000050U);
  EXPECT_LT(fabric->counters().evaluations, 200U) << "nothing was evaluated while nothing happened";
  EXPECT_EQ(fabric->counters().occupancy_samples, (1000050U + 63) / 64) << "empty cycles are sampled too";
}

TEST(TwoFabrics, WithDifferentPeriodsKeepOutOfEachOthersWay) {
  std::vector<std::unique_ptr<Fabric>> all;
  std::vector<std::unique_ptr<Receiver>> receivers;
  const auto topology = torus({4, 4});
  for (const unsigned period : {3, 3, 5, 5}) {
    LinkedOptions options;
    options.period = sc_time(period, SC_NS);
    all.push_back(make_fabric(small(), options));
    all.back()->attach(traffic(topology, "bernoulli", 200, 5, all.size() % 2));
    receivers.push_back(std::make_unique<Receiver>(unique("receiver").c_str()));
    all.back()->consumption.bind(*receivers.back());
  }
  sc_core::sc_start(sc_time(3000, SC_NS));
  EXPECT_EQ(all[0]->cycles(), 1000U);
  EXPECT_EQ(all[2]->cycles(), 600U);
  EXPECT_NE(all[0]->digest(), all[1]->digest());
  // The slower one has done the first 600 cycles of what the faster one did.
  std::size_t within = 0;
  for (const auto& delivery : receivers[0]->deliveries) within += delivery.consumed < 600 ? 1 : 0;
  EXPECT_EQ(within, receivers[2]->deliveries.size());
  for (std::size_t n = 0; n < within; ++n)
    EXPECT_EQ(receivers[0]->deliveries[n].consumed, receivers[2]->deliveries[n].consumed);
  for (std::size_t n = 0; n < all.size(); ++n)
    for (std::size_t d = 0; d < receivers[n]->deliveries.size(); ++d)
      ASSERT_EQ(receivers[n]->at[d],
                all[n]->options().period * static_cast<double>(receivers[n]->deliveries[d].consumed));
}

TEST(ADelivery, TellsAllAboutThePacketToEveryReceiver) {
  auto fabric = make_fabric(small());
  Receiver one("one");
  Receiver two("two");
  fabric->consumption.bind(one);
  fabric->consumption.bind(two);
  int mine = 0;
  Caller caller("caller", sc_time(10, SC_NS), 0, [&mine](injection_if& network) {
    network.inject(TerminalId{0}, packet_to(10, 6, &mine));
    network.inject(TerminalId{0}, packet_to(0, 2, &network));
  });
  caller.network.bind(fabric->injection);
  run_cycles(*fabric, 200);
  for (const auto* receiver : {&one, &two}) {
    ASSERT_EQ(receiver->deliveries.size(), 2U);
    // The worm to the terminal itself enters later and arrives earlier.
    const Delivery& d = receiver->deliveries[1];
    EXPECT_EQ(index(d.source), 0U);
    EXPECT_EQ(index(d.destination), 10U);
    EXPECT_EQ(d.number, 0U);
    EXPECT_EQ(d.length, 6U);
    EXPECT_EQ(d.hops, 4U);
    EXPECT_EQ(d.birth, 11U);
    EXPECT_EQ(d.injected, 11U);
    EXPECT_EQ(d.consumed, 11U + 2 * (4 + 6));
    EXPECT_EQ(d.message_class, 0);
    EXPECT_EQ(d.user, &mine);
    const Delivery& own = receiver->deliveries[0];
    EXPECT_EQ(own.number, 1U);
    EXPECT_EQ(own.hops, 0U);
    EXPECT_EQ(own.birth, 11U);
    EXPECT_EQ(own.injected, 11U + 2 * 6) << "behind the first one in the queue";
  }
}

TEST(ADiscardingChannel, AcceptsOneCallOnlyWhenIdle) {
  // can_accept reads the state at the start of the current cycle, whatever the delta of the call.
  struct Probe {
    std::unique_ptr<Fabric> fabric;
    std::vector<std::unique_ptr<Caller>> callers;
  };
  const std::uint32_t b = 4;
  std::vector<Probe> probes;
  LinkedOptions options;
  options.discard = true;
  options.period = sc_time(10, SC_NS);
  // Born in cycle 2 (call at 10 ns); busy from the end of cycle 2 to that of cycle 2 + 2b - 1.
  for (const int deltas : {0, 1, 4})
    for (unsigned cycle = 1; cycle <= 2 + 2 * b + 1; ++cycle) {
      probes.push_back({make_fabric(small(), options), {}});
      auto& probe = probes.back();
      const auto call = [&](sc_time at, int delta, std::function<void(injection_if&)> what) {
        probe.callers.push_back(
            std::make_unique<Caller>(unique("caller").c_str(), at, delta, std::move(what)));
        probe.callers.back()->network.bind(probe.fabric->injection);
      };
      call(sc_time(10, SC_NS), 0, [](injection_if& network) {
        EXPECT_TRUE(network.inject(TerminalId{0}, packet_to(1, b)));
        EXPECT_FALSE(network.can_accept(TerminalId{0})) << "one call is under way";
        EXPECT_TRUE(network.can_accept(TerminalId{1}));
        EXPECT_FALSE(network.inject(TerminalId{0}, packet_to(1, b)));
      });
      const bool idle = cycle > 1 + 2 * b;  // the start of cycle 2 + 2b is the first without the worm
      if (cycle == 1) continue;
      call(sc_time(10 * cycle, SC_NS), deltas, [idle, cycle](injection_if& network) {
        EXPECT_EQ(network.can_accept(TerminalId{0}), idle) << cycle;
        EXPECT_EQ(network.inject(TerminalId{0}, packet_to(2, 1)), idle) << cycle;
      });
    }
  sc_core::sc_start(sc_time(1000, SC_NS));
  for (const auto& probe : probes) {
    EXPECT_TRUE(probe.fabric->drained());
    EXPECT_GE(probe.fabric->counters().packets_delivered, 1U);
  }
}

TEST(ABadCall, IsRefusedWithASentence) {
  auto fabric = make_fabric(small());
  EXPECT_THROW(fabric->inject(TerminalId{16}, packet_to(0, 1)), ConfigError);
  EXPECT_THROW(fabric->inject(TerminalId{0}, packet_to(16, 1)), ConfigError);
  EXPECT_THROW(fabric->inject(TerminalId{0}, packet_to(1, 0)), ConfigError);
  EXPECT_THROW(fabric->inject(TerminalId{0}, packet_to(1, 1U << 30)), ConfigError);
  GeneratedPacket routed = packet_to(1, 1);
  routed.route = 3;  // of a relation that prescribes none
  EXPECT_THROW(fabric->inject(TerminalId{0}, routed), ConfigError);
  EXPECT_THROW(fabric->attach(nullptr), ConfigError);
  EXPECT_FALSE(fabric->can_accept(TerminalId{16}));
  EXPECT_THROW(make_fabric(small(),
                           [] {
                             LinkedOptions o;
                             o.flit_delay = 0;
                             return o;
                           }()),
               ConfigError);
  run_cycles(*fabric, 10);
  EXPECT_TRUE(fabric->drained());
}

TEST(AFabric, RaisesNoWarningOfSystemC) {
  const auto topology = torus({3, 3});
  auto fabric = make_fabric(plan_of(shipped_models()[4], topology));
  fabric->attach(traffic(topology, "bernoulli", 300, 3));
  run_cycles(*fabric, 100);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING), 0);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(sc_core::SC_ERROR), 0);
  EXPECT_NE(sc_core::sc_find_object((std::string(fabric->name()) + ".router_2_1.crossbar_3").c_str()),
            nullptr)
      << "the hierarchy is visible";
}

}  // namespace
}  // namespace noctule::fabric_test
