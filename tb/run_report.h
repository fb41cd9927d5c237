#pragma once
// What a command says of its points when they are through, and its exit code.

#include <filesystem>

#include "config/decode.h"
#include "core/json.h"
#include "tb/options.h"
#include "tb/points_run.h"
#include "tb/run_results.h"

namespace noctule {

/// Keeps references to what it is given.
class RunReport {
 public:
  /// `out`: the result folder.
  RunReport(const Options& options, const PointsRun& run, std::filesystem::path out, bool interrupted);

  /// On standard output, as the options say. `lists_points`: a line for each.
  void print(const WrittenResults& written, bool lists_points) const;
  /// Exit code: interrupted, failed, or whether every point of results.json has the status that is expected
  /// of it (`expect`). Says on standard error what is wrong.
  [[nodiscard]] int verdict(const WrittenResults& written) const;

 private:
  void say_what_was_not_traced() const;
  void say_what_is_lost(std::ptrdiff_t finished) const;

  const Options& options_;
  const PointsRun& run_;
  std::filesystem::path out_;
  bool interrupted_;
};

}  // namespace noctule
