// Terminals that refuse: whatever the router, nothing is lost, nothing is taken that was refused, and what is
// refused waits where it is.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/rng.h"
#include "core/terminal_sink.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

/// Takes a drawn number of flits in each cycle, and complains about more.
class Rationing final : public TerminalSink {
 public:
  Rationing(std::uint64_t seed, unsigned most, unsigned refusals)
      : key_(seed), most_(most), refusals_(refusals) {}

  unsigned room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle t) override {
    EXPECT_TRUE(asked_.insert({index(terminal), message_class, head, t}).second) << "asked twice in a cycle";
    const unsigned left = ration(terminal, head, t);
    if (left == 0) ++refused;
    return left;
  }
  void took(const TakenFlit& flit, Cycle t) override {
    ++taken;
    const unsigned count = ++in_cycle_[{index(flit.terminal), flit.head, t}];
    EXPECT_LE(count, ration(flit.terminal, flit.head, t))
        << "terminal " << index(flit.terminal) << ", cycle " << t;
    if (in_cycle_.size() > 4096) in_cycle_.erase(in_cycle_.begin());
    if (asked_.size() > 4096) asked_.clear();
  }

  std::uint64_t taken = 0;
  std::uint64_t refused = 0;

 private:
  [[nodiscard]] unsigned ration(TerminalId terminal, bool head, Cycle t) const {
    Rng rng(key_ + index(terminal) * 2 + (head ? 1 : 0), t);
    return rng.below(10) < refusals_ ? 0 : static_cast<unsigned>(1 + rng.below(most_));
  }
  std::uint64_t key_;
  unsigned most_;
  unsigned refusals_;  ///< in ten cycles
  std::set<std::tuple<std::size_t, std::uint8_t, bool, Cycle>> asked_;
  std::map<std::tuple<std::size_t, bool, Cycle>, unsigned> in_cycle_;
};

class Refusing : public testing::TestWithParam<Variant> {};

TEST_P(Refusing, TerminalsGetAllThatTheyTakeAndNoMore) {
  const auto& variant = GetParam();
  const auto topology = torus({4, 4});
  LinkedOptions options;
  options.credit_delay = variant.credit_delay;
  const auto sink = std::make_shared<Rationing>(7, 2, 6);
  options.sink = sink;
  const auto fabric = make_fabric(plan_of(shipped_models()[2], topology, variant.set), options);
  fabric->attach(traffic(topology, "static", 0, 5, 3, "uniform", {{"messages", 30}}));
  run_cycles(*fabric, 1);
  ASSERT_TRUE(drain(*fabric, 200'000));
  fabric->check_conservation();
  EXPECT_EQ(fabric->counters().packets_delivered, 16U * 30);
  EXPECT_EQ(sink->taken, 16U * 30 * 5);
  EXPECT_GT(sink->refused, 1000U);
}

TEST_P(Refusing, ATerminalThatRefusesForEverKeepsWhatIsInItsWay) {
  class Closed final : public TerminalSink {
   public:
    unsigned room(TerminalId terminal, std::uint8_t, bool, Cycle) override {
      return index(terminal) == 5 ? 0 : kAll;
    }
  };
  const auto& variant = GetParam();
  const auto topology = mesh({4, 4});
  LinkedOptions options;
  options.credit_delay = variant.credit_delay;
  options.sink = std::make_shared<Closed>();
  const auto fabric = make_fabric(plan_of({"dimension_order", "generic"}, topology, variant.set), options);
  auto source = std::make_shared<ListSource>();
  for (unsigned n = 0; n < 40; ++n) source->add(4, 5, 6, 1);
  source->add(0, 15, 6, 1);
  fabric->attach(source);
  run_cycles(*fabric, 3000);
  fabric->check_conservation();
  ASSERT_EQ(source->deliveries.size(), 1U);
  EXPECT_EQ(index(source->deliveries[0].destination), 15U);
  EXPECT_EQ(fabric->counters().terminal_flits[5], 0U);
  EXPECT_FALSE(fabric->drained());
}

/// Terminal `to` takes one flit every `period` cycles, all others take all.
class Slow final : public TerminalSink {
 public:
  Slow(std::size_t to, Cycle period) : to_(to), period_(period) {}
  unsigned room(TerminalId terminal, std::uint8_t, bool, Cycle t) override {
    if (index(terminal) != to_) return kAll;
    return t % period_ == 0 ? 1 : 0;
  }
  [[nodiscard]] bool shared() const override { return true; }

 private:
  std::size_t to_;
  Cycle period_;
};

/// Terminal `to`, which is Slow, and those that send to it for ever: twice as much as it takes, or more.
struct Contest {
  std::string name;
  std::vector<std::size_t> senders;
  std::unique_ptr<Fabric> fabric;
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();

  Contest(const std::string& what, const FabricPlan& plan, LinkedOptions options, std::size_t to,
          std::vector<std::size_t> from, Cycle period, std::uint32_t length)
      : name(what + ", length " + std::to_string(length) + ", every " + std::to_string(period) + " cycles"),
        senders(std::move(from)) {
    options.sink = std::make_shared<Slow>(to, period);
    fabric = make_fabric(plan, options);
    for (const std::size_t sender : senders)
      for (Cycle n = 0; n < 1000; ++n)
        source->add(sender, to, length, 1 + n * length * period * senders.size() / 2);
    fabric->attach(source);
  }
  /// By sender: packets delivered, over the mean of all.
  [[nodiscard]] std::map<std::size_t, double> shares() const {
    std::map<std::size_t, double> shares;
    for (const std::size_t sender : senders) shares[sender] = 0;
    for (const Delivery& delivery : source->deliveries)
      shares[index(delivery.source)] +=
          static_cast<double>(senders.size()) / static_cast<double>(source->deliveries.size());
    return shares;
  }
};

/// Nobody gets less than half of what is fair, and all together more than so many packets in 3,000 cycles.
void expect_turns(const std::vector<Contest>& contests, std::size_t packets) {
  run_cycles(*contests.front().fabric, 3000);
  for (const Contest& contest : contests) {
    contest.fabric->check_conservation();
    EXPECT_GT(contest.source->deliveries.size(), packets) << contest.name;
    for (const auto& [sender, share] : contest.shares())
      EXPECT_GT(share, 0.5) << "terminal " << sender << ", " << contest.name;
  }
}

TEST_P(Refusing, ServesInTurnAllWhoseFlitsWaitForRoom) {
  const auto& variant = GetParam();
  const auto topology = torus({4, 4});
  LinkedOptions options;
  options.credit_delay = variant.credit_delay;
  std::vector<Contest> contests;
  for (const std::uint32_t length : {1U, 3U})
    for (const Cycle period : {1, 2, 3, 4})
      contests.emplace_back(variant.name, plan_of(shipped_models()[0], topology, variant.set), options, 5,
                            std::vector<std::size_t>{1, 4, 6, 9}, period, length);
  expect_turns(contests, 200);
}

TEST(RefusedWormsAtHome, TakeTurnsWithThoseThatComeOverLinks) {
  const auto topology = topology_of("mesh", {{"radix", {3, 3}}, {"terminals_per_router", 3}});
  const Json set{{"output_depth", 0},
                 {"scan", "first_come"},
                 {"injection_channels", "unlimited"},
                 {"consumption_channels", "unlimited"}};
  std::vector<Contest> contests;
  for (const Cycle period : {1, 2, 3, 4})
    for (const std::uint32_t length : {1U, 4U})
      contests.emplace_back("at home", plan_of({"dimension_order", "generic"}, topology, set),
                            LinkedOptions{}, 12, std::vector<std::size_t>{3, 9, 15, 21, 13, 14}, period,
                            length);
  expect_turns(contests, 100);
}

INSTANTIATE_TEST_SUITE_P(Routers, Refusing, testing::ValuesIn(variants()),
                         [](const auto& info) { return info.param.name; });

TEST(ASinkThatTakesAll, ChangesNothing) {
  class Open final : public TerminalSink {
   public:
    unsigned room(TerminalId, std::uint8_t, bool, Cycle) override { return kAll; }
  };
  const auto topology = torus({4, 4});
  std::vector<std::array<std::unique_ptr<Fabric>, 2>> pairs;
  std::vector<std::string> names;
  for (const auto& variant : variants()) {
    // A terminal that takes all gives the credit of a flit when that is sent, one that may refuse when it has
    // it.
    if (variant.name == "slots_immediate") continue;
    names.push_back(variant.name);
    auto& pair = pairs.emplace_back();
    for (const bool open : {false, true}) {
      LinkedOptions options;
      options.credit_delay = variant.credit_delay;
      if (open) options.sink = std::make_shared<Open>();
      pair[open] = make_fabric(plan_of(shipped_models()[3], topology, variant.set), options);
      pair[open]->attach(traffic(topology, "bernoulli", 300, 5));
    }
  }
  run_cycles(*pairs.front()[0], 1500);
  for (std::size_t v = 0; v < pairs.size(); ++v) {
    EXPECT_NE(pairs[v][0]->digest(), 0U);
    EXPECT_EQ(pairs[v][0]->digest(), pairs[v][1]->digest()) << names[v];
  }
}

TEST(AFullSourceQueue, DiscardsAndSaysSo) {
  const auto topology = mesh({4, 4});
  LinkedOptions options;
  options.queue_packets = 3;
  options.stall = 0.9;
  const auto fabric = make_fabric(plan_of({"dimension_order", "generic"}, topology), options);
  fabric->attach(traffic(topology, "bernoulli", 900, 5));
  bool full = false;
  for (int n = 0; n < 200; ++n) {
    run_cycles(*fabric, 10);
    EXPECT_LE(fabric->longest_queue(), 3U);
    for (std::uint32_t t = 0; t < 16; ++t) full = full || !fabric->can_accept(TerminalId{t});
  }
  EXPECT_TRUE(full);
  EXPECT_GT(fabric->counters().packets_discarded, 100U);
  fabric->check_conservation();
}

}  // namespace
}  // namespace noctule::fabric_test
