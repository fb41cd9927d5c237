#pragma once
// What a command wants of its points beside having them simulated.

#include <cstddef>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "run/resume.h"
#include "stats/compare.h"
#include "tb/folder_record.h"

namespace noctule {

/// Points that have a result, in their order.
struct FinishedPoints {
  Json points = Json::array();       ///< as in results.json
  std::vector<std::size_t> numbers;  ///< by position: which of all points it is
  std::vector<ComparedRun> runs;     ///< by position
};

/// Called in the order of its functions.
class PointsStudy {
 public:
  virtual ~PointsStudy() = default;

  /// Before anything else is done with the point: is it to be simulated?
  virtual bool wants(std::size_t number, const PointConfig& point) = 0;
  /// The point is wanted, and its parts can be built. Throws ConfigError where its fabric must not run.
  virtual void pass(const PointConfig& point) = 0;
  /// All points have been looked at.
  virtual void begin(const std::vector<PointConfig>& points) = 0;
  /// Once the points are through: simulates what else is wanted. True: interrupted.
  virtual bool simulate_more(Journal& journal) = 0;
  /// Keys in the journal of what `simulate_more` had simulated, or took over.
  [[nodiscard]] virtual std::vector<std::string> more_keys() const { return {}; }
  /// Are there conclusions even if no point has a result?
  [[nodiscard]] virtual bool needs_no_results() const = 0;
  /// Adds to results.json what follows from the points, writes files of its own, and returns the same for
  /// people; empty: nothing follows.
  virtual std::string conclude(const FinishedPoints& finished, Json& document, FolderRecord& record) = 0;
  /// File in the result folder for what `conclude` returns.
  [[nodiscard]] virtual const char* text_file() const = 0;
  /// Files in the result folder that `conclude` and this may write.
  [[nodiscard]] virtual std::vector<std::string> files() const { return {text_file()}; }
  /// Is a line for each point printed?
  [[nodiscard]] virtual bool lists_points() const = 0;
};

}  // namespace noctule
