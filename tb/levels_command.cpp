// levels: the same transactions at all levels of a TLM-2.0 network, and how far the coarse ones are off.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "config/decode.h"
#include "core/json.h"
#include "core/version.h"
#include "run/configured_point.h"
#include "tb/folder_record.h"
#include "tb/options.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"
#include "tlm/flow_latency.h"
#include "tlm/replay.h"

namespace noctule {
namespace {

constexpr std::uint64_t kEnough = 1000;    // transactions of a flow whose error counts
constexpr double kMostTransactions = 5e6;  // that are drawn

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

struct Running {
  std::unique_ptr<tlm::TlmNetwork> network;
  std::unique_ptr<tlm::Replay> replay;
  std::shared_ptr<tlm::FlowLatencies> latencies;
};

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
  }

  int run() {
    try {
      build();
    } catch (const ConfigError& error) {
      throw point_.annotate(error);
    }
    StageLine stage(options_.quiet);
    stage.say(fmt::format("{} transactions at {} levels", transactions_.size(), kVariants.size()));
    simulate();
    stage.clear();
    report();
    return kDone;
  }

 private:
  /// Of every level.
  [[nodiscard]] tlm::NetworkParts common_parts() const {
    std::vector<std::string> set = options_.sets;
    if (options_.seed) set.push_back("seed=" + *options_.seed);
    tlm::NetworkParts parts = tlm::configured_network(options_.file, set);
    parts.settings.grants_dmi = parts.settings.keep_delay = parts.settings.strict = false;
    for (auto& one : parts.settings.initiators) one.bus_width = 32;
    for (auto& one : parts.settings.targets) one.bus_width = 32;
    return parts;
  }

  void build() {
    tlm::NetworkParts parts = common_parts();
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
    if (!options_.trace.empty()) {
      transactions_ = tlm::recorded_transactions(options_.trace, network.settings());
      return;
    }
    const PointSpec spec = configured_point(point_, {});
    if (!spec.pattern || !spec.offered_packets_per_node_cycle)
      throw ConfigError("traffic.pattern",
                        "levels needs a pattern and a load, or a recording with --trace transactions.csv");
    tlm::DrawnTraffic drawn;
    drawn.pattern = spec.pattern.get();
    drawn.per_cycle = std::min(1.0, *spec.offered_packets_per_node_cycle);
    drawn.bytes = std::max<std::uint32_t>(
        1, static_cast<std::uint32_t>(
               std::lround(spec.mean_length_flits * network.settings().packet.flit_bytes)));
    drawn.cycles = cycles(drawn.per_cycle, network.settings());
    drawn.seed = spec.fabric.seed;
    transactions_ = tlm::drawn_transactions(drawn, network.settings(), network.map());
    if (transactions_.empty())
      throw ConfigError("traffic.offered_load",
                        "no transaction is drawn; raise the load or measurement.cycles");
  }

  /// In which transactions begin: what measurement.cycles says, else as many as give every flow enough.
  [[nodiscard]] Cycle cycles(double per_cycle, const TlmSettings& settings) const {
    const double all_per_cycle = per_cycle * static_cast<double>(settings.initiators.size());
    if (all_per_cycle <= 0)
      throw ConfigError("traffic.offered_load", "no transaction is drawn; raise the load");
    const Json& given = point_.resolved.at("measurement").at("cycles");
    if (!given.is_number())
      return static_cast<Cycle>(
          std::ceil(std::min(1.2 * static_cast<double>(kEnough * settings.targets.size()) / per_cycle,
                             kMostTransactions / all_per_cycle)));
    if (given.get<double>() * all_per_cycle > kMostTransactions)
      throw ConfigError(
          "measurement.cycles",
          fmt::format("about {:.3g} transactions would be drawn; at most {:.3g} are held at a time: "
                      "at most {:.3g} cycles at this load",
                      given.get<double>() * all_per_cycle, kMostTransactions,
                      kMostTransactions / all_per_cycle));
    return given.get<Cycle>();
  }

  /// All levels in one simulation; none knows of the others.
  void simulate() {
    const auto over = [&] {
      return std::ranges::all_of(all_, [](const Running& one) { return one.replay->over(); });
    };
    const sc_core::sc_time piece = all_.front().network->fabric().options().period * 10000;
    std::uint64_t before = 0;
    for (int idle = 0; !over();) {
      sc_core::sc_start(piece);
      std::uint64_t ended = 0;
      for (const Running& one : all_) ended += one.network->counters().ended;
      const bool coming = sc_core::sc_pending_activity_at_future_time();
      idle = ended == before && !coming ? idle + 1 : 0;
      if (idle > 3)
        throw ConfigError("tlm", "transactions wait for ever at a level; noctule verify shows why");
      before = ended;
    }
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
      std::cout << fmt::format("\nresults     {} (and levels.json)\n", (out / "levels.csv").string());
    }
  }

  const Options& options_;
  Configuration configuration_;
  PointConfig point_;
  std::vector<tlm::ReplayedTransaction> transactions_;
  std::vector<Running> all_;
};

}  // namespace

int levels_command(const Options& options) {
  return Levels(options).run();
}

}  // namespace noctule
