#include "stats/results.h"

#include <algorithm>
#include <utility>

#include "core/json.h"

namespace noctule {
namespace {

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::optional<Interval> interval(const std::optional<Estimate>& estimate, double scale = 1) {
  if (!estimate) return std::nullopt;
  Interval i{estimate->mean * scale, estimate->ci95};
  if (i.ci95) *i.ci95 *= scale;
  return i;
}

LatencySummary summary(const Interval& mean, const LatencyHistogram& histogram) {
  return {mean, histogram.percentile(50), histogram.percentile(95), histogram.percentile(99),
          histogram.max()};
}

std::optional<LatencySummary> latency(const std::vector<RatioSample>& batches,
                                      const LatencyHistogram& histogram, bool with_interval) {
  auto mean = interval(estimate_ratio(batches));
  if (!mean) return std::nullopt;
  if (!with_interval) mean->ci95.reset();
  return summary(*mean, histogram);
}

/// Means over all packets of a class; without intervals, which need batches of the class.
std::optional<LatencySummary> class_latency(const LatencyHistogram& histogram) {
  if (histogram.count() == 0) return std::nullopt;
  return summary({ratio(histogram.sum(), histogram.count()), {}}, histogram);
}

/// Where some terminals are silent: accepted throughput over all.
std::optional<PointResult::AllTerminals> over_all_terminals(const MeasurementOutcome& outcome,
                                                            const MeasuredWorkload& workload,
                                                            const PointContext& context) {
  if (workload.counted_terminals() == workload.terminals) return std::nullopt;
  PointResult::AllTerminals all;
  all.injecting = ratio(workload.injecting_terminals, workload.terminals);
  all.accepted_flits_per_node_cycle =
      interval(estimate_ratio(accepted_flits(outcome.batches, workload.terminals)));
  if (context.tau_max_packets_per_node_cycle)
    all.accepted_normalized = interval(estimate_ratio(accepted_packets(outcome.batches, workload.terminals)),
                                       1 / *context.tau_max_packets_per_node_cycle);
  return all;
}

void remove_intervals(PointResult& point) {
  const auto remove = [](std::optional<Interval>& i) {
    if (i) i->ci95.reset();
  };
  remove(point.accepted_flits_per_node_cycle);
  remove(point.accepted_normalized);
  if (!point.all_terminals) return;
  remove(point.all_terminals->accepted_flits_per_node_cycle);
  remove(point.all_terminals->accepted_normalized);
}

void fill_accepted(PointResult& point, const MeasurementOutcome& outcome, const MeasuredWorkload& workload,
                   const PointContext& context) {
  const std::uint64_t terminals = workload.counted_terminals();
  const auto flits = estimate_ratio(accepted_flits(outcome.batches, terminals));
  point.accepted_flits_per_node_cycle = interval(flits);
  if (flits) {
    const auto correlated = [](const Estimate& e) { return e.correlated || e.widened > 1; };
    const auto latency = estimate_ratio(total_latency(outcome.batches));
    point.batches = flits->batches;
    point.batches_correlated = correlated(*flits) || (latency && correlated(*latency));
  }
  if (context.tau_max_packets_per_node_cycle) {
    const double tau = *context.tau_max_packets_per_node_cycle;
    point.accepted_normalized =
        interval(estimate_ratio(accepted_packets(outcome.batches, terminals)), 1 / tau);
    if (context.offered_packets_per_node_cycle)
      point.offered_normalized = *context.offered_packets_per_node_cycle / tau;
  }
  point.terminals = workload.terminals;
  point.injecting_terminals = workload.injecting_terminals;
  point.all_terminals = over_all_terminals(outcome, workload, context);
  const auto& window = outcome.window;
  if (outcome.measured_cycles > 0) {
    std::optional<std::uint64_t> least;
    for (std::size_t t = 0; t < window.terminal_flits.size(); ++t)
      if (context.addressed.empty() || context.addressed.at(t))
        least = std::min(least.value_or(window.terminal_flits[t]), window.terminal_flits[t]);
    if (least) point.minimum_node_flits_per_node_cycle = ratio(*least, outcome.measured_cycles);
  }
  if (window.packets_generated > 0)
    point.accepted_fraction_of_generated = ratio(window.packets_delivered, window.packets_generated);
}

void fill_links_and_occupancy(PointResult& point, const MeasurementOutcome& outcome,
                              const PointContext& context) {
  const auto& window = outcome.window;
  if (outcome.measured_cycles > 0 && !window.link_flits.empty()) {
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (std::size_t l = 0; l < window.link_flits.size(); ++l) {
      const auto busy =
          window.link_flits[l] * (context.link_cycles.empty() ? 1 : std::uint64_t{context.link_cycles[l]});
      sum += busy;
      most = std::max(most, busy);
    }
    point.link_utilization_mean = ratio(sum, outcome.measured_cycles * window.link_flits.size());
    point.link_utilization_max = ratio(most, outcome.measured_cycles);
  }
  const std::uint64_t samples = window.occupancy_samples;
  if (samples > 0 && context.input_vcs > 0)
    point.input_vcs_occupied_fraction = ratio(window.occupied_input_vcs, samples * context.input_vcs);
  if (context.rtl) return;
  if (samples > 0 && context.output_vcs > 0)
    point.output_vcs_allocated_fraction = ratio(window.allocated_output_vcs, samples * context.output_vcs);
  if (samples > 0 && context.routers > 0)
    point.connections_held_per_router = ratio(window.connections_held, samples * context.routers);
  if (outcome.measured_cycles > 0 && context.routers > 0)
    point.connections_made_per_router_cycle =
        ratio(window.connections_made, outcome.measured_cycles * context.routers);
}

void fill_speed(PointResult& point, const MeasurementOutcome& outcome, const PointContext& context) {
  if (!context.user_s) return;
  point.user_s = context.user_s;
  if (*context.user_s <= 0) return;
  const auto cycles = context.simulated_cycles.value_or(outcome.warm_up_cycles + outcome.measured_cycles);
  point.router_cycles_per_s = static_cast<double>(cycles * context.routers) / *context.user_s;
  point.flit_hops_per_s = static_cast<double>(outcome.final.flit_hops) / *context.user_s;
}

void fill_multicast(PointResult& point, const MeasurementOutcome& outcome) {
  const auto& window = outcome.window;
  if (window.destinations <= window.packets_delivered || outcome.measured_cycles == 0) return;
  PointResult::Multicast multicast;
  multicast.destinations_per_packet = ratio(window.destinations, window.packets_delivered);
  multicast.copies_per_packet = ratio(window.copies, window.packets_delivered);
  multicast.hops_per_destination = ratio(window.hops, window.destinations);
  multicast.throughput_flits_per_cycle = ratio(window.message_flits, outcome.measured_cycles);
  const auto kind = [](std::uint64_t n, std::uint64_t total, std::uint64_t network, std::uint64_t hops) {
    return PointResult::MessageKind{n, ratio(total, n), ratio(network, n), ratio(hops, n)};
  };
  const std::uint64_t several = window.multicasts_delivered;
  const std::uint64_t one = window.packets_delivered - several;
  multicast.multicasts =
      kind(several, window.multicast_total_latency, window.multicast_network_latency, window.multicast_hops);
  multicast.multicast_destinations = ratio(window.destinations - one, several);
  multicast.multicast_copies = ratio(window.copies - one, several);
  multicast.each_destination = ratio(window.multicast_reached_latency, window.multicast_destinations);
  point.distance_mean.reset();
  if (one > 0) {
    multicast.unicasts = kind(one, window.total_latency.sum() - window.multicast_total_latency,
                              window.network_latency.sum() - window.multicast_network_latency,
                              window.hops - window.multicast_hops);
    point.distance_mean = multicast.unicasts->hops;
  }
  point.multicast = multicast;
}

/// Of requesters, if there are several.
std::optional<std::pair<PointResult::Transactions::Share, PointResult::Transactions::Share>> shares_of(
    const MeasurementOutcome& outcome, const std::vector<bool>& requesters) {
  using Share = PointResult::Transactions::Share;
  const auto& flits = outcome.window.terminal_flits;
  std::vector<Share> shares;
  for (std::size_t t = 0; t < std::min(requesters.size(), flits.size()); ++t)
    if (requesters[t]) shares.push_back({TerminalId(t), ratio(flits[t], outcome.measured_cycles)});
  if (shares.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax_element(shares, {}, &Share::flits_per_cycle);
  return std::pair(*least, *most);
}

void fill_message_classes(PointResult& point, const MeasurementOutcome& outcome,
                          const MeasuredWorkload& workload, const PointContext& context) {
  const std::uint64_t node_cycles = outcome.measured_cycles * workload.counted_terminals();
  const auto rate = [&](std::uint64_t n) { return node_cycles == 0 ? 0 : ratio(n, node_cycles); };
  for (std::size_t c = 0; c < context.message_classes.size() && c < outcome.window.classes.size(); ++c) {
    const ClassCounters& sums = outcome.window.classes[c];
    point.message_classes.push_back({context.message_classes[c], sums.packets_generated,
                                     sums.packets_delivered, rate(sums.flits_delivered),
                                     rate(sums.packets_delivered), class_latency(sums.total_latency),
                                     class_latency(sums.network_latency)});
  }
  point.planes =
      plane_results(context.planes, outcome, context.link_cycles, node_cycles, context.message_classes);
  if (!context.transactions) return;
  const std::uint64_t completed = outcome.window.transactions;
  point.transactions = PointResult::Transactions{completed, rate(completed), {}};
  if (completed == 0) return;
  point.transactions->shares = shares_of(outcome, context.requesters);
  const auto estimate = estimate_ratio(round_trips(outcome.batches));
  point.transactions->round_trip = {ratio(outcome.window.transaction_cycles, completed),
                                    estimate && !workload.finite ? estimate->ci95 : std::nullopt};
}

void fill_latency_parts(PointResult& point, const FabricCounters& window, const PointContext& context) {
  if (window.packets_delivered == 0 || window.zero_load == 0) return;
  const auto mean = [&](std::uint64_t sum) { return ratio(sum, window.packets_delivered); };
  PointResult::LatencyParts parts;
  const std::uint64_t total = window.total_latency.sum();
  parts.source_queue = mean(total - window.network_latency.sum());
  parts.zero_load = mean(window.zero_load);
  if (!context.rtl) {
    parts.header_wait = mean(window.header_wait);
    const auto rest =
        static_cast<std::int64_t>(window.network_latency.sum() - window.header_wait - window.zero_load);
    parts.stalls = static_cast<double>(rest) / static_cast<double>(window.packets_delivered);
  }
  point.latency_parts = parts;
}

void fill_congestion(PointResult& point, const FabricCounters& window, const PointContext& context) {
  if (!point.time_to_drain_cycles) return;
  PointResult::Congestion congestion;
  for (const auto* flits : {&window.link_flits, &window.terminal_flits})
    for (const std::uint64_t carried : *flits) congestion.flits = std::max(congestion.flits, carried);
  if (context.packet_length && congestion.flits > 0) {
    congestion.packets = ratio(congestion.flits, *context.packet_length);
    congestion.drain_cycles_per_packet =
        static_cast<double>(*point.time_to_drain_cycles) / *congestion.packets;
  }
  point.congestion = congestion;
}

}  // namespace

PointResult make_point(const MeasurementOutcome& outcome, const MeasuredWorkload& workload,
                       PointContext context) {
  PointResult point;
  point.status = outcome.status;
  point.status_rule = outcome.rule;
  point.offered_flits_per_node_cycle = context.offered_flits_per_node_cycle;
  point.offered_packets_per_node_cycle = context.offered_packets_per_node_cycle;
  // Draining is no stationary process: its batches are not samples of one mean.
  const bool with_interval = !workload.finite;
  fill_accepted(point, outcome, workload, context);
  if (!with_interval) remove_intervals(point);
  if (workload.finite) point.batches = 0;
  point.latency_total = latency(total_latency(outcome.batches), outcome.window.total_latency, with_interval);
  point.latency_network =
      latency(network_latency(outcome.batches), outcome.window.network_latency, with_interval);
  if (point.latency_total) point.latency_total->slowest = outcome.window.slowest_total.packet();
  if (point.latency_network) point.latency_network->slowest = outcome.window.slowest_network.packet();
  fill_latency_parts(point, outcome.window, context);
  if (outcome.window.packets_delivered > 0)
    point.hops_mean = point.distance_mean = ratio(outcome.window.hops, outcome.window.packets_delivered);
  fill_multicast(point, outcome);
  fill_message_classes(point, outcome, workload, context);
  fill_links_and_occupancy(point, outcome, context);
  fill_speed(point, outcome, context);
  point.warm_up_cycles = outcome.warm_up_cycles;
  point.measured_cycles = outcome.measured_cycles;
  point.transient_cycles = outcome.transient_cycles;
  point.time_to_drain_cycles = outcome.time_to_drain_cycles;
  fill_congestion(point, outcome.window, context);
  if ((workload.source_queue || context.finite_source_queue) && !outcome.batches.empty())
    point.source_queue_packets_per_node = outcome.mean_queue_packets;
  point.window = outcome.window;
  point.totals = outcome.final;
  point.batch_records = outcome.batches;
  point.digest = context.digest;
  point.label = std::move(context.label);
  point.set = std::move(context.set);
  point.files = std::move(context.files);
  return point;
}

}  // namespace noctule
