// Routers that hold flits of which none can move sleep until something comes (Stall); those that are observed
// do not. Is what they do the same, draw by draw, and are they visited no more than that takes?

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "fabric_support.h"
#include "sleep_support.h"
#include "uneven_support.h"

namespace noctule::fabric_test {
namespace {

/// Fabrics that differ in nothing but that the second one is observed.
struct Pair {
  std::string name;
  bool crowded;  ///< so many worms wait that most visits would be in vain
  std::unique_ptr<Fabric> sleeping;
  std::unique_ptr<Fabric> awake;
  Recorder recorder;

  Pair(std::string title, bool many, const FabricPlan& plan, LinkedOptions options,
       const std::function<std::shared_ptr<TrafficSource>()>& source)
      : name(std::move(title)), crowded(many), sleeping(make_fabric(plan, options)) {
    options.observed = true;
    awake = make_fabric(plan, options);
    awake->observe(recorder);
    for (Fabric* fabric : {sleeping.get(), awake.get()}) fabric->attach(source());
  }
  void expect_alike() {
    SCOPED_TRACE(name + " cycle " + std::to_string(awake->cycles()));
    ASSERT_EQ(sleeping->digest(), awake->digest());
    ASSERT_EQ(sleeping->counters().link_flits, awake->counters().link_flits);
    ASSERT_EQ(sleeping->counters().occupied_input_vcs, awake->counters().occupied_input_vcs);
    ASSERT_EQ(sleeping->counters().connections_held, awake->counters().connections_held);
    expect_same_credits(*sleeping, *awake);
    recorder.events.clear();
  }
};
using Pairs = std::vector<std::unique_ptr<Pair>>;

/// Credits of links up are immediate: those of one router take one cycle, or none.
FabricPlan tree_plan(const Json& set) {
  const auto topology = topology_of("butterfly_fat_tree", {{"levels", 3}});
  LinkDescriptions links;
  for (const Link& link : topology->links())
    links.set(link.id, {1, topology->kind(link.id) == LinkKind::kUp ? 0U : 1U}, topology->links().size(),
              "links");
  return plan_fabric(
      {topology, relation_on(topology, "nearest_common_ancestor"), node_of("greenberg_worm", set), links});
}

struct Offered {
  const char* pattern;
  unsigned load;  ///< flits per terminal and cycle, in 1/1000
  std::uint32_t length;
  bool crowds;
};

void add_trees(Pairs& pairs) {
  const std::vector<std::pair<std::string, Json>> nodes = {
      {"random", Json::object()},
      {"greedy", {{"selection", "first"}}},
      {"fixed order", {{"scan", "injection_first"}}},
      {"farthest first", {{"scan", "farthest_first"}}},
      {"first come", {{"scan", "first_come"}}},
      {"at once", {{"injection_delay", 0}, {"injection_refill", "next_cycle"}}},
      {"deep", {{"input_depth", 5}, {"consumption_depth", 3}, {"consumption_delay", 2}}},
      {"ready or not", {{"vc_busy_when_full", false}}},
      // Headers that are given an output without room in the visit in which they come.
      {"ready or not, in fixed order",
       {{"vc_busy_when_full", false}, {"scan", "fixed"}, {"routing_delay", 2}}},
      {"staged", {{"routing_delay", 2}, {"vc_allocation_delay", 1}, {"switch_allocation_delay", 2}}},
      {"two lanes", {{"lanes", 2}}},
      {"least busy", {{"selection", "least_busy"}, {"input_depth", 1}}}};
  LinkedOptions options;
  options.occupancy_interval = 3;
  for (const auto& [name, set] : nodes) {
    const FabricPlan plan = tree_plan(set);
    for (const Offered& o : {Offered{"many_to_one", 200, 12, true},
                             {"many_to_one", 200, 1, false},
                             {"uniform", 300, 12, false},
                             {"uniform", 300, 1, false}})
      pairs.push_back(std::make_unique<Pair>(
          name + " " + o.pattern + " " + std::to_string(o.load) + " " + std::to_string(o.length),
          o.crowds && name != "two lanes", plan, options,
          [&] { return traffic(plan.topology, "bernoulli", o.load, o.length, 5, o.pattern); }));
  }
}

void add_unlike_links(Pairs& pairs) {
  for (const Network& network : networks())
    for (const char* scan : {"random_start", "round_robin"}) {
      FabricPlan plan = plan_fabric({network.topology, relation_on(network.topology, network.algorithm),
                                     node_of("greenberg_worm", {{"scan", scan}})});
      plan.links = drawn_links(*network.topology, {{1, 1}, {3, 2}, {2, 4}}, 9);
      pairs.push_back(std::make_unique<Pair>(network.name + " " + scan, false, plan, LinkedOptions{}, [&] {
        return traffic(network.topology, "bernoulli", 500, 6, 3);
      }));
    }
}

TEST(RoutersThatStall, DoWhatThoseDoThatStayAwake) {
  Pairs pairs;
  add_trees(pairs);
  add_unlike_links(pairs);
  for (int piece = 0; piece < 12; ++piece) {
    run_cycles(*pairs[0]->sleeping, 53);
    for (const auto& pair : pairs) {
      pair->expect_alike();
      if (HasFatalFailure()) return;
    }
  }
  for (const auto& pair : pairs) {
    EXPECT_GT(pair->awake->counters().packets_delivered, 0U) << pair->name;
    const std::uint64_t visits = pair->sleeping->counters().evaluations;
    const std::uint64_t all = pair->awake->counters().evaluations;
    EXPECT_LE(visits, all) << pair->name;
    if (pair->crowded) {
      EXPECT_LT(2 * visits, all) << pair->name;
    }
  }
}

/// What the cycles before it would have drawn is drawn.
TEST(RoutersThatStall, AreResetWithTheOthers) {
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  const FabricPlan plan = tree_plan(Json::object());
  Pair pair("reset", true, plan, {},
            [&] { return traffic(plan.topology, "bernoulli", 200, 12, 5, "many_to_one"); });
  for (Fabric* fabric : {pair.sleeping.get(), pair.awake.get()}) fabric->rst_ni.bind(rst_n);
  for (const Cycle before : {211U, 97U, 40U}) {
    run_cycles(*pair.sleeping, before);
    EXPECT_GT(pair.sleeping->packets().live(), 0U);
    rst_n.write(false);
    run_cycles(*pair.sleeping, 3);
    rst_n.write(true);
    run_cycles(*pair.sleeping, 150);
    pair.expect_alike();
  }
}

}  // namespace
}  // namespace noctule::fabric_test
