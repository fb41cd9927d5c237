// The input-queued router against a second, naive implementation of the same rules, packet by packet; and its
// zero-load latency against the textbook's formula (Dally and Towles 2004, chapter 16).

#include <gtest/gtest.h>

#include "fabric_support.h"
#include "support/textbook_mesh.h"

namespace noctule::fabric_test {
namespace {

struct Case {
  std::string name;
  TextbookOptions options;
  unsigned load = 300;  ///< flits per terminal and 1000 cycles
  std::uint32_t length = 5;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, auto change, unsigned load = 300, std::uint32_t length = 5) {
    Case c{std::move(name), {}, load, length};
    c.options.k = 5;
    change(c.options);
    all.push_back(std::move(c));
  };
  add("AsInTheTextbook", [](TextbookOptions& o) { o.k = 8; });
  add(
      "LightLoad", [](TextbookOptions&) {}, 50);
  add(
      "Overload", [](TextbookOptions&) {}, 900);
  add(
      "SingleFlits", [](TextbookOptions&) {}, 400, 1);
  add(
      "LongWorms", [](TextbookOptions&) {}, 500, 17);
  add("OneVc", [](TextbookOptions& o) { o.vcs = 1; });
  add(
      "FewPlaces", [](TextbookOptions& o) { o.depth = 2; }, 600);
  add(
      "OnePlace", [](TextbookOptions& o) { o.depth = 1; }, 600);
  add(
      "SlowCredits", [](TextbookOptions& o) { o.credit_delay = 4; }, 600);
  add(
      "LongLinks", [](TextbookOptions& o) { o.link_delay = 3; }, 600);
  add("DeepPipeline", [](TextbookOptions& o) {
    o.routing_delay = 2;
    o.vc_allocation_delay = 3;
    o.switch_allocation_delay = 2;
    o.traversal_delay = 2;
  });
  add("ShortPipeline", [](TextbookOptions& o) { o.routing_delay = o.switch_allocation_delay = 0; });
  add(
      "Atomic", [](TextbookOptions& o) { o.atomic = true; }, 900);
  add(
      "Speculative", [](TextbookOptions& o) { o.speculative = true; }, 500);
  add(
      "SpeculativeOverload",
      [](TextbookOptions& o) {
        o.speculative = true;
        o.vc_allocation_delay = 2;
      },
      900, 1);
  return all;
}

FabricPlan plan_for(const TextbookOptions& o) {
  const auto topology = mesh({o.k, o.k});
  return plan_fabric(
      {topology, relation_on(topology, "dimension_order"),
       node_of("input_queued", {{"lanes", o.vcs},
                                {"injection_vcs", o.vcs},
                                {"consumption_vcs", o.vcs},
                                {"input_depth", o.depth},
                                {"routing_delay", o.routing_delay},
                                {"vc_allocation_delay", o.vc_allocation_delay},
                                {"switch_allocation_delay", o.switch_allocation_delay},
                                {"traversal_delay", o.traversal_delay},
                                {"speculative", o.speculative},
                                {"release", o.atomic ? "next_buffer_empty" : "tail_crossed"}})});
}

TEST(TheInputQueuedRouter, DeliversEveryPacketWhenTheNaiveOneDoes) {
  struct Race {
    Case c;
    std::shared_ptr<ListSource> source;
    std::unique_ptr<Fabric> fabric;
    std::vector<TextbookPacket> packets;
  };
  std::vector<Race> runs;
  constexpr Cycle kCycles = 1500;
  for (const Case& c : cases()) {
    Race run{c, std::make_shared<ListSource>(), nullptr, {}};
    const unsigned n = c.options.k * c.options.k;
    Rng rng(7, c.name);
    for (Cycle t = 0; t < kCycles; ++t)
      for (unsigned s = 0; s < n; ++s) {
        if (rng.below(1000 * c.length) >= c.load) continue;
        unsigned d = static_cast<unsigned>(rng.below(n - 1));
        d += d >= s ? 1 : 0;
        run.source->add(s, d, c.length, t);
        run.packets.push_back({t, s, d, c.length});
      }
    LinkedOptions options;
    options.flit_delay = c.options.link_delay;
    options.credit_delay = c.options.credit_delay;
    run.fabric = make_fabric(plan_for(c.options), options);
    run.fabric->attach(run.source);
    runs.push_back(std::move(run));
  }
  run_cycles(*runs[0].fabric, 40 * kCycles);
  for (const Race& run : runs) {
    SCOPED_TRACE(run.c.name);
    ASSERT_TRUE(run.fabric->drained());
    const auto expected = simulate_textbook_mesh(run.c.options, run.packets);
    std::map<std::pair<std::size_t, std::uint64_t>, Cycle> consumed;
    for (const auto& d : run.source->deliveries) consumed[{index(d.source), d.number}] = d.consumed;
    ASSERT_EQ(consumed.size(), run.packets.size());
    std::map<unsigned, std::uint64_t> number;
    for (std::size_t p = 0; p < run.packets.size(); ++p) {
      const auto& packet = run.packets[p];
      const auto n = number[packet.source]++;
      ASSERT_EQ((consumed[{packet.source, n}]), expected[p])
          << "packet " << n << " of terminal " << packet.source << ", born in " << packet.birth;
    }
  }
}

TEST(TheInputQueuedRouter, HasTheTextbooksZeroLoadLatency) {
  const auto topology = mesh({8, 8});
  const auto fabric = make_fabric(plan_for({}));
  auto source = std::make_shared<ListSource>();
  Cycle birth = 0;
  for (std::size_t s = 0; s < 64; ++s)
    for (std::size_t d = 0; d < 64; ++d) source->add(s, d, 5, birth += 150);
  fabric->attach(source);
  run_cycles(*fabric, birth + 200);
  ASSERT_EQ(source->deliveries.size(), 64U * 64U);
  const auto& relation = *fabric->plan().relation;
  for (const auto& delivery : source->deliveries) {
    const RouterId from{static_cast<std::uint32_t>(index(delivery.source))};
    const RouterId to{static_cast<std::uint32_t>(index(delivery.destination))};
    const Cycle d = from == to ? 0 : relation.hops(from, to);
    // Routers of 4 stages, links of 1 cycle, 5 flits.
    ASSERT_EQ(delivery.consumed - delivery.birth, (d + 1) * 4 + d * 1 + 5);
  }
}

}  // namespace
}  // namespace noctule::fabric_test
