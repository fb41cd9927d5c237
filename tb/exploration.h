#pragma once
// explore: every fabric of a sweep or comparison, proved or not, with what it costs and what it gives.

#include <map>
#include <string>
#include <vector>

#include "config/decode.h"
#include "run/point.h"
#include "verify/certificate.h"

namespace noctule {

/// Collects fabrics, then joins them with the points that were simulated on them.
class Exploration {
 public:
  /// Looks at point number `number`: verifies its fabric, unless an earlier point had the same. True: it is
  /// to be simulated, as the fabric is proved, or the point allows deadlocks.
  bool add(std::size_t number, const PointConfig& point);
  /// One entry per fabric: {"label", "set", "verdict", "reason", "cycle", "flit_buffers_per_router",
  /// "consumption_channels_per_terminal", "virtual_channels_per_router", "throughput": {...},
  /// "latency_cycles":
  /// {...}, "best": true where no other fabric is better in one respect and as good in the others,
  /// "points_missing": how many of its points have no result}. `points`: as in results.json, by the number
  /// given to `add`.
  [[nodiscard]] Json rows(const std::map<std::size_t, Json>& points) const;

 private:
  struct Fabric {
    std::string label;
    Json set = Json::object();  ///< keys in which it differs, those of traffic left out
    std::string verdict;
    std::string reason;
    std::string cycle;
    bool allowed = false;
    double buffers = 0;  ///< flits per router, mean
    double vcs = 0;      ///< per router, mean
    unsigned consumption_channels = 0;
    std::vector<std::size_t> points;
  };
  static void study(Fabric& fabric, const PointConfig& point);
  static bool simulated(const Fabric& fabric);

  std::map<std::string, std::size_t> known_;
  std::vector<Fabric> fabrics_;
};

/// The rows as a table, units in the header.
std::string exploration_table(const Json& rows);

}  // namespace noctule
