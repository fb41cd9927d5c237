#pragma once
// What the points of a command leave in the result folder.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "run/stop_signals.h"
#include "tb/folder_record.h"
#include "tb/options.h"
#include "tb/points_run.h"
#include "tb/points_study.h"

namespace noctule {

/// The configuration with every default filled in, as config.json.
void write_configuration(const Configuration& configuration, const std::filesystem::path& folder);

/// What has been written, for whoever reports it.
struct WrittenResults {
  Json document = {{"points", Json::array()}};  ///< results.json
  std::string comparison;
  std::vector<std::string> plots;     ///< files
  std::vector<std::string> expected;  ///< by point: `expect`
  [[nodiscard]] const Json& points() const { return document.at("points"); }
};

/// Joins what the points left, complete or not. Keeps references to what it is given.
class RunResults {
 public:
  /// `hardware`, by point: what it costs; empty: nobody asks. `series_key`: axis whose values are the series;
  /// empty: they are those of the file's comparison, or of the axis that gives the labels.
  RunResults(const Options& options, const Configuration& configuration, const PointsRun& run,
             std::vector<Json> hardware, std::string series_key);

  /// Is there anything to write? Else what an earlier run left stays as it is.
  [[nodiscard]] bool any() const { return !finished_.points.empty(); }
  /// Draws plots as well, unless a signal has asked the run to stop.
  WrittenResults write(PointsStudy& study, FolderRecord& record, const StopSignals& signals);

 private:
  void gather();
  [[nodiscard]] Json sweep_part(const PointConfig& point) const;
  [[nodiscard]] std::string situation_of(const PointConfig& point) const;

  const Options& options_;
  const Configuration& configuration_;
  const PointsRun& run_;
  std::vector<Json> hardware_;
  std::string series_key_;
  FinishedPoints finished_;
  std::vector<std::string> situations_;        ///< by position; empty without hardware
  std::map<std::string, std::string> tables_;  ///< text by file
};

}  // namespace noctule
