// levels: the same transactions at all levels of a TLM-2.0 network, and how far the coarse ones are off.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "config/decode.h"
#include "core/json.h"
#include "core/version.h"
#include "tb/folder_record.h"
#include "tb/idle_keys.h"
#include "tb/levels_traffic.h"
#include "tb/options.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

/// A level, with what else is set for it.
struct Variant {
  const char* name;
  Level level;
  Contention contention;
};
constexpr std::array<Variant, 4> kVariants{{
    {"cycle", Level::kCycle, Contention::kNone},
    {"approximate", Level::kApproximate, Contention::kNone},
    {"loose", Level::kLoose, Contention::kNone},
    {"loose, contention: utilisation", Level::kLoose, Contention::kUtilisation},
}};

constexpr std::array<IdleKey, 10> kIdle{{
    {"trace", "levels traces nothing; `noctule run` does"},
    {"plots", "levels draws nothing"},
    {"expect", "levels has no point with a status"},
    {"measurement.warm_up", "every transaction counts"},
    {"measurement.flows", "`noctule run` writes flows.csv"},
    {"traffic.sink", "targets take all that comes; a recording says how long they serve"},
    {"traffic.stall", "targets take all that comes"},
    {"traffic.source_queue", "what waits is bounded by tlm.request_queue and tlm.max_outstanding"},
    {"tlm.level", "the transactions run at all levels"},
    {"tlm.contention", "level loose runs with each"},
}};
constexpr IdleKey kIdleTraffic{"traffic", "the transactions are those of the recording"};  // with one

/// Relative errors of the mean latency of flows, in percent.
struct Errors {
  std::vector<double> sorted;
  [[nodiscard]] double quantile(double share) const {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
  }
};

class Levels {
 public:
  explicit Levels(const Options& options) : options_(options) {
    configuration_ = decode_file(options.file, {options.sets, options.axes, options.seed});
    const auto points = expand(configuration_);
    if (points.size() != 1)
      throw configuration_.annotate(ConfigError(
          "sweep", fmt::format("the file describes {} fabrics; levels are compared of one", points.size())));
    point_ = points.front();
    if (configuration_.resolved.at("tlm").at("initiators").empty())
      throw point_.annotate(
          ConfigError("tlm.initiators", "the file has no initiators, so there are no levels"));
    check_idle_keys(kIdle, configuration_, {&point_, 1}, options.quiet);
    if (!options.trace.empty()) check_idle_keys({&kIdleTraffic, 1}, configuration_, {&point_, 1}, true);
  }

  int run() {
    try {
      if (!options_.calibrate.empty()) {
        calibrate_levels(options_, point_);
        return kDone;
      }
      check_results_not_read(result_folder(options_), "levels", {"levels.json", "levels.csv", "files.json"},
                             {&point_, 1}, {&options_.trace, options_.trace.empty() ? 0U : 1U});
      build();
    } catch (const ConfigError& error) {
      throw point_.annotate(error);
    }
    StageLine stage(options_.quiet);
    stage.say(fmt::format("{} transactions at {} levels", transactions_.size(), kVariants.size()));
    run_to_the_end(all_);
    stage.clear();
    report();
    return kDone;
  }

 private:
  void build() {
    tlm::NetworkParts parts = levels_parts(options_);
    calibrated_ = parts.calibration.has_value();
    // The report says so.
    sc_core::sc_report_handler::set_actions("/noctule/tlm/calibration", sc_core::SC_WARNING,
                                            sc_core::SC_DO_NOTHING);
    for (const Variant& variant : kVariants) {
      parts.settings.level = variant.level;
      parts.settings.contention = variant.contention;
      Running& one = all_.emplace_back();
      one.network = std::make_unique<tlm::TlmNetwork>(sc_core::sc_gen_unique_name("network"), parts);
      one.latencies = std::make_shared<tlm::FlowLatencies>(one.network->settings());
      one.network->observe(one.latencies);
      if (all_.size() == 1) read_transactions();
      one.replay = std::make_unique<tlm::Replay>(*one.network, transactions_);
    }
  }

  void read_transactions() {
    const tlm::TlmNetwork& network = *all_.front().network;
    transactions_ = options_.trace.empty() ? drawn_for_levels(point_, network)
                                           : tlm::recorded_transactions(options_.trace, network);
    check_time(point_, network, transactions_);
  }

  [[nodiscard]] double busiest_link() const {
    const Fabric& fabric = all_.front().network->fabric();
    const auto flits = fabric.counters().link_flits;
    const auto most = flits.empty() ? 0 : *std::ranges::max_element(flits);
    const double end = all_.front().latencies->end_ns() / all_.front().network->settings().period_ns;
    return end <= 0 ? 0 : static_cast<double>(most) / end;
  }

  void report() {
    const auto& exact = all_.front().latencies->flows();
    const auto& settings = all_.front().network->settings();
    std::uint64_t few = 0;
    std::string table =
        "initiator,target,transactions,enough,cycle_ns,approximate_ns,loose_ns,loose_utilisation_ns\n";
    std::vector<Errors> errors(all_.size());
    std::vector<Errors> few_errors(all_.size());
    for (const auto& [sockets, flow] : exact) {
      const bool enough = flow.transactions >= kEnough;
      few += enough ? 0 : 1;
      table += fmt::format("{},{},{},{}", settings.initiators[sockets.first].name,
                           settings.targets[sockets.second].name, flow.transactions, enough ? "yes" : "no");
      for (std::size_t n = 0; n < all_.size(); ++n) {
        const double mean = all_[n].latencies->flows().at(sockets).mean_ps();
        table += fmt::format(",{:.3f}", mean / 1000);
        (enough ? errors : few_errors)[n].sorted.push_back(100 * std::abs(mean / flow.mean_ps() - 1));
      }
      table += '\n';
    }
    const double use = busiest_link();
    Json levels = Json::array();
    std::string text = fmt::format("{:<32}{:>8}{:>10}{:>10}{:>10}\n", "error of the mean latency, %", "flows",
                                   "median", "95th", "worst");
    for (std::size_t n = 1; n < all_.size(); ++n)
      for (auto* const one : {&errors[n], &few_errors[n]}) {
        if (one->sorted.empty()) continue;
        std::ranges::sort(one->sorted);
        const bool enough = one == &errors[n];
        text += fmt::format("{:<32}{:>8}{:>10.2f}{:>10.2f}{:>10.2f}{}\n", kVariants[n].name,
                            one->sorted.size(), one->quantile(0.5), one->quantile(0.95), one->sorted.back(),
                            enough ? "" : "  fewer than 1000 transactions each");
        levels.push_back({{"level", kLevels[static_cast<std::size_t>(kVariants[n].level)]},
                          {"contention", kContentions[static_cast<std::size_t>(kVariants[n].contention)]},
                          {"enough_transactions", enough},
                          {"flows", one->sorted.size()},
                          {"error_median", one->quantile(0.5) / 100},
                          {"error_p95", one->quantile(0.95) / 100},
                          {"error_worst", one->sorted.back() / 100}});
      }
    const auto out = result_folder(options_);
    make_result_folder(out);
    FolderRecord record(out, "levels");
    Json document{{"noctule", kVersion},
                  {"schema", 1},
                  {"command", "levels"},
                  {"config", configuration_.resolved},
                  {"transactions", transactions_.size()},
                  {"busiest_link", use},
                  {"flows_with_few_transactions", few},
                  {"levels", levels}};
    const tlm::NetworkCounters loosest = all_.back().network->counters();
    if (calibrated_) document["outside_calibration"] = loosest.outside;
    record.write("levels.json", document.dump(1) + "\n");
    record.write("levels.csv", table);
    record.settle(options_.quiet);
    if (options_.json) {
      std::cout << document.dump(1) << '\n';
    } else if (!options_.quiet) {
      std::cout << fmt::format(
          "{} transactions of {} flows; at level cycle the busiest link carries {:.3f} flits/cycle: the "
          "errors "
          "hold up to there\n{}",
          transactions_.size(), exact.size(), use, text);
      if (few > 0)
        std::cout << fmt::format("{} flow{} fewer than {} transactions: more of them say more\n", few,
                                 few == 1 ? " has" : "s have", kEnough);
      if (loosest.outside > 0)
        std::cout << fmt::format(
            "warning: {} of {} transactions at level loose met links that are busier than those of the "
            "calibration: what it says of them is not to be relied on\n",
            loosest.outside, loosest.ended);
      std::cout << fmt::format("\nresults     {} (and levels.json)\n", (out / "levels.csv").string());
    }
  }

  const Options& options_;
  Configuration configuration_;
  PointConfig point_;
  std::vector<tlm::ReplayedTransaction> transactions_;
  std::vector<Running> all_;
  bool calibrated_ = false;
};

}  // namespace

int levels_command(const Options& options) {
  return Levels(options).run();
}

}  // namespace noctule
