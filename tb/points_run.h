#pragma once
// The points of a command: checked before any of them starts, then simulated, each in a process of its own.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/decode.h"
#include "run/configured_point.h"
#include "run/point.h"
#include "run/process_pool.h"
#include "run/resume.h"
#include "tb/folder_record.h"
#include "tb/options.h"
#include "tb/point_keys.h"
#include "tb/points_study.h"
#include "tb/record.h"

namespace noctule {

/// Keeps a reference to the options.
class PointsRun {
 public:
  /// `out`: the result folder. Throws ConfigError where the file of --events cannot be written.
  PointsRun(const Options& options, std::vector<PointConfig> points, std::filesystem::path out);

  /// Builds every point's parts once, so that nothing starts if one of them is wrong or too big. `program`:
  /// what results depend on besides the configuration (point_key).
  void check(const std::string& program, PointsStudy& study);
  /// Simulates the points that the study wants, but for those that the journal has. True: interrupted. Points
  /// that fail are complained about.
  bool simulate(Journal& journal);
  /// Where a router in hardware broke a rule: simulates the first such point again, up to there, and leaves a
  /// waveform of the router in the result folder, unless cosim.waveform is false. True: interrupted.
  bool record_fault(FolderRecord& folder);
  /// A sweep that is finished keeps its points, for one that extends it.
  void tidy(Journal& journal, const std::vector<std::string>& more) const;

  [[nodiscard]] const std::vector<PointConfig>& points() const { return points_; }
  [[nodiscard]] const std::vector<std::optional<PointRecord>>& records() const { return records_; }
  /// Of the points that trace.
  [[nodiscard]] const std::vector<TraceOptions>& traces() const { return traces_; }
  /// How many are to be simulated.
  [[nodiscard]] std::ptrdiff_t wanted() const;
  /// Finished points that the same command would run again: what they leave besides figures is not kept.
  [[nodiscard]] std::ptrdiff_t run_again() const;
  [[nodiscard]] std::size_t taken_over() const { return taken_over_; }
  /// kDone, or that of the worst failure.
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  [[nodiscard]] static std::vector<std::string> result_names(const PointsStudy& study);
  [[nodiscard]] std::vector<std::string> all_names(const PointsStudy& study) const;
  void check_results(const PointsStudy& study) const;
  void check_events(const PointsStudy& study) const;
  [[nodiscard]] bool keeps(std::size_t i) const;
  [[nodiscard]] TraceRequest trace_of(std::size_t i) const;
  void complain(std::size_t i, const Outcome& outcome);
  void complain(std::size_t i, RtlFaultSite site);

  const Options& options_;
  std::vector<PointConfig> points_;
  std::filesystem::path out_;
  std::vector<std::string> stems_;  ///< by point: how the names of its files begin
  std::vector<bool> wanted_;        ///< by point
  std::vector<double> costs_;
  std::vector<PointKeys> keys_;       ///< in the journal; none: always runs
  std::vector<TraceOptions> traces_;  ///< of the points that trace
  std::vector<std::optional<PointRecord>> records_;
  std::optional<std::pair<std::size_t, RtlFaultSite>> fault_;  ///< the first one, and its point
  std::size_t faults_ = 0;                                     ///< points that end with one
  std::size_t taken_over_ = 0;
  int exit_code_ = kDone;
};

}  // namespace noctule
