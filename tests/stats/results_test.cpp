// results.json: are names and numbers those of the contract, and is absent what a run does not have?

#include "stats/results.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "synthetic_fabric.h"

namespace noctule {
namespace {

using test::measure;
using test::Recipe;
using test::workload_of;

/// Dotted names of all leaves; objects that users fill are leaves too.
void collect(const Json& json, const std::string& path, std::set<std::string>& names) {
  if (!json.is_object() || path == "set" || path == "files") {
    names.insert(path);
    return;
  }
  for (const auto& [key, value] : json.items()) collect(value, path.empty() ? key : path + '.' + key, names);
}
std::set<std::string> names_of(const Json& json) {
  std::set<std::string> names;
  collect(json, "", names);
  return names;
}

MeasurementSettings settings() {
  MeasurementSettings s;
  s.warm_up_cycles = 1000;
  s.measure_cycles = 3200;
  return s;
}

PointContext context() {
  PointContext c;
  c.label = "star_channels";
  c.set = Json{{"traffic.offered_load", 0.5}};
  c.routers = 16;
  c.offered_flits_per_node_cycle = 20.0 / 64;
  c.offered_packets_per_node_cycle = 4.0 / 64;
  c.tau_max_packets_per_node_cycle = 0.125;
  c.input_vcs = 100;
  c.output_vcs = 50;
  c.digest = 0xabcULL;
  c.user_s = 0.5;
  c.files = {{"vcd", "a.vcd"}};
  return c;
}

const std::set<std::string> kContract = {"label",
                                         "set",
                                         "status",
                                         "offered.flits_per_node_cycle",
                                         "offered.packets_per_node_cycle",
                                         "offered.normalized",
                                         "accepted.flits_per_node_cycle.mean",
                                         "accepted.flits_per_node_cycle.ci95",
                                         "accepted.normalized.mean",
                                         "accepted.normalized.ci95",
                                         "accepted.minimum_node_flits_per_node_cycle",
                                         "accepted.fraction_of_generated",
                                         "latency_cycles.total.mean",
                                         "latency_cycles.total.ci95",
                                         "latency_cycles.total.p50",
                                         "latency_cycles.total.p95",
                                         "latency_cycles.total.p99",
                                         "latency_cycles.total.max",
                                         "latency_cycles.network.mean",
                                         "latency_cycles.network.ci95",
                                         "latency_cycles.network.p50",
                                         "latency_cycles.network.p95",
                                         "latency_cycles.network.p99",
                                         "latency_cycles.network.max",
                                         "hops.mean",
                                         "link_utilization.mean",
                                         "link_utilization.max",
                                         "cycles.warm_up",
                                         "cycles.measured",
                                         "packets.generated",
                                         "packets.discarded",
                                         "packets.injected",
                                         "packets.delivered",
                                         "packets.in_flight",
                                         "flits.injected",
                                         "flits.delivered",
                                         "flits.in_flight",
                                         "digest",
                                         "speed.user_s",
                                         "speed.router_cycles_per_s",
                                         "speed.flit_hops_per_s",
                                         "files"};

const std::set<std::string> kAdditions = {"status_rule",
                                          "source_queue_packets_per_node",
                                          "terminals.all",
                                          "terminals.injecting",
                                          "occupancy.input_vcs_occupied_fraction",
                                          "occupancy.output_vcs_allocated_fraction",
                                          "crossbar.connections_held_per_router",
                                          "crossbar.connections_made_per_router_cycle",
                                          "packets.queued",
                                          "hops.distance_mean",
                                          "batches.count",
                                          "batches.correlated"};

TEST(IsEachRuleObeyed, APointHasExactlyTheNamesOfTheContractAndTheStatedAdditions) {
  Recipe recipe;
  const auto json = to_json(make_point(measure(recipe, settings()), workload_of(recipe), context()));
  auto expected = kContract;
  expected.insert(kAdditions.begin(), kAdditions.end());
  EXPECT_EQ(names_of(json), expected);
}

/// 30 multicasts to 4 destinations each, in 2 copies of 5 links, and 70 other messages over 3 links.
MeasurementOutcome with_multicasts() {
  Recipe recipe;
  recipe.noise = 0;
  auto outcome = measure(recipe, settings());
  FabricCounters& w = outcome.window;
  w.packets_delivered = 100;
  w.destinations = 30 * 4 + 70;
  w.copies = 30 * 2 + 70;
  w.hops = 30 * 2 * 5 + 70 * 3;
  w.multicasts_delivered = 30;
  w.multicast_hops = 30 * 2 * 5;
  w.multicast_destinations = 30 * 4;
  w.multicast_reached_latency = 30 * 4 * 50;
  w.multicast_total_latency = 30 * 90;
  w.multicast_network_latency = 30 * 80;
  w.total_latency = {};
  w.network_latency = {};
  for (int i = 0; i < 30; ++i) w.total_latency.record(90), w.network_latency.record(80);
  for (int i = 0; i < 70; ++i) w.total_latency.record(40), w.network_latency.record(20);
  return outcome;
}

TEST(IsEachRuleObeyed, MulticastsAndOtherMessagesAreApart) {
  const auto json = to_json(make_point(with_multicasts(), workload_of(Recipe{}), context()));
  EXPECT_DOUBLE_EQ(json["hops"]["mean"], 5.1) << "links of all copies of a message";
  EXPECT_DOUBLE_EQ(json["hops"]["distance_mean"], 3) << "messages with one destination";
  const auto& several = json["multicast"]["multicasts"];
  EXPECT_EQ(several["delivered_packets"], 30);
  EXPECT_DOUBLE_EQ(several["latency_cycles"]["total"], 90) << "at the last destination";
  EXPECT_DOUBLE_EQ(several["latency_cycles"]["network"], 80);
  EXPECT_DOUBLE_EQ(several["latency_cycles"]["each_destination"], 50);
  EXPECT_DOUBLE_EQ(several["destinations_per_packet"], 4);
  EXPECT_DOUBLE_EQ(several["copies_per_packet"], 2);
  EXPECT_DOUBLE_EQ(several["hops_per_packet"], 10);
  const auto& one = json["multicast"]["unicasts"];
  EXPECT_EQ(one["delivered_packets"], 70);
  EXPECT_DOUBLE_EQ(one["latency_cycles"]["total"], 40);
  EXPECT_DOUBLE_EQ(one["latency_cycles"]["network"], 20);
  EXPECT_DOUBLE_EQ(one["hops_per_packet"], 3);
}

TEST(IsEachRuleObeyed, MulticastsAloneHaveNoDistanceOfUnicasts) {
  auto outcome = with_multicasts();
  FabricCounters& w = outcome.window;
  w.packets_delivered = 30;
  w.destinations = 120;
  w.copies = 60;
  w.hops = w.multicast_hops;
  const auto json = to_json(make_point(outcome, workload_of(Recipe{}), context()));
  EXPECT_DOUBLE_EQ(json["hops"]["mean"], 10);
  EXPECT_FALSE(json["hops"].contains("distance_mean"));
  EXPECT_FALSE(json["multicast"].contains("unicasts"));
}

TEST(IsEachRuleObeyed, NumbersFollowTheirDefinitions) {
  Recipe recipe;
  recipe.noise = 0;
  recipe.accepted_fraction = 0.75;
  recipe.discards = true;
  const auto json = to_json(make_point(measure(recipe, settings()), workload_of(recipe), context()));
  EXPECT_EQ(json["status"], "stable");
  // 3 packets of 5 flits per cycle at 64 terminals.
  EXPECT_DOUBLE_EQ(json["accepted"]["flits_per_node_cycle"]["mean"], 15.0 / 64);
  EXPECT_DOUBLE_EQ(json["accepted"]["flits_per_node_cycle"]["ci95"], 0);
  EXPECT_DOUBLE_EQ(json["accepted"]["normalized"]["mean"], 3.0 / 64 / 0.125);
  EXPECT_DOUBLE_EQ(json["offered"]["normalized"], 0.5);
  EXPECT_DOUBLE_EQ(json["accepted"]["fraction_of_generated"], 0.75);
  EXPECT_DOUBLE_EQ(json["accepted"]["minimum_node_flits_per_node_cycle"], 15.0 / 64);
  EXPECT_DOUBLE_EQ(json["latency_cycles"]["total"]["mean"], 80);
  EXPECT_DOUBLE_EQ(json["latency_cycles"]["network"]["mean"], 40);
  EXPECT_EQ(json["latency_cycles"]["total"]["p99"], 80);
  EXPECT_EQ(json["latency_cycles"]["network"]["max"], 40);
  EXPECT_DOUBLE_EQ(json["hops"]["mean"], 3);
  EXPECT_DOUBLE_EQ(json["link_utilization"]["mean"], 3 * 1.5);
  EXPECT_DOUBLE_EQ(json["link_utilization"]["max"], 3 * 3);
  EXPECT_EQ(json["cycles"]["warm_up"], 1000);
  EXPECT_EQ(json["cycles"]["measured"], 3200);
  EXPECT_EQ(json["packets"]["generated"], 4 * 4200);
  EXPECT_EQ(json["packets"]["discarded"], 4200);
  EXPECT_EQ(json["packets"]["queued"], 0);
  EXPECT_EQ(json["flits"]["delivered"], 15 * 4200);
  EXPECT_DOUBLE_EQ(json["occupancy"]["input_vcs_occupied_fraction"], 0.1);
  EXPECT_DOUBLE_EQ(json["occupancy"]["output_vcs_allocated_fraction"], 0.1);
  EXPECT_DOUBLE_EQ(json["crossbar"]["connections_held_per_router"], 0.5);
  EXPECT_DOUBLE_EQ(json["crossbar"]["connections_made_per_router_cycle"], 12.0 / 16);
  EXPECT_EQ(json["digest"], "0000000000000abc");
  EXPECT_DOUBLE_EQ(json["speed"]["router_cycles_per_s"], 4200 * 16 / 0.5);
  EXPECT_DOUBLE_EQ(json["speed"]["flit_hops_per_s"], 45 * 4200 / 0.5);
  EXPECT_EQ(json["files"]["vcd"], "a.vcd");
}

TEST(IsEachRuleObeyed, LoadsAreThoseOfTheTerminalsThatInject) {
  Recipe recipe;
  recipe.noise = 0;
  recipe.start_queue = 64;
  auto workload = workload_of(recipe);
  workload.injecting_terminals = 48;
  workload.offered_flits_per_node_cycle *= 64.0 / 48;
  auto c = context();
  c.offered_flits_per_node_cycle = workload.offered_flits_per_node_cycle;
  c.offered_packets_per_node_cycle = workload.offered_flits_per_node_cycle / 5;
  const auto outcome = measure(recipe, settings(), workload);
  const auto json = to_json(make_point(outcome, workload, c));
  EXPECT_NE(
      outcome.rule.find("0.4167 flits per injecting terminal and cycle were accepted of 0.4167 offered"),
      std::string::npos)
      << outcome.rule;
  EXPECT_EQ(json["terminals"]["all"], 64);
  EXPECT_EQ(json["terminals"]["injecting"], 48);
  const auto& offered = json["offered"];
  const auto& accepted = json["accepted"];
  EXPECT_DOUBLE_EQ(offered["flits_per_node_cycle"], 20.0 / 48);
  EXPECT_DOUBLE_EQ(offered["flits_per_node_cycle_all_terminals"], 20.0 / 64);
  EXPECT_DOUBLE_EQ(offered["packets_per_node_cycle_all_terminals"], 4.0 / 64);
  EXPECT_DOUBLE_EQ(offered["normalized"], 4.0 / 48 / 0.125);
  EXPECT_DOUBLE_EQ(offered["normalized_all_terminals"], 0.5);
  EXPECT_DOUBLE_EQ(accepted["flits_per_node_cycle"]["mean"], 20.0 / 48);
  EXPECT_DOUBLE_EQ(accepted["flits_per_node_cycle_all_terminals"]["mean"], 20.0 / 64);
  EXPECT_DOUBLE_EQ(accepted["flits_per_node_cycle_all_terminals"]["ci95"], 0);
  EXPECT_DOUBLE_EQ(accepted["normalized"]["mean"], 4.0 / 48 / 0.125);
  EXPECT_DOUBLE_EQ(accepted["normalized_all_terminals"]["mean"], 0.5);
  EXPECT_DOUBLE_EQ(json["source_queue_packets_per_node"], 64.0 / 48);
  EXPECT_DOUBLE_EQ(json["source_queue_packets_per_node_all_terminals"], 1);
}

TEST(IsEachRuleObeyed, TheMinimumRunsOverAddressedTerminalsOnly) {
  Recipe recipe;
  auto outcome = measure(recipe, settings());
  outcome.window.terminal_flits.assign(64, 3200);
  outcome.window.terminal_flits[3] = 0;
  outcome.window.terminal_flits[5] = 1600;
  auto c = context();
  EXPECT_DOUBLE_EQ(*make_point(outcome, workload_of(recipe), c).minimum_node_flits_per_node_cycle, 0);
  c.addressed.assign(64, true);
  c.addressed[3] = false;
  EXPECT_DOUBLE_EQ(*make_point(outcome, workload_of(recipe), c).minimum_node_flits_per_node_cycle, 0.5);
}

TEST(IsEachRuleObeyed, WhatARunDoesNotHaveIsAbsent) {
  PointContext bare;
  bare.label = "x";
  Recipe silent;
  silent.offered_packets_per_cycle = 0;
  silent.discards = true;
  const auto json = to_json(make_point(measure(silent, settings()), workload_of(silent), bare));
  EXPECT_EQ(names_of(json), (std::set<std::string>{"label",
                                                   "set",
                                                   "status",
                                                   "accepted.flits_per_node_cycle.mean",
                                                   "accepted.flits_per_node_cycle.ci95",
                                                   "accepted.minimum_node_flits_per_node_cycle",
                                                   "link_utilization.mean",
                                                   "link_utilization.max",
                                                   "cycles.warm_up",
                                                   "cycles.measured",
                                                   "packets.generated",
                                                   "packets.discarded",
                                                   "packets.injected",
                                                   "packets.delivered",
                                                   "packets.in_flight",
                                                   "packets.queued",
                                                   "flits.injected",
                                                   "flits.delivered",
                                                   "flits.in_flight",
                                                   "status_rule",
                                                   "terminals.all",
                                                   "terminals.injecting",
                                                   "batches.count",
                                                   "batches.correlated"}));
  EXPECT_TRUE(json["set"].is_object());
  EXPECT_EQ(json.dump().find("null"), std::string::npos);
}

TEST(IsEachRuleObeyed, AStaticWorkloadHasADrainTimeAndNoIntervals) {
  Recipe recipe;
  const MeasuredWorkload workload{true, true, 64, 64, 0};
  MeasurementController controller({}, workload);
  test::SyntheticFabric fabric(recipe);
  for (int i = 0; i < 10; ++i) {
    fabric.advance(100);
    if (i < 9) controller.observe(fabric.now(), fabric.counters(), 0);
  }
  // All that was generated has been delivered in this recipe.
  controller.drained(fabric.now(), fabric.counters());
  auto c = context();
  c.offered_flits_per_node_cycle.reset();
  c.offered_packets_per_node_cycle.reset();
  const auto json = to_json(make_point(controller.outcome(), workload, c));
  EXPECT_EQ(json["time_to_drain_cycles"], 1000);
  EXPECT_EQ(json["cycles"]["warm_up"], 0);
  EXPECT_FALSE(json.contains("offered"));
  for (const auto& name : names_of(json)) EXPECT_EQ(name.find("ci95"), std::string::npos) << name;
}

TEST(DoesItRun, TheDocumentFramesThePointsInTheOrderOfTheContract) {
  const auto document = results_document("sweep", 7, Json{{"a", 1}}, Json::array({Json{{"label", "x"}}}));
  std::vector<std::string> keys;
  for (const auto& [key, unused] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"noctule", "schema", "command", "seed", "config", "points"}));
  EXPECT_EQ(document["schema"], 2);
  EXPECT_EQ(document["seed"], 7);
  EXPECT_EQ(document["points"][0]["label"], "x");
  EXPECT_TRUE(results_document("run", 1, Json::object(), {})["points"].is_array());
}

TEST(IsItDeterministic, NumbersSurviveTextAndBack) {
  Recipe recipe;
  const auto json = to_json(make_point(measure(recipe, settings()), workload_of(recipe), context()));
  const auto text = json.dump();
  EXPECT_EQ(Json::parse(text), json);
  EXPECT_EQ(Json::parse(text).dump(), text);
  EXPECT_EQ(Json(0.1).dump(), "0.1");
}

Json sweep_point(const std::string& label, double offered, double accepted) {
  return Json{{"label", label},
              {"set", {{"traffic.offered_load", offered}, {"node.lanes", 2}}},
              {"status", "stable"},
              {"status_rule", "was"},
              {"offered", {{"flits_per_node_cycle", offered}}},
              {"accepted", {{"flits_per_node_cycle", {{"mean", accepted}}}}}};
}

TEST(IsEachRuleObeyed, ASweepOfResultsIsRelabelledPastItsMaximum) {
  auto points = Json::array({sweep_point("a", 0.2, 0.2), sweep_point("a", 0.4, 0.38),
                             sweep_point("a", 0.8, 0.3), sweep_point("b", 0.8, 0.31)});
  auto other = sweep_point("a", 0.9, 0.1);
  other["set"]["node.lanes"] = 3;
  points.push_back(other);
  points.push_back(sweep_point("queue", 0.2, 0.2));
  points.push_back(sweep_point("queue", 0.4, 0.1));
  label_sweep_points(points, {true, true, true, true, true, false, false}, "traffic.offered_load");
  std::vector<std::string> labels;
  for (const auto& p : points) labels.push_back(p["status"]);
  EXPECT_EQ(labels, (std::vector<std::string>{"stable", "stable", "saturated", "stable", "stable", "stable",
                                              "stable"}));
  EXPECT_NE(points[2]["status_rule"].get<std::string>().find("maximum"), std::string::npos);
}

}  // namespace
}  // namespace noctule
