// Do the worms with which the verifier answers "deadlock possible" lock up the fabric when they are
// simulated, and do they lock it up alone, all of them together?

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/autopsy.h"
#include "support/mutants.h"
#include "witness_replay.h"

namespace noctule::fabric_test {
namespace {

using mutants::Mutant;

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
  return info.param.name;
}

Certificate verdict_on(const Mutant& mutant, unsigned connections_per_cycle = 0) {
  FabricPlan plan = mutant.plan();
  NodeDescription changed = plan.common_node();
  changed.connections_per_cycle = connections_per_cycle;
  plan.nodes = changed;
  return verify(std::make_shared<const FabricPlan>(std::move(plan)));
}
class CyclicMutant : public testing::TestWithParam<Mutant> {};

/// The worms of the witness stand still, all of them and no others.
void expect_deadlock(const Certificate& certificate) {
  ASSERT_EQ(certificate.method, "cyclic") << certificate.reason;
  const auto& worms = certificate.witness.worms;
  const auto fabric = replay(certificate, worms);
  run_cycles(*fabric, long_enough(certificate));
  const Autopsy found = autopsy(*fabric);
  SCOPED_TRACE(to_text(found));
  EXPECT_EQ(fabric->counters().packets_delivered, 0U);
  ASSERT_TRUE(found.deadlocked);
  std::set<std::size_t> sources;
  std::set<std::size_t> stuck;
  for (const auto& worm : worms) sources.insert(index(worm.source));
  for (const auto& worm : found.worms) stuck.insert(index(worm.source));
  EXPECT_EQ(stuck, sources);
  EXPECT_EQ(found.worms.size(), worms.size());
  EXPECT_GE(found.circle.size(), 2U);
  fabric->check_conservation();
}

TEST_P(CyclicMutant, LocksUpWithTheWormsOfItsWitness) {
  expect_deadlock(verdict_on(GetParam()));
}

TEST_P(CyclicMutant, LocksUpWhereACrossbarConnectsOneHeaderPerCycle) {
  expect_deadlock(verdict_on(GetParam(), 1));
}

INSTANTIATE_TEST_SUITE_P(Replay, CyclicMutant, testing::ValuesIn(mutants::cyclic()), name_of);

/// Every worm of these holds what another waits for.
class SimpleMutant : public testing::TestWithParam<const char*> {};

TEST_P(SimpleMutant, FlowsOnWithoutAnyOneOfTheWorms) {
  const auto all = mutants::cyclic();
  const auto mutant =
      std::find_if(all.begin(), all.end(), [](const auto& m) { return m.name == GetParam(); });
  ASSERT_NE(mutant, all.end());
  const Certificate certificate = verdict_on(*mutant);
  const auto& worms = certificate.witness.worms;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  for (std::size_t left_out = 0; left_out < worms.size(); ++left_out) {
    auto others = worms;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    fabrics.push_back(replay(certificate, others));
  }
  ASSERT_GE(fabrics.size(), 3U);
  run_cycles(*fabrics[0], long_enough(certificate));
  for (const auto& fabric : fabrics) {
    EXPECT_FALSE(autopsy(*fabric).deadlocked) << to_text(autopsy(*fabric));
    EXPECT_EQ(fabric->counters().packets_delivered, worms.size() - 1);
    EXPECT_TRUE(fabric->drained());
  }
}

INSTANTIATE_TEST_SUITE_P(Replay, SimpleMutant,
                         testing::Values("no_dateline_5", "no_dateline_4x4", "forbids_only_EN_4x4",
                                         "fully_adaptive_mesh_2x2_classes1", "star_one_class_4x4",
                                         "four_classes_prefix_never_flips_k4"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace noctule::fabric_test
