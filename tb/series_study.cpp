#include "tb/series_study.h"

#include <algorithm>

#include "tb/simulations.h"

namespace noctule {

SeriesStudy::SeriesStudy(const Options& options, const std::string& program)
    : gate_(deadlock_gate(options, program)) {}

bool SeriesStudy::wants(std::size_t /*number*/, const PointConfig& /*point*/) {
  return true;
}

void SeriesStudy::pass(const PointConfig& point) {
  gate_.pass(point);
}

void SeriesStudy::begin(const std::vector<PointConfig>& points) {
  several_series_ = std::ranges::any_of(
      points, [&](const PointConfig& point) { return point.label != points.front().label; });
}

bool SeriesStudy::simulate_more(Journal& /*journal*/) {
  return false;
}

std::string SeriesStudy::conclude(const FinishedPoints& finished, Json& document, FolderRecord& /*record*/) {
  if (!several_series_ || finished.runs.empty()) return "";
  const auto compared = compare_runs(finished.runs);
  document["comparison"] = to_json(compared);
  return compared.empty() ? "" : to_table(compared);
}

}  // namespace noctule
