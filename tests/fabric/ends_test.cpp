// Message-dependent deadlock: what the verifier proves runs on, whatever the terminals refuse; what it does
// not prove has a cycle, and stands still.

#include <gtest/gtest.h>

#include "closed_loop_support.h"
#include "fabric/autopsy.h"
#include "support/networks.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {
namespace {

struct Net {
  std::string name;
  std::shared_ptr<const Topology> topology;
  std::string algorithm;
};
std::vector<Net> nets() {
  Rng rng(11);
  return {{"mesh", topology_of("mesh", {{"radix", {4, 4}}}), "dimension_order"},
          {"tall_mesh", topology_of("mesh", {{"radix", {3, 5}}}), "north_last"},
          {"torus", topology_of("torus", {{"radix", {4, 4}}}), "dimension_order"},
          {"ring", topology_of("ring", {{"nodes", 8}}), "dimension_order"},
          {"hypercube", topology_of("hypercube", {{"dimensions", 3}}), "dimension_order"},
          {"fat_tree", topology_of("butterfly_fat_tree", {{"levels", 2}}), "nearest_common_ancestor"},
          {"graph", random_graph(14, 10, rng), "up_down"},
          {"concentrated", topology_of("mesh", {{"radix", {3, 3}}, {"terminals_per_router", 2}}),
           "dimension_order"}};
}

struct Assignment {
  std::string name;
  std::vector<MessageClass> classes;
  bool safe = false;
};
std::vector<Assignment> assignments() {
  const auto lanes = [](std::vector<std::string> list) { return VcSelector{{"lane", std::move(list)}}; };
  return {{"all_share", {{"request", {}, 0, 1}, {"response", {}, 1}}},
          {"all_share_buffers", {{"request", {}, 0, 4}, {"response", {}, 1}}},
          {"requests_everywhere", {{"request", {}, 0, 1}, {"response", lanes({"1"}), 1}}},
          {"one_interface", {{"request", lanes({"0"}), 0, 1}, {"response", lanes({"1"}), 0}}},
          {"forward_as_request",
           {{"request", lanes({"0"}), 0, 1}, {"forward", lanes({"0"}), 1, 1}, {"response", lanes({"1"}), 2}}},
          {"forward_as_response",
           {{"request", lanes({"0"}), 0, 1}, {"forward", lanes({"1"}), 1, 1}, {"response", lanes({"1"}), 2}}},
          {"apart", {{"request", lanes({"0"}), 0, 1}, {"response", lanes({"1"}), 1}}, true},
          {"apart_buffers", {{"request", lanes({"1", "2"}), 0, 8}, {"response", lanes({"0"}), 1}}, true},
          {"room_for_all", {{"request", {}, 0}, {"response", {}, 1}}, true},
          {"room_for_all_at_one_interface", {{"request", {}, 0}, {"response", {}, 0}}, true},
          {"three_apart",
           {{"request", lanes({"2"}), 0, 1}, {"forward", lanes({"0"}), 1, 2}, {"response", lanes({"1"}), 2}},
           true},
          {"room_for_forwards",
           {{"request", lanes({"0"}), 0, 1}, {"forward", lanes({"1"}), 1}, {"response", lanes({"1"}), 2}},
           true}};
}

struct Case {
  Net net;
  Assignment assignment;
};
std::vector<Case> cases(bool safe) {
  std::vector<Case> all;
  for (const Net& net : nets())
    for (const Assignment& assignment : assignments())
      if (assignment.safe == safe) all.push_back({net, assignment});
  return all;
}
std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.net.name + "_" + info.param.assignment.name;
}

class Ends : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static FabricPlan plan() {
    const auto& [net, assignment] = GetParam();
    return plan_with(chain_of(assignment.classes), net.topology, net.algorithm,
                     {{"lanes", 3}, {"input_depth", 2}, {"injection_vcs", 1}});
  }
  static Certificate verdict() { return verify(std::make_shared<const FabricPlan>(plan()), {}); }
};

class WrongEnds : public Ends {};
TEST_P(WrongEnds, AreNotProvedAndStandStill) {
  const Certificate certificate = verdict();
  EXPECT_FALSE(certificate.proved());
  EXPECT_FALSE(certificate.missing.empty());
  const auto& cycle = certificate.witness.cycle;
  ASSERT_GE(cycle.size(), 2U);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
    EXPECT_FALSE(cycle[i].cause.empty());
  }
  const FabricPlan plan = Ends::plan();
  const auto source = closed_loop(plan, {{"outstanding", 24}}, 8);
  const auto fabric = make_fabric(plan, options_for(source));
  fabric->attach(source);
  std::uint64_t moves = 0;
  bool still = false;
  for (int n = 0; n < 60 && !still; ++n) {
    run_cycles(*fabric, 2500);
    const std::uint64_t now = fabric->moves();
    still = now == moves && fabric->waits_for_itself();
    moves = now;
  }
  EXPECT_TRUE(still) << fabric->counters().packets_delivered << " delivered";
  fabric->check_conservation();
  const Autopsy found = standstill(*fabric);
  EXPECT_TRUE(found.deadlocked);
  EXPECT_FALSE(found.ends.empty());
}
INSTANTIATE_TEST_SUITE_P(Assignments, WrongEnds, testing::ValuesIn(cases(false)), name_of);

class RightEnds : public Ends {};
TEST_P(RightEnds, AreProvedAndRunOnWhateverIsRefused) {
  const Certificate certificate = verdict();
  ASSERT_TRUE(certificate.proved()) << certificate.reason;
  EXPECT_FALSE(certificate.numbering.empty());
  const FabricPlan plan = Ends::plan();
  const auto source = closed_loop(plan, {{"outstanding", 24}}, 8);
  LinkedOptions options;
  options.stall = 0.1 * static_cast<double>(std::hash<std::string>{}(GetParam().net.name) % 10);
  const auto fabric = make_fabric(plan, options_for(source, options));
  fabric->attach(source);
  std::uint64_t completed = 0;
  for (int n = 0; n < 10; ++n) {
    run_cycles(*fabric, 4000);
    EXPECT_GT(source->transactions()->count, completed);
    completed = source->transactions()->count;
  }
  fabric->check_conservation();
}
INSTANTIATE_TEST_SUITE_P(Assignments, RightEnds, testing::ValuesIn(cases(true)), name_of);

TEST(AClassWithoutVcs, IsNamedWithItsPlace) {
  const auto topology = topology_of("torus", {{"radix", {4, 4}}});
  const auto relation = relation_on(topology, "dimension_order");
  const std::string field = relation->fields().front().name;
  const std::string value = relation->fields().front().values.front();
  const FabricPlan plan = plan_with(chain_of({{"request", {{field, {value}}}, 0, 1}, {"response", {}, 1}}),
                                    topology, "dimension_order", {{"lanes", 2}});
  try {
    (void)verify(std::make_shared<const FabricPlan>(plan), {});
    FAIL() << "dateline classes are both needed";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, "message_classes.request.vcs");
  }
}

}  // namespace
}  // namespace noctule::fabric_test
