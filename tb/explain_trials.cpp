#include "tb/explain_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "config/effects.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "stats/compare.h"
#include "tb/jobs.h"
#include "tb/load_causes.h"
#include "tb/overload.h"
#include "tb/record.h"
#include "tb/report.h"

namespace noctule {
namespace {

/// Accepted load over the bound from which on nothing but the bound ends the throughput.
constexpr double kAtTheBound = 0.97;
/// From here on the bound ends it, too, where more of what is full there gains so many times what else does.
constexpr double kNearTheBound = 0.9;
constexpr double kMuchMore = 5;
/// A change that gains less is none.
constexpr double kLeastGain = 0.01;
constexpr std::uint64_t kRouterCycles = 20'000'000;
constexpr std::uint64_t kLeastCycles = 6000;
constexpr std::uint64_t kMostCycles = 40'000;

/// One key, changed.
struct Change {
  std::string key;
  Json from;
  Json to;
  Json set;            ///< the key, and what goes with it
  const char* cause;   ///< that it takes away, as in the table of causes
  bool wires = false;  ///< more of them, which nearly always gains: no cause, where something else gains
};

std::string name_of(const Change& change) {
  return fmt::format("{} {} instead of {}{}", change.key, plain_text(change.to), plain_text(change.from),
                     change.set.size() > 1 ? ", shared out in message_classes.*.vcs" : "");
}

/// What may hold the throughput down and is not the load of a link or terminal.
constexpr const char* kWorms = "waiting worms";
constexpr const char* kAllocators = "allocators";

class Changes {
 public:
  explicit Changes(const PointConfig& point) : resolved_(point.resolved) {
    twice("node.lanes", kWorms);
    twice("node.input_depth", kWorms);
    twice("node.output_depth", kWorms);
    // Not the lengths of a closed loop: they say how much is under way.
    half("traffic.packet_length", kWorms);
    if (const Json* allocator = find("node.switch_allocator"); allocator != nullptr && *allocator != "none") {
      if (*allocator != "maximum") add("node.switch_allocator", "maximum", kAllocators);
      twice("node.allocator_iterations", kAllocators);
    }
    if (const Json* connections = find("node.connections_per_cycle");
        connections != nullptr && connections->is_number())
      add("node.connections_per_cycle", "all", "new connections");
    twice("traffic.source.outstanding", "open transactions");
    half("traffic.source.service_time", "servers");
    twice("node.parallel_links", "channel load", true);
    twice("node.injection_channels", "injection", true);
    twice("node.consumption_channels", "consumption", true);
  }

  [[nodiscard]] std::vector<Change> all() && { return std::move(changes_); }
  [[nodiscard]] static PointConfig apply(PointConfig point, const Change& change) {
    for (const auto& [key, value] : change.set.items()) {
      point.resolved[pointer_to(key)] = value;
      point.set[key] = value;
    }
    return point;
  }

 private:
  [[nodiscard]] const Json* find(const std::string& key) const {
    const auto pointer = pointer_to(key);
    return resolved_.contains(pointer) && has_effect(key, resolved_) ? &resolved_.at(pointer) : nullptr;
  }
  void add(const std::string& key, const Json& to, const char* cause, bool wires = false) {
    Change change{key, *find(key), to, {{key, to}}, cause, wires};
    if (key == "node.lanes") add_lanes(change);
    changes_.push_back(std::move(change));
  }
  /// Classes that have lanes of their own get twice as many: lanes are numbers from 0 on, given as texts, and
  /// each gets the one that is as many above it as there were.
  void add_lanes(Change& change) const {
    const auto lanes = change.from.get<std::uint64_t>();
    for (const auto& [name, of_class] : resolved_.at("message_classes").items()) {
      if (!of_class.contains("vcs") || !of_class.at("vcs").contains("lane")) continue;
      Json vcs = of_class.at("vcs");
      const Json list = vcs["lane"];
      for (const Json& lane : list)
        vcs["lane"].push_back(std::to_string(std::stoull(plain_text(lane)) + lanes));
      change.set["message_classes." + name + ".vcs"] = vcs;
    }
  }
  void twice(const std::string& key, const char* cause, bool wires = false) {
    const Json* now = find(key);
    if (now != nullptr && now->is_number_integer() && *now > 0)
      add(key, 2 * now->get<std::uint64_t>(), cause, wires);
  }
  void half(const std::string& key, const char* cause) {
    const Json* now = find(key);
    if (now != nullptr && now->is_number_integer() && *now > 1)
      add(key, (now->get<std::uint64_t>() + 1) / 2, cause);
  }
  const Json& resolved_;
  std::vector<Change> changes_;
};

class Trials {
 public:
  Trials(const ExplainedFabric& fabric, DeadlockGate& gate, const Options& options) : fabric_(fabric) {
    auto base = base_point();
    if (!base) return;
    base->resolved.at("measurement")["cycles"] = cycles();
    gate.pass(*base);
    points_.push_back(*base);
    const std::vector<Change> all = Changes(*base).all();
    for (const Change& change : all) propose(change, gate);
    run(options);
  }

  ExplanationTrials result() {
    if (!obstacle_.empty()) {
      result_.json["skipped"] = obstacle_;
      result_.text.push_back("not tried: " + obstacle_);
      return std::move(result_);
    }
    std::vector<ComparedRun> runs;
    for (std::size_t n = 0; n < records_.size(); ++n)
      runs.push_back(
          {std::to_string(n), Json::object(), records_[n].terminals, Status::kStable, records_[n].batches});
    const auto differences = compare_runs(runs);
    describe_base();
    for (std::size_t n = 0; n < changes_.size(); ++n)
      describe(n, differences.at(n).accepted_flits_per_node_cycle, differences.at(n).alike);
    for (const auto& [name, why] : not_tried_)
      result_.text.push_back(fmt::format("not tried: {}: {}", name, why));
    describe_cause();
    return std::move(result_);
  }

 private:
  std::optional<PointConfig> base_point() {
    if (!fabric_.spec.rtl.empty()) {
      obstacle_ = "routers in RTL are as they are; leave out `nodes`";
      return std::nullopt;
    }
    if (fabric_.spec.source->finite()) {
      obstacle_ = "the traffic ends, and so has no throughput";
      return std::nullopt;
    }
    if (!fabric_.spec.source->closed_loop()) return point_above(fabric_, obstacle_);
    return short_point(fabric_, obstacle_);
  }
  /// As many as narrow the intervals, in a second or two.
  [[nodiscard]] std::uint64_t cycles() const {
    return std::clamp<std::uint64_t>(kRouterCycles / fabric_.plan.routers.size(), kLeastCycles, kMostCycles);
  }
  void propose(const Change& change, DeadlockGate& gate) {
    try {
      PointConfig point = Changes::apply(points_.front(), change);
      (void)plan_of(configured_point(point, {}));
      gate.pass(point);
      points_.push_back(std::move(point));
      changes_.push_back(change);
    } catch (const ConfigError& error) {
      drop(change, error.diagnostics().front().message);
    }
  }
  void drop(const Change& change, const std::string& why) {
    not_tried_.emplace_back(name_of(change), why);
    result_.json["not_tried"].push_back({{"set", change.set}, {"why", why}});
  }
  void run(const Options& options) {
    std::vector<Job> jobs;
    for (std::size_t n = 0; n < points_.size(); ++n)
      jobs.push_back({n == 0 ? "the fabric as it is" : name_of(changes_[n - 1]),
                      [point = points_[n], n](const ReportProgress& progress) {
                        return simulated_record(point, kNoTrace, n, progress, true);
                      },
                      1});
    std::map<std::size_t, PointRecord> records;
    std::map<std::size_t, std::string> refused;
    const bool interrupted = run_jobs(jobs, options, [&](const Outcome& outcome, ProgressLine& progress) {
      if (outcome.kind == Outcome::kDone) {
        records[outcome.job] = record_from_json(Json::parse(outcome.record));
      } else if (outcome.kind == Outcome::kConfigError && outcome.job > 0) {
        refused[outcome.job] = outcome.diagnostics.front().message;
      } else if (outcome.kind != Outcome::kInterrupted) {
        progress.clear();
        throw_failure(outcome);
      }
    });
    if (interrupted) throw Interrupted();
    std::vector<Change> tried;
    for (auto& [n, record] : records) {
      records_.push_back(std::move(record));
      if (n > 0) tried.push_back(changes_[n - 1]);
    }
    for (const auto& [n, why] : refused) drop(changes_[n - 1], why);
    changes_ = std::move(tried);
  }

  /// Null: a deadlock came before anything was measured.
  static const Json* accepted(const PointRecord& record) {
    return value_at(record.point, {"accepted", "flits_per_node_cycle"});
  }
  static double accepted_mean(const PointRecord& record) {
    const Json* rate = accepted(record);
    return rate == nullptr ? 0 : rate->at("mean").get<double>();
  }
  static std::string accepts(const PointRecord& record) {
    const Json* rate = accepted(record);
    if (rate == nullptr)
      return record.point.at("status").get<std::string>() + ", nothing measured: accepts 0";
    const Json* ci95 = value_at(*rate, {"ci95"});
    return fmt::format("accepts {:.4f}{}", rate->at("mean").get<double>(),
                       ci95 == nullptr ? "" : fmt::format(" +- {:.4f}", ci95->get<double>()));
  }
  void describe_base() {
    const PointRecord& base = records_.front();
    result_.json["warm_up_cycles"] = base.point.at("cycles").at("warm_up");
    result_.json["measured_cycles"] = base.point.at("cycles").at("measured");
    if (const Json* offered = value_at(base.point, {"offered", "flits_per_node_cycle"})) {
      result_.json["offered_flits_per_node_cycle"] = *offered;
      result_.text.push_back(fmt::format("offered {:.4g} flits/node/cycle, {:.2g} times the highest load",
                                         offered->get<double>(), kAboveBound));
    }
    result_.text.push_back("as it is: " + accepts(base) + " flits/node/cycle");
    Json json{{"status", base.point.at("status")}};
    if (accepted(base) != nullptr) json["accepted_flits_per_node_cycle"] = *accepted(base);
    const Json* header_wait = value_at(base.point, {"latency_cycles", "parts", "header_wait"});
    const Json* stalls = value_at(base.point, {"latency_cycles", "parts", "stalls"});
    if (header_wait != nullptr && stalls != nullptr) {
      json["header_wait_cycles"] = *header_wait;
      json["stalls_cycles"] = *stalls;
      result_.text.push_back(fmt::format(
          "in it a packet waits {:.1f} cycles for virtual channels, {:.1f} for the switch and for room",
          header_wait->get<double>(), stalls->get<double>()));
    }
    result_.json["as_it_is"] = std::move(json);
  }
  void describe(std::size_t n, const std::optional<Difference>& difference, bool alike) {
    const Change& change = changes_[n];
    const PointRecord& record = records_[n + 1];
    Json json{{"set", change.set}};
    if (accepted(record) != nullptr) json["accepted_flits_per_node_cycle"] = *accepted(record);
    std::string text = name_of(change) + ": " + accepts(record);
    if (alike) {
      text += ": no effect";
      json["alike"] = true;
    } else if (difference && difference->relative) {
      const double gain = *difference->relative;
      const bool beyond_chance = difference->significant();
      json["relative"] = gain;
      json["significant"] = beyond_chance;
      text += fmt::format(", {:+.1f} %{}", 100 * gain, beyond_chance ? "" : ", which can be chance");
      const bool better = best_ == nullptr || (best_->wires == change.wires ? gain > most_ : best_->wires);
      const bool gains = beyond_chance && gain >= kLeastGain;
      if (gains && change.wires && gain > most_at_bound_ && change.cause == cause_at_bound()) {
        most_at_bound_ = gain;
        at_bound_ = &change;
      }
      if (gains && better) {
        most_ = gain;
        best_ = &change;
      }
    }
    result_.json["changes"].push_back(std::move(json));
    result_.text.push_back(std::move(text));
  }
  /// Of the highest load; empty where there is none.
  [[nodiscard]] std::string cause_at_bound() const {
    const auto& bounds = fabric_.limits.bounds;
    return bounds.empty() ? "" : cause_of(bounds.front(), fabric_.spec, fabric_.plan).name;
  }
  void describe_cause() {
    const double rate = accepted_mean(records_.front());
    const auto& bounds = fabric_.limits.bounds;
    std::string cause;
    std::string text;
    if (!bounds.empty() && rate >= kAtTheBound * bounds.front().flits_per_node_cycle) {
      cause = cause_at_bound();
      text = fmt::format("{}: the throughput ends at the highest load, {:.4g}", cause,
                         bounds.front().flits_per_node_cycle);
    } else if (at_bound_ != nullptr && rate >= kNearTheBound * bounds.front().flits_per_node_cycle &&
               (best_->wires || most_at_bound_ >= kMuchMore * most_)) {
      cause = at_bound_->cause;
      text = fmt::format("{}: the throughput is near the highest load, {:.4g}, and {} gains most", cause,
                         bounds.front().flits_per_node_cycle, name_of(*at_bound_));
      result_.json["gains_most"] = at_bound_->set;
    } else if (best_ != nullptr) {
      cause = best_->cause;
      text = fmt::format("{}: {} gains most{}", cause, name_of(*best_), best_->wires ? "" : ", wires aside");
      result_.json["gains_most"] = best_->set;
    } else {
      text =
          "none of these: no change gains 1 % and more than chance; try another relation (routing), "
          "topology or pattern";
    }
    if (!cause.empty()) result_.json["cause"] = cause;
    result_.text.push_back("cause: " + text);
  }

  const ExplainedFabric& fabric_;
  std::string obstacle_;
  std::vector<PointConfig> points_;  ///< as it is, then with each change
  std::vector<Change> changes_;
  std::vector<std::pair<std::string, std::string>> not_tried_;
  std::vector<PointRecord> records_;
  double most_ = 0;
  const Change* best_ = nullptr;
  double most_at_bound_ = 0;
  const Change* at_bound_ = nullptr;  ///< gains most of what is full at the highest load
  ExplanationTrials result_;
};

}  // namespace

ExplanationTrials try_changes(const ExplainedFabric& fabric, DeadlockGate& gate, const Options& options) {
  return Trials(fabric, gate, options).result();
}

}  // namespace noctule
