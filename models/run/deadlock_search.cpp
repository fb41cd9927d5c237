// The search for a deadlock by simulation.

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "config/model.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "run/deadlock_workloads.h"
#include "run/fabric_verdict.h"
#include "run/stop_signals.h"
#include "stats/tables.h"
#include "verify/report/report.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// A folder for the time of a search.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "noctule-deadlock-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw ConfigError("TMPDIR",
                        fmt::format("no folder can be made for temporary files ({}: {}); set TMPDIR to "
                                    "one that can be written",
                                    name, std::strerror(errno)));
    path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A small configuration: the fabric of `point`, other traffic. Sections are written in YAML's flow style.
std::string configuration_text(const PointConfig& point, const DeadlockWorkload& workload,
                               const std::string& cycle, const std::string& trace) {
  std::string text = fmt::format("# A deadlock: {}.\n", workload.how);
  if (!cycle.empty())
    text += fmt::format("# A cycle of channels that worms hold and ask for:\n#   {}\n", cycle);
  const auto section = [&](const std::string& key, const Json& value) {
    text += fmt::format("{}: {}\n", key, value.dump());
  };
  section("name", "deadlock-" + point.label);
  section("seed", point.seed + workload.seed);
  const Json fabric = fabric_part(point.resolved);
  for (const auto& [key, value] : fabric.items())
    if (key != "nodes" && key != "limits" && key != "planes") section(key, value);
  Json nodes = Json::array();  // what they are like; a search takes the model of each
  for (const Json& entry : point.resolved.at("nodes"))
    if (entry.contains("set")) nodes.push_back({{"routers", entry.at("routers")}, {"set", entry.at("set")}});
  section("nodes", nodes);
  section("traffic", workload.trace.empty() ? workload.traffic
                                            : Json{{"source", {{"kind", "trace_file"}, {"file", trace}}}});
  section("measurement", {{"warm_up", 0},
                          {"cycles", workload.cycles},
                          {"limit", workload.cycles},
                          {"batches", 4},
                          {"deadlock_interval", workload.interval}});
  section("allow_deadlock", true);
  // Sections of a resolved configuration have every key; planes lay theirs over what nobody gave.
  const bool planes = fabric.contains("planes");
  if (planes) section("planes", point.resolved.at("planes"));
  section("implied", planes ? point.resolved.at("implied") : Json::array());
  section("expect", "deadlocked");
  return text;
}

/// In a child process: simulates the only point of a configuration; its record.
std::string simulate(const std::string& file, const Simulations& simulations) {
  std::string record;
  simulations.elaborate([&] {
    const auto points = expand(decode_file(file));
    const PointSpec spec = configured_point(points.front(), {});
    record = run_point(spec, 0, {}, [] { return stop_requested(); }).point.dump();
  });
  return record;
}

class Search {
 public:
  Search(const Certificate& certificate, const PointConfig& point, std::uint64_t router_cycles,
         const Simulations& simulations, const std::string& stem)
      : point_(point),
        simulations_(simulations),
        stem_(stem),
        name_(stem.empty() ? "deadlock" : fs::path(stem).filename().string()),
        cycle_(cycle_text(certificate)),
        workloads_(certificate),
        routers_(certificate.plan->topology->routers()),
        cycles_left_(router_cycles / routers_) {}

  DeadlockSearch run() {
    for (auto round = workloads_.next(); !round.empty() && !result_.found; round = workloads_.next()) {
      allot(round);
      if (round.empty()) break;
      simulate_round(round);
    }
    return std::move(result_);
  }

 private:
  void allot(std::vector<DeadlockWorkload>& round) {
    Cycle left = cycles_left_;
    for (auto& workload : round) {
      result_.cut = result_.cut || workload.cycles > left;
      workload.cycles = std::min(workload.cycles, left);
      left -= workload.cycles;
    }
    std::erase_if(round, [](const DeadlockWorkload& workload) { return workload.cycles == 0; });
  }

  /// The first of the round that deadlocks is what was found, whichever ended first.
  void simulate_round(const std::vector<DeadlockWorkload>& round) {
    std::vector<Job> jobs;
    std::vector<std::string> records(round.size());
    for (std::size_t n = 0; n < round.size(); ++n) {
      const std::string file = write(round[n], folder_.path() / std::to_string(n) / name_);
      jobs.push_back({"the search for a deadlock",
                      [this, file](const ReportProgress&) { return noctule::simulate(file, simulations_); },
                      static_cast<double>(round[n].cycles)});
    }
    const bool interrupted = simulations_.run(jobs, [&](const Outcome& outcome) {
      if (outcome.kind == Outcome::kInternalError || outcome.kind == Outcome::kCrashed)
        throw InternalError(outcome.message);
      // Patterns and messages that do not suit the fabric are left out.
      if (outcome.kind == Outcome::kDone) records[outcome.job] = outcome.record;
    });
    if (interrupted) throw Interrupted();
    for (std::size_t n = 0; n < round.size() && !result_.found; ++n)
      if (!records[n].empty()) look_at(round[n], Json::parse(records[n]));
  }

  void look_at(const DeadlockWorkload& workload, const Json& point) {
    if (!point.contains("deadlock")) {
      const Cycle cycles = point.at("cycles").at("measured").get<Cycle>();
      ++result_.runs;
      result_.router_cycles += cycles * routers_;
      cycles_left_ -= std::min(cycles, cycles_left_);
      return;
    }
    const Json& deadlock = point.at("deadlock");
    result_.found = SimulatedDeadlock{workload.how, deadlock.at("cycle").get<Cycle>(), deadlock, ""};
    result_.worms = workload.worms;
    if (!stem_.empty()) result_.found->file = write(workload, stem_);
  }

  /// Writes STEM.yaml, and STEM.trace where there is one.
  [[nodiscard]] std::string write(const DeadlockWorkload& workload, const fs::path& stem) const {
    const std::string trace = stem.string() + ".trace";
    std::string file = stem.string() + ".yaml";
    std::error_code ignored;
    fs::create_directories(stem.parent_path(), ignored);
    if (workload.trace.empty())
      fs::remove(trace, ignored);
    else
      write_file_atomically(trace, workload.trace);
    write_file_atomically(file,
                          configuration_text(point_, workload, cycle_, fs::path(trace).filename().string()));
    return file;
  }

  const PointConfig& point_;
  const Simulations& simulations_;
  const std::string& stem_;
  std::string name_;
  std::string cycle_;
  DeadlockWorkloads workloads_;
  std::uint64_t routers_;
  Cycle cycles_left_;
  WorkFolder folder_;
  DeadlockSearch result_;
};

}  // namespace

DeadlockSearch search_deadlock(const Certificate& certificate, const PointConfig& point,
                               std::uint64_t router_cycles, const Simulations& simulations,
                               const std::string& stem) {
  return Search(certificate, point, router_cycles, simulations, stem).run();
}

}  // namespace noctule
