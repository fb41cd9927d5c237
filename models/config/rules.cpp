#include "config/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "config/effects.h"
#include "config/planes.h"
#include "config/schema.h"
#include "config/tlm.h"
#include "core/error.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {
namespace {

void batches_fit(const Json& resolved, const ReportContradiction& report) {
  const Json& m = resolved.at("measurement");
  if (!m.at("cycles").is_number()) return;
  const auto cycles = m.at("cycles").get<std::int64_t>();
  const auto batches = m.at("batches").get<std::int64_t>();
  if (cycles < batches)
    report("measurement.cycles",
           fmt::format("{} cycles cannot be split into {} batches; measure at least {} cycles, "
                       "or give fewer measurement.batches",
                       cycles, batches, batches));
}

void no_packet_of_a_workload_is_lost(const Json& resolved, const ReportContradiction& report) {
  const Json& traffic = resolved.at("traffic");
  const Json& kind = traffic.at("source").at("kind");
  if (traffic.at("source_queue") == "infinite") return;
  if (kind == "static")
    report("traffic.source_queue",
           "packets that find no room are discarded, and those of a static workload are all generated at "
           "cycle 0; use source_queue infinite");
  if (kind == "workload")
    report(
        "traffic.source_queue",
        "packets that find no room are discarded, and the tasks that wait for one would wait for ever; use "
        "source_queue infinite");
  if (kind == "host_slave")
    report("traffic.source_queue",
           "packets that find no room are discarded, and the host would wait for their answers for ever; use "
           "source_queue infinite");
  if (kind == "request_reply")
    report("traffic.source_queue",
           "packets that find no room are discarded, and the terminal that waits for one would wait for "
           "ever; use source_queue infinite: what is open is limited by traffic.source.outstanding");
}

void node_is_consistent(const Json& resolved, const ReportContradiction& report) {
  try {
    (void)node_from_parameters(Parameters(resolved.at("node")));
  } catch (const ConfigError& e) {
    for (const auto& d : e.diagnostics()) report(d.key, d.message);
  }
}

void load_is_possible(const Json& resolved, const ReportContradiction& report) {
  const Json& traffic = resolved.at("traffic");
  const auto load = traffic.at("offered_load").get<double>();
  const auto unit = traffic.at("load_unit").get<std::string>();
  if (unit == "normalized") return;
  const double flits = mean_packet_length(traffic) * mean_destinations(traffic);
  const double most = unit == "packets_per_node_cycle" ? 1 : flits;
  if (load > most)
    report(
        "traffic.offered_load",
        fmt::format(
            "{} {} is more than one packet per terminal and cycle; with packets of {} flits on average, at "
            "most {} can be offered",
            load, unit, flits, most));
}

void multicasts_are_drawn(const Json& resolved, const ReportContradiction& report) {
  const Json& m = resolved.at("traffic").at("multicast");
  if (m.at("least") > m.at("most"))
    report("traffic.multicast.least", fmt::format("{} destinations at least and {} at most; swap them",
                                                  m.at("least").dump(), m.at("most").dump()));
}

void multicasts_are_planned(const Json& resolved, const ReportContradiction& report) {
  const Json& m = resolved.at("traffic").at("multicast");
  if (resolved.at("multicast").at("planner") != "none") return;
  if (m.at("fraction") > 0)
    report("traffic.multicast.fraction",
           "messages with several destinations need a multicast.planner, which says how worms carry them");
  for (const char* key : {"preparation_delay", "unicast_preparation_delay"})
    if (m.at(key) > 0)
      report(
          fmt::format("traffic.multicast.{}", key),
          "messages are prepared where there is a multicast.planner; without one use node.injection_delay");
}

void multicasts_are_queued(const Json& resolved, const ReportContradiction& report) {
  if (resolved.at("multicast").at("planner") == "none") return;
  if (resolved.at("traffic").at("source_queue") != "infinite")
    report("traffic.source_queue",
           "the copies of a message wait for each other: with a multicast.planner use source_queue infinite");
  if (resolved.at("traffic").at("load_unit") == "normalized")
    report("traffic.load_unit",
           "tau_max is a bound for messages with one destination: with a multicast.planner give "
           "flits_per_node_cycle, which counts the flits of every destination, or packets_per_node_cycle");
}

void transactions_have_targets(const Json& resolved, const ReportContradiction& report) {
  if (resolved.at("tlm").at("targets").empty()) return;  // no network
  try {
    (void)tlm_from_json(resolved);
  } catch (const ConfigError& e) {
    for (const auto& d : e.diagnostics()) report(d.key, d.message);
  }
}

void every_order_has_its_class(const Json& resolved, const ReportContradiction& report) {
  const Json& routing = resolved.at("routing");
  const std::size_t classes = resolved.at("message_classes").size();
  if (routing.at("algorithm") != "order_of_class" || classes < 2) return;
  const std::size_t orders = routing.at("orders").size();
  if (orders > classes)
    report("routing.orders",
           fmt::format("{} orders for {} message classes: those of none have no effect; give "
                       "at most {}",
                       orders, classes, classes));
}

/// Greenberg and Oh 1997, STORE.
void a_packet_is_a_flit(const Json& resolved, const ReportContradiction& report) {
  const Json& traffic = resolved.at("traffic");
  if (resolved.at("node").at("model") != "greenberg_store" || !has_effect("traffic.packet_length", resolved))
    return;
  if (mean_packet_length(traffic) > 1)
    report(traffic.contains("packet_lengths") ? "traffic.packet_lengths" : "traffic.packet_length",
           "in a greenberg_store a flit stands for a packet: give length 1, or use greenberg_worm");
}

void plots_differ(const Json& resolved, const ReportContradiction& report) {
  const Json& plots = resolved.at("plots");
  for (std::size_t i = 0; i < plots.size(); ++i)
    if (std::find(plots.begin(), plots.begin() + static_cast<std::ptrdiff_t>(i), plots[i]) !=
        plots.begin() + static_cast<std::ptrdiff_t>(i))
      report(fmt::format("plots[{}]", i),
             fmt::format("{} is given twice, and drawn once; leave one out", plots[i].get<std::string>()));
}

void labels_are_names(const Json& resolved, const ReportContradiction& report) {
  std::map<std::string, std::size_t> seen;
  const Json& series = resolved.at("compare");
  for (std::size_t i = 0; i < series.size(); ++i) {
    const auto label = series[i].value("label", std::string());
    const auto is_control = [](const char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; };
    if (label.empty())
      report(fmt::format("compare[{}].label", i), "is empty; give the series a name");
    else if (std::ranges::any_of(label, is_control))
      report(fmt::format("compare[{}].label", i),
             "stands in one line of a table: leave line breaks and other control characters out");
    const auto [first, fresh] = seen.emplace(label, i);
    if (!fresh)
      report(fmt::format("compare[{}].label", i),
             fmt::format("'{}' is also the label of series {}; give every series its own", label,
                         first->second));
  }
}

void series_leave_axes_alone(const Json& resolved, const ReportContradiction& report) {
  const Json& series = resolved.at("compare");
  for (std::size_t i = 0; i < series.size(); ++i)
    for (const auto& [key, unused] : series[i].at("set").items())
      for (const auto& [axis, values] : resolved.at("sweep").items()) {
        if (axis == key)
          report(fmt::format("compare[{}].set.{}", i, key),
                 fmt::format("{} is an axis of the sweep too; it cannot be both", key));
        if (displace_each_other(axis, key))
          report(fmt::format("compare[{}].set.{}", i, key),
                 fmt::format("{}, an axis of the sweep, takes its place; leave one out", axis));
      }
}

void axes_leave_each_other_alone(const Json& resolved, const ReportContradiction& report) {
  const Json& sweep = resolved.at("sweep");
  for (auto axis = sweep.begin(); axis != sweep.end(); ++axis)
    for (auto before = sweep.begin(); before != axis; ++before)
      if (displace_each_other(axis.key(), before.key()))
        report("sweep." + axis.key(),
               fmt::format("{}, another axis, takes its place; leave one out", before.key()));
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table{
      {{"measurement.cycles", "measurement.batches"},
       batches_fit,
       {{"measurement.cycles", "10"}, {"measurement.batches", "11"}}},
      {{"traffic.source", "traffic.source_queue"},
       no_packet_of_a_workload_is_lost,
       {{"traffic.source", "static"}, {"traffic.source_queue", "discard"}}},
      {{"node"},
       node_is_consistent,
       {{"node.lanes", "2"}, {"node.parallel_links", "3"}, {"node.link_assignment", "mixed"}}},
      {{"traffic.multicast"},
       multicasts_are_drawn,
       {{"traffic.multicast.least", "3"}, {"traffic.multicast.most", "2"}}},
      {{"multicast", "traffic.multicast"},
       multicasts_are_planned,
       {{"traffic.multicast.fraction", "0.5"}, {"multicast.planner", "none"}}},
      {{"multicast", "traffic.source_queue", "traffic.load_unit"},
       multicasts_are_queued,
       {{"multicast.planner", "individual"}, {"traffic.source_queue", "discard"}}},
      {{"traffic.offered_load", "traffic.load_unit", "traffic.packet_length", "traffic.packet_lengths",
        "traffic.multicast"},
       load_is_possible,
       {{"traffic.offered_load", "1.5"}, {"traffic.load_unit", "packets_per_node_cycle"}}},
      {{"tlm"},
       transactions_have_targets,
       {{"tlm",
         "{targets: {a: {terminal: 0}}, map: [{base: 0, size: 16, target: a}, {base: 8, size: 16, target: "
         "a}]}"}}},
      {{"planes", "message_classes", "multicast"}, check_planes, {{"planes", "{a: {classes: [b]}}"}}},
      {{"routing", "message_classes"},
       every_order_has_its_class,
       {{"routing", "{algorithm: order_of_class, orders: [xy, yx, xy, yx, xy, yx, xy, yx, xy, yx]}"},
        {"message_classes", "{a: {}, b: {}}"}}},
      {{"node.model", "traffic.packet_length", "traffic.packet_lengths"},
       a_packet_is_a_flit,
       {{"node.model", "greenberg_store"}, {"traffic.packet_length", "2"}}},
      {{"plots"}, plots_differ, {{"plots", "[latency_load, latency_load]"}}},
      {{"compare"}, labels_are_names, {{"compare", "[{label: a}, {label: b}, {label: a}]"}}},
      {{"sweep"},
       axes_leave_each_other_alone,
       {{"sweep", "{traffic.packet_length: [1, 2], traffic.packet_lengths: [[{length: 1}]]}"}}},
      {{"compare", "sweep"},
       series_leave_axes_alone,
       {{"sweep", "{seed: [1, 2]}"}, {"compare", "[{label: a, set: {seed: 1}}]"}}},
  };
  return table;
}

const Json* find_value(const Json& resolved, const std::string& dotted_key) {
  const Json* at = &resolved;
  for (const auto& part : split_key(dotted_key)) {
    if (!at->is_object()) return nullptr;
    const auto it = at->find(part);
    if (it == at->end()) return nullptr;
    at = &*it;
  }
  return at;
}

double mean_destinations(const Json& traffic) {
  const Json& m = traffic.at("multicast");
  const double several = (m.at("least").get<double>() + m.at("most").get<double>()) / 2;
  const auto fraction = m.at("fraction").get<double>();
  return fraction * several + (1 - fraction);
}

double mean_packet_length(const Json& traffic) {
  if (!traffic.contains("packet_lengths")) return traffic.at("packet_length").get<double>();
  double weights = 0;
  double flits = 0;
  for (const auto& part : traffic.at("packet_lengths")) {
    const auto weight = part.at("weight").get<double>();
    weights += weight;
    flits += weight * part.at("length").get<double>();
  }
  return flits / weights;
}

}  // namespace noctule
