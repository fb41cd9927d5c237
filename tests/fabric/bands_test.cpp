// Large networks perform several cycles of a few bands of routers, where small ones perform one of all. Can
// anybody tell?

#include "fabric/bands.h"

#include <gtest/gtest.h>

#include <map>

#include "bench/in_child.h"
#include "fabric_support.h"
#include "support/networks.h"

namespace noctule::fabric_test {
namespace {

TEST(Bands, PerformEveryCycleOnceWithTheirNeighboursAtMostOneApart) {
  for (const auto& [count, cycles] : {std::pair(8, 4), {9, 1}, {8, 31}, {40, 7}}) {
    Bands bands;
    bands.count = static_cast<std::size_t>(count);
    std::map<std::size_t, Cycle> next;
    for (std::size_t b = 0; b < bands.count; ++b) next[b] = 100;
    bands.each(100, static_cast<Cycle>(cycles), [&](std::size_t band, Cycle at) {
      ASSERT_EQ(at, next[band]);
      // Those on either side have performed the cycle before, and are not so far that more than one is
      // missing.
      for (const std::size_t beside : {band - 1, band + 1})
        ASSERT_TRUE(beside >= bands.count || next[beside] == at || next[beside] == at + 1)
            << band << " at " << at;
      ++next[band];
    });
    for (const auto& [band, at] : next) EXPECT_EQ(at, 100 + static_cast<Cycle>(cycles)) << band;
  }
}

TEST(Bands, AreAsWideAsLinksReach) {
  constexpr std::size_t kMiB = 1 << 20;
  EXPECT_EQ(Bands::of(4096, 64, 3 * kMiB, Bands::kLeastBytes).count, 64U);
  EXPECT_EQ(Bands::of(4096, 65, 3 * kMiB, Bands::kLeastBytes).words, 2U);
  EXPECT_EQ(Bands::of(4097, 65, 3 * kMiB, Bands::kLeastBytes).count, 33U);
  EXPECT_EQ(Bands::of(4096, 64, kMiB, Bands::kLeastBytes).count, 1U) << "small";
  EXPECT_EQ(Bands::of(4096, 4000, 30 * kMiB, Bands::kLeastBytes).count, 1U) << "links lead everywhere";
  EXPECT_GT(Bands::of(65536, 256, 50 * kMiB, Bands::kLeastBytes).cycles,
            Bands::of(4096, 64, 8 * kMiB, Bands::kLeastBytes).cycles);
}

struct Case {
  std::string name;
  std::vector<unsigned> radix = {16, 40};
  bool wraps = false;
  std::string node = "generic";
  Json set = Json::object();
  std::string algorithm = "dimension_order";
  std::string source = "bernoulli";
  unsigned load = 300;  ///< flits per terminal and cycle, in 1/1000
  FabricOptions options = {};
  LinkDescription link = {};
};

std::vector<Case> cases() {
  std::vector<Case> all{{"generic"}, {.name = "input_queued", .node = "input_queued"}};
  all.push_back({.name = "overload", .node = "input_queued", .load = 1000});
  all.push_back({.name = "nearly_idle", .load = 1});
  all.push_back({.name = "deep", .set = {{"input_depth", 4}, {"output_depth", 2}}});
  all.push_back({.name = "adaptive", .set = {{"lanes", 2}}, .algorithm = "north_last"});
  all.push_back({.name = "bursts", .node = "input_queued", .source = "on_off"});
  all.push_back({.name = "periodic", .source = "periodic"});
  all.push_back({.name = "one_column", .radix = {2, 300}, .load = 20});
  all.push_back({.name = "three_dimensions", .radix = {4, 4, 40}});
  all.push_back(
      {.name = "torus", .radix = {9, 90}, .wraps = true, .node = "input_queued", .set = {{"lanes", 2}}});
  all.push_back({.name = "long_ring", .radix = {700}, .wraps = true, .set = {{"lanes", 2}}, .load = 10});
  all.push_back({.name = "long_links", .node = "input_queued", .link = {.flit_delay = 5, .credit_delay = 3}});
  all.push_back({.name = "stalling",
                 .node = "greenberg_worm",
                 .set = {{"lanes", 2}},
                 .algorithm = "north_last",
                 .load = 900});
  all.push_back({.name = "discarding", .load = 900});
  all.back().options.discard = true;
  all.push_back({.name = "short_queues", .node = "input_queued", .load = 900});
  all.back().options.queue_packets = 2;
  all.push_back({.name = "no_samples"});
  all.back().options.occupancy_interval = 0;
  all.push_back({.name = "samples_at_odd_times"});
  all.back().options.occupancy_interval = 7;
  return all;
}

/// All that can be told of a run.
struct Told {
  std::uint64_t digest = 0;
  std::uint64_t numbers[16] = {};
  bool banded = false;
  friend bool operator==(const Told& a, const Told& b) {
    return a.digest == b.digest && std::ranges::equal(a.numbers, b.numbers);
  }
};

Told run(const Case& c, std::size_t bands_from, const std::vector<Cycle>& pieces) {
  const auto topology = c.wraps ? torus(c.radix) : mesh(c.radix);
  FabricPlan plan = plan_fabric({topology, relation_on(topology, c.algorithm), node_of(c.node, c.set)});
  plan.links = c.link;
  FabricOptions options = c.options;
  options.bands_from = bands_from;
  Fabric fabric("fabric", plan, options);
  fabric.attach(traffic(topology, c.source, c.load, 5, 3));
  for (const Cycle piece : pieces) fabric.advance(piece);
  fabric.check_conservation();
  const FabricCounters counters = fabric.counters();
  std::uint64_t links = 0;
  for (const std::uint64_t flits : counters.link_flits) links = mix64(links + flits);
  const auto slowest = counters.slowest_total.packet();
  return {fabric.digest(),
          {counters.packets_generated, counters.packets_delivered, counters.packets_discarded,
           counters.flit_hops, counters.hops, counters.header_wait, counters.zero_load,
           counters.occupancy_samples, counters.occupied_input_vcs, counters.allocated_output_vcs,
           counters.connections_held, counters.evaluations, fabric.cycles(), fabric.last_delivery(), links,
           slowest ? mix64(slowest->consumed) + index(slowest->source) : 0},
          fabric.bands().count > 1};
}

class InBands : public testing::TestWithParam<Case> {};

TEST_P(InBands, NothingIsOtherwise) {
  const std::vector<Cycle> pieces{1, 120, 3, 176};
  const auto told = [&](std::size_t bands_from) {
    return in_child([&] { return run(GetParam(), bands_from, pieces); });
  };
  const Told together = told(0);
  const Told apart = told(~std::size_t{0});
  EXPECT_TRUE(together.banded);
  EXPECT_FALSE(apart.banded);
  EXPECT_EQ(together, apart);
  EXPECT_GT(apart.numbers[1], 0U);
}

INSTANTIATE_TEST_SUITE_P(Meshes, InBands, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace noctule::fabric_test
