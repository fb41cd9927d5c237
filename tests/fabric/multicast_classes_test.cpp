// Which consumption channel does a worm take? That of its class, by what it is and where it comes from and
// goes to (Boppana et al. 1998, 3.2); then a shared one; and it waits as the node says.

#include <gtest/gtest.h>
#include <set>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

Json rules(std::initializer_list<Json> list) {
  return {{"consumption_classes", Json(list)}};
}

/// An observed fabric, and which consumption channel each message took at each destination.
struct Watched {
  Watched(const std::string& text, const FabricPlan& plan) : name(text) {
    FabricOptions options;
    options.observed = true;
    fabric = make_fabric(plan, options);
    fabric->attach(source);
    fabric->observe(recorder);
  }
  /// Channel by (source, number, destination).
  [[nodiscard]] std::map<std::tuple<std::size_t, std::uint64_t, std::size_t>, std::size_t> channels() const {
    std::map<std::tuple<std::size_t, std::uint64_t, std::size_t>, std::size_t> taken;
    for (const auto& e : recorder.events)
      if (e.event == FlitEvent::kConsume) {
        const auto channel = e.place - fabric->router(e.router).plan().link_outputs();
        const auto [known, fresh] =
            taken.emplace(std::tuple(index(e.source), e.number, index(e.router)), channel);
        EXPECT_EQ(known->second, channel) << name << ": one channel for all of its flits";
      }
    return taken;
  }
  std::string name;
  std::shared_ptr<MessageList> source = std::make_shared<MessageList>();
  std::unique_ptr<Fabric> fabric;
  Recorder recorder;
};

TEST(TheClassOfAWorm, IsThatOfItsGroupItsPortsAndItsDestinations) {
  const auto topology = mesh({4, 4});
  const auto router = [&](unsigned row, unsigned column) { return at(*topology, row, column); };
  struct Field {
    Json classes;
    /// At (1, 2), where it turns; at (2, 2) in passing, at (3, 2) last; of a worm up to (0, 2) alone; of one
    /// with one destination to the right; of a message to oneself, which no planner sees.
    std::vector<std::size_t> expected;
  };
  const std::vector<Field> fields{
      {rules({{{"class", 1}, {"group", "up"}}, {{"class", 2}, {"group", "down"}}, {{"class", 3}}}),
       {2, 2, 2, 1, 1, 3}},
      {rules({{{"class", 1}, {"incoming", {"x_plus", "x_minus"}}},
              {{"class", 2}, {"incoming", "y_plus"}},
              {{"class", 3}, {"incoming", "y_minus"}},
              {{"class", 4}, {"incoming", "injection"}}}),
       {1, 2, 2, 3, 1, 4}},
      {rules({{{"class", 1}, {"outgoing", "y_plus"}}, {{"class", 2}, {"outgoing", "none"}}}),
       {1, 1, 2, 2, 2, 2}},
      {rules({{{"class", 1}, {"destinations", "several"}}, {{"class", 0}, {"destinations", "one"}}}),
       {1, 1, 1, 0, 0, 0}},
      {rules({{{"class", 3}, {"incoming", "y_plus"}, {"outgoing", "none"}}, {{"class", 0}}}),
       {0, 0, 3, 0, 0, 0}}};
  std::vector<std::unique_ptr<Watched>> all;
  for (const char* acquisition : {"consumption_first", "output_first"})
    for (const auto& f : fields) {
      const Json set = with(paper_node(2, 5, {{"acquisition", acquisition}}), f.classes);
      all.push_back(
          std::make_unique<Watched>(f.classes.dump(), multicast_plan(topology, "column_path", set)));
      auto& source = *all.back()->source;
      source.add(router(1, 0), {router(1, 2), router(2, 2), router(3, 2)}, 5, 0);
      source.add(router(1, 0), {router(0, 2)}, 5, 100);
      source.add(router(1, 0), {router(1, 3)}, 5, 200);
      source.add(router(1, 0), {router(1, 0)}, 5, 300);
    }
  run_cycles(*all[0]->fabric, 500);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto& expected = fields[n % fields.size()].expected;
    auto taken = all[n]->channels();
    SCOPED_TRACE(all[n]->name);
    const std::size_t from = router(1, 0);
    ASSERT_EQ(taken.size(), 6U);
    EXPECT_EQ((taken[{from, 0, router(1, 2)}]), expected[0]);
    EXPECT_EQ((taken[{from, 0, router(2, 2)}]), expected[1]);
    EXPECT_EQ((taken[{from, 0, router(3, 2)}]), expected[2]);
    EXPECT_EQ((taken[{from, 1, router(0, 2)}]), expected[3]);
    EXPECT_EQ((taken[{from, 2, router(1, 3)}]), expected[4]);
    EXPECT_EQ((taken[{from, 3, router(1, 0)}]), expected[5]);
  }
}

TEST(UnicastsOfTheRouting, AreAGroupOfTheirOwn) {
  // Planned, a message with one destination is a copy like any other.
  const auto topology = mesh({4, 4});
  const Json classes = rules({{{"class", 1}, {"group", "unicast"}}, {{"class", 0}}});
  std::vector<std::unique_ptr<Watched>> all;
  for (const bool planned : {true, false}) {
    all.push_back(std::make_unique<Watched>(
        "", multicast_plan(topology, "column_path", with(paper_node(1, 2), classes), planned)));
    all.back()->source->add(0, {15}, 5, 0);
    all.back()->source->add(0, {3, 15}, 5, 100);
  }
  run_cycles(*all[0]->fabric, 300);
  for (const bool planned : {true, false}) {
    auto taken = all[planned ? 0 : 1]->channels();
    EXPECT_EQ((taken[{0, 0, 15}]), planned ? 0U : 1U);
    EXPECT_EQ((taken[{0, 1, 15}]), 0U);
    EXPECT_EQ((taken[{0, 1, 3}]), 0U);
  }
}

TEST(AWorm, TakesTheChannelOfItsClassThenASharedOne) {
  // Worms to the middle of a 3x3 mesh, one after the other, from all four sides, that stay there for long.
  // From the left and above they are of class 0, from the right and below of class 1.
  const Json classes = rules({{{"class", 0}, {"incoming", {"x_plus", "y_plus"}}}, {{"class", 1}}});
  struct Access {
    const char* name;
    unsigned channels;
    std::vector<std::size_t> taken;  ///< by the worms from the left, above, the right, below
  };
  const std::vector<Access> accesses{{"own_or_shared", 4, {0, 2, 1, 3}},
                                     {"own", 4, {0, 2, 1, 3}},
                                     {"own", 3, {0, 2, 1, 1}},
                                     {"own_or_shared", 3, {0, 2, 1, 2}}};
  std::vector<std::unique_ptr<Watched>> all;
  for (const auto& access : accesses) {
    const Json set{{"selection", "first"}, {"consumption_access", access.name}};
    all.push_back(std::make_unique<Watched>(
        access.name,
        multicast_plan(mesh({3, 3}), "individual", with(paper_node(1, access.channels, set), classes))));
    Cycle birth = 0;
    for (const std::size_t from : {3, 1, 5, 7}) all.back()->source->add(from, {4}, 100, birth += 10);
  }
  run_cycles(*all[0]->fabric, 500);
  for (std::size_t n = 0; n < all.size(); ++n) {
    auto taken = all[n]->channels();
    const auto& expected = accesses[n].taken;
    SCOPED_TRACE(all[n]->name + std::to_string(accesses[n].channels));
    EXPECT_EQ((taken[{3, 0, 4}]), expected[0]);
    EXPECT_EQ((taken[{1, 0, 4}]), expected[1]);
    EXPECT_EQ((taken[{5, 0, 4}]), expected[2]);
    EXPECT_EQ((taken[{7, 0, 4}]), expected[3]);
    EXPECT_TRUE(all[n]->fabric->drained());
  }
}

TEST(AWormThatComesToADestination, TakesTheFirstFreeChannelOrTheOneThatItCommittedItselfTo) {
  // Worms of 40 and of 120 flits come together, then a third one; there are two channels.
  std::vector<Scenario> runs;
  for (const char* wait : {"first_free", "committed"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      FabricOptions options;
      options.seed = seed;
      const Json set{{"consumption_wait", wait}};
      runs.emplace_back(wait, multicast_plan(mesh({3, 3}), "individual", paper_node(1, 2, set)), options);
      runs.back().source->add(3, {4}, 40, 0);
      runs.back().source->add(1, {4}, 120, 0);
      runs.back().source->add(5, {4}, 10, 10);
    }
  run_cycles(*runs[0].fabric, 400);
  // Behind the worm of 40 flits; at once, where both others chose the same channel and it the other one;
  // behind the worm of 120; behind both.
  const Cycle behind_short = 4 + 40 + 3 + 10;
  const std::set<Cycle> possible{10 + 4 + 10 + 3, behind_short, behind_short + 80, behind_short + 120};
  std::set<Cycle> seen;
  for (const auto& run : runs) {
    expect_delivered(run);
    for (const auto& d : run.listener->deliveries) {
      if (index(d.source) != 5) continue;
      if (run.name == "first_free")
        EXPECT_EQ(d.consumed, behind_short);
      else
        seen.insert(d.consumed);
    }
  }
  EXPECT_EQ(seen, possible) << "each commits itself to either, whatever is free";
}

TEST(AcquisitionOrder, DecidesWhetherAWaitingWormKeepsTheLinkFromOthers) {
  // A worm turns into a column at row 2, where a long one has the consumption channel; another one passes row
  // 2 on its way down the column.
  std::vector<Scenario> runs;
  const auto topology = mesh({2, 5});
  const auto router = [&](unsigned row) { return at(*topology, row, 1); };
  for (const char* acquisition : {"consumption_first", "output_first"}) {
    const Json set = with(paper_node(1, 1, {{"acquisition", acquisition}}), rules({{{"class", 0}}}));
    runs.emplace_back(acquisition, multicast_plan(topology, "column_path", set));
    runs.back().source->add(router(3), {router(2)}, 100, 0);
    runs.back().source->add(at(*topology, 2, 0), {router(2), router(4)}, 10, 10);
    runs.back().source->add(router(1), {router(3)}, 10, 30);
  }
  run_cycles(*runs[0].fabric, 400);
  for (const auto& run : runs) {
    expect_delivered(run);
    std::map<std::pair<std::size_t, std::size_t>, Cycle> consumed;
    for (const auto& d : run.listener->deliveries)
      consumed[{index(d.source), index(d.destination)}] = d.consumed;
    const Cycle freed = 4 + 100 + 3;  // tail of the long worm
    const Cycle passed = consumed[{router(1), router(3)}];
    if (run.name == "output_first")
      EXPECT_GT(passed, freed + 10);
    else
      EXPECT_EQ(passed, 30U + 4 * 2 + 10 + 3);
    EXPECT_EQ((consumed[{at(*topology, 2, 0), router(2)}]), freed + 10);
  }
}

}  // namespace
}  // namespace noctule::fabric_test
