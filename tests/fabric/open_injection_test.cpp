// Unlimited injection channels: are they what 64 are, flit for flit, as long as 64 are enough? Do they admit
// more beyond, in memory that follows what waits?

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/json.h"
#include "fabric/autopsy.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

struct Setting {
  std::string name;
  Json set;
  Cycle credit_delay = 1;
};

/// Every way in which worms enter, first come, first served.
std::vector<Setting> settings() {
  const auto with = [](Json set, const Json& more) {
    set.update(more);
    return set;
  };
  const Json base{{"scan", "first_come"}};
  const Json direct = with(base, {{"output_depth", 0}});
  const Json slots = with(direct, {{"link_sharing", "fixed_slot"},
                                   {"release", "next_buffer_empty"},
                                   {"transit_first", true},
                                   {"selection", "first"},
                                   {"traversal_delay", 0},
                                   {"injection_delay", 0},
                                   {"consumption_channels", "unlimited"}});
  return {{"fixed_slot", slots, 0},
          {"fixed_slot_deep", with(slots, {{"input_depth", 6}}), 0},
          {"fixed_slot_later", with(slots, {{"injection_delay", 1}, {"input_depth", 3}}), 0},
          {"slots_at_once", with(slots, {{"transit_first", false}, {"consumption_channels", 2}}), 2},
          {"demand", with(direct, {{"input_depth", 5}, {"lanes", 2}}), 2},
          {"pipeline", with(direct, {{"input_depth", 9}, {"routing_delay", 2}, {"vc_allocation_delay", 1}})},
          {"early", with(direct, {{"input_depth", 9},
                                  {"routing_delay", 1},
                                  {"early_routing", true},
                                  {"transit_first", true},
                                  {"injection_delay", 0}})},
          {"unit", base},
          {"refill", with(base, {{"injection_refill", "same_cycle"}, {"input_depth", 2}})},
          {"buffered", with(base, {{"input_depth", 7}, {"output_depth", 3}, {"connections_per_cycle", 1}})},
          {"least_busy", with(base, {{"lanes", 3}, {"selection", "least_busy"}, {"routing_delay", 1}})}};
}

/// Packets of 1 to 7 flits between any two terminals, also from one to itself; now and then a burst.
std::shared_ptr<ListSource> bursts(std::size_t terminals, Cycle cycles, Cycle gap) {
  auto source = std::make_shared<ListSource>();
  for (std::size_t t = 0; t < terminals; ++t) {
    Rng rng(t + 1, "bursts");
    for (Cycle birth = rng.below(gap); birth < cycles; birth += rng.below(2 * gap))
      for (std::uint64_t n = rng.below(10) == 0 ? 6 : 1; n > 0; --n)
        source->add(t, rng.below(terminals), 1 + static_cast<std::uint32_t>(rng.below(7)), birth);
  }
  return source;
}

struct Pair {
  std::string name;
  std::unique_ptr<Fabric> numbered;
  std::unique_ptr<Fabric> open;
};

Pair make_pair_of(const std::string& name, const std::shared_ptr<const Topology>& topology, const Json& set,
                  unsigned channels, Cycle credit_delay, Cycle gap) {
  Pair pair{name, nullptr, nullptr};
  for (const bool open : {false, true}) {
    Json keys = set;
    keys["injection_channels"] = open ? Json("unlimited") : Json(channels);
    const auto cube = torus({5, 4});
    auto made = relation_on(cube, "dimension_order", {{"vc_rule", "dateline"}});
    LinkedOptions options;
    options.credit_delay = credit_delay;
    auto& fabric = open ? pair.open : pair.numbered;
    fabric = make_fabric(plan_fabric({topology, made, node_of("generic", keys)}), options);
    fabric->attach(bursts(topology->terminals(), 1000, gap));
  }
  return pair;
}

TEST(UnlimitedInjection, IsSixtyFourChannelsFlitForFlitWhereTheyNeverFill) {
  std::vector<Pair> pairs;
  for (const auto& setting : settings())
    for (const char* ties : {"random", "rotating", "port"}) {
      Json set = setting.set;
      set["ties"] = ties;
      const std::string name = setting.name + " " + ties;
      pairs.push_back(make_pair_of(name, torus({5, 4}), set, 64, setting.credit_delay, 24));
      if (std::string(ties) != "port")  // the start of ties by port depends on the number of channels
        pairs.push_back(make_pair_of(name + ", two terminals",
                                     std::make_shared<const Topology>(make_cube({5, 4}, {true, true}, 2)),
                                     set, 32, setting.credit_delay, 160));
    }
  std::vector<std::uint64_t> most(pairs.size());
  for (int n = 0; n < 500; ++n) {
    run_cycles(*pairs[0].open, 2);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      ASSERT_EQ(pairs[p].numbered->queued(), 0U) << pairs[p].name << ": its channels fill";
      most[p] = std::max(most[p], pairs[p].open->counters().packets_in_flight());
    }
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    SCOPED_TRACE(pairs[p].name);
    const auto numbered = pairs[p].numbered->counters();
    const auto open = pairs[p].open->counters();
    EXPECT_GT(open.packets_delivered, 250U);
    EXPECT_GT(most[p], 15U) << "several worms per terminal, or this test tests little";
    EXPECT_EQ(pairs[p].open->digest(), pairs[p].numbered->digest());
    EXPECT_EQ(open.flits_injected, numbered.flits_injected);
    EXPECT_EQ(open.flit_hops, numbered.flit_hops);
    EXPECT_EQ(open.link_flits, numbered.link_flits);
    EXPECT_EQ(open.connections_made, numbered.connections_made);
    EXPECT_EQ(open.connections_held, numbered.connections_held);
    EXPECT_EQ(open.header_wait, numbered.header_wait);
    EXPECT_NO_THROW(pairs[p].open->check_conservation());
  }
}

TEST(UnlimitedInjection, AdmitsAtOverloadWhatNumberedChannelsKeepWaiting) {
  const auto topology = torus({4, 4});
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const Json& channels : {Json(8), Json(64), Json("unlimited")}) {
    LinkedOptions options;
    options.credit_delay = 0;
    fabrics.push_back(make_fabric(
        plan_of({"dimension_order", "fixed_slot"}, topology, {{"injection_channels", channels}}), options));
    fabrics.back()->attach(traffic(topology, "bernoulli", 1000, 4));
  }
  const std::size_t empty = fabrics[2]->injection_bytes();
  EXPECT_EQ(fabrics[0]->injection_bytes(), 0U);
  EXPECT_LT(empty, 16U * 1024U) << "nothing waits: nothing is kept for it";
  EXPECT_LE(fabrics[2]->state_bytes(), fabrics[0]->state_bytes() * 3 / 2);
  EXPECT_LT(fabrics[2]->state_bytes(), fabrics[1]->state_bytes()) << "no room for 64 worms in the records";
  run_cycles(*fabrics[0], 4000);
  EXPECT_GT(fabrics[0]->queued(), fabrics[1]->queued());
  EXPECT_GT(fabrics[1]->queued(), 1000U) << "64 are full";
  EXPECT_EQ(fabrics[2]->queued(), 0U);
  for (const auto& fabric : fabrics) EXPECT_NO_THROW(fabric->check_conservation());
  const std::uint64_t waiting = fabrics[2]->counters().packets_in_flight();
  EXPECT_GT(waiting, 16U * 64U);
  // A worm that waits: its channel, a flit of buffer, a place in line; vectors grow by doubling.
  EXPECT_LT(fabrics[2]->injection_bytes(), empty + 2 * 200 * waiting);
}

TEST(UnlimitedInjection, GivesMemoryBackOnceTheWormsAreThrough) {
  const auto topology = torus({4, 4});
  auto fabric = make_fabric(plan_of({"dimension_order", "fixed_slot"}, topology, {{"input_depth", 3}}));
  auto source = std::make_shared<ListSource>();
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t n = 0; n < 800; ++n) source->add(t, (t + 1 + n % 15) % 16, 5, 10);
    source->add(t, (t + 1) % 16, 5, 60000);
  }
  fabric->attach(source);
  const std::size_t empty = fabric->injection_bytes();
  run_cycles(*fabric, 40);
  const std::size_t full = fabric->injection_bytes();
  EXPECT_GT(full, empty + 16 * 700 * 60);
  ASSERT_TRUE(drain(*fabric, 100000));
  EXPECT_EQ(source->deliveries.size(), 16U * 801U);
  EXPECT_LT(fabric->injection_bytes(), empty + (full - empty) / 10);
}

TEST(UnlimitedInjection, NeverDiscards) {
  const auto topology = torus({4, 4});
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const Json& channels : {Json(2), Json("unlimited")}) {
    LinkedOptions options;
    options.discard = true;
    fabrics.push_back(make_fabric(
        plan_of({"dimension_order", "fixed_slot"}, topology, {{"injection_channels", channels}}), options));
    fabrics.back()->attach(traffic(topology, "bernoulli", 800, 4));
  }
  run_cycles(*fabrics[0], 2000);
  EXPECT_GT(fabrics[0]->counters().packets_discarded, 100U);
  EXPECT_EQ(fabrics[1]->counters().packets_discarded, 0U);
}

TEST(UnlimitedInjection, DoesNotDependOnTheOrderOfEvaluationOrConstruction) {
  std::vector<std::vector<std::unique_ptr<Fabric>>> groups;
  const auto topology = torus({5, 5});
  for (const auto& setting : settings())
    for (const char* ties : {"random", "rotating"}) {
      auto& group = groups.emplace_back();
      for (const std::uint64_t seed : {0, 1, 2, 3}) {
        Json set = setting.set;
        set.update({{"injection_channels", "unlimited"}, {"ties", ties}});
        LinkedOptions options;
        options.credit_delay = setting.credit_delay;
        options.order_seed = seed;
        options.construction_seed = seed == 0 ? 0 : seed + 10;
        group.push_back(make_fabric(plan_of(shipped_models()[0], topology, set), options));
        group.back()->attach(traffic(topology, "bernoulli", 500, 6, 9));
      }
    }
  run_cycles(*groups[0][0], 300);
  std::set<std::uint64_t> different;
  for (const auto& group : groups) {
    EXPECT_GT(group[0]->counters().packets_delivered, 100U);
    different.insert(group[0]->digest());
    for (const auto& fabric : group) EXPECT_EQ(fabric->digest(), group[0]->digest());
  }
  EXPECT_EQ(different.size(), groups.size()) << "a digest that is the same for all says nothing";
}

TEST(UnlimitedInjection, TakesALoneWormAsLongAsTheFormulaSays) {
  struct Lone {
    std::string name;
    std::unique_ptr<Fabric> fabric;
    std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  };
  std::vector<Lone> all;
  for (const auto& setting : settings()) {
    Json set = setting.set;
    set["injection_channels"] = "unlimited";
    LinkedOptions options;
    options.credit_delay = setting.credit_delay;
    auto& lone = all.emplace_back();
    lone.name = setting.name;
    lone.fabric = make_fabric(plan_of(shipped_models()[0], torus({5, 4}), set), options);
    Cycle birth = 3;
    for (std::size_t to = 0; to < 20; ++to)
      for (const std::uint32_t length : {1, 2, 9}) lone.source->add(7, to, length, birth += 301);
    lone.fabric->attach(lone.source);
  }
  run_cycles(*all[0].fabric, 62 * 301);
  for (const Lone& lone : all) {
    SCOPED_TRACE(lone.name);
    ASSERT_EQ(lone.source->deliveries.size(), 60U);
    for (const auto& d : lone.source->deliveries)
      EXPECT_EQ(d.consumed - d.birth, lone.fabric->zero_load().latency(d.hops, d.length))
          << d.hops << " hops, " << d.length << " flits";
  }
}

std::set<std::pair<std::size_t, std::uint64_t>> ids(const Autopsy& found) {
  std::set<std::pair<std::size_t, std::uint64_t>> all;
  for (const StuckWorm& worm : found.worms) all.emplace(index(worm.source), worm.number);
  return all;
}

TEST(UnlimitedInjection, ADeadlockIsTheSameOneWithThoseThatWaitOutside) {
  struct Locked {
    std::string name;
    std::unique_ptr<Fabric> numbered;
    std::unique_ptr<Fabric> open;
  };
  std::vector<Locked> all;
  for (const auto& setting : settings()) {
    if (setting.set.contains("lanes")) continue;
    Locked locked{setting.name, nullptr, nullptr};
    for (const bool open : {false, true}) {
      const auto cube = torus({6, 2});
      Json keys = setting.set;
      keys["injection_channels"] = open ? Json("unlimited") : Json(64);
      LinkedOptions options;
      options.credit_delay = setting.credit_delay;
      auto& fabric = open ? locked.open : locked.numbered;
      fabric = make_fabric(
          plan_fabric({cube, std::make_shared<Reckless>(cube, false), node_of("generic", keys)}), options);
      auto source = std::make_shared<ListSource>();
      Rng rng(3, "work");
      for (std::size_t t = 0; t < 12; ++t)
        for (std::size_t n = 0; n < 12; ++n)
          source->add(t, (t + 1 + rng.below(11)) % 12, 1 + static_cast<std::uint32_t>(rng.below(30)), 8 * n);
      fabric->attach(source);
    }
    all.push_back(std::move(locked));
  }
  std::size_t outside = 0;
  std::size_t deadlocked = 0;
  for (int n = 0; n < 60; ++n) {
    run_cycles(*all[0].open, n < 40 ? 10 : 100);
    for (const Locked& locked : all) {
      SCOPED_TRACE(locked.name);
      const Autopsy numbered = autopsy(*locked.numbered);
      const Autopsy open = autopsy(*locked.open);
      ASSERT_EQ(ids(open), ids(numbered)) << to_text(open) << to_text(numbered);
      ASSERT_EQ(open.circle.size(), numbered.circle.size());
    }
  }
  for (const Locked& locked : all) {
    const Autopsy found = autopsy(*locked.open);
    deadlocked += found.deadlocked ? 1 : 0;
    EXPECT_EQ(locked.open->digest(), locked.numbered->digest());
    for (const StuckWorm& worm : found.worms)
      if (worm.buffer == "input injection") {
        ++outside;
        EXPECT_FALSE(worm.waits_for.empty());
        EXPECT_EQ(index(worm.router), index(worm.source));
      }
  }
  EXPECT_GT(deadlocked, 3U) << "or this test tests little";
  EXPECT_GT(outside, 10U);
}

}  // namespace
}  // namespace noctule::fabric_test
