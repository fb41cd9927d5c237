// Cycles that packets wait in source queues and are under way: are the sums those of counting in every cycle?

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// Several fabrics advance by one cycle at a time, and are counted.
class Counted {
 public:
  explicit Counted(std::vector<std::unique_ptr<Fabric>>& fabrics)
      : fabrics_(fabrics), sums_(fabrics.size()) {}

  void advance(Cycle cycles) {
    for (Cycle n = 0; n < cycles; ++n) {
      run_cycles(*fabrics_[0], 1);
      for (std::size_t f = 0; f < fabrics_.size(); ++f) {
        const FabricCounters now = fabrics_[f]->counters();
        sums_[f].queued += now.packets_queued();
        sums_[f].under_way += now.packets_queued() + now.packets_in_flight();
        ASSERT_EQ(now.queued_packet_cycles, sums_[f].queued) << f << ", cycle " << n;
        ASSERT_EQ(now.under_way_packet_cycles, sums_[f].under_way) << f << ", cycle " << n;
      }
    }
  }
  [[nodiscard]] std::uint64_t queued(std::size_t f) const { return sums_[f].queued; }

 private:
  struct Sums {
    std::uint64_t queued = 0;
    std::uint64_t under_way = 0;
  };
  std::vector<std::unique_ptr<Fabric>>& fabrics_;
  std::vector<Sums> sums_;
};

TEST(PacketCycles, AreThoseOfCountingInEveryCycle) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  const Model model{"dimension_order", "generic", Json{{"vc_rule", "dateline"}}};
  for (const auto& variant : variants())
    for (const bool discard : {false, true}) {
      LinkedOptions options;
      options.credit_delay = variant.credit_delay;
      options.discard = discard;
      fabrics.push_back(make_fabric(plan_of(model, torus({4, 4}), variant.set), options));
      fabrics.back()->attach(traffic(fabrics.back()->plan().topology, "bernoulli", 500, 5));
    }
  for (const auto* planner : {"individual", "column_path"}) {
    const auto topology = mesh({4, 4});
    fabrics.push_back(make_fabric(multicast_plan(topology, planner, with(paper_node(2, 2), one_class()))));
    auto source = std::make_shared<MessageList>();
    for (std::size_t n = 0; n < 60; ++n)
      source->add(n % 16, {(n + 3) % 16, (n + 7) % 16, (n + 9) % 16}, 5, 3 * n, n % 3 == 0 ? 20 : 0);
    fabrics.back()->attach(source);
  }
  Counted counted(fabrics);
  counted.advance(400);
  for (std::size_t f = 0; f < fabrics.size(); ++f)
    EXPECT_EQ(counted.queued(f) > 0, !fabrics[f]->options().discard) << f;
}

TEST(PacketCycles, EndWhereAResetDropsThePackets) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  std::vector<std::unique_ptr<Fabric>> fabrics;
  const Model model{"dimension_order", "generic", Json{{"vc_rule", "dateline"}}};
  fabrics.push_back(make_fabric(plan_of(model, torus({4, 4}))));
  fabrics.back()->attach(traffic(fabrics.back()->plan().topology, "bernoulli", 900, 5));
  fabrics.back()->rst_ni.bind(rst_n);
  Counted counted(fabrics);
  counted.advance(200);
  for (const bool level : {false, true}) {
    rst_n.write(level);
    counted.advance(level ? 100 : 5);
  }
  EXPECT_GT(fabrics[0]->counters().packets_dropped, 0U);
  EXPECT_GT(fabrics[0]->counters().packets_discarded, 0U);
}

}  // namespace
}  // namespace noctule::fabric_test
