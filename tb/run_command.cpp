// run, sweep, compare: every point of a configuration in a process of its own, results on disk as they come.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <span>

#include "config/decode.h"
#include "core/error_output.h"
#include "core/json.h"
#include "run/configured_point.h"
#include "run/inputs.h"
#include "run/process_pool.h"
#include "run/resume.h"
#include "stats/compare.h"
#include "stats/tables.h"
#include "tb/cost_comparison.h"
#include "tb/cost_figures.h"
#include "tb/elaboration.h"
#include "tb/exploration.h"
#include "tb/folder_record.h"
#include "tb/jobs.h"
#include "tb/options.h"
#include "tb/plots.h"
#include "tb/points.h"
#include "tb/record.h"
#include "tb/report.h"
#include "tb/result_folder.h"
#include "tb/saturation.h"
#include "tb/simulations.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        configuration_(decode_file(options.file, decode_options(options))),
        exploration_(options.saturation) {
    const Json& resolved = configuration_.resolved;
    if (options.command == "sweep" && resolved.at("sweep").empty())
      throw ConfigError("sweep", "the file has no sweep; add one, or give --axis key=a,b,c");
    if (options.command == "compare" && resolved.at("compare").empty() && options.axes.empty())
      throw ConfigError("compare", "the file compares nothing; add series, or give --axis node.model=a,b");
    if (explores() && resolved.at("compare").empty() && resolved.at("sweep").empty())
      throw ConfigError("explore",
                        "there is nothing to explore; give series (compare:), or axes (sweep:, --axis)");
    points_ = points_of(configuration_, options);
    if (options.command == "compare" && resolved.at("compare").empty()) label_by(options.axes.front());
    out_ = result_folder(options);
    prepare();
  }

  int run() {
    make_folder();
    Journal journal((out_ / "points.jsonl").string());
    record_.emplace(out_, "run");
    add_traces(*record_, traces_);
    record_->save();
    records_.resize(points_.size());
    std::vector<Job> jobs;
    std::vector<std::size_t> point_of_job;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!wanted_[i]) continue;
      if (auto known = options_.fresh || !keeps(i) ? std::nullopt : journal.find(keys_[i])) {
        records_[i] = record_from_json(*known);
        ++taken_over_;
        continue;
      }
      jobs.push_back(
          {name_of(i), [this, i](const ReportProgress& progress) { return work(i, progress); }, costs_[i]});
      point_of_job.push_back(i);
    }
    simulate(jobs, point_of_job, journal);
    if (searches_ && !interrupted_) search_saturation(journal);
    const int code = finish();
    // A sweep that is finished keeps its points, for one that extends it.
    const auto finished =
        std::ranges::count_if(records_, [](const auto& record) { return record.has_value(); });
    if (points_.size() > 1 && finished == wanted_points()) journal.keep(keys_);
    journal.remove_if_empty();
    return code;
  }

 private:
  [[nodiscard]] std::ptrdiff_t wanted_points() const {
    return std::count(wanted_.begin(), wanted_.end(), true);
  }
  /// Is point i taken from the journal, and put there? A lone point always runs. So does one with a waveform
  /// or an event log, which a journal does not keep, and one with RTL, which its key does not know.
  [[nodiscard]] bool keeps(std::size_t i) const { return points_.size() > 1 && !keys_[i].empty(); }

  static DecodeOptions decode_options(const Options& options) {
    return {options.sets, options.axes, options.seed};
  }

  /// The values of this axis are the series to compare: "four_classes", "node.lanes=4".
  void label_by(const std::string& axis) {
    series_key_ = axis.substr(0, axis.find('='));
    for (auto& point : points_) {
      if (!point.set.contains(series_key_)) continue;
      const Json& value = point.set[series_key_];
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      point.label = series_key_ == "node.model" ? text : series_key_ + "=" + text;
    }
  }

  /// Builds every point's parts once, so that nothing starts if one of them is wrong or too big.
  void prepare() {
    check_events_file();
    if (needs_cost(configuration_.resolved.at("plots"))) hardware_ = cost_of_points(points_);
    const std::string program = program_digest(options_.libraries);
    DeadlockGate gate = deadlock_gate(options_, program);
    wanted_.assign(points_.size(), true);
    for (const auto& point : points_) check_size(point);
    StageLine stage(options_.quiet);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (explores() && !exploration_.add(i, points_[i], simulations(options_))) {
        wanted_[i] = false;
        costs_.push_back(0);
        keys_.emplace_back();
        continue;
      }
      stage.say(fmt::format("checking point {} of {} ({})", i + 1, points_.size(), points_[i].label));
      const PointSpec spec = configured_point(points_[i], trace_of(i));
      costs_.push_back(check_limits(points_[i], spec).seconds);
      if (!explores()) gate.pass(points_[i]);
      const bool known = !spec.trace.any() && spec.rtl.empty();
      keys_.push_back(known ? point_key(points_[i].resolved, program + input_digest(points_[i].resolved))
                            : "");
      if (spec.trace.any()) traces_.push_back(spec.trace);
    }
    if (!options_.saturation) return;
    std::vector<PointConfig> points;
    for (const std::size_t i : exploration_.simulated()) points.push_back(points_[i]);
    searches_.emplace(std::move(points), program, options_);
  }

  /// Points open the file only once they run.
  void check_events_file() const {
    if (options_.events.empty()) return;
    const fs::path file(options_.events);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code ignored;
    std::string why;
    if (!fs::is_directory(folder, ignored))
      why = fmt::format("there is no folder {}; make it", folder.string());
    else if (fs::is_directory(file, ignored))
      why = "this is a folder; give the name of a file in it";
    else if (::access(fs::exists(file, ignored) ? file.c_str() : folder.c_str(), W_OK) != 0)
      why = "this cannot be written; give another file";
    if (!why.empty()) throw ConfigError("--events " + options_.events, why);
  }

  /// Files that point i traces into.
  [[nodiscard]] TraceRequest trace_of(std::size_t i) const {
    const auto earlier = std::span(points_).first(i);
    const bool first =
        std::ranges::none_of(earlier, [&](const auto& p) { return p.label == points_[i].label; });
    const std::string slug =
        points_.size() == 1 ? fs::path(options_.file).stem().string() : file_name_of(points_[i].label);
    const bool taken =
        std::ranges::any_of(earlier, [&](const auto& p) { return file_name_of(p.label) == slug; });
    const std::string stem = taken ? fmt::format("{}-{}", slug, i) : slug;
    TraceRequest request{(out_ / stem).string(), first, ""};
    if (!options_.events.empty()) {
      const fs::path events(options_.events);
      request.events = points_.size() == 1
                           ? options_.events
                           : (events.parent_path() /
                              fmt::format("{}-{}{}", events.stem().string(), i, events.extension().string()))
                                 .string();
    }
    return request;
  }

  [[nodiscard]] std::string name_of(std::size_t i) const { return name_of(points_[i].label, points_[i].set); }
  static std::string name_of(std::string name, const Json& set) {
    for (const auto& [key, value] : set.items()) name += fmt::format(" {}={}", key, value.dump());
    return name;
  }

  /// The configuration of earlier results stays beside them until there are new ones.
  void make_folder() const {
    make_result_folder(out_);
    std::error_code ignored;
    if (!fs::exists(out_ / "results.json", ignored)) write_configuration();
  }

  void write_configuration() const {
    write_file_atomically((out_ / "config.json").string(), configuration_.resolved.dump(2) + "\n");
  }

  /// In the child process.
  [[nodiscard]] std::string work(std::size_t i, const ReportProgress& progress) const {
    std::string record;
    run_in_sc_main([&] {
      const PointSpec spec = configured_point(points_[i], trace_of(i));
      try {
        record = to_json(run_point(spec, i, progress, [] { return stop_requested(); })).dump();
      } catch (const ConfigError& error) {
        throw points_[i].annotate(error);
      }
    });
    return record;
  }

  void simulate(const std::vector<Job>& jobs, const std::vector<std::size_t>& point_of_job,
                Journal& journal) {
    interrupted_ = run_jobs(jobs, options_, [&](const Outcome& outcome, ProgressLine& progress) {
      const std::size_t i = point_of_job[outcome.job];
      if (outcome.kind == Outcome::kDone) {
        const Json record = Json::parse(outcome.record);
        records_[i] = record_from_json(record);
        if (keeps(i)) journal.append(keys_[i], i, record);
      } else if (outcome.kind != Outcome::kInterrupted) {
        progress.clear();
        complain(i, outcome);
      }
    });
  }

  void search_saturation(Journal& journal) {
    interrupted_ = searches_->run(journal);
    const auto numbers = exploration_.simulated();
    for (std::size_t n = 0; n < numbers.size(); ++n) saturation_[numbers[n]] = searches_->result(n);
  }

  void complain(std::size_t i, const Outcome& outcome) {
    if (outcome.kind == Outcome::kConfigError) {
      print_error("noctule: {}: {}\n", name_of(i), ConfigError(outcome.diagnostics).what());
      exit_code_ = std::max(exit_code_, kBadInput);
    } else {
      print_error("noctule: {}\n", outcome.message);
      exit_code_ = std::max(exit_code_, kInternal);
    }
  }

  /// Writes what there is, complete or not.
  int finish() {
    Json points = Json::array();
    std::map<std::size_t, Json> explored;
    std::vector<bool> discarding;
    std::vector<ComparedRun> runs;
    std::vector<std::string> situations;
    std::map<std::string, std::string> tables;
    for (const auto& table : point_tables()) tables[table.file] = table.header;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!records_[i]) continue;
      const PointRecord& record = *records_[i];
      Json point = record.point;
      point["label"] = points_[i].label;
      point["set"] = points_[i].set;
      for (auto& [file, text] : tables)
        if (const auto it = record.tables.find(file); it != record.tables.end())
          text += renumbered(it->second, points.size(), points_[i].label);
      discarding.push_back(points_[i].resolved.at("traffic").at("source_queue") == "discard");
      runs.push_back(
          {points_[i].label, sweep_part(points_[i]), record.terminals, Status::kStable, record.batches});
      if (!hardware_.empty()) {
        point["cost"] = hardware_[i];
        situations.push_back(situation_of(points_[i]));
      }
      explored[i] = {};
      points.push_back(std::move(point));
    }
    if (points.empty() && !explores()) return verdict(points);  // what an earlier run left stays as it is
    label_sweep_points(points, discarding, "traffic.offered_load");
    std::size_t position = 0;
    for (auto& [unused, point] : explored) {
      runs[position].status = status_from_string(points[position].at("status").get<std::string>());
      point = points[position++];
    }
    Json document =
        results_document(options_.command, configuration_.resolved.at("seed").get<std::uint64_t>(),
                         configuration_.resolved, points);
    std::string comparison;
    if (explores()) {
      document["exploration"] = exploration_.rows(explored, saturation_);
      comparison = exploration_table(document["exploration"]);
      record_->write("exploration.json", document["exploration"].dump(1) + "\n");
      record_->write("exploration.csv", exploration_csv(document["exploration"]));
    } else if (compares() && !runs.empty()) {
      const auto compared = compare_runs(runs);
      document["comparison"] = to_json(compared);
      comparison = to_table(compared);
    }
    if (!hardware_.empty()) {
      document["cost_comparison"] = compare_costs(points, situations);
      comparison += cost_comparison_table(document["cost_comparison"]);
    }
    write_configuration();
    record_->add(out_ / "config.json");
    record_->write("results.json", document.dump(1) + "\n");
    record_->write("results.csv", results_csv(points));
    for (const auto& [file, text] : tables) record_->write(file, text);
    if (!comparison.empty()) record_->write(explores() ? "exploration.txt" : "comparison.txt", comparison);
    add_earlier_helpers(*record_);
    const auto plots = interrupted_ || points.empty()
                           ? std::vector<std::string>{}
                           : draw_plots(configuration_.resolved.at("plots"), out_.string(), options_);
    for (const auto& file : plots) record_->add(file);
    if (!plots.empty()) record_->add(out_ / "plots" / "drawn.json");
    add_traces(*record_, traces_);
    record_->settle(options_.quiet);
    report(points, document, comparison, plots);
    return verdict(points);
  }

  [[nodiscard]] bool explores() const { return options_.command == "explore"; }
  [[nodiscard]] bool compares() const {
    return std::any_of(points_.begin(), points_.end(),
                       [&](const PointConfig& point) { return point.label != points_.front().label; });
  }

  /// The sweep's part of a point's `set`: what series at the same point have in common.
  [[nodiscard]] Json sweep_part(const PointConfig& point) const {
    Json part = Json::object();
    const Json& sweep = configuration_.resolved.at("sweep");
    for (const auto& [key, value] : point.set.items())
      if (sweep.contains(key) && key != series_key_) part[key] = value;
    return part;
  }

  /// All that points have in common with those of other series but for the load, in words.
  [[nodiscard]] std::string situation_of(const PointConfig& point) const {
    std::string text;
    const Json part = sweep_part(point);
    for (const auto& [key, value] : part.items())
      if (key != "traffic.offered_load")
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, plain_text(value));
    return text;
  }

  void report(const Json& points, const Json& document, const std::string& comparison,
              const std::vector<std::string>& plots) const {
    if (options_.json) {
      std::cout << document.dump(1) << '\n';
      return;
    }
    if (options_.quiet) return;
    if (!explores()) std::cout << points_table(points) << '\n';
    std::cout << status_summary(points);
    if (const auto missing = wanted_points() - std::ssize(points); missing > 0)
      std::cout << fmt::format(", {} {}", missing, interrupted_ ? "not finished" : "lost");
    if (taken_over_ > 0)
      std::cout << fmt::format("; {} taken over from an earlier run (--fresh runs all)", taken_over_);
    std::cout << "\nresults.json gives the rule of each status\n";
    if (!comparison.empty()) std::cout << '\n' << comparison;
    for (const auto& record : records_)
      if (record && !record->autopsy.empty()) std::cout << '\n' << record->autopsy;
    std::cout << "\nresults     " << (out_ / "results.json").string() << "  (and results.csv, links.csv, "
              << "latency_hist.csv, terminals.csv, config.json)\n";
    for (const auto& file : plots) std::cout << "plot        " << file << '\n';
    for (const auto& point : points)
      if (point.contains("files"))
        for (const auto& [kind, file] : point["files"].items())
          std::cout << fmt::format("{:<11} {}\n", kind == "vcd" ? "waveform" : kind, file.get<std::string>());
  }

  /// Exit code: interrupted, failed, or whether every point has the status that the file expects.
  [[nodiscard]] int verdict(const Json& points) const {
    if (interrupted_) {
      print_error("noctule: interrupted; {} of {} points are finished and in {}; the same command goes on\n",
                  points.size(), wanted_points(), out_.string());
      return kInterrupted;
    }
    if (exit_code_ != kDone) {
      say_what_is_lost(std::ssize(points));
      return exit_code_;
    }
    const auto expected = configuration_.resolved.at("expect").get<std::string>();
    int code = kDone;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto status = points[i].at("status").get<std::string>();
      const bool fine = expected == "any" ? status != "deadlocked" : status == expected;
      if (fine) continue;
      code = kDoesNotHold;
      print_error("noctule: {} is {}{}\n", name_of(points[i].at("label"), points[i].at("set")), status,
                  expected == "any" ? "" : fmt::format(", expected was {}", expected));
    }
    return code;
  }

  /// After the messages that name the points that failed.
  void say_what_is_lost(std::ptrdiff_t finished) const {
    if (finished > 0) {
      fmt::print(
          stderr,
          "noctule: {} of {} points lost; the other {} are in {}; the same command runs only what is lost\n",
          wanted_points() - finished, wanted_points(), finished, out_.string());
      return;
    }
    std::error_code ignored;
    print_error("noctule: no point has a result{}\n",
                fs::exists(out_ / "results.json", ignored)
                    ? fmt::format("; {} still holds the results of an earlier run", out_.string())
                    : "");
  }

  const Options& options_;
  Configuration configuration_;
  std::vector<PointConfig> points_;
  std::string series_key_;  ///< axis whose values are the series; empty: the file's comparison
  fs::path out_;
  Exploration exploration_;
  std::optional<SaturationSearches> searches_;
  std::map<std::size_t, Json> saturation_;  ///< by point that a row of the exploration begins with
  std::vector<Json> hardware_;              ///< by point; empty: no plot needs it
  std::vector<bool> wanted_;                ///< by point; explore simulates only what is proved
  std::vector<double> costs_;
  std::vector<std::string> keys_;     ///< in the journal; empty: always runs
  std::vector<TraceOptions> traces_;  ///< of the points that trace
  std::optional<FolderRecord> record_;
  std::vector<std::optional<PointRecord>> records_;
  std::size_t taken_over_ = 0;
  bool interrupted_ = false;
  int exit_code_ = kDone;
};

}  // namespace

int run_command(const Options& options) {
  return Run(options).run();
}

}  // namespace noctule
