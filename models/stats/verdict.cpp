#include "stats/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/batch_means.h"
#include "stats/trend.h"

namespace noctule {
namespace {

using Batches = std::vector<BatchRecord>;

/// A batch that is due so many packets is empty by chance once in e^20 times.
constexpr double kDue = 20;

struct Totals {
  double cycles = 0;
  double generated = 0;  ///< packets
  double delivered = 0;
  double flits = 0;  ///< delivered
};

Totals totals_of(const Batches& batches) {
  Totals t;
  for (const auto& b : batches) {
    t.cycles += static_cast<double>(b.end - b.begin);
    t.generated += static_cast<double>(b.packets_generated);
    t.delivered += static_cast<double>(b.packets_delivered);
    t.flits += static_cast<double>(b.flits_delivered);
  }
  return t;
}

/// Cycles in which some packets are generated, and the longest are consumed.
double enough_for_some(const Totals& t, const MeasuredWorkload& workload) {
  const double flits =
      workload.offered_flits_per_node_cycle * static_cast<double>(workload.injecting_terminals);
  return std::max({10 * t.cycles, 20 * workload.mean_length_flits, 20 * workload.mean_length_flits / flits});
}

/// More than chance withholds of packets that are generated independently of each other.
bool beyond_chance(const Totals& t) {
  return t.generated - t.delivered > 3 * std::sqrt(t.generated);
}

/// Packets per injecting terminal over a window, and their trend in packets per cycle.
struct Course {
  double mean = 0;
  double slope = 0;
  double ci95 = 0;  ///< half width, of the slope

  [[nodiscard]] bool grows() const { return slope > ci95; }
};

/// Of the packets whose cycles `sum` adds up.
Course course_of(const Batches& batches, const MeasuredWorkload& workload, std::uint64_t BatchRecord::*sum) {
  std::vector<double> values;
  const Cycle cycles = batches.back().end - batches.front().begin;
  for (const auto& b : batches)
    values.push_back(static_cast<double>(b.*sum) / static_cast<double>(b.end - b.begin) /
                     static_cast<double>(workload.injecting_terminals));
  const Trend trend = trend_of(values);
  const double length = static_cast<double>(cycles) / static_cast<double>(batches.size());
  return {trend.mean, trend.slope / length, trend.ci95 / length};
}

/// What stands for the source queues: see verdict.h.
struct Waiting {
  explicit Waiting(const MeasuredWorkload& workload)
      : of(workload.unlimited_injection ? &BatchRecord::under_way_packet_cycles
                                        : &BatchRecord::queued_packet_cycles),
        name(workload.unlimited_injection ? "the injection channels and the network" : "the source queues") {}
  std::uint64_t BatchRecord::*of;
  const char* name;
};

double mean_waiting(const Batches& batches, const MeasuredWorkload& workload,
                    std::uint64_t BatchRecord::*of) {
  if (batches.empty() || workload.injecting_terminals == 0) return 0;
  std::uint64_t sum = 0;
  for (const auto& b : batches) sum += b.*of;
  return static_cast<double>(sum) /
         static_cast<double>((batches.back().end - batches.front().begin) * workload.injecting_terminals);
}

/// Rounded up to two digits.
std::string about(double cycles) {
  double unit = 1;
  while (cycles > 100 * unit) unit *= 10;
  return fmt::format("{:.0f}", std::ceil(cycles / unit) * unit);
}

std::string slope_text(const Course& c) {
  return fmt::format("{:.3g} +- {:.2g} packets per injecting terminal in 1000 cycles", 1000 * c.slope,
                     1000 * c.ci95);
}

std::string throughput_text(const Totals& t, const MeasuredWorkload& w) {
  return fmt::format(
      "{:.4g} flits per injecting terminal and cycle were accepted of {:.4g} offered, {:.4g} % of the "
      "packets generated were delivered",
      t.flits / t.cycles / static_cast<double>(w.injecting_terminals), w.offered_flits_per_node_cycle,
      t.generated > 0 ? 100 * t.delivered / t.generated : 100);
}

/// The trend cannot be told, or the packets under way grow and the queues are still short. `queue`: their
/// mean; `reach`: what they may hold after `horizon` cycles.
StatusVerdict too_short(const Totals& t, const char* where, const Course& under_way, double queue,
                        double horizon, double reach) {
  const double room = kSaturatedQueue - queue;
  if (!std::isfinite(under_way.ci95))
    return {Status::kNotConverged,
            fmt::format("not_converged: {:.0f} cycles are too short to tell whether what waits in {} grows; "
                        "about {} measured cycles would tell.",
                        t.cycles, where, about(100 * t.cycles))};
  // The interval of a slope narrows as the length of the window, times its square root for short memory.
  const double excess = std::max(1.0, (std::max(under_way.slope, 0.0) + under_way.ci95) * horizon / room);
  const double needed =
      t.cycles * std::max(2.0, horizon > kHorizonWindows * t.cycles ? excess : excess * excess);
  if (under_way.grows())
    return {
        Status::kNotConverged,
        fmt::format(
            "not_converged: the packets under way grow by {}, and {} held {:.4g} on average; about {} "
            "measured cycles would tell whether what waits there passes {}.",
            slope_text(under_way), where, queue,
            about(std::min(needed, std::max(2 * t.cycles, 2.2 * room / under_way.slope))), kSaturatedQueue)};
  return {Status::kNotConverged,
          fmt::format(
              "not_converged: the window is too short to tell whether what waits in {} grows: it was {:.4g} "
              "packets per injecting terminal on average, but the trend of the packets under way "
              "is {}, so that it may be {:.4g} after {} cycles, more than {}; about {} measured "
              "cycles would tell.",
              where, queue, slope_text(under_way), reach, about(horizon), kSaturatedQueue, about(needed))};
}

}  // namespace

double mean_source_queue(const Batches& batches, const MeasuredWorkload& workload) {
  return mean_waiting(batches, workload, &BatchRecord::queued_packet_cycles);
}

std::optional<StatusVerdict> overloaded(const Batches& batches, const MeasuredWorkload& workload) {
  const Waiting waiting(workload);
  const double queue = mean_waiting(batches, workload, waiting.of);
  if (queue > kSaturatedQueue)
    return StatusVerdict{
        Status::kSaturated,
        fmt::format("saturated: {} held {:.4g} packets per injecting terminal on average, more than {}.",
                    waiting.name, queue, kSaturatedQueue)};
  const auto accepted = estimate_ratio(accepted_flits(batches, workload.injecting_terminals));
  const double offered = workload.offered_flits_per_node_cycle;
  if (!accepted || !accepted->ci95 ||
      accepted->mean + *accepted->ci95 / accepted->widened >= kSaturatedAccepted * offered)
    return std::nullopt;
  // Few packets make a low throughput by chance; then what was generated was also delivered.
  const Totals t = totals_of(batches);
  if (t.delivered == 0 || !beyond_chance(t)) return std::nullopt;
  // What fills the network at first is missing too, but not in the queues. The first batch only gives a
  // start.
  const double first = static_cast<double>(batches.front().packets_generated) -
                       static_cast<double>(batches.front().packets_delivered);
  const double missing = t.generated - t.delivered - first;
  const double queued =
      static_cast<double>(batches.back().queued) - static_cast<double>(batches.front().queued);
  if (batches.size() > 1 && !workload.unlimited_injection && 2 * queued < missing) return std::nullopt;
  return StatusVerdict{
      Status::kSaturated,
      fmt::format("saturated: accepted throughput is {:.4g} of the offered load, less than {} of it; "
                  "{}.",
                  accepted->mean / offered, kSaturatedAccepted, throughput_text(t, workload))};
}

std::optional<StatusVerdict> nothing_delivered(const Batches& batches, const MeasuredWorkload& workload) {
  const Totals t = totals_of(batches);
  const bool silent = workload.offered_flits_per_node_cycle == 0 || workload.injecting_terminals == 0;
  if (silent || t.delivered > 0) return std::nullopt;
  return StatusVerdict{
      Status::kNotConverged,
      fmt::format(
          "not_converged: {:.0f} packets were generated and none was delivered within the {:.0f} cycles "
          "of the window; about {} measured cycles would tell.",
          t.generated, t.cycles, about(enough_for_some(t, workload)))};
}

StatusVerdict judge_queues(const Batches& batches, const MeasuredWorkload& workload) {
  const Totals t = totals_of(batches);
  if (workload.injecting_terminals == 0 || t.cycles == 0 ||
      (t.generated == 0 && workload.offered_flits_per_node_cycle == 0))
    return {Status::kStable, "stable: nothing was generated."};
  if (t.generated == 0)
    return {
        Status::kNotConverged,
        fmt::format("not_converged: nothing was generated within the {:.0f} cycles of the window; about {} "
                    "measured cycles would tell.",
                    t.cycles, about(enough_for_some(t, workload)))};
  const Waiting waiting(workload);
  const Course queue = course_of(batches, workload, waiting.of);
  const double mean = mean_waiting(batches, workload, waiting.of);
  if (queue.grows() && mean + 1.5 * t.cycles * (queue.slope - queue.ci95) > kSaturatedQueue)
    return {
        Status::kSaturated,
        fmt::format("saturated: what waits in {} grows by {}; it was {:.4g} on average and passes {} within "
                    "another window.",
                    waiting.name, slope_text(queue), mean, kSaturatedQueue)};
  const Course under_way = course_of(batches, workload, &BatchRecord::under_way_packet_cycles);
  const double rate = t.generated / t.cycles / static_cast<double>(workload.injecting_terminals);
  const double horizon = std::max(kHorizonWindows * t.cycles, kHorizonPackets / rate);
  const double reach = mean + std::max(0.0, (under_way.slope + under_way.ci95) * horizon);
  if (!(reach <= kSaturatedQueue)) return too_short(t, waiting.name, under_way, mean, horizon, reach);
  double longest = 0;
  for (const auto& b : batches)
    longest += static_cast<double>(b.longest_queue) / static_cast<double>(batches.size());
  const double memory = longest * longest / rate;
  if (kMemories * memory > t.cycles)
    return {Status::kNotConverged,
            fmt::format("not_converged: the longest source queue held {:.4g} packets, which come and go over "
                        "about {} cycles; about {} measured cycles would tell.",
                        longest, about(memory), about(kMemories * memory))};
  if (t.delivered < kSaturatedAccepted * t.generated && (beyond_chance(t) || under_way.grows()))
    return {Status::kNotConverged,
            fmt::format("not_converged: {}, although the packets under way do not grow for long; about {} "
                        "measured cycles would tell, or a longer warm-up.",
                        throughput_text(t, workload), about(10 * t.cycles))};
  return {
      Status::kStable,
      fmt::format("stable: {}; {} held {:.4g} packets per injecting terminal on average, and "
                  "by the trend of the packets under way, at the upper end of its 95 % interval, at most "
                  "{:.4g} after {} cycles; allowed are {}.",
                  throughput_text(t, workload), waiting.name, mean, reach, about(horizon), kSaturatedQueue)};
}

std::string too_wide(const std::optional<Estimate>& accepted, const std::optional<Estimate>& latency,
                     double wanted, Cycle cycles) {
  const std::string start = fmt::format("not_converged: after the limit of {} measured cycles ", cycles);
  if (!latency || !latency->ci95 || !accepted || !accepted->ci95)
    return start +
           fmt::format("{}; about {} measured cycles would tell (measurement.limit).",
                       latency ? "there are too few packets for an interval" : "no packet was delivered",
                       about(10.0 * static_cast<double>(cycles)));
  const double of_accepted = accepted->relative_half_width() / accepted->widened;
  const double of_latency = latency->relative_half_width() / latency->widened;
  const double widest = std::max(of_accepted, of_latency);
  const double factor = std::clamp(1.1 * (widest / wanted) * (widest / wanted), 2.0, 1e9);
  return start +
         fmt::format(
             "the interval of {} is +- {:.2g} %, wanted are {:.2g} %{}; about {} measured cycles "
             "would tell (measurement.limit).",
             of_latency < of_accepted ? "accepted throughput" : "mean latency", 100 * widest, 100 * wanted,
             accepted->correlated || latency->correlated ? ", and neighbouring batches are correlated" : "",
             about(factor * static_cast<double>(cycles)));
}

StatusVerdict judge_closed_loop(const Batches& batches, const MeasuredWorkload& workload) {
  const Totals t = totals_of(batches);
  if (t.delivered == 0)
    return {
        Status::kNotConverged,
        fmt::format("not_converged: a closed loop in which nothing was delivered within {:.0f} cycles; about "
                    "{} measured cycles would tell.",
                    t.cycles, about(10 * t.cycles))};
  const BatchRecord& last = batches.back();
  const double due = t.delivered / t.cycles * static_cast<double>(last.end - last.begin);
  if (last.packets_delivered == 0 && due >= kDue)
    return {
        Status::kNotConverged,
        fmt::format("not_converged: a closed loop that came to rest: nothing was delivered in the last {} "
                    "cycles, in which {:.0f} packets were due by the mean; `noctule verify` tells whether it "
                    "can deadlock, `noctule run --events` where it stopped.",
                    last.end - last.begin, due)};
  const auto accepted = estimate_ratio(accepted_flits(batches, workload.counted_terminals()));
  if (accepted && accepted->ci95 && *accepted->ci95 > accepted->mean)
    return {Status::kNotConverged,
            fmt::format(
                "not_converged: a closed loop whose accepted throughput is {:.4g} +- {:.4g}: the interval "
                "is wider than the mean; about {} measured cycles would tell.",
                accepted->mean, *accepted->ci95, about(10 * t.cycles))};
  if (const auto trip = estimate_ratio(round_trips(batches)); trip && trip->mean > 0) {
    const double needed = std::max(10 * t.cycles, 2 * kRoundTrips * trip->mean);
    if (trip->ci95 && *trip->ci95 > trip->mean)
      return {Status::kNotConverged,
              fmt::format("not_converged: a closed loop whose round trip takes {:.4g} +- {:.4g} cycles: the "
                          "interval is wider than the mean; about {} measured cycles would tell.",
                          trip->mean, *trip->ci95, about(needed))};
    if (t.cycles < kRoundTrips * trip->mean)
      return {Status::kNotConverged,
              fmt::format("not_converged: a closed loop whose round trip takes {:.4g} cycles, of which the "
                          "window of {:.0f} holds less than {}; about {} measured cycles would tell.",
                          trip->mean, t.cycles, kRoundTrips, about(needed))};
  }
  return {Status::kStable,
          fmt::format(
              "stable: a closed loop, in which what is sent follows what was delivered; {:.4g} packets per "
              "injecting terminal and cycle were.",
              t.delivered / t.cycles / static_cast<double>(workload.counted_terminals()))};
}

}  // namespace noctule
