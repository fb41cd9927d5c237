#include "tb/run_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/traffic_caption.h"
#include "stats/tables.h"
#include "tb/cost_comparison.h"
#include "tb/plots.h"
#include "tb/record.h"
#include "tb/report.h"

namespace noctule {

namespace {

/// The axis whose values are the labels of all points, so that they are the series; empty: none is.
std::string labelling_key(const Configuration& configuration, const std::vector<PointConfig>& points) {
  for (const auto& [key, values] : configuration.resolved.at("sweep").items())
    if (std::ranges::all_of(points, [&, &key = key](const PointConfig& point) {
          const auto value = point.set.find(key);
          return value != point.set.end() && plain_text(*value) == point.label;
        }))
      return key;
  return "";
}

}  // namespace

void write_configuration(const Configuration& configuration, const std::filesystem::path& folder) {
  write_file_atomically((folder / "config.json").string(), configuration.resolved.dump(2) + "\n");
}

RunResults::RunResults(const Options& options, const Configuration& configuration, const PointsRun& run,
                       std::vector<Json> hardware, std::string series_key)
    : options_(options),
      configuration_(configuration),
      run_(run),
      hardware_(std::move(hardware)),
      series_key_(series_key.empty() ? labelling_key(configuration, run.points()) : std::move(series_key)) {
  gather();
}

void RunResults::gather() {
  const auto& all = run_.points();
  std::vector<bool> discarding;
  auto& points = finished_.points;
  for (const auto& table : point_tables()) tables_[table.file] = table.header;
  for (std::size_t i = 0; i < run_.records().size(); ++i) {
    if (!run_.records()[i]) continue;
    const PointRecord& record = *run_.records()[i];
    Json point = record.point;
    point["label"] = all[i].label;
    point["set"] = all[i].set;
    if (Json caption = traffic_caption(all[i].resolved); !caption.empty())
      point["caption"] = std::move(caption);
    for (auto& [file, text] : tables_)
      if (const auto it = record.tables.find(file); it != record.tables.end())
        text += renumbered(it->second, points.size(), all[i].label);
    discarding.push_back(all[i].resolved.at("traffic").at("source_queue") == "discard");
    finished_.runs.push_back({all[i].label, sweep_part(all[i]), record.terminals, Status::kStable,
                              record.batches,
                              all[i].resolved.at("traffic").at("source_queue") == "infinite"});
    if (const Json* const drained = value_at(point, {"time_to_drain_cycles"}))
      finished_.runs.back().time_to_drain = drained->get<Cycle>();
    if (!hardware_.empty()) {
      point["cost"] = hardware_[i];
      situations_.push_back(situation_of(all[i]));
    }
    finished_.numbers.push_back(i);
    points.push_back(std::move(point));
  }
  label_sweep_points(points, discarding, "traffic.offered_load");
  for (std::size_t n = 0; n < points.size(); ++n)
    finished_.runs[n].status = status_from_string(points[n].at("status").get<std::string>());
}

WrittenResults RunResults::write(PointsStudy& study, FolderRecord& record, const StopSignals& signals) {
  const auto& out = record.folder();
  const Json& points = finished_.points;
  Json document = results_document(options_.command, configuration_.resolved.at("seed").get<std::uint64_t>(),
                                   configuration_.resolved, points);
  std::string comparison = study.conclude(finished_, document, record);
  if (!hardware_.empty()) {
    document["cost_comparison"] = compare_costs(points, situations_);
    comparison += cost_comparison_table(document["cost_comparison"]);
  }
  write_configuration(configuration_, out);
  record.add(out / "config.json");
  record.write("results.json", document.dump(1) + "\n");
  record.write("results.csv", results_csv(points));
  for (const auto& table : point_tables())
    if (const std::string& text = tables_.at(table.file); table.always || text != table.header)
      record.write(table.file, text);
  if (!comparison.empty()) record.write(study.text_file(), comparison);
  add_earlier_helpers(record);
  const auto plots = signals.count() > 0 || points.empty()
                         ? std::vector<std::string>{}
                         : draw_plots(configuration_.resolved.at("plots"), out.string(), options_);
  for (const auto& file : plots) record.add(file);
  if (!plots.empty()) record.add(out / "plots" / "drawn.json");
  add_traces(record, run_.traces(), !options_.events.empty());
  record.settle(options_.quiet);
  std::vector<std::string> expected;
  for (const std::size_t number : finished_.numbers)
    expected.push_back(run_.points()[number].resolved.at("expect").get<std::string>());
  return {std::move(document), std::move(comparison), plots, std::move(expected)};
}

/// The sweep's part of a point's `set`: what series at the same point have in common.
Json RunResults::sweep_part(const PointConfig& point) const {
  Json part = Json::object();
  const Json& sweep = configuration_.resolved.at("sweep");
  for (const auto& [key, value] : point.set.items())
    if (sweep.contains(key) && key != series_key_) part[key] = value;
  return part;
}

/// All that points have in common with those of other series but for the load, in words.
std::string RunResults::situation_of(const PointConfig& point) const {
  std::string text;
  const Json part = sweep_part(point);
  for (const auto& [key, value] : part.items())
    if (key != "traffic.offered_load")
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, plain_text(value));
  return text;
}

}  // namespace noctule
