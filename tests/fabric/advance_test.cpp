// Fabric::advance performs cycles at once, in one activation of the kernel, where nothing else happens in the
// simulation. Can anybody tell?

#include <gtest/gtest.h>

#include "process_support.h"

namespace noctule::fabric_test {
namespace {

using sc_core::sc_time;

/// Packets of 5 flits, each born 3 cycles after the one before.
std::shared_ptr<ListSource> list(std::size_t packets, Cycle from) {
  auto source = std::make_shared<ListSource>();
  Rng rng(1, "list");
  for (std::size_t n = 0; n < packets; ++n) source->add(n % 16, rng.below(16), 5, from + 3 * n);
  return source;
}
/// Does something at times of its own: half a period after every seventh cycle.
class Watcher final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Watcher);
  Watcher(sc_core::sc_module_name name, Fabric& fabric, std::function<void(Cycle)> look)
      : sc_module(name), fabric_(fabric), look_(std::move(look)) {
    SC_THREAD(run);
  }

 private:
  void run() {
    const sc_time period = fabric_.options().period;
    wait(period / 2);
    for (Cycle performed = 1;; performed += 7, wait(7 * period)) look_(performed);
  }
  Fabric& fabric_;
  std::function<void(Cycle)> look_;
};

TEST(Advance, LeavesTheKernelAloneWhereNothingElseHappens) {
  const auto fabric = make_fabric(small());
  fabric->attach(traffic(torus({4, 4}), "bernoulli", 300, 5));
  fabric->advance(1);
  const sc_dt::uint64 before = sc_core::sc_delta_count();
  fabric->advance(2000);
  EXPECT_LT(sc_core::sc_delta_count() - before, 10U);
  EXPECT_EQ(fabric->cycles(), 2001U);
  EXPECT_EQ(sc_core::sc_time_stamp(), fabric->options().period * 2001);
  EXPECT_GT(fabric->counters().packets_delivered, 1000U);
  EXPECT_NO_THROW(fabric->check_conservation());
}

TEST(Advance, DoesWhatCyclesOneByOneDo) {
  constexpr Cycle kLater = 100000;
  const auto at_once = make_fabric(small());
  const auto one_by_one = make_fabric(small());
  const auto early = list(500, 0);
  const auto late = list(500, kLater);
  at_once->attach(early);
  one_by_one->attach(late);
  at_once->advance(kLater - 1);
  ASSERT_EQ(early->deliveries.size(), 500U);
  ASSERT_TRUE(late->deliveries.empty());
  run_cycles(*one_by_one, 3000);
  ASSERT_EQ(late->deliveries.size(), 500U);
  for (std::size_t n = 0; n < 500; ++n) {
    EXPECT_EQ(early->deliveries[n].number, late->deliveries[n].number);
    EXPECT_EQ(early->deliveries[n].source, late->deliveries[n].source);
    EXPECT_EQ(early->deliveries[n].consumed + kLater, late->deliveries[n].consumed);
  }
}

TEST(Advance, GoesNoFurtherThanWhoElseActs) {
  const auto fabric = make_fabric(small());
  const auto source = list(500, 0);
  fabric->attach(source);
  Cycle called = kNever;
  std::size_t looks = 0;
  Watcher watcher("watcher", *fabric, [&](Cycle performed) {
    ++looks;
    EXPECT_EQ(fabric->cycles(), performed);
    EXPECT_EQ(fabric->counters().packets_generated,
              std::min<Cycle>((performed + 2) / 3, 500) + (called < performed ? 1 : 0));
    if (performed != 71) return;
    called = performed;
    EXPECT_TRUE(fabric->inject(TerminalId{5}, {0, TerminalId{6}, 1, 0, nullptr}));
  });
  fabric->advance(3000);
  EXPECT_EQ(looks, (3000 + 6) / 7);
  const auto mine = std::ranges::find_if(source->deliveries, [](const auto& d) { return d.length == 1; });
  ASSERT_NE(mine, source->deliveries.end());
  EXPECT_EQ(mine->birth, called);
}

TEST(Advance, TellsTerminalsInTheirCycle) {
  const auto fabric = make_fabric(small());
  fabric->attach(list(100, 0));
  Receiver receiver("receiver");
  fabric->consumption.bind(receiver);
  fabric->advance(1000);
  ASSERT_EQ(receiver.deliveries.size(), 100U);
  for (std::size_t n = 0; n < 100; ++n)
    EXPECT_EQ(receiver.at[n],
              fabric->options().period * static_cast<double>(receiver.deliveries[n].consumed));
}

}  // namespace
}  // namespace noctule::fabric_test
