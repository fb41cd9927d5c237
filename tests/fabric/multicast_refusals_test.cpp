// What multicasts cannot be, and the words in which it is refused.

#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "core/json.h"
#include "multicast_support.h"

namespace noctule::fabric_test {
namespace {

/// The first diagnostic of what `f` throws; empty: nothing.
Diagnostic fault_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ConfigError& e) {
    return e.diagnostics().front();
  }
  return {};
}

void expect_fault(const std::function<void()>& f, const std::string& key, const std::string& words) {
  const Diagnostic found = fault_of(f);
  EXPECT_EQ(found.key, key) << found.message;
  EXPECT_NE(found.message.find(words), std::string::npos) << found.message;
}

TEST(ANodeThatCannotDoMulticasts, IsRefusedWithTheKeyToChange) {
  const auto topology = mesh({4, 4});
  struct Obstacle {
    const char* model;
    Json set;
    const char* key;
    const char* words;
  };
  const std::vector<Obstacle> obstacles{
      {"generic", {{"consumption_channels", 4}}, "node.output_depth", "output_depth 0"},
      {"generic",
       {{"output_depth", 0}, {"consumption_channels", 4}, {"switch_allocator", "islip"}},
       "node.switch_allocator",
       "switch_allocator none"},
      {"generic",
       {{"output_depth", 0}, {"consumption_channels", 4}, {"vc_allocator", "wavefront"}},
       "node.vc_allocator",
       "vc_allocator scan"},
      {"generic",
       {{"output_depth", 0}, {"consumption_channels", 4}, {"link_sharing", "fixed_slot"}},
       "node.link_sharing",
       "demand"},
      {"generic",
       {{"output_depth", 0},
        {"consumption_channels", 4},
        {"scan", "first_come"},
        {"injection_channels", "unlimited"}},
       "node.injection_channels",
       "give their number"},
      {"input_queued", {{"consumption_channels", 4}}, "node.switch_allocator", "switch_allocator none"}};
  for (const char* name : {"dual_path", "multipath", "column_path", "e_mcast"})
    for (const auto& o : obstacles) {
      SCOPED_TRACE(std::string(name) + " " + o.model + " " + o.set.dump());
      expect_fault([&] { multicast_plan(topology, name, o.set, true, o.model); }, o.key, o.words);
    }
  // Individual copies run there, unless their node asks for what it cannot do.
  for (const auto& o : obstacles)
    EXPECT_NO_THROW(multicast_plan(topology, "individual", o.set, true, o.model));
  const Json classes{{"consumption_channels", 2},
                     {"consumption_classes", {{{"class", 1}, {"incoming", "x_plus"}}, {{"class", 0}}}}};
  expect_fault([&] { multicast_plan(topology, "individual", classes); }, "node.output_depth",
               "output_depth 0");
  expect_fault(
      [&] {
        multicast_plan(topology, "individual", Json{{"retransmission_buffers", 1}});
      },
      "node.output_depth", "output_depth 0");
}

TEST(UnlimitedConsumption, IsForIndividualCopiesAlone) {
  const Json unlimited{{"output_depth", 0}, {"consumption_channels", "unlimited"}};
  EXPECT_NO_THROW(multicast_plan(mesh({4, 4}), "individual", unlimited));
  for (const char* name : {"dual_path", "multipath", "column_path", "e_mcast"})
    expect_fault(
        [&] {
          multicast_plan(mesh({4, 4}), name, unlimited);
        },
        "node.consumption_channels", "give their number");
}

/// Keys that are about multicasts, each with a value that is not its default.
std::vector<std::pair<const char*, Json>> keys_of_multicasts() {
  return {{"consumption_classes", Json::array({Json{{"class", 0}}})},
          {"consumption_access", "any"},
          {"unicast_access", "own"},
          {"consumption_wait", "committed"},
          {"acquisition", "output_first"},
          {"retransmission_buffers", 1}};
}

TEST(RoutersThatDiffer, KeepToTheSameRulesOfMulticasts) {
  const auto topology = mesh({4, 4});
  auto keys = keys_of_multicasts();
  keys.emplace_back("consumption_channels", 3);
  keys.emplace_back("consumption_vcs", 2);
  for (const auto& [key, value] : keys) {
    NodeDescriptions nodes = node_of("generic", paper_node(2, 2));
    nodes.set(RouterId{5}, node_of("generic", paper_node(2, 2, {{key, value}})), 16, "nodes");
    for (const char* planner : {"column_path", "individual"})
      expect_fault([&] { multicast_plan(topology, planner, nodes); }, "nodes",
                   std::string("router_1_1 has a node.") + key + " that most routers do not have");
  }
}

TEST(RoutersThatDiffer, CanAllSendWormsToSeveralDestinations) {
  const auto topology = mesh({4, 4});
  NodeDescriptions nodes = node_of("generic", paper_node(2, 2));
  nodes.set(RouterId{5}, node_of("generic", {{"consumption_channels", 2}}), 16, "nodes");
  expect_fault([&] { multicast_plan(topology, "dual_path", nodes); }, "node.output_depth", "output_depth 0");
  EXPECT_NO_THROW(multicast_plan(topology, "individual", nodes));
}

TEST(KeysOfMulticasts, MeanNothingWithoutAPlanner) {
  const auto topology = mesh({4, 4});
  for (const auto& [key, value] : keys_of_multicasts()) {
    const Json set = paper_node(1, 2, {{key, value}});
    expect_fault([&] { plan_of(shipped_models()[0], topology, set); }, std::string("node.") + key,
                 "multicast.planner");
    EXPECT_NO_THROW(multicast_plan(topology, "column_path", set)) << key;
  }
}

TEST(APlan, IsRefusedWhosePartsDoNotFit) {
  const auto topology = mesh({4, 4});
  expect_fault([&] { multicast_plan(topology, "dual_path", paper_node(1, 1)); }, "node.consumption_channels",
               "2 classes");
  expect_fault([&] { multicast_plan(topology, "e_mcast", paper_node(1, 3)); }, "node.consumption_channels",
               "4 classes");
  expect_fault(
      [&] {
        plan_fabric({topology,
                     relation_on(topology, "negative_hop"),
                     node_of("generic", paper_node(1, 2)),
                     {},
                     multicast_test::make_planner(topology, "dual_path")});
      },
      "multicast.planner", "VC class");
  // Worms with several destinations start anew at each: their header can carry nothing else. A stand-in for
  // a planner on a torus.
  class OnATorus final : public MulticastPlanner {
   public:
    [[nodiscard]] std::span<const std::string> groups() const override { return groups_; }
    void plan(TerminalId, std::span<const TerminalId>, std::vector<PlannedWorm>&) const override {}
    [[nodiscard]] std::vector<ConsumptionClassRule> consumption_classes() const override { return {{0, {}}}; }

   private:
    std::vector<std::string> groups_{"one"};
  };
  const auto ring = torus({4, 4});
  const Json wrapped{{"vc_rule", "wrapped_bit"}};
  ASSERT_TRUE(relation_on(ring, "dimension_order", wrapped)->has_state());
  expect_fault(
      [&] {
        plan_fabric({ring,
                     relation_on(ring, "dimension_order", wrapped),
                     node_of("generic", paper_node(1, 1)),
                     {},
                     std::make_shared<const OnATorus>()});
      },
      "multicast.planner", "header");
  FabricOptions options;
  options.discard = true;
  expect_fault([&] { make_fabric(multicast_plan(topology, "individual", paper_node(1, 1)), options); },
               "traffic.source_queue", "infinite");
}

GeneratedPacket message(const Destinations& to, std::uint32_t preparation = 0) {
  GeneratedPacket packet;
  packet.destination = TerminalId(to.at(0));
  packet.preparation = preparation;
  for (const auto d : to) packet.destinations.push_back(TerminalId(d));
  if (to.size() == 1) packet.destinations.clear();
  return packet;
}

TEST(AFabricWithoutPlanner, RefusesMulticastsAndPreparation) {
  auto fabric = make_fabric(plan_of(shipped_models()[0], mesh({4, 4})));
  for (const auto& packet : {message({1, 2}), message({1}, 7)})
    expect_fault([&] { fabric->inject(TerminalId{0}, packet); }, "inject", "multicast.planner");
  EXPECT_TRUE(fabric->inject(TerminalId{0}, message({1})));
  // From a source.
  auto source = std::make_shared<MessageList>();
  source->add(3, {1, 2}, 5, 10);
  fabric->attach(source);
  expect_fault([&] { run_cycles(*fabric, 1); }, "traffic.source", "multicast.planner");
}

TEST(AMulticast, WithADestinationThatCannotBeIsRefused) {
  auto fabric = make_fabric(multicast_plan(mesh({4, 4}), "dual_path", paper_node(1, 2)));
  struct Bad {
    Destinations to;
    const char* words;
  };
  for (const auto& bad : {Bad{{1, 2, 1}, "terminal 1"},
                          {{5, 3}, "terminal 5"},
                          {{3, 5}, "terminal 5"},
                          {{3, 16}, "0 to 15"},
                          {{16, 3}, "0 to 15"}})
    expect_fault([&] { fabric->inject(TerminalId{5}, message(bad.to)); }, "inject", bad.words);
  EXPECT_TRUE(fabric->inject(TerminalId{5}, message({5}))) << "to oneself is possible";
  EXPECT_TRUE(fabric->inject(TerminalId{5}, message({1, 2}, 3)));
  auto source = std::make_shared<MessageList>();
  source->add(3, {1, 2, 1}, 5, 10);
  fabric->attach(source);
  expect_fault([&] { run_cycles(*fabric, 1); }, "traffic.source", "terminal 1");
}

TEST(APrescribedRoute, IsRefusedWhereMessagesArePlanned) {
  auto fabric = make_fabric(multicast_plan(mesh({4, 4}), "individual", paper_node(1, 1)));
  GeneratedPacket packet = message({1});
  packet.route = 1;
  try {
    fabric->inject(TerminalId{5}, packet);
    run_cycles(*fabric, 3);
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("prescribed route"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace noctule::fabric_test
