#pragma once
// run, sweep, compare: all points are simulated, their series are compared.

#include <string>

#include "run/deadlock_gate.h"
#include "tb/options.h"
#include "tb/points_study.h"

namespace noctule {

class SeriesStudy : public PointsStudy {
 public:
  /// `program`: what results depend on besides the configuration (point_key).
  SeriesStudy(const Options& options, const std::string& program);

  bool wants(std::size_t number, const PointConfig& point) override;
  void pass(const PointConfig& point) override;
  void begin(const std::vector<PointConfig>& points) override;
  bool simulate_more(Journal& journal) override;
  [[nodiscard]] bool needs_no_results() const override { return false; }
  std::string conclude(const FinishedPoints& finished, Json& document, FolderRecord& record) override;
  [[nodiscard]] const char* text_file() const override { return "comparison.txt"; }
  [[nodiscard]] bool lists_points() const override { return true; }

 private:
  DeadlockGate gate_;
  bool several_series_ = false;
};

}  // namespace noctule
