// Closed loops: transactions take what theory says.

#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_support.h"
#include "support/networks.h"

namespace noctule::fabric_test {
namespace {

/// One terminal sends to all others in turn.
class InTurn final : public TrafficPattern {
 public:
  InTurn(std::size_t terminals, TerminalId source) : terminals_(terminals), source_(source) {}
  [[nodiscard]] bool injects(TerminalId terminal) const override { return terminal == source_; }
  TerminalId destination(TerminalId, Rng&) const override {
    next_ = (next_ + 1) % terminals_;
    if (next_ == index(source_)) next_ = (next_ + 1) % terminals_;
    return TerminalId(static_cast<std::uint32_t>(next_));
  }
  [[nodiscard]] std::vector<std::pair<TerminalId, double>> distribution(TerminalId) const override {
    return {};
  }

 private:
  std::size_t terminals_;
  TerminalId source_;
  mutable std::size_t next_ = ~std::size_t{0};
};

struct LoneCase {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::string algorithm;
  std::string model;
};

class ALoneTransaction : public testing::TestWithParam<LoneCase> {};

TEST_P(ALoneTransaction, TakesTwoZeroLoadLatenciesAndTheService) {
  const auto& c = GetParam();
  const Topology& topology = *c.topology;
  const std::size_t n = topology.terminals();
  MessageClasses classes =
      chain_of({{"request", {{"lane", {"0"}}}, 0, 2}, {"response", {{"lane", {"1"}}}, 1}});
  if (topology.attachments() > 1) classes = classes.attached({0, 1});
  // All fabrics stand before the simulation starts; each has one requester.
  struct Lone {
    std::uint32_t s = 0;
    std::shared_ptr<TrafficSource> source;
    std::unique_ptr<Fabric> fabric;
    std::vector<std::uint32_t> to = {};
    TrafficSource::Transactions before = {};
  };
  std::vector<Lone> all;
  for (std::uint32_t s = 0; s < n; ++s) {
    const FabricPlan plan = plan_with(classes, c.topology, c.algorithm, {{"lanes", 2}}, c.model);
    const auto source = closed_loop(plan, {{"service_time", 13}, {"lengths", {2, 6}}}, 5,
                                    std::make_shared<InTurn>(n, TerminalId{s}));
    all.push_back({s, source, make_fabric(plan, options_for(source))});
    all.back().fabric->attach(source);
    for (auto d = static_cast<std::uint32_t>(n); d-- > 0;)
      if (d != s) all.back().to.push_back(d);
  }
  std::size_t open = all.size();
  for (int cycle = 0; cycle < 20'000 && open > 0; ++cycle) {
    run_cycles(*all.front().fabric, 1);
    for (Lone& lone : all) {
      const auto now = *lone.source->transactions();
      if (lone.to.empty() || now.count == lone.before.count) continue;
      const FabricPlan& plan = lone.fabric->plan();
      const auto hops = [&](std::uint32_t source, std::uint32_t destination, std::size_t message_class) {
        const RouterId from = plan.injection_router(TerminalId{source}, message_class);
        const RouterId to = plan.consumption_router(TerminalId{destination}, message_class);
        return from == to ? 0 : plan.relation->hops(from, to);
      };
      const ZeroLoad& alone = lone.fabric->zero_load();
      EXPECT_EQ(now.count, lone.before.count + 1);
      EXPECT_EQ(now.cycles - lone.before.cycles, alone.latency(hops(lone.s, lone.to.back(), 0), 2) + 13 +
                                                     alone.latency(hops(lone.to.back(), lone.s, 1), 6))
          << lone.s << " -> " << lone.to.back();
      lone.before = now;
      lone.to.pop_back();
      if (lone.to.empty()) --open;
    }
  }
  EXPECT_EQ(open, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, ALoneTransaction,
    testing::Values(
        LoneCase{"mesh", topology_of("mesh", {{"radix", {8, 8}}}), "dimension_order", "input_queued"},
        LoneCase{"mesh_buffered", topology_of("mesh", {{"radix", {8, 8}}}), "dimension_order", "generic"},
        LoneCase{"mesh_in_two_places", mesh_with_two_places(8, 11), "dimension_order", "input_queued"},
        LoneCase{"mesh_by_class", topology_of("mesh", {{"radix", {8, 8}}}), "order_of_class", "input_queued"},
        LoneCase{"fat_tree", topology_of("butterfly_fat_tree", {{"levels", 3}}), "nearest_common_ancestor",
                 "input_queued"}),
    [](const auto& info) { return info.param.name; });

TEST(AClosedLoop, FollowsLittlesLaw) {
  const auto topology = mesh({3, 3});
  const MessageClasses classes =
      chain_of({{"request", {{"lane", {"0"}}}, 0, 3}, {"response", {{"lane", {"1"}}}, 1}});
  struct Loop {
    unsigned outstanding = 0;
    unsigned think = 0;
    std::shared_ptr<TrafficSource> source;
    std::unique_ptr<Fabric> fabric;
    TrafficSource::Transactions start = {};
  };
  std::vector<Loop> all;
  for (const unsigned outstanding : {1U, 4U, 12U})
    for (const unsigned think : {1U, 40U}) {
      const FabricPlan plan = plan_with(classes, topology, "dimension_order", {{"lanes", 2}});
      const auto source = closed_loop(plan,
                                      {{"outstanding", outstanding},
                                       {"service_time", 9},
                                       {"service", "geometric"},
                                       {"think_time", think},
                                       {"servers", 1}},
                                      4);
      all.push_back({outstanding, think, source, make_fabric(plan, options_for(source))});
      all.back().fabric->attach(source);
    }
  run_cycles(*all.front().fabric, 2000);
  for (Loop& loop : all) loop.start = *loop.source->transactions();
  constexpr Cycle kWindow = 150'000;
  run_cycles(*all.front().fabric, kWindow);
  for (const Loop& loop : all) {
    const auto end = *loop.source->transactions();
    const auto completed = static_cast<double>(end.count - loop.start.count);
    const double round_trip = static_cast<double>(end.cycles - loop.start.cycles) / completed + loop.think;
    EXPECT_NEAR(completed / kWindow * round_trip / 9, loop.outstanding, 0.001 * loop.outstanding);
    loop.fabric->check_conservation();
  }
}

/// Long services are not drawn cycle by cycle to their end. The source alone, whose packets arrive at once.
TEST(AClosedLoop, DrawsLongServicesOfTheRightMean) {
  constexpr unsigned kService = 200'000;
  constexpr unsigned kTransactions = 400;
  const FabricPlan plan = plan_with(chain_of({{"request", {}, 0, 1}, {"response", {}, 1}}), mesh({2, 2}),
                                    "dimension_order", {{"lanes", 2}, {"injection_vcs", 1}});
  const auto source = closed_loop(
      plan, {{"outstanding", 1}, {"requesters", 1}, {"service_time", kService}, {"service", "geometric"}}, 6);
  const auto arrives = [&](TerminalId from, Cycle& birth) {
    const GeneratedPacket packet = source->next(from, 0).value();
    Delivery delivery{from, packet.destination};
    delivery.birth = birth = packet.birth;
    delivery.injected = delivery.consumed = packet.birth;
    delivery.message_class = packet.message_class;
    delivery.user = packet.user;
    std::vector<TerminalId> woken;
    source->delivered(delivery, woken);
    return packet.destination;
  };
  Cycle served = 0;
  for (unsigned n = 0; n < kTransactions; ++n) {
    Cycle asked = 0;
    Cycle answered = 0;
    (void)arrives(arrives(TerminalId{0}, asked), answered);
    served += answered - asked;
  }
  EXPECT_NEAR(static_cast<double>(served) / kTransactions, kService, 0.1 * kService);
}

TEST(AClosedLoop, StartsAnewAfterAReset) {
  const auto topology = mesh({4, 4});
  const MessageClasses classes = chain_of({{"request", {}, 0, 1}, {"response", {}, 1}});
  const FabricPlan plan =
      plan_with(classes, topology, "dimension_order", {{"lanes", 2}, {"injection_vcs", 1}});
  const auto source = closed_loop(plan, {{"outstanding", 2}, {"requesters", 1}}, 5);
  const auto fabric = make_fabric(plan, options_for(source));
  sc_core::sc_signal<bool> rst_n(unique("rst").c_str(), true);
  fabric->rst_ni.bind(rst_n);
  fabric->attach(source);
  run_cycles(*fabric, 300);
  const auto before = source->transactions()->count;
  EXPECT_GT(before, 5U);
  rst_n.write(false);
  run_cycles(*fabric, 3);
  rst_n.write(true);
  run_cycles(*fabric, 300);
  EXPECT_GT(source->transactions()->count, before + 5);
  fabric->check_conservation();
}

TEST(MessageClasses, TakeTheirOwnVcsAndNoOthers) {
  const auto topology = torus({4, 4});
  const MessageClasses classes =
      chain_of({{"request", {{"lane", {"0", "2"}}}, 0, 1}, {"response", {{"lane", {"1"}}}, 1}});
  const FabricPlan plan = plan_with(classes, topology, "dimension_order", {{"lanes", 3}});
  const auto source = closed_loop(plan, {{"outstanding", 6}}, 5);
  LinkedOptions options = options_for(source);
  options.observed = true;
  class Lanes final : public FlitObserver {
   public:
    explicit Lanes(const FabricPlan& plan) : plan_(plan) {}
    void on_flit(Cycle, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t, Flit,
                 const Packet& packet) override {
      const RouterPlan& at = *plan_.routers[index(router)];
      if (event != FlitEvent::kGrant || place >= at.link_outputs()) return;
      used[packet.message_class].insert(at.outputs[place].lane);
    }
    void on_cycle_end(Cycle) override {}
    std::map<unsigned, std::set<unsigned>> used;

   private:
    const FabricPlan& plan_;
  };
  Lanes lanes(plan);
  const auto fabric = make_fabric(plan, options);
  fabric->observe(lanes);
  fabric->attach(source);
  run_cycles(*fabric, 3000);
  EXPECT_EQ(lanes.used[0], (std::set<unsigned>{0, 2}));
  EXPECT_EQ(lanes.used[1], (std::set<unsigned>{1}));
  const FabricCounters counters = fabric->counters();
  ASSERT_EQ(counters.classes.size(), 2U);
  EXPECT_EQ(counters.classes[0].packets_delivered + counters.classes[1].packets_delivered,
            counters.packets_delivered);
  EXPECT_EQ(counters.classes[0].total_latency.count() + counters.classes[1].total_latency.count(),
            counters.total_latency.count());
}

}  // namespace
}  // namespace noctule::fabric_test
