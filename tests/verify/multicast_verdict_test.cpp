// Verdicts on fabrics with multicasts beyond those of the paper: planners that break their contract, choices,
// limits, tampered proofs, and what certificates say.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "verify/multicast_support.h"
#include "verify/planned/check_planned_numbering.h"
#include "verify/report/drawing.h"

namespace noctule::multicast_test {
namespace {

/// One copy through all destinations: those of higher numbers upwards, then the others downwards. With `lies`
/// it does so only where it has more than two.
class Chain final : public MulticastPlanner {
 public:
  Chain(std::shared_ptr<const Topology> topology, bool lies) : topology_(std::move(topology)), lies_(lies) {}
  [[nodiscard]] std::span<const std::string> groups() const override {
    static const std::vector<std::string> names{"all"};
    return names;
  }
  void plan(TerminalId source, std::span<const TerminalId> destinations,
            std::vector<PlannedWorm>& worms) const override {
    auto list = std::vector<TerminalId>(destinations.begin(), destinations.end());
    std::sort(list.begin(), list.end());
    if (lies_ && list.size() > 2) std::rotate(list.begin(), list.begin() + 1, list.end());
    PlannedWorm worm;
    for (const TerminalId d : list) {
      if (lies_ && list.size() == 2 && d < source) continue;
      worm.stops.push_back({topology_->consumption_router(d), d});
    }
    for (const TerminalId d : list)
      if (lies_ && list.size() == 2 && d < source)
        worms.push_back({{{topology_->consumption_router(d), d}}, 0});
    if (!worm.stops.empty()) worms.push_back(worm);
  }
  [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override { return {{0, {}}}; }

 private:
  std::shared_ptr<const Topology> topology_;
  bool lies_;
};

std::shared_ptr<const FabricPlan> chain(bool lies) {
  const auto cube =
      std::make_shared<const CubeNetwork>(std::vector<unsigned>{3, 3}, std::vector<bool>{false, false});
  return multicast_plan(cube, std::make_shared<const Chain>(cube, lies), multicast_node());
}

TEST(Planners, ThatBreakTheirContractAreRefused) {
  try {
    verify(chain(true));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().key, "multicast.planner");
    EXPECT_NE(std::string(error.what()).find("-> {"), std::string::npos) << error.what();
  }
  EXPECT_EQ(verify(chain(false)).method, "cyclic");
}

TEST(Planners, ThatLeaveAVisitWithoutAClassAreRefused) {
  EXPECT_THROW(verify_scheme({"column_path"}, multicast_node(1, {{0, {{"group", {"up"}}}}})), ConfigError);
}

TEST(Choices, OfHeadersAreUnknownWhereTheGraphIsCyclic) {
  const auto cube =
      std::make_shared<const CubeNetwork>(std::vector<unsigned>{4, 4}, std::vector<bool>{true, true});
  const auto on = [&](const char* relation, NodeDescription node) {
    const auto& entry = RoutingRegistry::instance().at(relation);
    return verify(std::make_shared<const FabricPlan>(
        plan_fabric({cube,
                     entry.make(cube, Parameters::defaults(entry.parameters)),
                     std::move(node),
                     {},
                     make_planner(cube, "individual")})));
  };
  // Copies to one destination each, in one class, are unicasts, and proved like them.
  NodeDescription careful = multicast_node(1);
  careful.release = VcRelease::kNextBufferEmpty;
  EXPECT_EQ(on("star_channels", careful).method, "escape_network");
  EXPECT_EQ(on("dimension_order", careful).followed, Certificate::Followed::kRings);
  // With classes only the whole graph counts.
  const auto classes = Classes{{1, {{"incoming", {"x_plus"}}}}, {0, {}}};
  careful.consumption_channels = 2;
  careful.consumption_classes = classes;
  const auto c = on("star_channels", careful);
  EXPECT_EQ(c.verdict, Verdict::kUnknown);
  EXPECT_EQ(c.limit, "");
  EXPECT_NE(c.reason.find("choice"), std::string::npos) << c.reason;
  EXPECT_TRUE(on("dimension_order", careful).proved());
}

TEST(Choices, OfConsumptionChannelsAreUnknownWhereTheGraphIsCyclic) {
  const auto c = verify_scheme({"dual_path"}, multicast_node(2, one_class()));
  EXPECT_EQ(c.verdict, Verdict::kUnknown);
  EXPECT_FALSE(c.witness.cycle.empty());
  EXPECT_NE(c.reason.find("consumption_access"), std::string::npos) << c.reason;
}

TEST(Limits, CountMessages) {
  VerifyOptions options;
  options.header_states = 2000;
  const auto c = verify(multicast_plan({"dual_path"}, multicast_node(2)), options);
  EXPECT_EQ(c.verdict, Verdict::kUnknown);
  EXPECT_EQ(c.limit, kVerifyStatesKey);
  options.header_states = 3000;
  EXPECT_TRUE(verify(multicast_plan({"dual_path"}, multicast_node(2)), options).proved());
}

TEST(Witnesses, AreNotSoughtWhereNobodyAsks) {
  VerifyOptions options;
  options.find_witness = false;
  const auto c = verify(multicast_plan({"dual_path"}, multicast_node(1, one_class())), options);
  EXPECT_EQ(c.verdict, Verdict::kUnknown);
  EXPECT_TRUE(c.witness.cycle.empty());
}

// --- the checker ------------------------------------------------------------------------------------------

void expect_every_swap_is_refused(const std::shared_ptr<const FabricPlan>& plan) {
  const ChannelIndex channels(*plan);
  const auto survey = survey_planned(*plan, channels, 1'000'000);
  const auto number = survey.graph.numbering();
  ASSERT_TRUE(number.has_value());
  EXPECT_EQ(check_planned_numbering(*plan, channels, *number), "");
  EXPECT_EQ(check_planned_numbering(*plan, channels, *number, 500), "");
  for (ChannelId from = 0; from < channels.size(); ++from)
    for (const ChannelId to : survey.graph.successors(from)) {
      auto swapped = *number;
      std::swap(swapped[from], swapped[to]);
      EXPECT_NE(check_planned_numbering(*plan, channels, swapped), "")
          << channels.name(from) << " -> " << channels.name(to);
    }
  EXPECT_NE(check_planned_numbering(*plan, channels, std::vector<std::uint32_t>(number->size(), 7)), "");
}

TEST(Checker, RefusesAnySwapAlongADependency) {
  const Fabric small{mesh({3, 3}), ""};
  for (const auto& scheme : path_schemes()) {
    SCOPED_TRACE(testing::PrintToString(scheme));
    expect_every_swap_is_refused(multicast_plan(scheme, multicast_node(4), small));
    expect_every_swap_is_refused(multicast_plan(scheme, multicast_node(5, by_outgoing()), small));
    if (scheme.planner == "e_mcast") continue;
    auto node = multicast_node(2);
    node.acquisition = Acquisition::kOutputFirst;
    expect_every_swap_is_refused(multicast_plan(scheme, node, small));
  }
  expect_every_swap_is_refused(
      multicast_plan({"column_path"}, multicast_node(4), {mesh({3, 3}), "dimension_order"}));
}

// --- what certificates say --------------------------------------------------------------------------------

TEST(Reports, NameConsumptionChannelsAndMessages) {
  const auto c = verify_scheme({"dual_path"}, multicast_node(1, one_class()));
  const auto json = to_json(c, "label");
  EXPECT_EQ(json.at("consumption_classes"), 1);
  ASSERT_EQ(json.at("witness").size(), 4U);
  EXPECT_EQ(json.at("witness")[1].at("from"), "router_2_0.consumption");
  EXPECT_EQ(json.at("witness")[1].at("source"), "router_3_0");
  EXPECT_EQ(json.at("witness")[1].at("destinations"), Json({"router_1_0", "router_2_0"}));
  EXPECT_NE(to_text(c, "label").find("by message 3 -> {1, 2}: x_minus.class0 consumption x_minus.class0"),
            std::string::npos)
      << to_text(c, "label");
  EXPECT_NE(draw_witness(c).find("waits for consumption"), std::string::npos);
}

TEST(Reports, TellVerticesOfATerminalApart) {
  auto node = multicast_node(2);
  node.retransmission_buffers = 1;
  const auto absorbed = verify_scheme({"column_path"}, node);
  const auto text = to_text(absorbed, "label");
  EXPECT_NE(text.find(".retransmission -> "), std::string::npos) << text;
  EXPECT_NE(text.find(".consumption_1"), std::string::npos) << text;
  EXPECT_FALSE(draw_witness(absorbed).empty());
  const auto document = certificate_document(verify_scheme({"column_path"}, multicast_node(4)), "label");
  const auto& number = document.at("numbering").at("number");
  EXPECT_TRUE(number.contains("router_1_2.consumption_0"));
  EXPECT_TRUE(number.contains("router_1_2.consumption_1"));
  EXPECT_TRUE(number.contains("router_1_2.consumption_shared"));
  EXPECT_EQ(number.size(), 48U + 3 * 16);
}

TEST(Reports, StateTheConditionsOfTheProof) {
  const auto c = verify_scheme({"e_mcast"}, multicast_node(4));
  EXPECT_NE(c.reason.find("consumption channels included"), std::string::npos);
  for (const char* key : {"node.consumption_wait", "node.acquisition", "node.consumption_channels"})
    EXPECT_TRUE(std::any_of(c.conditions.begin(), c.conditions.end(), [&](const ProofCondition& condition) {
      return condition.holds && condition.key.find(key) != std::string::npos;
    })) << key;
}

}  // namespace
}  // namespace noctule::multicast_test
