#include "tb/points_command.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "run/inputs.h"
#include "run/stop_signals.h"
#include "tb/cosim_keys.h"
#include "tb/cost_figures.h"
#include "tb/points.h"
#include "tb/points_run.h"
#include "tb/report.h"
#include "tb/result_folder.h"
#include "tb/run_report.h"
#include "tb/run_results.h"
#include "tb/series_study.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// The values of this axis are the series to compare: "four_classes", "node.lanes=4". Throws ConfigError
/// where there is one.
void label_by(const std::string& key, std::vector<PointConfig>& points) {
  // A key on which all points agree is not in what is set.
  if (std::ranges::none_of(points, [&](const PointConfig& point) { return point.set.contains(key); }))
    throw ConfigError("--axis " + key,
                      "has one value, so that there is nothing to compare; give it two or more, "
                      "with commas between them");
  for (auto& point : points) {
    if (!point.set.contains(key)) continue;
    const Json& value = point.set[key];
    point.label = plain_text(value);
    if (key != "node.model") point.label.insert(0, key + "=");
  }
}

/// The configuration of earlier results stays beside them until there are new ones.
void make_folder(const fs::path& out, const Configuration& configuration) {
  make_result_folder(out);
  std::error_code ignored;
  if (!fs::exists(out / "results.json", ignored)) write_configuration(configuration, out);
}

}  // namespace

Configuration decoded(const Options& options) {
  return decode_file(options.file, {options.sets, options.axes, options.seed});
}

int simulate_points(const Options& options, const Configuration& configuration, const StudyMaker& make_study,
                    const std::string& series_key) {
  auto points = points_of(configuration, options);
  check_keys_of_cosim_alone(configuration, points, options.quiet);
  if (!series_key.empty()) label_by(series_key, points);
  const fs::path out = result_folder(options);
  PointsRun run(options, std::move(points), out);
  std::vector<Json> hardware;
  if (needs_cost(configuration.resolved.at("plots"))) hardware = cost_of_points(run.points());
  const std::string program = program_digest(options.libraries);
  const auto study = make_study(program);
  run.check(program, *study);

  make_folder(out, configuration);
  Journal journal((out / "points.jsonl").string());
  FolderRecord record(out, "run");
  add_traces(record, run.traces(), !options.events.empty());
  record.save();
  // From the first point to the last file: a signal between them is one, too.
  const StopSignals signals;
  if (!run.simulate(journal) && !run.record_fault(record)) (void)study->simulate_more(journal);

  RunResults results(options, configuration, run, std::move(hardware), series_key);
  WrittenResults written;
  const bool any = results.any() || study->needs_no_results();
  if (any) written = results.write(*study, record, signals);
  const RunReport report(options, run, out, signals.count() > 0);
  if (any) report.print(written, study->lists_points());
  const int code = report.verdict(written);
  run.tidy(journal, study->more_keys());
  return code;
}

int simulate_series(const Options& options, const Configuration& configuration,
                    const std::string& series_key) {
  return simulate_points(
      options, configuration,
      [&](const std::string& program) { return std::make_unique<SeriesStudy>(options, program); },
      series_key);
}

}  // namespace noctule
