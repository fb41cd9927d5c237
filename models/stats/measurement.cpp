#include "stats/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "stats/verdict.h"

namespace noctule {
namespace {

/// The sums of a snapshot, counted from cycle 0.
BatchRecord sums_of(Cycle now, const FabricCounters& c, std::uint64_t queue) {
  return {now,
          now,
          c.flits_delivered,
          c.packets_delivered,
          c.packets_generated,
          c.total_latency.sum(),
          c.network_latency.sum(),
          c.hops,
          queue,
          c.queued_packet_cycles,
          c.under_way_packet_cycles,
          0,
          c.transactions,
          c.transaction_cycles};
}

BatchRecord between(const BatchRecord& before, const BatchRecord& after) {
  return {before.end,
          after.end,
          after.flits_delivered - before.flits_delivered,
          after.packets_delivered - before.packets_delivered,
          after.packets_generated - before.packets_generated,
          after.total_latency - before.total_latency,
          after.network_latency - before.network_latency,
          after.hops - before.hops,
          after.queued,
          after.queued_packet_cycles - before.queued_packet_cycles,
          after.under_way_packet_cycles - before.under_way_packet_cycles,
          after.longest_queue,
          after.transactions - before.transactions,
          after.transaction_cycles - before.transaction_cycles};
}

template <class Numerator, class Denominator>
std::vector<RatioSample> samples(const std::vector<BatchRecord>& batches, Numerator&& numerator,
                                 Denominator&& denominator) {
  std::vector<RatioSample> list;
  list.reserve(batches.size());
  for (const auto& b : batches) list.push_back({numerator(b), denominator(b)});
  return list;
}

void check(const MeasurementSettings& s, const MeasuredWorkload& w) {
  std::vector<Diagnostic> wrong;
  const auto complain = [&](const char* key, std::string message) {
    wrong.push_back({key, std::move(message), {}});
  };
  if (w.terminals == 0 || w.injecting_terminals > w.terminals)
    throw InternalError("measurement: the number of injecting terminals exceeds that of terminals");
  if (s.measure_cycles == 0) complain("measurement.cycles", "0 cycles cannot be measured; give at least 1");
  if (s.batches < 2)
    complain("measurement.batches",
             fmt::format("{} given; at least 2 batches are needed for an interval", s.batches));
  if (s.block_cycles == 0) complain("measurement.block", "0 cycles given; give at least 1");
  if (s.precision && !(*s.precision > 0 && *s.precision <= 1))
    complain("measurement.precision", fmt::format("{} given; allowed is a relative half width above 0, at "
                                                  "most 1, for example 0.02",
                                                  *s.precision));
  if (s.precision && s.measure_limit_cycles < s.measure_cycles)
    complain("measurement.limit",
             fmt::format("{} cycles given, less than the first length of {} cycles; raise the limit or "
                         "measure less",
                         s.measure_limit_cycles, s.measure_cycles));
  if (w.finite && s.measure_limit_cycles == 0)
    complain("measurement.limit", "0 cycles given; a workload needs at least 1 cycle to drain");
  if (!wrong.empty()) throw ConfigError(std::move(wrong));
}

}  // namespace

std::vector<RatioSample> accepted_flits(const std::vector<BatchRecord>& batches, std::uint64_t terminals) {
  return samples(
      batches, [](const auto& b) { return b.flits_delivered; },
      [=](const auto& b) { return (b.end - b.begin) * terminals; });
}
std::vector<RatioSample> accepted_packets(const std::vector<BatchRecord>& batches, std::uint64_t terminals) {
  return samples(
      batches, [](const auto& b) { return b.packets_delivered; },
      [=](const auto& b) { return (b.end - b.begin) * terminals; });
}
std::vector<RatioSample> total_latency(const std::vector<BatchRecord>& batches) {
  return samples(
      batches, [](const auto& b) { return b.total_latency; },
      [](const auto& b) { return b.packets_delivered; });
}
std::vector<RatioSample> network_latency(const std::vector<BatchRecord>& batches) {
  return samples(
      batches, [](const auto& b) { return b.network_latency; },
      [](const auto& b) { return b.packets_delivered; });
}
std::vector<RatioSample> round_trips(const std::vector<BatchRecord>& batches) {
  return samples(
      batches, [](const auto& b) { return b.transaction_cycles; },
      [](const auto& b) { return b.transactions; });
}

MeasurementController::MeasurementController(MeasurementSettings settings, MeasuredWorkload workload)
    : settings_(settings), workload_(workload), warm_up_(std::max<Cycle>(settings.block_cycles, 1)) {
  check(settings_, workload_);
  planned_ = std::min<Cycle>(settings_.batches, settings_.measure_cycles);
  if (workload_.finite || settings_.warm_up_cycles == Cycle{0}) begin_measurement(0, FabricCounters{});
}

Cycle MeasurementController::batch_end(std::size_t batch) const {
  const std::size_t base = std::min<Cycle>(settings_.batches, settings_.measure_cycles);
  const Cycle rounds = (batch + 1) / base;
  const Cycle rest = (batch + 1) % base;
  return start_ + rounds * settings_.measure_cycles + rest * settings_.measure_cycles / base;
}

Cycle MeasurementController::next_block() const {
  switch (phase_) {
    case Phase::kDone:
      return 0;
    case Phase::kWarmUp: {
      const Cycle end = settings_.warm_up_cycles.value_or(settings_.warm_up_limit_cycles);
      const Cycle left = end > now_ ? end - now_ : 1;
      return settings_.warm_up_cycles ? left : std::min(left, warm_up_.block_cycles());
    }
    case Phase::kMeasure:
      break;
  }
  const Cycle limit = start_ + settings_.measure_limit_cycles;
  if (workload_.finite) return limit - now_;
  const Cycle end = batch_end(outcome_.batches.size());
  return (settings_.precision ? std::min(end, limit) : end) - now_;
}

bool MeasurementController::observe(Cycle now, const FabricCounters& snapshot, std::uint64_t queue,
                                    std::uint64_t longest_queue) {
  if (phase_ == Phase::kDone) throw InternalError("measurement: observed after its end");
  if (now <= now_) throw InternalError("measurement: observed twice in one cycle");
  if (phase_ == Phase::kWarmUp) {
    observe_warm_up(now, snapshot, queue);
    return phase_ == Phase::kMeasure;
  }
  add_batch(now, snapshot, queue, longest_queue);
  if (workload_.finite) {
    if (now >= start_ + settings_.measure_limit_cycles)
      finish(snapshot, Status::kNotConverged,
             fmt::format("not_converged: the workload had not drained within the limit of {} cycles.",
                         settings_.measure_limit_cycles));
    return false;
  }
  const bool at_limit = settings_.precision && now >= start_ + settings_.measure_limit_cycles;
  if (outcome_.batches.size() >= planned_ || at_limit) judge(snapshot);
  return false;
}

void MeasurementController::observe_warm_up(Cycle now, const FabricCounters& snapshot, std::uint64_t queue) {
  const auto sums = sums_of(now, snapshot, queue);
  const auto block = between(last_, sums);
  last_ = sums;
  now_ = now;
  if (settings_.warm_up_cycles) {
    if (now >= *settings_.warm_up_cycles) begin_measurement(now, snapshot);
    return;
  }
  warm_up_.add({block.end - block.begin, block.flits_delivered, block.packets_delivered, block.total_latency,
                snapshot.packets_in_flight() + queue, queue});
  const double offered =
      workload_.offered_flits_per_node_cycle * static_cast<double>(workload_.injecting_terminals);
  if (warm_up_.settled()) {
    outcome_.transient_cycles = warm_up_.transient_cycles();
    begin_measurement(now, snapshot);
  } else if ((workload_.source_queue && !workload_.closed_loop &&
              warm_up_.clearly_saturated(offered, workload_.injecting_terminals)) ||
             now >= settings_.warm_up_limit_cycles) {
    begin_measurement(now, snapshot);
    unsettled_ = true;
  }
}

void MeasurementController::begin_measurement(Cycle now, const FabricCounters& snapshot) {
  phase_ = Phase::kMeasure;
  start_ = now;
  now_ = now;
  at_start_ = snapshot;
  last_ = sums_of(now, snapshot, last_.queued);
  outcome_.warm_up_cycles = now;
}

void MeasurementController::add_batch(Cycle now, const FabricCounters& snapshot, std::uint64_t queue,
                                      std::uint64_t longest_queue) {
  const auto sums = sums_of(now, snapshot, queue);
  outcome_.batches.push_back(between(last_, sums));
  outcome_.batches.back().longest_queue = longest_queue;
  last_ = sums;
  now_ = now;
}

void MeasurementController::judge(const FabricCounters& snapshot) {
  const auto& batches = outcome_.batches;
  if (workload_.source_queue && !workload_.closed_loop)
    if (auto verdict = overloaded(batches, workload_))
      return finish(snapshot, verdict->status, std::move(verdict->rule));
  const auto flits = estimate_ratio(accepted_flits(batches, workload_.counted_terminals()));
  const auto latency = estimate_ratio(total_latency(batches));
  if (settings_.precision) {
    const double wanted = *settings_.precision;
    // How long to measure follows from the intervals as the batches give them, before they are widened.
    const auto width = [](const auto& e) { return e ? e->relative_half_width() / e->widened : 0.0; };
    const bool nothing = (workload_.offered_flits_per_node_cycle == 0 && !workload_.closed_loop) ||
                         workload_.injecting_terminals == 0;
    const double widest = nothing ? 0 : std::max(width(flits), latency ? width(latency) : 1e9);
    const bool correlated = (flits && flits->correlated) || (latency && latency->correlated);
    const Cycle measured = now_ - start_;
    if (widest > wanted || correlated) {
      if (measured >= settings_.measure_limit_cycles)
        return finish(snapshot, Status::kNotConverged, too_wide(flits, latency, wanted, measured));
      // The length that would do, if widths shrink with the square root of it; a quarter to all more.
      const double factor = std::clamp(1.1 * (widest / wanted) * (widest / wanted), 1.25, 2.0);
      const auto have = static_cast<double>(outcome_.batches.size());
      planned_ = std::max(outcome_.batches.size() + 1, static_cast<std::size_t>(std::ceil(have * factor)));
      return;
    }
  }
  if (auto verdict = nothing_delivered(batches, workload_))
    return finish(snapshot, verdict->status, std::move(verdict->rule));
  StatusVerdict verdict{
      Status::kStable,
      "stable: sources discard, so only a sweep can tell saturation (past the maximum of accepted "
      "throughput)."};
  if (workload_.closed_loop)
    verdict = judge_closed_loop(batches, workload_);
  else if (workload_.source_queue)
    verdict = judge_queues(batches, workload_);
  if (unsettled_ && verdict.status == Status::kStable)
    verdict = {Status::kNotConverged,
               fmt::format("not_converged: warm-up had not settled after {} cycles, where the measurement "
                           "started.",
                           outcome_.warm_up_cycles)};
  finish(snapshot, verdict.status, std::move(verdict.rule));
}

void MeasurementController::drained(Cycle now, const FabricCounters& snapshot) {
  if (!workload_.finite) throw InternalError("measurement: only a finite workload drains");
  if (snapshot.packets_in_flight() != 0 || snapshot.packets_queued() != 0)
    throw InternalError("measurement: drained, with packets left");
  if (now > now_) add_batch(now, snapshot, 0);
  outcome_.time_to_drain_cycles = now;
  const std::uint64_t discarded = snapshot.packets_discarded;
  finish(
      snapshot, Status::kStable,
      discarded == 0
          ? fmt::format("stable: the workload was delivered completely, in {} cycles.", now)
          : fmt::format("stable: the workload was over after {} cycles, and {} of {} packets were discarded: "
                        "traffic.source_queue had no room.",
                        now, discarded, snapshot.packets_generated));
}

bool MeasurementController::stop(Cycle now, const FabricCounters& snapshot, std::uint64_t queue,
                                 Status status, std::string rule) {
  if (phase_ == Phase::kDone) throw InternalError("measurement: stopped after its end");
  const bool begins = phase_ == Phase::kWarmUp;
  if (begins) begin_measurement(now, snapshot);
  if (now > now_) add_batch(now, snapshot, queue);
  finish(snapshot, status, std::move(rule));
  return begins;
}

void MeasurementController::overrule(Status status, std::string rule) {
  if (phase_ != Phase::kDone) throw InternalError("measurement: overruled before its end");
  outcome_.status = status;
  outcome_.rule = std::move(rule);
}

void MeasurementController::finish(const FabricCounters& snapshot, Status status, std::string rule) {
  phase_ = Phase::kDone;
  outcome_.status = status;
  outcome_.rule = std::move(rule);
  outcome_.measured_cycles = now_ - start_;
  outcome_.mean_queue_packets = mean_source_queue(outcome_.batches, workload_);
  outcome_.final = snapshot;
  outcome_.window = snapshot;
  outcome_.window -= at_start_;
}

Cycle MeasurementController::expected_end() const noexcept {
  if (phase_ == Phase::kDone) return now_;
  if (workload_.finite) return settings_.measure_limit_cycles;
  if (phase_ == Phase::kMeasure)
    return std::max(now_, settings_.precision
                              ? std::min(batch_end(planned_ - 1), start_ + settings_.measure_limit_cycles)
                              : batch_end(planned_ - 1));
  const Cycle warm_up =
      settings_.warm_up_cycles.value_or(WarmUpDetector::kLeastBlocks * settings_.block_cycles);
  return std::max(now_, warm_up) + settings_.measure_cycles;
}

const MeasurementOutcome& MeasurementController::outcome() const {
  if (phase_ != Phase::kDone) throw InternalError("measurement: asked for its outcome before its end");
  return outcome_;
}

}  // namespace noctule
