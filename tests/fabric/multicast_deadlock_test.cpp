// Do multicasts deadlock on consumption channels where the paper says so, and nowhere else? Small scenarios
// of Boppana et al. 1998, section 3; the autopsy must name who holds what.

#include <gtest/gtest.h>

#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

const std::vector<std::string> kPathPlanners{"dual_path", "multipath", "column_path", "e_mcast"};

/// Four routers in a line, a to d, in which a planner sends one copy to b and c: a column for those that send
/// their copies along columns, else a row.
struct Line {
  explicit Line(const std::string& planner)
      : column(planner == "column_path" || planner == "e_mcast"),
        plus(column ? "y_plus.class0" : "x_plus.class0"),
        minus(column ? "y_minus.class0" : "x_minus.class0") {}
  [[nodiscard]] std::size_t router(unsigned n) const {
    return column ? at(*topology, n, 0) : at(*topology, 0, n);
  }
  [[nodiscard]] std::string name(unsigned n) const { return topology->router_name(RouterId(router(n))); }
  [[nodiscard]] std::size_t a() const { return router(0); }
  [[nodiscard]] std::size_t b() const { return router(1); }
  [[nodiscard]] std::size_t c() const { return router(2); }
  [[nodiscard]] std::size_t d() const { return router(3); }

  std::shared_ptr<const CubeNetwork> topology = mesh({4, 4});
  bool column;
  std::string plus;
  std::string minus;
};

/// Figure 4: a to {b, c} and d to {b, c}, born together.
Scenario figure_4(const std::string& planner, const Json& node_set, std::uint32_t length) {
  const Line line(planner);
  Scenario run(planner + " " + node_set.dump(), multicast_plan(line.topology, planner, node_set));
  run.source->add(line.a(), {line.b(), line.c()}, length, 0);
  run.source->add(line.d(), {line.b(), line.c()}, length, 0);
  return run;
}

TEST(TwoWormsThatMeet, DeadlockWithOneConsumptionChannelEach) {
  std::vector<Scenario> runs;
  for (const auto& planner : kPathPlanners)
    for (const unsigned depth : {1, 2, 8})
      runs.push_back(figure_4(planner, with(paper_node(1, 1, {{"input_depth", depth}}), one_class()), 20));
  run_cycles(*runs[0].fabric, 200);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    const Line line(kPathPlanners[n / 3]);
    const Autopsy found = autopsy(*runs[n].fabric);
    SCOPED_TRACE(runs[n].name + "\n" + to_text(found));
    ASSERT_TRUE(found.deadlocked);
    EXPECT_EQ(found.circle.size(), 2U);
    const StuckWorms expected{{{line.a(), 0},
                               {{line.name(0) + ".injection", line.name(0) + "." + line.plus,
                                 line.name(1) + ".consumption", line.name(1) + "." + line.plus},
                                {line.name(2) + ".consumption"},
                                line.c()}},
                              {{line.d(), 0},
                               {{line.name(3) + ".injection", line.name(3) + "." + line.minus,
                                 line.name(2) + ".consumption", line.name(2) + "." + line.minus},
                                {line.name(1) + ".consumption"},
                                line.b()}}};
    EXPECT_EQ(stuck_worms(found), expected);
    for (const auto& worm : found.worms) {
      ASSERT_EQ(worm.waits_for.size(), 1U);
      ASSERT_EQ(worm.waits_for[0].owners.size(), 1U);
      EXPECT_NE(found.worms[worm.waits_for[0].owners[0]].source, worm.source) << "each waits for the other";
      EXPECT_EQ(worm.destinations.size(), 2U) << "neither has all of it";
    }
    EXPECT_TRUE(runs[n].source->deliveries.empty());
    EXPECT_NO_THROW(runs[n].fabric->check_conservation());
  }
}

TEST(TwoWormsThatMeet, AreDeliveredWithClassesOrEnoughChannels) {
  std::vector<Scenario> runs;
  for (const unsigned depth : {1, 2, 8}) {
    const Json buffers{{"input_depth", depth}};
    for (const auto& planner : kPathPlanners) {
      runs.push_back(figure_4(planner, paper_node(1, planner == "e_mcast" ? 4 : 2, buffers), 20));
      // As many channels as worms that can be at a node: no classes are needed.
      runs.push_back(figure_4(planner, with(paper_node(1, 2, buffers), one_class()), 20));
    }
    runs.push_back(figure_4("individual", paper_node(1, 1, buffers), 20));
  }
  run_cycles(*runs[0].fabric, 500);
  for (const auto& run : runs) {
    expect_delivered(run);
    // Each worm flows as if it were alone, 3 hops and 20 flits at 8 flits per buffer.
    if (run.fabric->plan().common_node().input_depth == 8 && !run.name.starts_with("individual")) {
      EXPECT_EQ(run.fabric->last_delivery(), 4U * 2 + 20 + 3) << run.name;
    }
  }
}

TEST(TwoWormsThatMeet, DeadlockOnceTheyAreLongerThanTheBuffersBetweenTheirDestinations) {
  // A worm that fits behind its header frees the channel of its first destination: tight on both sides.
  struct Border {
    Scenario run;
    bool fits;
  };
  std::vector<Border> borders;
  for (const char* planner : {"dual_path", "column_path"})
    for (const unsigned apart : {1, 2, 3})
      for (const unsigned depth : {1, 2, 4, 8})
        for (const bool fits : {true, false}) {
          const unsigned length = apart * depth + (fits ? 0 : 1);
          const auto line = planner == std::string("dual_path") ? mesh({6}) : mesh({2, 6});
          const std::size_t step = line->dimensions();
          const Json set = with(paper_node(1, 1, {{"input_depth", depth}}), one_class());
          Scenario run(std::string(planner) + " " + std::to_string(length),
                       multicast_plan(line, planner, set));
          run.source->add(0, {step, (1 + apart) * step}, length, 0);
          run.source->add((2 + apart) * step, {step, (1 + apart) * step}, length, 0);
          borders.push_back({std::move(run), fits});
        }
  // The paper's 8 flits: messages of 8 are delivered, of 10 not.
  const Json set = with(paper_node(1, 1), one_class());
  borders.push_back({figure_4("multipath", set, 8), true});
  borders.push_back({figure_4("e_mcast", set, 8), true});
  borders.push_back({figure_4("multipath", set, 10), false});
  borders.push_back({figure_4("e_mcast", set, 10), false});
  run_cycles(*borders[0].run.fabric, 1000);
  for (const auto& [run, fits] : borders) {
    if (fits) {
      expect_delivered(run);
      continue;
    }
    const Autopsy found = autopsy(*run.fabric);
    EXPECT_TRUE(found.deadlocked) << run.name;
    EXPECT_EQ(found.worms.size(), 2U) << run.name << to_text(found);
  }
}

Json rules(std::initializer_list<Json> list) {
  return {{"consumption_classes", Json(list)}};
}
Json by_incoming(unsigned c, std::initializer_list<const char*> ports) {
  return {{"class", c}, {"incoming", ports}};
}

TEST(CopiesByIncomingPort, DeadlockWithTwoClassesButNotWithThree) {
  // Routing is row first. One worm turns from X to Y, the other meets it at both of its destinations.
  struct Scheme {
    Json classes;
    unsigned channels;
    std::uint32_t length;
    bool deadlock;
  };
  const Json two =
      rules({by_incoming(0, {"x_plus", "y_plus", "injection"}), by_incoming(1, {"x_minus", "y_minus"})});
  const Json three = rules({by_incoming(0, {"x_plus", "y_plus", "injection"}), by_incoming(1, {"x_minus"}),
                            by_incoming(2, {"y_minus"})});
  const std::vector<Scheme> schemes{
      {two, 2, 100, true}, {two, 2, 20, false}, {three, 3, 100, false}, {Json::object(), 4, 100, false}};
  const auto topology = mesh({4, 4});
  std::vector<Scenario> runs;
  for (const auto& s : schemes) {
    runs.emplace_back(s.classes.dump(),
                      multicast_plan(topology, "e_mcast", with(paper_node(1, s.channels), s.classes)));
    const Destinations both{at(*topology, 3, 1), at(*topology, 0, 2)};
    runs.back().source->add(at(*topology, 3, 0), both, s.length, 0);
    runs.back().source->add(at(*topology, 0, 3), both, s.length, 0);
  }
  run_cycles(*runs[0].fabric, 600);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    if (!schemes[n].deadlock) {
      expect_delivered(runs[n]);
      continue;
    }
    const Autopsy found = autopsy(*runs[n].fabric);
    ASSERT_TRUE(found.deadlocked) << runs[n].name;
    EXPECT_EQ(found.circle.size(), 2U) << to_text(found);
    // m1 came to (3, 1) by x_plus and to (0, 2) by y_minus; m2 to (0, 2) by x_minus, to (3, 1) by y_plus.
    const auto name = [&](unsigned row, unsigned column) {
      return topology->router_name(RouterId(at(*topology, row, column)));
    };
    auto stuck = stuck_worms(found);
    const Stuck m1 = stuck[{at(*topology, 3, 0), 0}];
    const Stuck m2 = stuck[{at(*topology, 0, 3), 0}];
    EXPECT_TRUE(m1.holds.contains(name(3, 1) + ".consumption_0")) << to_text(found);
    EXPECT_TRUE(m2.holds.contains(name(0, 2) + ".consumption_1")) << to_text(found);
    EXPECT_EQ(m1.waits_for, std::set<std::string>{name(0, 2) + ".consumption_1"});
    EXPECT_EQ(m2.waits_for, std::set<std::string>{name(3, 1) + ".consumption_0"});
  }
}

/// A worm with one destination that commits itself to the channel of another class still holds the links to
/// it: four worms in a column of 6, column_path, classes up and down.
Scenario counter_example(const Json& node_set) {
  const auto topology = mesh({2, 6});
  const auto row = [&](unsigned r) { return at(*topology, r, 0); };
  Scenario run(node_set.dump(), multicast_plan(topology, "column_path", node_set));
  run.source->add(row(4), {row(3), row(1)}, 20, 0);
  run.source->add(row(1), {row(2), row(4)}, 20, 0);
  run.source->add(row(2), {row(3)}, 20, 1);
  run.source->add(row(3), {row(2)}, 20, 1);
  return run;
}

TEST(OneDestination, ThatCommitsToAnotherClassDeadlocks) {
  const Json crossed = rules({Json{{"class", 0}, {"group", "down"}, {"destinations", "one"}},
                              Json{{"class", 1}, {"group", "up"}, {"destinations", "one"}},
                              Json{{"class", 0}, {"group", "up"}}, Json{{"class", 1}, {"group", "down"}}});
  std::vector<Scenario> runs;
  runs.push_back(counter_example(with(paper_node(1, 2), crossed)));
  runs.push_back(counter_example(paper_node(1, 2)));
  runs.push_back(counter_example(paper_node(1, 2, {{"unicast_access", "any"}})));
  runs.push_back(counter_example(with(paper_node(1, 2, {{"unicast_access", "any"}}), crossed)));
  run_cycles(*runs[0].fabric, 500);
  const Autopsy found = autopsy(*runs[0].fabric);
  SCOPED_TRACE(to_text(found));
  ASSERT_TRUE(found.deadlocked);
  EXPECT_EQ(found.circle.size(), 4U);
  auto stuck = stuck_worms(found);
  ASSERT_EQ(stuck.size(), 4U);
  const auto name = [&](unsigned row, const char* what) {
    return runs[0].fabric->plan().topology->router_name(RouterId(2 * row)) + "." + what;
  };
  EXPECT_TRUE((stuck[{2 * 4, 0}].holds.contains(name(3, "consumption_0"))));
  EXPECT_TRUE((stuck[{2 * 1, 0}].holds.contains(name(2, "consumption_1"))));
  EXPECT_EQ((stuck[{2 * 2, 0}].waits_for), std::set<std::string>{name(3, "consumption_0")});
  EXPECT_EQ((stuck[{2 * 3, 0}].waits_for), std::set<std::string>{name(2, "consumption_1")});
  EXPECT_EQ((stuck[{2 * 4, 0}].waits_for), std::set<std::string>{name(3, "y_minus.class0")});
  EXPECT_EQ((stuck[{2 * 1, 0}].waits_for), std::set<std::string>{name(2, "y_plus.class0")});
  for (std::size_t n = 1; n < runs.size(); ++n) expect_delivered(runs[n]);
}

TEST(OutputFirst, HoldsTheLinkWhileItWaitsForTheConsumptionChannel) {
  // Column 1 of five rows, one class: up to {2, 1}, down to {1, 3}, and one that turns into the column at row
  // 2, has the link down, and waits for the channel there. Each waits for the next.
  const auto topology = mesh({2, 5});
  Scenario run(
      "", multicast_plan(
              topology, "column_path",
              with(paper_node(1, 1, {{"input_depth", 1}, {"acquisition", "output_first"}}), one_class())));
  const auto router = [&](unsigned row) { return at(*topology, row, 1); };
  run.source->add(router(4), {router(2), router(1)}, 30, 0);
  run.source->add(router(0), {router(1), router(3)}, 30, 7);
  run.source->add(at(*topology, 2, 0), {router(2), router(3)}, 30, 8);
  run_cycles(*run.fabric, 500);
  EXPECT_TRUE(run.listener->deliveries.empty());
  const Autopsy found = autopsy(*run.fabric);
  SCOPED_TRACE(to_text(found));
  ASSERT_TRUE(found.deadlocked);
  EXPECT_EQ(found.circle.size(), 3U);
  auto stuck = stuck_worms(found);
  ASSERT_EQ(stuck.size(), 3U);
  const auto name = [&](unsigned row, const char* what) {
    return topology->router_name(RouterId(router(row))) + "." + what;
  };
  const Stuck& turns = stuck[{at(*topology, 2, 0), 0}];
  EXPECT_TRUE(turns.holds.contains(name(2, "y_plus.class0")));
  EXPECT_FALSE(turns.holds.contains(name(2, "consumption")));
  EXPECT_EQ(turns.waits_for, std::set<std::string>{name(2, "consumption")});
  EXPECT_EQ((stuck[{router(4), 0}].waits_for), std::set<std::string>{name(1, "consumption")});
  EXPECT_EQ((stuck[{router(0), 0}].waits_for), std::set<std::string>{name(2, "y_plus.class0")});
}

}  // namespace
}  // namespace noctule::fabric_test
