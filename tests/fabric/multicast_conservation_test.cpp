// Does every destination get every message exactly once, and is every flit somewhere in the meantime? In
// traffic of multicasts and other messages, on meshes of all sorts and routers of all sorts.

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

struct Network {
  std::string planner;
  std::vector<unsigned> radix;
  Json node;
  bool plans_unicasts = true;
  unsigned apart = 40;  ///< mean cycles between two messages of a terminal
  bool unlike = false;  ///< routers differ in what they may differ in
};

/// Keys that make different routers of the paper's, each of which can do multicasts.
std::vector<Json> nodes() {
  return {paper_node(1, 4),
          paper_node(2, 4),
          paper_node(4, 6),
          paper_node(2, 4, {{"injection_channels", 3}, {"injection_sharing", "worm"}}),
          paper_node(2, 5, {{"release", "next_buffer_empty"}, {"scan", "random_start"}}),
          paper_node(1, 4, {{"input_depth", 1}, {"connections_per_cycle", 1}, {"scan", "fixed"}}),
          paper_node(2, 4, {{"switch_allocation_delay", 0}, {"traversal_delay", 0}, {"injection_delay", 0}}),
          paper_node(2, 4, {{"routing_delay", 3}, {"early_routing", false}, {"vc_allocation_delay", 2}}),
          paper_node(4, 4, {{"parallel_links", 2}, {"unicast_access", "any"}}),
          paper_node(2, 6, {{"consumption_access", "own"}, {"consumption_wait", "committed"}}),
          paper_node(2, 2, {{"consumption_vcs", 2}}),
          paper_node(1, 1, {{"consumption_vcs", 4}, {"scan", "rotating"}}),
          paper_node(2, 4, {{"lanes", 16}}),
          paper_node(1, 4, {{"lanes", 40}})};
}

std::vector<Network> networks() {
  std::vector<Network> all;
  const std::vector<std::string> planners{"dual_path", "multipath", "column_path", "e_mcast", "individual"};
  const std::vector<std::vector<unsigned>> meshes{{4, 4}, {5, 3}, {3, 6}, {2, 7}};
  std::size_t turn = 0;
  for (const auto& planner : planners)
    for (const Json& node : nodes()) {
      all.push_back({planner, meshes[turn % meshes.size()], node, turn % 3 != 0});
      ++turn;
    }
  for (const char* planner : {"dual_path", "individual"})
    for (const auto& radix : {std::vector<unsigned>{9}, {3, 2, 4}, {2, 2, 2, 2}, {2, 3}})
      for (const unsigned lanes : {1, 2}) all.push_back({planner, radix, paper_node(lanes, 2)});
  for (const char* planner : {"dual_path", "column_path"})
    all.push_back({planner, {4, 4}, paper_node(2, 2, {{"acquisition", "output_first"}})});
  for (const auto& planner : planners)
    for (const auto& mesh : meshes)
      all.push_back({planner, mesh, paper_node(2, 4), all.size() % 2 == 0, 40, true});
  // Absorbed messages may deadlock: few at a time.
  for (const char* planner : {"dual_path", "multipath", "column_path", "e_mcast"})
    for (const unsigned buffers : {1, 2})
      for (const auto& mesh : meshes)
        all.push_back({planner, mesh, paper_node(2, 4, {{"retransmission_buffers", buffers}}), true, 700});
  return all;
}

/// A third with one destination, now and then the source itself; some prepared.
void add_messages(MessageList& source, std::size_t terminals, unsigned apart, std::uint64_t seed) {
  Rng rng(seed, "messages");
  for (std::size_t t = 0; t < terminals; ++t) {
    Cycle birth = 0;
    for (int n = 0; n < 12; ++n) {
      birth += rng.below(2 * apart);
      const std::size_t count = rng.below(3) == 0 ? 1 : 2 + rng.below(terminals - 2);
      Destinations list;
      while (list.size() < count) {
        const std::size_t d = rng.below(terminals);
        const bool known = std::find(list.begin(), list.end(), d) != list.end();
        if (!known && (d != t || count == 1)) list.push_back(d);
      }
      const auto length = 1 + static_cast<std::uint32_t>(rng.below(24));
      source.add(t, list, length, birth, rng.below(4) == 0 ? static_cast<std::uint32_t>(rng.below(90)) : 0);
    }
  }
}

/// The accounts between two cycles.
void expect_books_to_agree(const Scenario& run, std::uint64_t messages) {
  const auto& fabric = *run.fabric;
  ASSERT_NO_THROW(fabric.check_conservation()) << run.name;
  const auto c = fabric.counters();
  EXPECT_EQ(c.packets_generated, c.packets_injected + fabric.queued());
  EXPECT_EQ(c.packets_delivered, c.total_latency.count());
  EXPECT_LE(c.packets_delivered, c.packets_injected);
  EXPECT_LE(c.packets_injected, c.packets_generated);
  EXPECT_LE(c.packets_generated, messages);
  EXPECT_EQ(c.packets_discarded + c.packets_dropped + c.flits_dropped, 0U);
  std::uint64_t by_terminal = 0;
  for (const auto flits : c.terminal_flits) by_terminal += flits;
  EXPECT_EQ(by_terminal, c.flits_delivered);
  std::uint64_t through = 0;
  for (const auto& d : run.listener->deliveries) through += d.remaining == 0 ? 1 : 0;
  EXPECT_EQ(through, c.packets_delivered);
}

/// Every message was told of once at each of its destinations, and of nothing else.
void expect_each_once(const Scenario& run) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::map<std::size_t, const Delivery*>> seen;
  for (const auto& d : run.listener->deliveries)
    EXPECT_TRUE((seen[{index(d.source), d.number}].emplace(index(d.destination), &d).second)) << "twice";
  std::uint64_t flits = 0;
  std::uint64_t destinations = 0;
  for (const auto& [source, list] : run.source->lists())
    for (std::size_t n = 0; n < list.size(); ++n) {
      const auto& packet = list[n];
      const auto& got = seen[{source, n}];
      auto expected = packet.destinations;
      if (expected.empty()) expected.push_back(packet.destination);
      ASSERT_EQ(got.size(), expected.size()) << "message " << n << " of " << source;
      std::set<std::uint32_t> remaining;
      for (const TerminalId d : expected) {
        const auto found = got.find(index(d));
        ASSERT_NE(found, got.end()) << "message " << n << " of " << source << " is not at " << index(d);
        const Delivery& delivery = *found->second;
        EXPECT_EQ(delivery.length, packet.length);
        EXPECT_EQ(delivery.birth, packet.birth);
        EXPECT_GE(delivery.injected, packet.birth + packet.preparation);
        EXPECT_GT(delivery.consumed, delivery.injected);
        remaining.insert(delivery.remaining);
      }
      EXPECT_EQ(remaining.size(), expected.size());
      EXPECT_EQ(*remaining.rbegin() + 1, expected.size());
      flits += expected.size() * packet.length;
      destinations += expected.size();
    }
  const auto c = run.fabric->counters();
  EXPECT_EQ(c.flits_delivered, flits);
  EXPECT_EQ(c.message_flits, flits);
  EXPECT_EQ(c.destinations, destinations);
  EXPECT_EQ(c.flits_injected + c.flits_copied, flits);
  EXPECT_EQ(c.packets_injected, c.packets_generated);
  EXPECT_EQ(c.packets_delivered, c.packets_generated);
}

/// A fifth of the networks: each test is a process, and they run side by side.
class EveryDestination : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryDestination, GetsEveryMessageOnce) {
  std::vector<Scenario> runs;
  const auto all = networks();
  for (std::size_t n = GetParam(); n < all.size(); n += 5) {
    const Network& net = all[n];
    const auto topology = mesh(net.radix);
    FabricOptions options;
    options.seed = n + 1;
    runs.emplace_back(
        net.planner + " on " + Json(net.radix).dump() + " " + net.node.dump(),
        net.unlike ? multicast_plan(topology, net.planner, drawn_nodes(*topology, net.node, unlike_keys(), n),
                                    net.plans_unicasts)
                   : multicast_plan(topology, net.planner, net.node, net.plans_unicasts),
        options);
    add_messages(*runs.back().source, topology->terminals(), net.apart, n);
  }
  for (int n = 0; n < 12; ++n) {
    run_cycles(*runs[0].fabric, n < 8 ? 97 : 5000);
    for (const auto& run : runs) {
      SCOPED_TRACE(run.name);
      expect_books_to_agree(run, 12 * run.fabric->plan().topology->terminals());
    }
  }
  for (const auto& run : runs) {
    SCOPED_TRACE(run.name);
    expect_delivered(run);
    expect_each_once(run);
  }
}
INSTANTIATE_TEST_SUITE_P(Fifth, EveryDestination, testing::Range(std::size_t{0}, std::size_t{5}));

}  // namespace
}  // namespace noctule::fabric_test
