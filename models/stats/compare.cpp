#include "stats/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json.h"
#include "stats/batch_means.h"

namespace noctule {
namespace {

constexpr std::size_t kLeastPairs = 8;

using Samples = std::vector<RatioSample>;

/// Batches of both that cover the same cycles, in order.
std::pair<std::vector<BatchRecord>, std::vector<BatchRecord>> coinciding(const std::vector<BatchRecord>& a,
                                                                         const std::vector<BatchRecord>& b) {
  std::pair<std::vector<BatchRecord>, std::vector<BatchRecord>> common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].begin == b[j].begin && a[i].end == b[j].end) {
      common.first.push_back(a[i++]);
      common.second.push_back(b[j++]);
    } else if (a[i].begin < b[j].begin || (a[i].begin == b[j].begin && a[i].end < b[j].end)) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

/// a - b.
std::optional<Difference> difference(const Samples& a, const Samples& b, bool paired) {
  const auto left = estimate_ratio(a);
  const auto right = estimate_ratio(b);
  if (!left || !right) return std::nullopt;
  Difference d;
  if (paired) {
    const auto both = estimate_difference(a, b);
    d.mean = both->mean;
    d.ci95 = both->ci95;
  } else {
    d.mean = left->mean - right->mean;
    if (left->ci95 && right->ci95)
      d.ci95 = std::sqrt(*left->ci95 * *left->ci95 + *right->ci95 * *right->ci95);
  }
  if (right->mean != 0) d.relative = d.mean / right->mean;
  return d;
}

std::string batches_text(const ComparedRun& run) {
  if (run.batches.empty()) return fmt::format("{} has no batches ({})", run.label, to_string(run.status));
  return fmt::format("{} has {} over cycles {} to {}", run.label, run.batches.size(),
                     run.batches.front().begin, run.batches.back().end);
}

/// Why batches of two runs do not belong together, `coinciding` of them over the same cycles; empty: they do.
std::string obstacle_to_pairs(const ComparedRun& run, const ComparedRun& baseline, std::size_t coinciding) {
  if (run.terminals != baseline.terminals)
    return fmt::format("{} terminals inject in {}, {} in {}: not the same packets", run.terminals, run.label,
                       baseline.terminals, baseline.label);
  if (coinciding >= kLeastPairs) return "";
  return fmt::format("{} batches cover the same cycles, {} are needed: {}, {}", coinciding, kLeastPairs,
                     batches_text(run), batches_text(baseline));
}

bool grows(const ComparedRun& run) {
  return run.endless_queues && run.status == Status::kSaturated;
}

ComparedPoint compare(const ComparedRun& run, const ComparedRun& baseline) {
  ComparedPoint point;
  point.set = run.set;
  point.label = run.label;
  point.baseline = baseline.label;
  point.status = run.status;
  point.baseline_status = baseline.status;
  if (!run.batches.empty() && !baseline.batches.empty()) {
    const auto cycles = [](const ComparedRun& of) {
      return of.batches.back().end - of.batches.front().begin;
    };
    point.alike = run.terminals == baseline.terminals && run.batches == baseline.batches;
    point.warm_up = std::max(run.batches.front().begin, baseline.batches.front().begin);
    point.measured = std::max(cycles(run), cycles(baseline));
  }
  auto [a, b] = coinciding(run.batches, baseline.batches);
  point.unpaired = obstacle_to_pairs(run, baseline, a.size());
  point.finite = run.time_to_drain && baseline.time_to_drain;
  if (point.finite) {
    const auto mine = static_cast<double>(*run.time_to_drain);
    const auto theirs = static_cast<double>(*baseline.time_to_drain);
    point.time_to_drain_cycles = Difference{mine - theirs, std::nullopt, mine / theirs - 1};
    point.unpaired = "finite workloads last as long as they do";
  }
  const bool paired = point.unpaired.empty();
  point.cycles_differ = !paired && !point.finite && run.terminals == baseline.terminals;
  point.pairs = paired ? a.size() : 0;
  const auto& mine = paired ? a : run.batches;
  const auto& theirs = paired ? b : baseline.batches;
  point.accepted_flits_per_node_cycle =
      difference(accepted_flits(mine, run.terminals), accepted_flits(theirs, baseline.terminals), paired);
  point.latency_total_cycles = difference(total_latency(mine), total_latency(theirs), paired);
  point.latency_total_grows = grows(run) || grows(baseline);
  point.latency_network_cycles = difference(network_latency(mine), network_latency(theirs), paired);
  point.round_trip_cycles = difference(round_trips(mine), round_trips(theirs), paired);
  return point;
}

void put(Json& object, const char* key, const std::optional<Difference>& d) {
  if (!d) return;
  Json json{{"mean", d->mean}};
  if (d->ci95) json["ci95"] = *d->ci95;
  if (d->relative) json["relative"] = *d->relative;
  if (d->ci95) json["significant"] = d->significant();
  object[key] = std::move(json);
}

}  // namespace

bool Difference::significant() const noexcept {
  return ci95 && std::abs(mean) > *ci95;
}

std::vector<ComparedPoint> compare_runs(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedPoint> comparison;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto baseline =
        std::find_if(runs.begin(), runs.end(), [&](const auto& other) { return other.set == runs[i].set; });
    const auto first = static_cast<std::size_t>(baseline - runs.begin());
    if (first != i) comparison.push_back(compare(runs[i], runs[first]));
  }
  return comparison;
}

Json to_json(const std::vector<ComparedPoint>& comparison) {
  Json list = Json::array();
  for (const auto& p : comparison) {
    Json json = Json::object();
    json["set"] = p.set.is_null() ? Json::object() : p.set;
    json["label"] = p.label;
    json["baseline"] = p.baseline;
    json["status"] = to_string(p.status);
    json["baseline_status"] = to_string(p.baseline_status);
    json["paired"] = p.unpaired.empty();
    if (p.unpaired.empty())
      json["pairs"] = p.pairs;
    else
      json["unpaired"] = p.unpaired;
    if (p.alike) json["alike"] = true;
    put(json, "accepted_flits_per_node_cycle", p.accepted_flits_per_node_cycle);
    put(json, "latency_total_cycles", p.latency_total_cycles);
    put(json, "latency_network_cycles", p.latency_network_cycles);
    put(json, "round_trip_cycles", p.round_trip_cycles);
    put(json, "time_to_drain_cycles", p.time_to_drain_cycles);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace noctule
