// Do multicasts deadlock under random overload where they can, and flow on for ever where they cannot?
// Boppana et al. 1998, 3.1 and 3.2, on their 8x8 mesh with messages of 20 flits to 10 destinations on
// average.

#include <gtest/gtest.h>

#include <tuple>

#include "core/json.h"
#include "multicast_support.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {
namespace {

const std::vector<std::string> kPathPlanners{"dual_path", "multipath", "column_path", "e_mcast"};

/// Channels that the planner's classes need.
unsigned classes_of(const std::string& planner) {
  return planner == "individual" ? 1 : planner == "e_mcast" ? 4 : 2;
}

/// An 8x8 mesh with several times the messages that it can carry.
std::unique_ptr<Fabric> overloaded(const std::string& planner, const Json& node_set, double fraction = 1) {
  const auto topology = mesh({8, 8});
  auto fabric = make_fabric(multicast_plan(topology, planner, node_set));
  Mixture mixture;
  mixture.load = 150;
  mixture.fraction = fraction;
  fabric->attach(mixed_traffic(topology, mixture));
  return fabric;
}

/// The first multiple of 500 cycles, up to `limit`, after which each fabric is in deadlock; 0: none.
std::vector<Cycle> deadlocks(const std::vector<std::unique_ptr<Fabric>>& fabrics, Cycle limit) {
  std::vector<Cycle> found(fabrics.size());
  const auto open = [&] { return std::count(found.begin(), found.end(), Cycle{0}) > 0; };
  for (Cycle t = 500; t <= limit && open(); t += 500) {
    run_cycles(*fabrics[0], 500);
    for (std::size_t n = 0; n < fabrics.size(); ++n)
      if (found[n] == 0 && autopsy(*fabrics[n]).deadlocked) found[n] = t;
  }
  return found;
}

/// What each fabric delivers in the next 1000 cycles.
std::vector<std::uint64_t> flits_delivered(const std::vector<std::unique_ptr<Fabric>>& fabrics) {
  std::vector<std::uint64_t> flits;
  for (const auto& fabric : fabrics) flits.push_back(fabric->counters().flits_delivered);
  run_cycles(*fabrics[0], 1000);
  for (std::size_t n = 0; n < fabrics.size(); ++n)
    flits[n] = fabrics[n]->counters().flits_delivered - flits[n];
  return flits;
}

TEST(OneClassOfConsumptionChannels, LocksUpAllButIndividualCopies) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& planner : kPathPlanners)
    for (const unsigned lanes : {1, 2, 4})
      fabrics.push_back(overloaded(planner, with(paper_node(lanes, 1), one_class())));
  const std::size_t paths = fabrics.size();
  for (const unsigned lanes : {1, 2, 4}) fabrics.push_back(overloaded("individual", paper_node(lanes, 1)));
  const auto found = deadlocks(fabrics, 3000);
  for (std::size_t n = 0; n < fabrics.size(); ++n) {
    EXPECT_EQ(found[n] > 0, n < paths) << n;
    EXPECT_LE(found[n], 1500U) << n << ": it takes no long search";
    EXPECT_NO_THROW(fabrics[n]->check_conservation());
  }
  // The stuck ones spread until nothing moves; the others flow on.
  const auto flits = flits_delivered(fabrics);
  for (std::size_t n = 0; n < fabrics.size(); ++n)
    EXPECT_TRUE(n < paths ? flits[n] < 100 : flits[n] > 14000) << n << ": " << flits[n];
}

TEST(UnlikeRouters, LockUpOrFlowOnAsTheVerifierSays) {
  const auto topology = mesh({6, 5});
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<bool> proved;
  for (const auto& planner : kPathPlanners)
    for (const bool classes : {false, true})
      for (const std::uint64_t seed : {1, 2}) {
        const Json node = classes ? paper_node(2, classes_of(planner)) : with(paper_node(2, 1), one_class());
        const auto plan = std::make_shared<const FabricPlan>(
            multicast_plan(topology, planner, drawn_nodes(*topology, node, unlike_keys(), seed)));
        EXPECT_FALSE(plan->nodes.alike());
        proved.push_back(verify(plan).verdict == Verdict::kProved);
        EXPECT_EQ(proved.back(), classes) << planner;
        fabrics.push_back(make_fabric(*plan));
        fabrics.back()->attach(mixed_traffic(topology, Mixture{.load = 150}));
      }
  const auto found = deadlocks(fabrics, 6000);
  const auto flits = flits_delivered(fabrics);
  for (std::size_t n = 0; n < fabrics.size(); ++n) {
    EXPECT_EQ(found[n] == 0, proved[n]) << n;
    EXPECT_TRUE(proved[n] ? flits[n] > 4000 : flits[n] < 100) << n << ": " << flits[n];
    EXPECT_NO_THROW(fabrics[n]->check_conservation());
  }
}

/// By planner and VCs per link.
class ThePlannersClasses : public testing::TestWithParam<std::tuple<std::string, unsigned>> {};

TEST_P(ThePlannersClasses, KeepOverloadedNetworksGoing) {
  const auto& [planner, lanes] = GetParam();
  const auto fabric = overloaded(planner, paper_node(lanes, classes_of(planner)));
  std::uint64_t before = 0;
  for (int n = 0; n < 20; ++n) {
    run_cycles(*fabric, 1000);
    const Autopsy found = autopsy(*fabric);
    ASSERT_FALSE(found.deadlocked) << to_text(found);
    const auto flits = fabric->counters().flits_delivered;
    EXPECT_GT(flits, before + 4000) << "in cycles up to " << fabric->cycles();
    before = flits;
  }
  EXPECT_NO_THROW(fabric->check_conservation());
}

INSTANTIATE_TEST_SUITE_P(Overload, ThePlannersClasses,
                         testing::Combine(testing::ValuesIn(kPathPlanners), testing::Values(1U, 2U, 4U)),
                         [](const auto& p) {
                           return std::get<0>(p.param) + "_" + std::to_string(std::get<1>(p.param));
                         });

TEST(OutputFirst, RunsWithTheClassesOfDualPath) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const char* planner : {"dual_path", "column_path"})
    for (const unsigned lanes : {1, 2})
      fabrics.push_back(overloaded(planner, paper_node(lanes, 2, {{"acquisition", "output_first"}})));
  EXPECT_EQ(deadlocks(fabrics, 5000), std::vector<Cycle>(fabrics.size()));
  for (const auto flits : flits_delivered(fabrics)) EXPECT_GT(flits, 8000U);
  for (const auto& fabric : fabrics) EXPECT_NO_THROW(fabric->check_conservation());
}

TEST(ClassesThatAnyWormMayUse, LockUp) {
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const char* planner : {"dual_path", "multipath"})
    for (const unsigned lanes : {2, 4})
      fabrics.push_back(overloaded(planner, paper_node(lanes, 2, {{"consumption_access", "any"}})));
  for (const Cycle t : deadlocks(fabrics, 4000)) EXPECT_GT(t, 0U);
}

/// Worms with one destination use the class of those that come from the other side.
Json crossed_classes(const std::string& planner) {
  const bool by_port = planner == "e_mcast";
  const std::vector<std::string> values =
      by_port ? std::vector<std::string>{"x_plus", "x_minus", "y_plus", "y_minus"}
              : std::vector<std::string>{"up", "down"};
  const std::string field = by_port ? "incoming" : "group";
  Json rules = Json::array();
  for (const bool one : {true, false})
    for (std::size_t v = 0; v < values.size(); ++v) {
      Json rule{{"class", one ? v ^ 1U : v}, {field, values[v]}};
      if (one) rule["destinations"] = "one";
      rules.push_back(rule);
    }
  rules.push_back(Json{{"class", 0}});
  return {{"consumption_classes", rules}};
}

TEST(WormsWithOneDestination, OfTheOtherClassLockEverythingUp) {
  // They still hold their links while they wait: the paper's "can wait for any" is not so.
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& planner : kPathPlanners)
    fabrics.push_back(
        overloaded(planner, with(paper_node(1, classes_of(planner)), crossed_classes(planner)), 0.5));
  for (const Cycle t : deadlocks(fabrics, 6000)) EXPECT_GT(t, 0U);
}

TEST(WormsWithOneDestination, ThatCommitThemselvesToAnyChannelLockUpEveryPathAlgorithm) {
  const Json committed{{"unicast_access", "any"}, {"consumption_wait", "committed"}};
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& planner : kPathPlanners)
    for (const unsigned lanes : {1, 2})
      fabrics.push_back(overloaded(planner, paper_node(lanes, classes_of(planner), committed), 0.5));
  const auto found = deadlocks(fabrics, 8000);
  for (std::size_t n = 0; n < fabrics.size(); n += 2)
    EXPECT_GT(found[n] + found[n + 1], 0U) << kPathPlanners[n / 2];
}

TEST(WormsWithOneDestination, ThatTakeTheirOwnOrTheFirstFreeChannelDoNot) {
  const std::vector<Json> access{{{"unicast_access", "own"}},
                                 {{"unicast_access", "own"}, {"consumption_wait", "committed"}},
                                 {{"unicast_access", "any"}, {"consumption_wait", "first_free"}}};
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (const auto& planner : kPathPlanners)
    for (const Json& set : access)
      fabrics.push_back(overloaded(planner, paper_node(1, classes_of(planner), set), 0.5));
  EXPECT_EQ(deadlocks(fabrics, 4000), std::vector<Cycle>(fabrics.size()));
  for (const auto flits : flits_delivered(fabrics)) EXPECT_GT(flits, 8000U);
}

}  // namespace
}  // namespace noctule::fabric_test
