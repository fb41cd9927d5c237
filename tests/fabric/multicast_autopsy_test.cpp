// Does the autopsy find exactly the multicasts that never move again? Networks with one class of consumption
// channels, or few retransmission buffers, are filled until nothing moves: then it must name everything that
// is left in them, and nothing that it named on the way may have moved.

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// Packets of which the network holds a flit, or which a terminal has absorbed; by source and number.
std::multiset<std::pair<std::size_t, std::uint64_t>> inside(const Fabric& fabric) {
  std::set<PacketHandle> handles;
  std::vector<Flit> flits;
  for (std::size_t r = 0; r < fabric.plan().routers.size(); ++r) {
    const RouterView& view = fabric.router(RouterId(r));
    for (std::size_t i = 0; i < view.plan().inputs.size(); ++i) {
      view.input_flits(i, flits);
      for (const Flit flit : flits) handles.insert(flit.packet);
    }
    for (const auto& [t, interface] : fabric.plan().consuming[r])
      for (const Absorbed& message : fabric.absorbed(t)) handles.insert(message.packet);
  }
  std::multiset<std::pair<std::size_t, std::uint64_t>> packets;
  for (const PacketHandle handle : handles)
    packets.emplace(index(fabric.packets()[handle].source), fabric.packets()[handle].number);
  return packets;
}

/// What a report says of each worm, without the numbers of the others.
std::multiset<std::string> lines(const Autopsy& found) {
  std::multiset<std::string> all;
  for (const auto& worm : found.worms) {
    std::string line = std::to_string(index(worm.source)) + "." + std::to_string(worm.number) + " in " +
                       worm.router_name + " " + worm.buffer + " holds";
    for (const auto& held : worm.holds) line += " " + held;
    line += " waits for";
    for (const auto& wait : worm.waits_for) line += " " + wait.channel;
    for (const TerminalId t : worm.destinations) line += " " + std::to_string(index(t));
    all.insert(line);
  }
  return all;
}

void add_messages(MessageList& list, std::uint64_t seed) {
  Rng rng(seed, "messages");
  for (std::size_t t = 0; t < 16; ++t)
    for (Cycle n = 0; n < 15; ++n) {
      Destinations to;
      for (std::size_t d = 0; d < 16; ++d)
        if (d != t && rng.below(3) == 0) to.push_back(d);
      if (to.empty()) to.push_back((t + 5) % 16);
      if (rng.below(4) == 0) to.resize(1);
      list.add(t, to, 20, 10 * n);
    }
}

std::vector<Scenario> networks(const Json& more) {
  std::vector<Scenario> all;
  for (const char* planner : {"dual_path", "multipath", "column_path", "e_mcast"})
    for (const unsigned lanes : {1, 2})
      for (const unsigned buffers : {0, 1, 2}) {
        const Json set = with({{"retransmission_buffers", buffers}}, more);
        FabricOptions options;
        options.seed = all.size() + 1;
        all.emplace_back(std::string(planner) + " " + std::to_string(lanes) + " " + std::to_string(buffers),
                         multicast_plan(mesh({4, 4}), planner, with(paper_node(lanes, 1, set), one_class())),
                         options);
        add_messages(*all.back().source, all.size());
      }
  return all;
}

/// A worm may be reported with more alternatives closed later on, but it stays where it is.
std::set<std::string> places(const Autopsy& found) {
  std::set<std::string> all;
  for (const auto& worm : found.worms)
    all.insert(std::to_string(index(worm.source)) + "." + std::to_string(worm.number) + " in " +
               worm.router_name + " " + worm.buffer);
  return all;
}

void expect_all_and_only_the_stuck(std::vector<Scenario>& runs) {
  std::vector<std::set<std::string>> known(runs.size());
  std::size_t deadlocked = 0;
  for (int n = 0; n < 40; ++n) {
    run_cycles(*runs[0].fabric, n < 39 ? 50 : 20000);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const auto now = places(autopsy(*runs[r].fabric));
      EXPECT_TRUE(std::includes(now.begin(), now.end(), known[r].begin(), known[r].end()))
          << runs[r].name << ": a worm that was reported has moved by cycle " << runs[r].fabric->cycles();
      known[r] = now;
    }
  }
  for (const auto& run : runs) {
    SCOPED_TRACE(run.name);
    const Autopsy found = autopsy(*run.fabric);
    EXPECT_EQ(found.deadlocked, !run.fabric->drained());
    std::multiset<std::pair<std::size_t, std::uint64_t>> reported;
    for (const auto& worm : found.worms) {
      reported.emplace(index(worm.source), worm.number);
      EXPECT_FALSE(worm.waits_for.empty());
      EXPECT_FALSE(worm.destinations.empty());
    }
    EXPECT_EQ(reported, inside(*run.fabric)) << "all that is left in the network, and nothing else";
    deadlocked += found.deadlocked ? 1 : 0;
    const auto before = lines(found);
    EXPECT_EQ(before, lines(autopsy(*run.fabric)));
    EXPECT_NO_THROW(run.fabric->check_conservation());
  }
  EXPECT_GT(deadlocked, runs.size() / 2);
}

TEST(TheAutopsyOfMulticasts, NamesAllThatIsStuckAndNothingElse) {
  auto runs = networks(Json::object());
  expect_all_and_only_the_stuck(runs);
}

TEST(TheAutopsyOfMulticasts, AlsoWhereTheOutputIsTakenFirst) {
  auto runs = networks({{"acquisition", "output_first"}});
  expect_all_and_only_the_stuck(runs);
}

TEST(TheAutopsyOfMulticasts, AlsoWithAtomicChannelsAndCommittedWorms) {
  auto runs =
      networks({{"release", "next_buffer_empty"}, {"consumption_wait", "committed"}, {"input_depth", 3}});
  expect_all_and_only_the_stuck(runs);
}

}  // namespace
}  // namespace noctule::fabric_test
