// Does a multicast take the cycles that its path implies? Alone, in the router of Boppana et al. 1998,
// section 4, every flit reaches every destination when the number of links to it says so.

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"
#include "uneven_support.h"

namespace noctule::fabric_test {
namespace {

/// From generation to the tail at a destination d hops away: a cycle into the injection buffer, 3 cycles in
/// each of the d + 1 routers, d links, and a cycle for each flit behind the header. The tail counts as
/// consumed in the cycle in which it leaves the last router; who gives the consumption channel a cycle of its
/// own, as a link has, counts 4 d + L + 4.
Cycle alone(Cycle d, Cycle length) {
  return 4 * d + length + 3;
}

TEST(AMessageToOne, TakesFourCyclesPerHopPlusItsLengthPlusThree) {
  std::vector<Scenario> runs;
  for (const char* name : {"individual", "dual_path"})
    for (const unsigned lanes : {1, 2, 4}) {
      runs.emplace_back(name, multicast_plan(mesh({8}), name, paper_node(lanes, 2)));
      Cycle birth = 3;
      for (std::size_t d = 1; d < 8; ++d)
        for (const std::uint32_t length : {1U, 2U, 3U, 8U, 20U, 33U}) {
          runs.back().source->add(0, {d}, length, birth += 201);
          runs.back().source->add(7, {7 - d}, length, birth += 201);
        }
    }
  run_cycles(*runs[0].fabric, 20000);
  for (const auto& run : runs) {
    const auto& fabric = *run.fabric;
    SCOPED_TRACE(run.name + " lanes " + std::to_string(fabric.plan().common_node().lanes));
    expect_delivered(run);
    for (const auto& d : run.source->deliveries) {
      // 2 places that come back after 4 cycles pass 2 flits every 4 cycles.
      const Cycle body = d.length - 1;
      const Cycle lost = fabric.plan().common_node().lanes < 4 ? 0 : body / 2 * 4 + body % 2 - body;
      ASSERT_EQ(d.consumed - d.birth, alone(d.hops, d.length) + lost) << d.hops << " hops, " << d.length;
      ASSERT_EQ(d.consumed - d.birth, fabric.zero_load().latency(d.hops, d.length));
      if (d.hops == 7 && d.length == 20) {
        EXPECT_EQ(d.consumed - d.birth, lost > 0 ? 69U : 51U);
      }
    }
  }
}

TEST(AMessageThroughUnlikeRouters, TakesWhatTheFormulaSaysOfItsPathToItsLastDestination) {
  const auto line = mesh({8});
  std::vector<LinkId> path;
  for (std::uint32_t r = 0; r + 1 < 8; ++r)
    for (const Link& link : line->links())
      if (link.from == RouterId{r} && link.to == RouterId{r + 1}) path.push_back(link.id);
  std::vector<Scenario> runs;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const Destinations& stops : {Destinations{7}, {6, 7}, {3, 5, 7}, {1, 2, 3, 4, 5, 6, 7}}) {
      runs.emplace_back(
          std::to_string(seed) + " to " + std::to_string(stops.size()),
          multicast_plan(line, "dual_path", drawn_nodes(*line, paper_node(2, 4), unlike_keys(), seed), true,
                         seed % 2 == 0 ? LinkDescriptions{}
                                       : drawn_links(*line, {{1, 1, 1}, {3, 2, 1}, {1, 1, 3}}, seed)));
      runs.back().source->add(0, stops, 1 + static_cast<std::uint32_t>(seed % 24), 11);
    }
  run_cycles(*runs[0].fabric, 600);
  for (const auto& run : runs) {
    expect_delivered(run);
    const auto& last = run.source->deliveries.back();
    EXPECT_EQ(index(last.destination), 7U);
    EXPECT_EQ(last.consumed - last.birth, run.fabric->zero_load().latency(RouterId{0}, path, last.length))
        << run.name << ", " << last.length << " flits";
  }
}

TEST(AMulticast, PassesDestinationsWithoutDelay) {
  // Behind the header flits gain a cycle in every router, and wait for it in the next: their places are taken
  // for 5 cycles, so that 4 of them (2 VCs) keep a long tail up at the first destinations, but not at the
  // last.
  std::vector<Scenario> runs;
  for (const unsigned lanes : {1, 2})
    for (const Destinations& stops : {Destinations{7}, {6, 7}, {3, 5, 7}, {1, 2, 3, 4, 5, 6, 7}})
      for (const std::uint32_t length : {1U, 2U, 20U}) {
        runs.emplace_back(std::to_string(stops.size()),
                          multicast_plan(mesh({8}), "dual_path", paper_node(lanes, 2)));
        runs.back().source->add(0, stops, length, 11);
      }
  run_cycles(*runs[0].fabric, 200);
  for (const auto& run : runs) {
    expect_delivered(run);
    const auto& deliveries = run.source->deliveries;
    std::uint32_t left = static_cast<std::uint32_t>(deliveries.size());
    for (const auto& d : deliveries) {
      const Cycle expected = alone(index(d.destination), d.length);
      if (run.fabric->plan().common_node().lanes == 1 || d.length < 20 || d.remaining == 0)
        EXPECT_EQ(d.consumed - d.birth, expected) << run.name;
      else
        EXPECT_GE(d.consumed - d.birth, expected) << run.name;
      EXPECT_EQ(d.birth, 11U);
      EXPECT_EQ(d.injected, 11U);
      EXPECT_EQ(d.remaining, --left);
    }
    // The message's latency is that of its last destination.
    const auto c = run.fabric->counters();
    EXPECT_EQ(c.total_latency.count(), 1U);
    EXPECT_EQ(c.total_latency.sum(), alone(7, deliveries[0].length));
    EXPECT_EQ(c.network_latency.sum(), c.total_latency.sum());
    EXPECT_EQ(c.header_wait, 0U);
    EXPECT_EQ(c.packets_delivered, 1U);
    EXPECT_EQ(c.hops, 7U);
    EXPECT_EQ(c.copies, 1U);
    EXPECT_EQ(c.destinations, deliveries.size());
    EXPECT_EQ(c.message_flits, deliveries.size() * deliveries[0].length);
    EXPECT_EQ(c.flits_delivered, c.message_flits);
    EXPECT_EQ(c.flits_copied, c.message_flits - deliveries[0].length);
  }
}

TEST(AMulticast, WaitsForAConsumptionChannelAndNoLonger) {
  // A worm from the other side has the only channel of terminal 1 when the multicast comes by. It goes on, to
  // both sides, in the cycle after that worm's tail.
  std::vector<Scenario> runs;
  for (const unsigned channels : {1, 2}) {
    runs.emplace_back(std::to_string(channels),
                      multicast_plan(mesh({3}), "dual_path", with(paper_node(1, channels), one_class())));
    runs.back().source->add(2, {1}, 30, 0);
    runs.back().source->add(0, {1, 2}, 6, 4);
  }
  run_cycles(*runs[0].fabric, 200);
  for (const auto& run : runs) {
    expect_delivered(run);
    std::map<std::pair<std::size_t, std::size_t>, Cycle> consumed;
    for (const auto& d : run.source->deliveries)
      consumed[{index(d.source), index(d.destination)}] = d.consumed;
    const Cycle waited = run.name == "1" ? alone(1, 30) + 1 - (4 + alone(1, 1)) : 0;
    EXPECT_EQ((consumed[{2, 1}]), alone(1, 30));
    EXPECT_EQ((consumed[{0, 1}]), 4 + alone(1, 6) + waited);
    EXPECT_EQ((consumed[{0, 2}]), 4 + alone(2, 6) + waited);
    EXPECT_EQ(run.fabric->counters().header_wait, waited);
  }
}

/// The worked example of Boppana et al. 1998, section 2, on an 8x8 mesh.
struct WorkedExample {
  std::shared_ptr<const CubeNetwork> topology = mesh({8, 8});
  std::size_t source = at(*topology, 3, 2);
  Destinations destinations{at(*topology, 3, 1), at(*topology, 5, 0), at(*topology, 5, 5),
                            at(*topology, 1, 4), at(*topology, 1, 5), at(*topology, 0, 5),
                            at(*topology, 0, 4)};

  /// The planner's copies, each by its stops.
  [[nodiscard]] std::vector<PlannedWorm> worms(const FabricPlan& plan) const {
    std::vector<TerminalId> list;
    for (const auto d : destinations) list.push_back(TerminalId(d));
    std::vector<PlannedWorm> worms;
    plan.multicast->planner->plan(TerminalId(source), list, worms);
    return worms;
  }
  /// Links from the source to each destination, along the worm that serves it.
  [[nodiscard]] std::map<std::size_t, Cycle> hops(const FabricPlan& plan) const {
    std::map<std::size_t, Cycle> all;
    for (const auto& worm : worms(plan)) {
      RouterId here{static_cast<std::uint32_t>(source)};
      Cycle sum = 0;
      for (const Stop& stop : worm.stops) {
        sum += plan.multicast->relation->hops(here, stop.router);
        here = stop.router;
        if (stop.terminal != kNoTerminal) all[index(stop.terminal)] = sum;
      }
    }
    return all;
  }
};

const std::vector<std::string> kPlanners{"individual", "dual_path", "multipath", "column_path", "e_mcast"};

TEST(TheWorkedExample, GivesEveryDestinationEachFlitOnceInItsCycle) {
  // Every copy has an injection channel, and every VC a link, of its own: no copy waits for another.
  const WorkedExample example;
  constexpr std::uint32_t kLength = 20;
  constexpr Cycle kBirth = 9;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const auto& name : kPlanners) {
    FabricOptions options;
    options.observed = true;
    const Json apart{
        {"input_depth", 8}, {"parallel_links", 8}, {"injection_channels", 8}, {"injection_vcs", 1}};
    fabrics.push_back(make_fabric(multicast_plan(example.topology, name, paper_node(8, 8, apart)), options));
    const auto source = std::make_shared<MessageList>();
    source->add(example.source, example.destinations, kLength, kBirth);
    fabrics.back()->attach(source);
    recorders.push_back(std::make_unique<Recorder>());
    fabrics.back()->observe(*recorders.back());
  }
  run_cycles(*fabrics[0], 200);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> copies_and_hops{
      {7, 30}, {2, 19}, {3, 16}, {5, 21}, {4, 20}};
  for (std::size_t n = 0; n < kPlanners.size(); ++n) {
    SCOPED_TRACE(kPlanners[n]);
    const auto hops = example.hops(fabrics[n]->plan());
    Cycle farthest = 0;
    std::size_t consumed = 0;
    for (const auto destination : example.destinations) {
      const auto events = recorders[n]->of(FlitEvent::kConsume, destination);
      consumed += events.size();
      ASSERT_EQ(events.size(), kLength);
      for (std::uint32_t f = 0; f < kLength; ++f) {
        EXPECT_EQ(events[f].flit, f);
        EXPECT_EQ(events[f].t, kBirth + alone(hops.at(destination), 1 + f))
            << "flit " << f << " at " << destination;
      }
      farthest = std::max(farthest, hops.at(destination));
    }
    const auto all = recorders[n]->where([](const Event& e) { return e.event == FlitEvent::kConsume; });
    EXPECT_EQ(all.size(), consumed) << "nobody else consumes anything";
    const auto c = fabrics[n]->counters();
    EXPECT_EQ(c.total_latency.sum(), alone(farthest, kLength));
    EXPECT_EQ(std::pair(c.copies, c.hops), copies_and_hops[n]);
    EXPECT_EQ(c.flit_hops, c.hops * kLength);
  }
}

TEST(TheWorkedExample, IsServedInThePlannersOrderWithOneInjectionChannel) {
  const WorkedExample example;
  std::vector<Scenario> runs;
  for (const auto& name : kPlanners)
    for (const char* sharing : {"flit", "worm"})
      for (const unsigned lanes : {1, 2}) {
        const Json set{{"injection_sharing", sharing}};
        runs.emplace_back(name + " " + sharing,
                          multicast_plan(example.topology, name, paper_node(lanes, 4, set)));
        runs.back().source->add(example.source, example.destinations, 20, 0);
      }
  run_cycles(*runs[0].fabric, 1000);
  for (const auto& run : runs) {
    expect_delivered(run);
    std::map<std::size_t, Cycle> consumed;
    Cycle last = 0;
    for (const auto& d : run.source->deliveries) {
      EXPECT_TRUE(consumed.emplace(index(d.destination), d.consumed).second) << "twice";
      EXPECT_GE(d.consumed, last) << "told in the order of time";
      last = d.consumed;
    }
    EXPECT_EQ(run.source->deliveries.back().remaining, 0U);
    EXPECT_EQ(run.fabric->counters().total_latency.sum(), last);
    EXPECT_EQ(run.fabric->counters().network_latency.sum(), last) << "from the first copy's header on";
    EXPECT_EQ(run.fabric->counters().packets_injected, 1U);
    for (const auto& worm : example.worms(run.fabric->plan())) {
      Cycle before = 0;
      for (const Stop& stop : worm.stops) {
        if (stop.terminal == kNoTerminal) continue;
        EXPECT_GT(consumed.at(index(stop.terminal)), before) << run.name;
        before = consumed.at(index(stop.terminal));
      }
    }
  }
}

/// The tail, d links from where it entered, if no flit ahead keeps it up: 2 cycles in each router.
Cycle unhindered(Cycle d) {
  return 3 * d + 3;
}

TEST(TwoCopies, ShareAnInjectionChannelFlitByFlitOrWormByWorm) {
  constexpr std::uint32_t kLength = 20;
  struct Expected {
    const char* sharing;
    Cycle first_up, next_up, first_down, next_down;  ///< headers enter, then a flit every so many cycles
  };
  const std::vector<Expected> cases{{"flit", 0, 2, 1, 2}, {"worm", 0, 1, kLength, 1}};
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::vector<std::shared_ptr<MessageList>> sources;
  for (const auto& c : cases) {
    FabricOptions options;
    options.observed = true;
    const Json set{{"injection_vcs", 2}, {"injection_sharing", c.sharing}};
    fabrics.push_back(make_fabric(multicast_plan(mesh({8}), "dual_path", paper_node(1, 2, set)), options));
    sources.push_back(std::make_shared<MessageList>());
    sources.back()->add(3, {0, 7}, kLength, 0);
    fabrics.back()->attach(sources.back());
    recorders.push_back(std::make_unique<Recorder>());
    fabrics.back()->observe(*recorders.back());
  }
  run_cycles(*fabrics[0], 200);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Expected& c = cases[n];
    SCOPED_TRACE(c.sharing);
    std::map<std::uint16_t, std::vector<Cycle>> entered;  // by injection buffer
    for (const auto& e : recorders[n]->of(FlitEvent::kInject, 3, 3)) entered[e.place].push_back(e.t);
    ASSERT_EQ(entered.size(), 2U);
    const auto& up = entered.begin()->second;
    const auto& down = entered.rbegin()->second;
    for (std::uint32_t f = 0; f < kLength; ++f) {
      EXPECT_EQ(up.at(f), c.first_up + c.next_up * f);
      EXPECT_EQ(down.at(f), c.first_down + c.next_down * f);
    }
    const auto& deliveries = sources[n]->deliveries;
    ASSERT_EQ(deliveries.size(), 2U);
    for (const auto& d : deliveries) {
      const bool is_up = index(d.destination) == 7;
      const auto& copy = is_up ? up : down;
      const Cycle hops = is_up ? 4 : 3;
      EXPECT_EQ(d.consumed, std::max(copy.front() + alone(hops, kLength), copy.back() + unhindered(hops)));
      EXPECT_EQ(d.injected, is_up ? up.front() : down.front());
    }
  }
}

TEST(TwoCopies, OfWhichOneIsStuckLeaveTheChannelToTheOther) {
  // The copy up waits for a link that a long worm has. Its 8 flits enter in turn with the other copy's; from
  // then on those enter in every cycle.
  FabricOptions options;
  options.observed = true;
  auto fabric =
      make_fabric(multicast_plan(mesh({3}), "dual_path", paper_node(1, 2, {{"injection_vcs", 2}})), options);
  auto source = std::make_shared<MessageList>();
  source->add(0, {2}, 400, 0);
  source->add(1, {0, 2}, 60, 100);
  fabric->attach(source);
  Recorder recorder;
  fabric->observe(recorder);
  run_cycles(*fabric, 1000);
  EXPECT_EQ(source->deliveries.size(), source->expected());
  std::map<std::uint16_t, std::vector<Cycle>> entered;
  for (const auto& e : recorder.of(FlitEvent::kInject, 1, 1)) entered[e.place].push_back(e.t);
  ASSERT_EQ(entered.size(), 2U);
  const auto& up = entered.begin()->second;
  const auto& down = entered.rbegin()->second;
  for (Cycle f = 0; f < 60; ++f) {
    EXPECT_EQ(down.at(f), f < 8 ? 101 + 2 * f : 108 + f);
    if (f < 8) {
      EXPECT_EQ(up.at(f), 100 + 2 * f);
    } else {
      EXPECT_GT(up.at(f), 400U);
    }
  }
}

TEST(Preparation, IsPureLatency) {
  std::vector<Scenario> runs;
  for (const auto& name : kPlanners)
    for (const std::uint32_t delay : {0U, 1U, 50U, 1000U}) {
      runs.emplace_back(name, multicast_plan(mesh({8, 8}), name, paper_node(2, 4)));
      auto& source = *runs.back().source;
      source.add(26, {3, 5, 40, 61}, 20, 7, delay);
      source.add(9, {63}, 20, 7, delay);  // far from the other
    }
  run_cycles(*runs[0].fabric, 2000);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    expect_delivered(runs[n]);
    const auto& first = runs[n - n % 4];
    const auto delay = runs[n].source->lists().at(9)[0].preparation;
    const auto c = runs[n].fabric->counters();
    EXPECT_EQ(c.total_latency.sum(), first.fabric->counters().total_latency.sum() + 2 * delay);
    EXPECT_EQ(c.network_latency.sum(), first.fabric->counters().network_latency.sum());
    for (std::size_t d = 0; d < first.source->deliveries.size(); ++d) {
      const auto& base = first.source->deliveries[d];
      const auto& late = runs[n].source->deliveries[d];
      EXPECT_EQ(late.destination, base.destination);
      EXPECT_EQ(late.birth, base.birth);
      EXPECT_EQ(late.injected, base.injected + delay);
      EXPECT_EQ(late.consumed, base.consumed + delay);
    }
  }
}

TEST(Preparation, HoldsNoOtherMessageUp) {
  // A later message of the same source that is ready earlier goes first; of two that are ready in the same
  // cycle, the one that was born first.
  Scenario run("", multicast_plan(mesh({8}), "dual_path", paper_node(1, 2)));
  run.source->add(0, {2, 3}, 5, 10, 40);
  run.source->add(0, {4}, 5, 11);
  run.source->add(0, {5, 6}, 5, 20, 30);
  run_cycles(*run.fabric, 300);
  expect_delivered(run);
  std::map<std::uint64_t, Cycle> injected;
  for (const auto& d : run.source->deliveries) injected[d.number] = d.injected;
  EXPECT_EQ(injected, (std::map<std::uint64_t, Cycle>{{1, 11}, {0, 50}, {2, 55}}));
}

}  // namespace
}  // namespace noctule::fabric_test
