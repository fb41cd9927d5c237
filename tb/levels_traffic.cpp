#include "tb/levels_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>

#include "config/model.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "run/progress.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"
#include "tlm/calibration.h"

namespace noctule {
namespace {

constexpr double kMostTransactions = 5e6;  // that are drawn

/// In which transactions begin: what measurement.cycles says, else as many as give every flow enough.
Cycle cycles(const PointConfig& point, double per_cycle, const TlmSettings& settings, std::uint64_t each) {
  const double all_per_cycle = per_cycle * static_cast<double>(settings.initiators.size());
  if (all_per_cycle <= 0)
    throw ConfigError("traffic.offered_load", "no transaction is drawn; raise the load");
  const Json& given = point.resolved.at("measurement").at("cycles");
  if (!given.is_number())
    return static_cast<Cycle>(
        std::ceil(std::min(1.2 * static_cast<double>(each * settings.targets.size()) / per_cycle,
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

}  // namespace

tlm::NetworkParts levels_parts(const Options& options) {
  std::vector<std::string> set = options.sets;
  if (options.seed) set.push_back("seed=" + *options.seed);
  tlm::NetworkParts parts = tlm::configured_network(options.file, set, options.calibrate.empty());
  parts.settings.grants_dmi = parts.settings.keep_delay = parts.settings.strict = false;
  for (auto& one : parts.settings.initiators) one.bus_width = 32;
  for (auto& one : parts.settings.targets) one.bus_width = 32;
  return parts;
}

std::vector<tlm::ReplayedTransaction> drawn_for_levels(const PointConfig& point,
                                                       const tlm::TlmNetwork& network, double share,
                                                       std::uint64_t each) {
  const PointSpec spec = configured_point(point, {});
  if (!spec.pattern || !spec.offered_packets_per_node_cycle)
    throw ConfigError("traffic.pattern",
                      "levels needs a pattern and a load, or a recording with --trace transactions.csv");
  const TrafficConfig traffic = model_from_json(point.resolved).traffic;
  if (traffic.source.name != "bernoulli")
    throw ConfigError("traffic.source",
                      fmt::format("levels draws when transactions begin as source bernoulli does, not as {}; "
                                  "give bernoulli, or a recording with --trace transactions.csv",
                                  traffic.source.name));
  tlm::DrawnTraffic drawn;
  drawn.pattern = spec.pattern.get();
  drawn.per_cycle = std::min(1.0, share * *spec.offered_packets_per_node_cycle);
  for (const auto& [flits, weight] : traffic.lengths)
    drawn.bytes.emplace_back(flits * network.settings().packet.flit_bytes, weight);
  drawn.cycles = cycles(point, drawn.per_cycle, network.settings(), each);
  drawn.seed = spec.fabric.seed;
  std::vector<tlm::ReplayedTransaction> transactions = tlm::drawn_transactions(drawn, network);
  if (transactions.empty())
    throw ConfigError("traffic.offered_load",
                      "no transaction is drawn; raise the load or measurement.cycles");
  return transactions;
}

void check_time(const PointConfig& point, const tlm::TlmNetwork& network,
                const std::vector<tlm::ReplayedTransaction>& transactions) {
  std::vector<sc_core::sc_time> begins(transactions.size());  // at the earliest
  sc_core::sc_time last;
  for (std::size_t n = 0; n < transactions.size(); ++n) {
    begins[n] = transactions[n].pause;
    if (const auto& after = transactions[n].after) begins[n] += begins[*after];
    last = std::max(last, begins[n] + transactions[n].service);
  }
  MeasurementSettings until_last;
  until_last.warm_up_cycles = 0;
  until_last.measure_cycles = static_cast<Cycle>(last / network.fabric().options().period);
  const double seconds =
      run_seconds(until_last, static_cast<double>(network.fabric().plan().topology->routers()));
  const double limit = model_from_json(point.resolved).limits.time_h;
  if (seconds > 3600 * limit)
    throw ConfigError(
        "limits.time_h",
        fmt::format("the last transaction is served until cycle {}, and to simulate up to there may take "
                    "about {}; the limit is {} hours: are begin_ps and service right? Else raise the limit",
                    until_last.measure_cycles, duration_text(seconds), limit));
}

void run_to_the_end(const std::vector<Running>& all) {
  const auto over = [&] {
    return std::ranges::all_of(all, [](const Running& one) { return one.replay->over(); });
  };
  const sc_core::sc_time piece = all.front().network->fabric().options().period * 10000;
  std::uint64_t before = 0;
  for (int idle = 0; !over();) {
    sc_core::sc_start(piece);
    std::uint64_t done = 0;  // a transaction of many packets takes longer than a piece
    for (const Running& one : all) {
      const tlm::NetworkCounters counters = one.network->counters();
      done += counters.ended + counters.packets + one.network->fabric().moves();
    }
    const bool coming = sc_core::sc_pending_activity_at_future_time();
    idle = done == before && !coming ? idle + 1 : 0;
    if (idle > 3) throw ConfigError("tlm", "transactions wait for ever at a level; noctule verify shows why");
    before = done;
  }
}

void calibrate_levels(const Options& options, const PointConfig& point) {
  constexpr int kLoads = 3;
  if (!options.trace.empty())
    throw ConfigError("--calibrate", "a calibration is made of the traffic of the file; leave --trace out");
  check_not_read("--calibrate", {&options.calibrate, 1}, {&point, 1});
  tlm::NetworkParts parts = levels_parts(options);
  parts.settings.level = Level::kCycle;
  parts.settings.contention = Contention::kNone;
  std::vector<Running> all;
  std::vector<std::shared_ptr<tlm::ObservedWaits>> waits;
  std::vector<std::vector<tlm::ReplayedTransaction>> transactions(kLoads);
  std::size_t drawn = 0;
  for (int n = 0; n < kLoads; ++n) {
    Running& one = all.emplace_back();
    one.network = std::make_unique<tlm::TlmNetwork>(sc_core::sc_gen_unique_name("network"), parts);
    one.network->observe(waits.emplace_back(std::make_shared<tlm::ObservedWaits>()));
    transactions[n] = drawn_for_levels(point, *one.network, (n + 1.0) / kLoads, kEnough / 2);
    drawn += transactions[n].size();
    one.replay = std::make_unique<tlm::Replay>(*one.network, transactions[n]);
  }
  StageLine stage(options.quiet);
  stage.say(fmt::format("{} transactions at {} loads", drawn, kLoads));
  run_to_the_end(all);
  stage.clear();
  std::vector<WaitSample> samples;
  for (int n = 0; n < kLoads; ++n) {
    const auto some = waits[n]->samples(all[n].network->fabric().plan(), parts.settings);
    samples.insert(samples.end(), some.begin(), some.end());
  }
  if (samples.empty())
    throw ConfigError("measurement.cycles",
                      "no transaction is left to calibrate on: two windows of tlm.utilisation_window pass "
                      "first; raise it, or "
                      "make the window shorter");
  const Json document = tlm::calibration_json(fit_waits(samples), tlm::calibrated_digest(point.resolved));
  std::ofstream file(options.calibrate);
  file << document.dump(1) << '\n';
  file.close();
  if (!file)
    throw ConfigError(
        "--calibrate",
        fmt::format("'{}' cannot be written; name a file in a folder that is there", options.calibrate));
  if (options.json)
    std::cout << document.dump(1) << '\n';
  else if (!options.quiet)
    std::cout << fmt::format("{} transactions at {} loads; links up to {:.2f} busy\ncalibration {}\n", drawn,
                             kLoads, document.at("busiest").get<double>(), options.calibrate);
}

}  // namespace noctule
