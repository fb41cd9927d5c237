// Is it deterministic? The same digest of all deliveries whatever the order of evaluation, of construction,
// and of the user's own processes around the fabric.

#include <gtest/gtest.h>

#include <set>

#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

TEST(TheDigest, DoesNotDependOnTheOrderOfEvaluationOrConstruction) {
  struct Group {
    std::string name;
    std::vector<std::unique_ptr<Fabric>> fabrics;
  };
  std::vector<Group> groups;
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::size_t pair = 0;
  for (const auto& model : shipped_models())
    for (const auto& variant : variants()) {
      // A third of the pairs; there are 6 models and 14 variants: each of both has its turn.
      if (pair++ % 3 != 0) continue;
      groups.push_back({model.algorithm + model.set.dump() + " " + variant.name, {}});
      const auto topology = torus({5, 5});
      const auto plan = plan_of(model, topology, variant.set);
      const auto add = [&](LinkedOptions options) {
        groups.back().fabrics.push_back(make_fabric(plan, options));
        groups.back().fabrics.back()->attach(traffic(topology, "bernoulli", 350, 6, 9));
        if (!options.observed) return;
        recorders.push_back(std::make_unique<Recorder>());
        groups.back().fabrics.back()->observe(*recorders.back());
      };
      for (const std::uint64_t seed : {0, 1, 2, 3}) {
        LinkedOptions options;
        options.credit_delay = variant.credit_delay;
        options.order_seed = seed;
        add(options);
        options.construction_seed = seed + 10;
        add(options);
      }
      LinkedOptions observed;
      observed.credit_delay = variant.credit_delay;
      observed.observed = true;
      add(observed);
      LinkedOptions slow_clock;
      slow_clock.credit_delay = variant.credit_delay;
      slow_clock.period = sc_core::sc_time(0.5, sc_core::SC_NS);
      slow_clock.occupancy_interval = 0;
      add(slow_clock);
    }
  run_cycles(*groups[0].fabrics[0], 800);
  std::set<std::uint64_t> different;
  for (const auto& group : groups) {
    SCOPED_TRACE(group.name);
    const auto& first = *group.fabrics[0];
    EXPECT_GT(first.counters().packets_delivered, 250U);
    different.insert(first.digest());
    for (std::size_t n = 1; n + 1 < group.fabrics.size(); ++n) {
      EXPECT_EQ(group.fabrics[n]->digest(), first.digest()) << n;
      EXPECT_EQ(group.fabrics[n]->counters().flit_hops, first.counters().flit_hops);
      EXPECT_EQ(group.fabrics[n]->counters().link_flits, first.counters().link_flits);
      EXPECT_EQ(group.fabrics[n]->counters().connections_held, first.counters().connections_held);
    }
    // Twice the clock: as many cycles in half the time.
    EXPECT_EQ(group.fabrics.back()->cycles(), 1600U);
    EXPECT_GT(group.fabrics.back()->counters().packets_delivered, first.counters().packets_delivered);
  }
  EXPECT_EQ(different.size(), groups.size()) << "a digest that is the same for all says nothing";
}

TEST(TheDigest, OfRunsInPiecesIsThatOfOneRun) {
  // Also with a period that is no multiple of the pieces, and twice the seed gives something else.
  const auto topology = torus({4, 4});
  const auto plan = plan_of(shipped_models()[3], topology);
  std::vector<std::unique_ptr<Fabric>> all;
  for (const std::uint64_t seed : {1, 1, 2}) {
    LinkedOptions options;
    options.seed = seed;
    options.period = sc_core::sc_time(all.size() == 1 ? 1 : 3, sc_core::SC_NS);
    all.push_back(make_fabric(plan, options));
    all.back()->attach(traffic(topology, "bernoulli", 300, 5, seed, "uniform"));
  }
  auto pieces = make_fabric(plan, all[0]->options());
  pieces->attach(traffic(topology, "bernoulli", 300, 5, 1, "uniform"));
  std::uint64_t after_1000_short = 0;
  for (int n = 0; n < 600; ++n) {
    sc_core::sc_start(sc_core::sc_time(5, sc_core::SC_NS));
    if (all[1]->cycles() == 1000) after_1000_short = all[1]->digest();
  }
  EXPECT_EQ(all[0]->cycles(), 1000U);
  EXPECT_EQ(all[0]->digest(), after_1000_short);
  EXPECT_EQ(all[0]->digest(), pieces->digest());
  EXPECT_NE(all[0]->digest(), all[2]->digest());
  EXPECT_NE(all[0]->digest(), 0U);
}

/// Somebody's own process: hands packets over at every third clock edge, in a delta cycle of its choice.
class Injector final : public sc_core::sc_module {
 public:
  sc_core::sc_port<injection_if> network{"network"};
  enum class Style { kMethod, kLateDelta, kThread, kMiddle };

  SC_HAS_PROCESS(Injector);
  Injector(sc_core::sc_module_name name, Style style, sc_core::sc_time period, std::size_t terminals)
      : sc_module(name), style_(style), period_(period), terminals_(terminals) {
    if (style == Style::kThread) {
      SC_THREAD(thread);
    } else {
      SC_METHOD(method);
    }
  }

 private:
  void method() {
    if (style_ == Style::kMiddle && sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME && first_) {
      first_ = false;
      return next_trigger(period_ / 2);  // calls between the edges count for the next one as well
    }
    if (style_ == Style::kLateDelta && deltas_ < 5) {
      ++deltas_;
      return next_trigger(sc_core::SC_ZERO_TIME);
    }
    deltas_ = 0;
    hand_over();
    next_trigger(3 * period_);
  }
  void thread() {
    for (;;) {
      for (std::uint64_t n = 0; n < round_ % 3; ++n) wait(sc_core::SC_ZERO_TIME);
      hand_over();
      wait(3 * period_);
    }
  }
  void hand_over() {
    if (round_ >= 200) return;
    Rng rng(7, round_++);
    for (std::size_t n = 0; n < 4; ++n) {
      const std::size_t source = (4 * n + rng.below(4)) % terminals_;
      GeneratedPacket packet;
      packet.destination = TerminalId(rng.below(terminals_));
      packet.length = 1 + static_cast<std::uint32_t>(rng.below(8));
      if (network->can_accept(TerminalId(source))) network->inject(TerminalId(source), packet);
    }
  }

  Style style_;
  sc_core::sc_time period_;
  std::size_t terminals_;
  int deltas_ = 0;
  std::uint64_t round_ = 0;
  bool first_ = true;
};

TEST(TheDigest, DoesNotDependOnWhenWithinACycleSomebodyCalls) {
  using Style = Injector::Style;
  std::vector<std::unique_ptr<Injector>> injectors;
  std::vector<std::unique_ptr<Fabric>> all;  // eight of each kind
  for (const bool discard : {false, true})
    for (const auto& variant : variants()) {
      LinkedOptions options;
      options.discard = discard;
      options.credit_delay = variant.credit_delay;
      const auto plan = plan_of(shipped_models()[4], torus({4, 4}), variant.set);
      for (const Style style : {Style::kMethod, Style::kLateDelta, Style::kThread, Style::kMiddle})
        for (const bool before : {false, true}) {
          const auto injector = [&] {
            injectors.push_back(
                std::make_unique<Injector>(unique("injector").c_str(), style, options.period, 16));
          };
          if (before) injector();
          all.push_back(make_fabric(plan, options));
          if (!before) injector();
          injectors.back()->network.bind(all.back()->injection);
        }
    }
  run_cycles(*all[0], 3000);
  for (std::size_t n = 0; n < all.size(); ++n) {
    // Between two edges can_accept sees what the last cycle left, as a register's reader would: sources that
    // discard then get other answers than at the edge, the same whoever was built first.
    const bool own_group = all[n]->options().discard && n % 8 >= 6;
    const auto& first = *all[own_group ? n - n % 2 : n - n % 8];
    EXPECT_TRUE(all[n]->drained());
    EXPECT_GT(first.counters().packets_delivered, 250U);
    EXPECT_EQ(all[n]->digest(), first.digest()) << n;
    EXPECT_EQ(all[n]->counters().packets_delivered, first.counters().packets_delivered);
    if (n % 8 == 0 && n > 0) {
      EXPECT_NE(all[n]->digest(), all[n - 8]->digest());
    }
  }
}

}  // namespace
}  // namespace noctule::fabric_test
