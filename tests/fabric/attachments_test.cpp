// Terminals in two places of one network, each for the packets of one message class: proved, and run.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "closed_loop_support.h"
#include "verify/verifier.h"

namespace noctule::fabric_test {
namespace {

constexpr std::size_t kShift = 6;

/// Requests on lane 0, responses on `response_lane`.
FabricPlan two_places(const std::string& response_lane, const std::string& model = "input_queued") {
  const MessageClasses classes =
      chain_of({{"request", {{"lane", {"0"}}}, 0, 1}, {"response", {{"lane", {response_lane}}}, 1}});
  return plan_with(classes.attached({0, 1}), mesh_with_two_places(4, kShift), "dimension_order",
                   {{"lanes", 2}}, model);
}

TEST(Attachments, AreEndsOfTheProof) {
  const auto apart = verify(std::make_shared<const FabricPlan>(two_places("1")), {});
  EXPECT_TRUE(apart.proved());
  const auto shared = verify(std::make_shared<const FabricPlan>(two_places("0")), {});
  EXPECT_FALSE(shared.proved());
  EXPECT_TRUE(shared.only_ends_close_cycles());
  std::size_t ends = 0;
  for (const Dependency& arc : shared.witness.cycle) {
    const auto& channels = *shared.channels;
    for (const ChannelId c : {arc.from, arc.to}) {
      if (!channels.is_consumption(c)) continue;
      ++ends;
      const std::size_t terminal = index(channels.terminal(c));
      const bool response = channels.is_injection(c);
      EXPECT_EQ(index(channels.router(c)), (terminal + (response ? kShift : 0)) % 16) << channels.name(c);
      EXPECT_EQ(channels.name(c).ends_with(response ? "injection0_response" : "consumption0_request") ||
                    channels.name(c).ends_with(response ? "injection1_response" : "consumption1_request"),
                true)
          << channels.name(c);
    }
  }
  EXPECT_GT(ends, 3U);
}

/// Where packets of each class enter and leave.
class Places final : public FlitObserver {
 public:
  explicit Places(const FabricPlan& plan) : plan_(plan) {}
  void on_flit(Cycle, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t, Flit,
               const Packet& packet) override {
    const RouterPlan& at = *plan_.routers[index(router)];
    const std::string of_class = "_" + plan_.message_classes[packet.message_class].name;
    if (event == FlitEvent::kInject) {
      ++seen[packet.message_class];
      EXPECT_EQ(router, plan_.injection_router(packet.source, packet.message_class));
      EXPECT_NE(at.inputs[place].name.find(of_class), std::string::npos) << at.inputs[place].name;
    }
    if (event == FlitEvent::kConsume) {
      EXPECT_EQ(router, plan_.consumption_router(packet.destination, packet.message_class));
      EXPECT_NE(at.outputs[place].name.find(of_class), std::string::npos) << at.outputs[place].name;
    }
  }
  void on_cycle_end(Cycle) override {}
  std::array<std::size_t, 2> seen{};

 private:
  const FabricPlan& plan_;
};

TEST(Attachments, LetEachClassEnterAndLeaveAtItsPlace) {
  const FabricPlan plan = two_places("1");
  const auto source = closed_loop(plan, {{"outstanding", 4}, {"service_time", 5}}, 4);
  LinkedOptions options = options_for(source);
  options.observed = true;
  const auto fabric = make_fabric(plan, options);
  fabric->attach(source);
  Places places(fabric->plan());
  fabric->observe(places);
  run_cycles(*fabric, 3000);
  fabric->check_conservation();
  EXPECT_GT(std::ranges::min(places.seen), 2000U);
}

/// Whatever the order of evaluation, and whether somebody looks on, at terminals that refuse.
class TwoPlaces : public testing::TestWithParam<const char*> {};

TEST_P(TwoPlaces, AreDeterministicAndLoseNothing) {
  const FabricPlan plan = two_places("1", GetParam());
  const auto all = run_in_every_order(
      0.5, 600, [&](const LinkedOptions& options) { return std::make_unique<Bench>(plan, options); });
  for (const auto& one : all) EXPECT_GT(one->source->deliveries.size(), 300U);
}

INSTANTIATE_TEST_SUITE_P(Models, TwoPlaces, testing::Values("input_queued", "generic"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Attachments, NeedAClassEach) {
  const auto topology = mesh_with_two_places(4, kShift);
  FabricParts parts{topology, relation_on(topology, "dimension_order"), node_of("generic")};
  EXPECT_THROW((void)plan_fabric(parts), ConfigError);
  parts.message_classes = MessageClasses({{"a"}, {"b", {}, 1}});
  EXPECT_THROW((void)plan_fabric(parts), ConfigError);
  parts.message_classes = parts.message_classes.attached({1, 0});
  EXPECT_NO_THROW((void)plan_fabric(parts));
}

}  // namespace
}  // namespace noctule::fabric_test
