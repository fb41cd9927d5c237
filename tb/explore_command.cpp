// explore: which fabrics are proved, and what those that are give; simulates these alone.

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "tb/exploration.h"
#include "tb/options.h"
#include "tb/points_command.h"
#include "tb/saturation.h"
#include "tb/simulations.h"

namespace noctule {
namespace {

class FabricsStudy : public PointsStudy {
 public:
  FabricsStudy(const Options& options, std::string program)
      : options_(options), program_(std::move(program)), exploration_(options.saturation) {}

  bool wants(std::size_t number, const PointConfig& point) override {
    return exploration_.add(number, point, simulations(options_));
  }
  void pass(const PointConfig& /*point*/) override {}  // what is wanted is proved, or allowed
  void begin(const std::vector<PointConfig>& points) override {
    if (!options_.saturation) return;
    std::vector<PointConfig> searched;
    for (const std::size_t i : exploration_.simulated()) searched.push_back(points[i]);
    searches_.emplace(std::move(searched), program_, options_);
  }
  bool simulate_more(Journal& journal) override {
    if (!searches_) return false;
    const bool interrupted = searches_->run(journal);
    const auto numbers = exploration_.simulated();
    for (std::size_t n = 0; n < numbers.size(); ++n) saturation_[numbers[n]] = searches_->result(n);
    return interrupted;
  }
  [[nodiscard]] std::vector<std::string> more_keys() const override {
    return searches_ ? searches_->keys() : std::vector<std::string>();
  }
  [[nodiscard]] bool needs_no_results() const override { return true; }
  std::string conclude(const FinishedPoints& finished, Json& document, FolderRecord& record) override {
    std::map<std::size_t, Json> points;
    for (std::size_t n = 0; n < finished.numbers.size(); ++n)
      points[finished.numbers[n]] = finished.points[n];
    const Json& rows = document["exploration"] = exploration_.rows(points, saturation_);
    record.write("exploration.json", rows.dump(1) + "\n");
    record.write("exploration.csv", exploration_csv(rows));
    return exploration_table(rows);
  }
  [[nodiscard]] const char* text_file() const override { return "exploration.txt"; }
  [[nodiscard]] std::vector<std::string> files() const override {
    return {text_file(), "exploration.json", "exploration.csv"};
  }
  [[nodiscard]] bool lists_points() const override { return false; }

 private:
  const Options& options_;
  std::string program_;
  Exploration exploration_;
  std::optional<SaturationSearches> searches_;
  std::map<std::size_t, Json> saturation_;  ///< by point that a row of the exploration begins with
};

}  // namespace

int explore_command(const Options& options) {
  const Configuration configuration = decoded(options);
  const bool alone =
      configuration.resolved.at("compare").empty() && configuration.resolved.at("sweep").empty();
  if (alone && !options.saturation)
    throw ConfigError("explore",
                      "there is nothing to explore; give series (compare:), or axes (sweep:, --axis), or "
                      "--saturation to search for the saturation of this one");
  return simulate_points(options, configuration, [&](const std::string& program) {
    return std::make_unique<FabricsStudy>(options, program);
  });
}

}  // namespace noctule
