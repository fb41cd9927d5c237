#include "tb/points_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/error_output.h"
#include "core/json.h"
#include "stats/tables.h"
#include "tb/cosim_keys.h"
#include "tb/jobs.h"
#include "tb/load_limits.h"
#include "tb/point_warnings.h"
#include "tb/points.h"
#include "tb/result_folder.h"
#include "tb/stage_line.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// Points open the file only once they run.
void check_events_file(const Options& options) {
  if (options.events.empty()) return;
  const fs::path file(options.events);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  std::string why;
  if (!fs::is_directory(folder, ignored))
    why = fmt::format("there is no folder {}; make it", folder.string());
  else if (fs::is_directory(file, ignored))
    why = "this is a folder; give the name of a file in it";
  else if (::access(fs::exists(file, ignored) ? file.c_str() : folder.c_str(), W_OK) != 0)
    why = "this cannot be written; give another file";
  if (!why.empty()) throw ConfigError("--events " + options.events, why);
}

}  // namespace

PointsRun::PointsRun(const Options& options, std::vector<PointConfig> points, fs::path out)
    : options_(options), points_(std::move(points)), out_(std::move(out)) {
  check_events_file(options);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const std::string name =
        points_.size() == 1 ? fs::path(options.file).stem().string() : file_name_of(points_[i].label);
    stems_.push_back(free_name(taken, name, i));
  }
}

/// Files of the result folder that every run writes.
std::vector<std::string> PointsRun::result_names(const PointsStudy& study) {
  std::vector<std::string> names{"config.json", "files.json", "points.jsonl", "results.csv", "results.json"};
  for (const auto& table : point_tables()) names.emplace_back(table.file);
  for (auto& name : study.files()) names.push_back(std::move(name));
  return names;
}

/// Neither results nor waveforms and event logs in the folder replace what is read.
void PointsRun::check_results(const PointsStudy& study) const {
  check_results_not_read(out_, "run", all_names(study), points_);
}

/// Results, waveforms and event logs.
std::vector<std::string> PointsRun::all_names(const PointsStudy& study) const {
  auto names = result_names(study);
  for (const auto& stem : stems_)
    for (const char* end : {".vcd", ".gtkw", ".events.csv"}) names.push_back(stem + end);
  return names;
}

/// Event logs replace nothing that is read, and no result replaces them.
void PointsRun::check_events(const PointsStudy& study) const {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < points_.size(); ++i) files.push_back(trace_of(i).events);
  check_not_read("--events", files, points_);
  const auto results = all_names(study);
  std::error_code ignored;
  const fs::path out = fs::weakly_canonical(out_, ignored);
  for (const fs::path file : files)
    if (std::ranges::find(results, file.filename().string()) != results.end() &&
        fs::weakly_canonical(file.has_parent_path() ? file.parent_path() : ".", ignored) == out)
      throw ConfigError("--events " + file.string(),
                        "results are written to this file; give the name of another one");
}

void PointsRun::check(const std::string& program, PointsStudy& study) {
  check_results(study);
  if (!options_.events.empty()) check_events(study);
  wanted_.assign(points_.size(), true);
  for (const auto& point : points_) check_size(point);
  StageLine stage(options_.quiet);
  KnownLimits known_limits(kFewHeaderStates);
  LoadWarnings warnings;
  PointWarnings others;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!study.wants(i, points_[i])) {
      wanted_[i] = false;
      costs_.push_back(0);
      keys_.emplace_back();
      continue;
    }
    stage.say(fmt::format("checking point {} of {} ({})", i + 1, points_.size(), points_[i].label));
    const PointSpec spec = configured_point(points_[i], trace_of(i));
    (void)recorded_router(points_[i], *spec.topology, spec.rtl);
    costs_.push_back(check_limits(points_[i], spec).seconds);
    study.pass(points_[i]);
    if (!options_.quiet) {
      warnings.look_at(points_[i], spec, known_limits);
      others.look_at(points_[i], spec);
    }
    const bool known = !spec.trace.any() && spec.rtl.empty();
    keys_.push_back(known ? PointKeys(points_[i].resolved, program) : PointKeys());
    if (spec.trace.any()) traces_.push_back(spec.trace);
  }
  stage.clear();
  warnings.print();
  others.print();
  study.begin(points_);
}

bool PointsRun::simulate(Journal& journal) {
  records_.resize(points_.size());
  std::vector<Job> jobs;
  std::vector<std::size_t> point_of_job;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!wanted_[i]) continue;
    if (auto known = options_.fresh || !keeps(i) ? std::nullopt : keys_[i].find(journal)) {
      records_[i] = record_from_json(*known);
      ++taken_over_;
      continue;
    }
    jobs.push_back({point_name(points_[i].label, points_[i].set),
                    [this, i](const ReportProgress& progress) {
                      return simulated_record_or_fault(points_[i], trace_of(i), i, progress, options_.quiet);
                    },
                    costs_[i]});
    point_of_job.push_back(i);
  }
  return run_jobs(jobs, options_, [&](const Outcome& outcome, ProgressLine& progress) {
    const std::size_t i = point_of_job[outcome.job];
    if (outcome.kind == Outcome::kDone) {
      const Json record = Json::parse(outcome.record);
      if (auto fault = fault_of(record)) {
        progress.clear();
        return complain(i, std::move(*fault));
      }
      records_[i] = record_from_json(record);
      if (keeps(i)) journal.append(keys_[i].of(record), i, record);
    } else if (outcome.kind != Outcome::kInterrupted) {
      progress.clear();
      complain(i, outcome);
    }
  });
}

bool PointsRun::record_fault(FolderRecord& folder) {
  if (!fault_) return false;
  const std::size_t i = fault_->first;
  const RtlFaultSite& site = fault_->second;
  if (faults_ > 1)
    print_error("noctule: {} more point{} end{} with a fault of a router in hardware\n", faults_ - 1,
                faults_ == 2 ? "" : "s", faults_ == 2 ? "s" : "");
  if (!points_[i].resolved.at("cosim").at("waveform").get<bool>()) return false;
  const std::string file = (out_ / fmt::format("{}-{}-fault.vcd", stems_[i], site.name)).string();
  folder.add(file);
  folder.save();
  const Job again{point_name(points_[i].label, points_[i].set), [&](const ReportProgress& progress) {
                    return recorded_fault(points_[i], site, file, progress, options_.quiet);
                  }};
  return run_jobs({again}, options_, [&](const Outcome& outcome, ProgressLine& progress) {
    progress.clear();
    if (outcome.kind == Outcome::kDone)
      print_error("noctule: pins and insides of {} up to there: {}\n", site.name, file);
    else if (outcome.kind != Outcome::kInterrupted)
      complain(i, outcome);
  });
}

void PointsRun::tidy(Journal& journal, const std::vector<std::string>& more) const {
  const auto finished =
      std::ranges::count_if(records_, [](const auto& record) { return record.has_value(); });
  if (points_.size() > 1 && finished == wanted()) {
    std::vector<std::string> keys;
    for (const PointKeys& point : keys_) keys.insert(keys.end(), {point.whole(), point.ended()});
    keys.insert(keys.end(), more.begin(), more.end());
    journal.keep(keys);
  }
  journal.remove_if_empty();
}

std::ptrdiff_t PointsRun::wanted() const {
  return std::count(wanted_.begin(), wanted_.end(), true);
}

std::ptrdiff_t PointsRun::run_again() const {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) count += records_[i].has_value() && !keeps(i) ? 1 : 0;
  return count;
}

/// Is point i taken from the journal, and put there? A lone point always runs. So does one with a waveform
/// or an event log, which a journal does not keep, and one with RTL, which its key does not know.
bool PointsRun::keeps(std::size_t i) const {
  return points_.size() > 1 && !keys_[i].none();
}

/// Files that point i traces into.
TraceRequest PointsRun::trace_of(std::size_t i) const {
  TraceRequest request{(out_ / stems_[i]).string(), first_of_series(points_, i), ""};
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

/// In full of the first one alone: they are mostly of one cause.
void PointsRun::complain(std::size_t i, RtlFaultSite site) {
  if (faults_++ == 0) {
    print_error("noctule: {}: {}\n", point_name(points_[i].label, points_[i].set), site.text);
    fault_.emplace(i, std::move(site));
  }
  exit_code_ = std::max(exit_code_, kBadInput);
}

void PointsRun::complain(std::size_t i, const Outcome& outcome) {
  if (outcome.kind == Outcome::kConfigError) {
    print_error("noctule: {}: {}\n", point_name(points_[i].label, points_[i].set),
                ConfigError(outcome.diagnostics).what());
    exit_code_ = std::max(exit_code_, kBadInput);
  } else {
    print_error("noctule: {}\n", outcome.message);
    exit_code_ = std::max(exit_code_, kInternal);
  }
}

}  // namespace noctule
