// Is each rule of the cycle obeyed, no earlier and no later than it says?

#include <gtest/gtest.h>

#include <set>

#include "core/json.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

const Model kDimensionOrder{"dimension_order", "generic"};

FabricPlan line(unsigned k, const Json& set = Json::object()) {
  return plan_of(kDimensionOrder, mesh({k}), set);
}
bool starts(const Event& e) {
  return e.flit == 0;
}
std::vector<Event> headers(std::vector<Event> events) {
  std::erase_if(events, [](const Event& e) { return !starts(e); });
  return events;
}

TEST(ABufferEmptiedInOneCycle, TakesAFlitInTheNextAndNotEarlier) {
  Bench unit(line(3));
  Bench twice(line(3, {{"output_depth", 2}, {"input_depth", 2}, {"consumption_depth", 2}}));
  for (auto* bench : {&unit, &twice}) bench->source->add(0, 2, 8, 0);
  run_cycles(*unit.fabric, 100);
  for (const std::size_t router : {0, 1}) {
    const auto crossed = times(unit.recorder.of(FlitEvent::kCross, router));
    const auto sent = times(unit.recorder.of(FlitEvent::kLink, router));
    ASSERT_EQ(crossed.size(), 8U);
    ASSERT_EQ(sent.size(), 8U);
    for (std::size_t n = 0; n < 8; ++n) {
      EXPECT_EQ(sent[n], crossed[n] + 1) << "not in the cycle in which it crossed, but in the next one";
      // The output buffer empties in sent[n]; the input buffer behind in sent[n] + 1.
      if (n > 0) {
        EXPECT_EQ(crossed[n], sent[n - 1] + 1);
      }
    }
    // With two places the crossbar fills one while the link empties the other.
    const auto faster = times(twice.recorder.of(FlitEvent::kCross, router));
    for (std::size_t n = 1; n < 8; ++n) EXPECT_EQ(faster[n], faster[n - 1] + 1);
  }
}

TEST(ALinkToABufferOfOneFlit, WaitsForItsCredit) {
  // With room in front (two output places) only the credit limits the rate: flit and credit delay together.
  std::vector<std::unique_ptr<Bench>> benches;
  for (const Cycle flit : {1, 2, 4})
    for (const Cycle credit : {1, 3}) {
      LinkedOptions options;
      options.flit_delay = flit;
      options.credit_delay = credit;
      benches.push_back(std::make_unique<Bench>(line(2, {{"output_depth", 2}}), options));
      benches.back()->source->add(0, 1, 6, 3);
    }
  run_cycles(*benches[0]->fabric, 300);
  for (const auto& bench : benches) {
    const auto& o = bench->fabric->plan().links.kinds().front();
    const auto sent = times(bench->recorder.of(FlitEvent::kLink, 0));
    const auto crossed = times(bench->recorder.of(FlitEvent::kCross, 1));
    ASSERT_EQ(sent.size(), 6U);
    for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(crossed[n], sent[n] + o.flit_delay);
    for (std::size_t n = 1; n < 6; ++n) EXPECT_EQ(sent[n], crossed[n - 1] + o.credit_delay);
  }
}

TEST(AnImmediateCredit, LetsABufferOfOneFlitPassOnePerCycle) {
  // Credits of links to the right are immediate, those of links to the left are not: routers have ranks.
  std::vector<std::pair<bool, std::unique_ptr<Bench>>> benches;
  const Json direct{{"output_depth", 0}, {"traversal_delay", 0}, {"injection_delay", 0}};
  const Json buffered{{"output_depth", 2}, {"consumption_depth", 2}, {"injection_refill", "same_cycle"}};
  for (const bool deep : {false, true})
    for (const std::uint64_t order : {0, 1, 2, 3}) {
      auto plan = line(5, deep ? buffered : direct);
      for (const Link& link : plan.topology->links())
        plan.links.set(link.id, {1, link.from < link.to ? 0U : 1U}, plan.topology->links().size(), "links");
      LinkedOptions options;
      options.order_seed = order;
      benches.emplace_back(deep, std::make_unique<Bench>(std::move(plan), options));
      benches.back().second->source->add(0, 4, 6, 3);
      benches.back().second->source->add(1, 4, 6, 3);  // a second worm waits for the same VC
      benches.back().second->source->add(4, 0, 6, 400);
    }
  run_cycles(*benches[0].second->fabric, 600);
  for (const auto& one : benches) {
    const bool deep = one.first;
    const auto& bench = one.second;
    SCOPED_TRACE(deep);
    ASSERT_TRUE(bench->fabric->drained());
    const auto sent = [&](std::size_t router, std::size_t source) {
      auto events = bench->recorder.of(FlitEvent::kLink, router);
      std::erase_if(events, [&](const Event& e) { return index(e.source) != source; });
      return times(events);
    };
    // Both worms from router 1 on; then the way back, whose credits take a cycle.
    for (const std::size_t source : {0U, 1U}) {
      const auto there = sent(2, source);
      for (std::size_t n = 1; n < 6; ++n) EXPECT_EQ(there[n], there[n - 1] + 1);
    }
    const auto back = sent(2, 4);
    for (std::size_t n = 1; n < 6; ++n) EXPECT_EQ(back[n], back[n - 1] + 2);
    EXPECT_EQ(bench->fabric->digest(), benches[deep ? 4 : 0].second->fabric->digest());
  }
}

/// A worm from terminal 0 passes router 1, whose own worm waits for the same VC.
Bench& two_for_one(std::vector<std::unique_ptr<Bench>>& all, const Json& set, const LinkedOptions& o = {}) {
  all.push_back(std::make_unique<Bench>(line(4, set), o));
  all.back()->source->add(0, 3, 5, 0);
  // In the injection buffer of router 1 just after the grant of the other one.
  all.back()->source->add(1, 3, 3, 2 + o.flit_delay);
  return *all.back();
}

TEST(TheNextWorm, TakesTheVirtualChannelInTheVeryCycleOfTheReleaseRule) {
  std::vector<std::unique_ptr<Bench>> all;
  two_for_one(all, {{"release", "tail_crossed"}});
  two_for_one(all, {{"release", "tail_left"}});
  two_for_one(all, {{"release", "next_buffer_empty"}});
  const Json deep{{"input_depth", 3}, {"output_depth", 2}, {"consumption_depth", 2}};
  for (const char* release : {"tail_crossed", "tail_left", "next_buffer_empty"}) {
    Json set = deep;
    set["release"] = release;
    two_for_one(all, set);
  }
  LinkedOptions slow;
  slow.flit_delay = 3;
  slow.credit_delay = 2;
  two_for_one(all, {{"release", "next_buffer_empty"}}, slow);
  run_cycles(*all[0]->fabric, 300);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto& recorder = all[n]->recorder;
    SCOPED_TRACE(n);
    const auto grants = recorder.of(FlitEvent::kGrant, 1);
    ASSERT_EQ(grants.size(), 2U);
    ASSERT_EQ(index(grants[0].source), 0U);
    ASSERT_EQ(grants[0].place, grants[1].place);
    const Cycle crossed = recorder.of(FlitEvent::kCross, 1, 0).back().t;
    const Cycle left = recorder.of(FlitEvent::kLink, 1, 0).back().t;
    const Cycle passed = recorder.of(FlitEvent::kCross, 2, 0).back().t;  // left the next input buffer
    EXPECT_LT(recorder.of(FlitEvent::kInject, 1, 1)[0].t, crossed) << "the second worm waits by then";
    switch (all[n]->fabric->plan().common_node().release) {
      case VcRelease::kTailCrossed:
        EXPECT_EQ(grants[1].t, crossed + 1);
        break;
      case VcRelease::kTailLeft:
        EXPECT_EQ(grants[1].t, left + 1);
        break;
      case VcRelease::kNextBufferEmpty:
        EXPECT_EQ(grants[1].t, passed + all[n]->fabric->plan().links.kinds().front().credit_delay);
        break;
    }
    // The header crosses in the cycle of the grant if the buffer has room, else when it has.
    const Cycle header = headers(recorder.of(FlitEvent::kCross, 1, 1))[0].t;
    const bool room = all[n]->fabric->plan().common_node().release != VcRelease::kTailCrossed ||
                      all[n]->fabric->plan().common_node().output_depth > 1;
    EXPECT_EQ(header, room ? grants[1].t : left + 1);
  }
}

/// Two headers reach the middle of a 3x3 mesh in the same cycle, one in x, one in y.
std::vector<Cycle> grants_in_the_middle(const Bench& bench) {
  return times(bench.recorder.of(FlitEvent::kGrant, 4));
}

TEST(ACrossbar, MakesAsManyNewConnectionsPerCycleAsItMay) {
  std::vector<std::unique_ptr<Bench>> all;
  const Json halves = Json::array({{{"direction", Json::array({"x_plus", "x_minus"})}},
                                   {{"direction", Json::array({"y_plus", "y_minus"})}}});
  for (const Json& set : {Json{{"connections_per_cycle", 1}}, Json{{"connections_per_cycle", 2}},
                          Json::object(), Json{{"connections_per_cycle", 1}, {"crossbars", halves}}}) {
    all.push_back(std::make_unique<Bench>(plan_of(kDimensionOrder, mesh({3, 3}), set)));
    all.back()->source->add(3, 5, 4, 0);  // west to east
    all.back()->source->add(1, 7, 4, 0);  // south to north
  }
  run_cycles(*all[0]->fabric, 100);
  EXPECT_EQ(grants_in_the_middle(*all[0]), (std::vector<Cycle>{3, 4})) << "one crossbar, one per cycle";
  EXPECT_EQ(grants_in_the_middle(*all[1]), (std::vector<Cycle>{3, 3})) << "one crossbar, two per cycle";
  EXPECT_EQ(grants_in_the_middle(*all[2]), (std::vector<Cycle>{3, 3})) << "all";
  EXPECT_EQ(grants_in_the_middle(*all[3]), (std::vector<Cycle>{3, 3})) << "two crossbars, one each";
}

TEST(TheLinkOfSeveralChannels, ServesThemInTurn) {
  // Worms of terminals 0, 1 and 2 share the link from 2 to 3, a lane each.
  std::vector<std::unique_ptr<Bench>> all;
  const Json deep{{"input_depth", 4}, {"output_depth", 4}, {"consumption_depth", 2}};
  for (Json set : {Json(Json::object()), deep})
    for (const unsigned lanes : {2, 3}) {
      set["lanes"] = lanes;
      set["selection"] = "first";
      all.push_back(std::make_unique<Bench>(line(6, set)));
      for (unsigned s = 0; s < lanes; ++s) all.back()->source->add(3 - lanes + s, 3 + s, 60, 0);
    }
  run_cycles(*all[0]->fabric, 60);
  for (const auto& bench : all) {
    const unsigned lanes = bench->fabric->plan().common_node().lanes;
    const auto sent = bench->recorder.where(
        [](const Event& e) { return e.event == FlitEvent::kLink && index(e.router) == 2 && e.t >= 20; });
    ASSERT_GE(sent.size(), 39U) << "a flit in every cycle";
    for (std::size_t n = 1; n < sent.size(); ++n) ASSERT_EQ(sent[n].t, sent[n - 1].t + 1);
    for (std::size_t n = 0; n + lanes < sent.size(); ++n) {
      std::set<std::uint16_t> turn;
      for (unsigned l = 0; l < lanes; ++l) turn.insert(sent[n + l].place);
      ASSERT_EQ(turn.size(), lanes) << "each once in a round";
    }
  }
}

TEST(TheScanOfACrossbar, IsFairUnlessItIsFixed) {
  // Four streams meet in the middle of a 3x3 mesh and want the same output: from west, east, south and the
  // middle itself to the north.
  std::vector<std::unique_ptr<Bench>> all;
  const std::vector<const char*> scans{"round_robin", "rotating", "random_start", "fixed"};
  for (const char* scan : scans) {
    all.push_back(std::make_unique<Bench>(plan_of(kDimensionOrder, mesh({3, 3}), Json{{"scan", scan}})));
    for (const std::size_t s : {1, 3, 4, 5})
      for (int n = 0; n < 600; ++n) all.back()->source->add(s, 7, 2, 0);
  }
  run_cycles(*all[0]->fabric, 2400);
  for (std::size_t n = 0; n < all.size(); ++n) {
    SCOPED_TRACE(scans[n]);
    const auto grants = all[n]->recorder.of(FlitEvent::kGrant, 4);
    std::map<std::uint16_t, std::vector<std::size_t>> by_input;
    for (std::size_t g = 40; g < grants.size(); ++g) by_input[grants[g].input].push_back(g);
    std::size_t least = grants.size();
    std::size_t most = 0;
    for (const auto& [input, turns] : by_input) {
      least = std::min(least, turns.size());
      most = std::max(most, turns.size());
      // Round robin: nobody is passed by another one twice.
      for (std::size_t g = 1; n == 0 && g < turns.size(); ++g) {
        ASSERT_EQ(turns[g] - turns[g - 1], 4U);
      }
    }
    if (by_input.size() < 4) least = 0;
    ASSERT_GT(grants.size(), 400U);
    if (n == 0) {
      EXPECT_LE(most - least, 1U);
    }
    if (n == 1 || n == 2) {
      EXPECT_GT(least, most / 3);
    }
    if (n == 3) {
      EXPECT_LT(least, most / 4) << "a fixed order starves the last input";
    }
  }
}

TEST(ATerminal, ConsumesOneWormAtATime) {
  Bench bench(plan_of(kDimensionOrder, mesh({3, 3})));
  for (const std::size_t s : {1, 3, 5, 7})
    for (int n = 0; n < 5; ++n) bench.source->add(s, 4, 6, 0);
  run_cycles(*bench.fabric, 600);
  const auto consumed = bench.recorder.of(FlitEvent::kConsume, 4);
  ASSERT_EQ(consumed.size(), 4U * 5 * 6);
  std::set<std::size_t> sources;
  for (std::size_t n = 0; n < consumed.size(); ++n) {
    ASSERT_EQ(consumed[n].flit, n % 6);
    ASSERT_EQ(consumed[n].source, consumed[n - n % 6].source);
    ASSERT_EQ(consumed[n].number, consumed[n - n % 6].number);
    sources.insert(index(consumed[n].source));
    // One place: a flit every two cycles, also from one worm to the next.
    if (n > 0) {
      ASSERT_EQ(consumed[n].t, consumed[n - 1].t + 2);
    }
  }
  EXPECT_EQ(sources.size(), 4U);
}

TEST(TheInjectionChannel, RefillsInTheSameCycleOnlyIfToldTo) {
  Bench later(line(2));
  Bench at_once(line(2, {{"injection_refill", "same_cycle"}}));
  const std::uint32_t b = 6;
  for (auto* bench : {&later, &at_once})
    for (int n = 0; n < 3; ++n) bench->source->add(0, 1, b, 0);
  run_cycles(*later.fabric, 100);
  for (const auto* bench : {&later, &at_once}) {
    const auto injected = bench->recorder.of(FlitEvent::kInject, 0);
    const auto crossed = bench->recorder.of(FlitEvent::kCross, 0);
    ASSERT_EQ(injected.size(), 3 * b);
    ASSERT_EQ(crossed.size(), 3 * b);
    for (std::size_t n = 1; n < 3 * b; ++n)
      EXPECT_EQ(injected[n].t, crossed[n - 1].t + (bench == &later ? 1 : 0));
  }
  // Gravano et al. 1994: a worm every 2b cycles; one place more in the pipeline saves one of them.
  EXPECT_EQ(headers(later.recorder.of(FlitEvent::kInject, 0))[1].t, 2 * b);
  EXPECT_EQ(headers(at_once.recorder.of(FlitEvent::kInject, 0))[1].t, 2 * b - 1);
}

/// Outputs that a stream of single-flit worms, far apart, was given at router 0.
std::vector<std::uint16_t> choices(const Bench& bench) {
  std::vector<std::uint16_t> list;
  for (const auto& e : bench.recorder.of(FlitEvent::kGrant, 0)) list.push_back(e.place);
  return list;
}

TEST(AHeader, ChoosesAmongFreeChannelsAsTheNodeSays) {
  std::vector<std::unique_ptr<Bench>> all;
  for (const Json& set :
       {Json{{"selection", "first"}}, Json{{"selection", "rotating"}}, Json{{"selection", "random"}},
        Json{{"selection", "random"}, {"prefer", Json::array({{{"lane", Json::array({"2"})}}})}}}) {
    Json with = set;
    with["lanes"] = 4;
    all.push_back(std::make_unique<Bench>(line(2, with)));
    for (int n = 0; n < 400; ++n) all.back()->source->add(0, 1, 1, 10 * n);
  }
  run_cycles(*all[0]->fabric, 4100);
  std::map<std::uint16_t, int> count;
  for (std::size_t n = 0; n < all.size(); ++n) ASSERT_EQ(choices(*all[n]).size(), 400U);
  for (const auto o : choices(*all[0])) ASSERT_EQ(o, 0);
  const auto rotating = choices(*all[1]);
  for (std::size_t n = 1; n < rotating.size(); ++n) ASSERT_EQ(rotating[n], (rotating[n - 1] + 1) % 4);
  for (const auto o : choices(*all[2])) ++count[o];
  EXPECT_EQ(count.size(), 4U);
  for (const auto& [o, times_chosen] : count) EXPECT_NEAR(times_chosen, 100, 40);
  for (const auto o : choices(*all[3])) ASSERT_EQ(o, 2) << "the preferred lane, as long as it is free";
}

TEST(AHeader, GetsAnyOutputHoweverManyThereAre) {
  std::vector<std::unique_ptr<Bench>> all;
  for (const int lanes : {30, 31, 32, 33}) {  // and a consumption channel; 32 outputs are kept in 32 bits
    all.push_back(std::make_unique<Bench>(line(2, {{"lanes", lanes}, {"selection", "rotating"}})));
    for (int n = 0; n < lanes; ++n) all.back()->source->add(0, 1, 1, 10 * n);
  }
  run_cycles(*all[0]->fabric, 400);
  for (const auto& bench : all) {
    EXPECT_EQ(bench->fabric->counters().packets_delivered, choices(*bench).size());
    EXPECT_EQ(bench->fabric->router(RouterId{0}).plan().outputs.size(), choices(*bench).size() + 1);
    for (std::size_t n = 0; const auto o : choices(*bench)) ASSERT_EQ(o, n++);
  }
}

TEST(AHeader, FallsBackWhenThePreferredChannelIsTaken) {
  Bench bench(line(3, {{"lanes", 2}, {"prefer", Json::array({{{"lane", Json::array({"1"})}}})}}));
  bench.source->add(0, 2, 40, 0);
  bench.source->add(1, 2, 40, 20);
  run_cycles(*bench.fabric, 60);
  const auto grants = bench.recorder.of(FlitEvent::kGrant, 1);
  ASSERT_EQ(grants.size(), 2U);
  const auto& outputs = bench.fabric->router(RouterId{1}).plan().outputs;
  EXPECT_EQ(outputs[grants[0].place].lane, 1);
  EXPECT_EQ(outputs[grants[1].place].lane, 0);
  EXPECT_EQ(grants[1].t, 21U);
}

TEST(AHeader, PrefersTheLeastBusyDirectionIfToldTo) {
  // Terminal 0's way to 5 is x or y; a long worm of its own occupies a lane of the x link.
  std::vector<std::unique_ptr<Bench>> all;
  for (const char* selection : {"least_busy", "random"}) {
    for (int n = 0; n < 20; ++n) {
      LinkedOptions options;
      options.seed = static_cast<std::uint64_t>(n) + 1;
      const auto topology = torus({5, 5});
      all.push_back(std::make_unique<Bench>(
          plan_of({"star_channels", "generic"}, topology, Json{{"lanes", 2}, {"selection", selection}}),
          options));
      all.back()->source->add(4, 1, 60, 0);  // two hops in x+, through router 0
      all.back()->source->add(0, 6, 1, 20);  // to (1, 1)
    }
  }
  run_cycles(*all[0]->fabric, 60);
  int x_hops[2] = {0, 0};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto grants = all[n]->recorder.of(FlitEvent::kGrant, 0, 0);
    ASSERT_EQ(grants.size(), 1U);
    const auto port = all[n]->fabric->router(RouterId{0}).plan().outputs[grants[0].place].port;
    x_hops[n / 20] += CubeNetwork::dimension_of(port) == 0 ? 1 : 0;
  }
  EXPECT_EQ(x_hops[0], 0);
  EXPECT_GT(x_hops[1], 0) << "the alternative exists";
}

TEST(ParallelLinks, CarryAFlitEachInTheSameCycle) {
  Bench bench(line(6, {{"lanes", 4}, {"parallel_links", 2}, {"selection", "first"}}));
  for (const std::size_t s : {0, 1, 2})
    for (int n = 0; n < 4; ++n) bench.source->add(s, s + 3, 40, 0);
  run_cycles(*bench.fabric, 90);
  EXPECT_EQ(bench.fabric->physical_links().size(), 2U * 2 * 5) << "two links in each direction";
  const auto& plan = bench.fabric->router(RouterId{2}).plan();
  std::map<Cycle, std::vector<std::size_t>> by_cycle;
  for (const auto& e : bench.recorder.of(FlitEvent::kLink, 2))
    by_cycle[e.t].push_back(plan.outputs[e.place].channel);
  std::size_t both = 0;
  for (const auto& [t, channels] : by_cycle) {
    ASSERT_LE(channels.size(), 2U);
    if (channels.size() < 2) continue;
    ++both;
    ASSERT_NE(channels[0], channels[1]) << "one flit per link and cycle";
  }
  EXPECT_GT(both, 20U);
  const auto flits = bench.fabric->counters().link_flits;
  EXPECT_EQ(flits.size(), 20U);
}

}  // namespace
}  // namespace noctule::fabric_test
