#pragma once
// explore: every fabric of a sweep or comparison, proved or not, with what it costs and what it gives.

#include <map>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "run/fabric_verdict.h"

namespace noctule {

/// Collects fabrics, then joins them with the points that were simulated on them.
class Exploration {
 public:
  /// `by_traffic`: points whose traffic differs in more than the load, or whose seed does, are rows of their
  /// own.
  explicit Exploration(bool by_traffic = false) : by_traffic_(by_traffic) {}
  /// Looks at point number `number`: verifies its fabric, unless an earlier point had the same. True: it is
  /// to be simulated, as the fabric is proved, or the point allows deadlocks.
  bool add(std::size_t number, const PointConfig& point, const Simulations& simulations);
  /// Numbers of the points, one for each row that is simulated, in the order of the rows.
  [[nodiscard]] std::vector<std::size_t> simulated() const;
  /// One entry per fabric: {"label", "set", "verdict", "reason", "cycle", "simulation",
  /// "flit_buffers_per_router", "consumption_channels_per_terminal", "virtual_channels_per_router",
  /// where routers differ "router_kinds": [{"routers", "set", "text", and the first two of these}],
  /// "accepted": {...}: the highest of all loads offered, "latency_cycles": {...}: at the lowest,
  /// "saturation":
  /// {...}, "best": true where no other fabric is better in one respect and as good in the others,
  /// "points_missing": how many of its points have no result}. `points`: as in results.json, by the number
  /// given to `add`. `saturation`: by the same number (SaturationSearches::result). What a fabric accepts
  /// counts for "best" only if several loads were offered; with saturation the saturation load does instead.
  [[nodiscard]] Json rows(const std::map<std::size_t, Json>& points,
                          const std::map<std::size_t, Json>& saturation = {}) const;

 private:
  struct Fabric {
    [[nodiscard]] bool simulated() const {
      return verdict == "proved" || (allowed && verdict != "impossible");
    }
    std::string label;
    Json set = Json::object();  ///< keys in which it differs, those of traffic left out
    std::string verdict;
    std::string reason;
    std::string cycle;
    Json simulation;  ///< the one that deadlocked; null: none did
    bool allowed = false;
    double buffers = 0;         ///< flits per router, mean
    double vcs = 0;             ///< per router, mean
    Json consumption_channels;  ///< per terminal; where routers differ, their mean
    Json kinds;                 ///< of router, as in `rows`; null: all are alike
    std::vector<std::size_t> points;
  };
  static void study(Fabric& fabric, const PointConfig& point, const Simulations& simulations);

  bool by_traffic_;
  std::map<std::string, std::size_t> known_;
  std::vector<Fabric> fabrics_;
};

/// The rows as a table, units in the header.
std::string exploration_table(const Json& rows);
/// The rows as comma-separated values, units in the header.
std::string exploration_csv(const Json& rows);

}  // namespace noctule
