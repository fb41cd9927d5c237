#pragma once
// explore --saturation: where every fabric saturates, and the most that it accepts up to there.

#include <deque>
#include <string>
#include <vector>

#include "config/decode.h"
#include "core/json.h"
#include "run/resume.h"
#include "stats/saturation_search.h"
#include "tb/options.h"

namespace noctule {

/// One search for each point that is given; its own load does not count. All searches go on together, one
/// load of each at a time, every load in a child process.
class SaturationSearches {
 public:
  /// `program`: what results depend on besides the configuration (point_key). Throws ConfigError for traffic
  /// without a load: a trace file, a static workload.
  SaturationSearches(std::vector<PointConfig> points, const std::string& program, const Options& options);

  /// Points that `journal` knows are taken over. True: interrupted.
  bool run(Journal& journal);
  /// In the journal, of all loads that were measured or taken over.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  /// Of point i: {"load_flits_per_node_cycle", "not_served_at_flits_per_node_cycle",
  /// "undecided_up_to_flits_per_node_cycle", "accepted", "maximum_accepted",
  /// "searched_up_to_flits_per_node_cycle", "searched_up_to_is", "rule", "points"}. All loads in flits per
  /// injecting terminal and cycle. What was not found is absent. "unfinished" is true where an interrupt
  /// ended the search, which is not decided between its load and the one that was not served.
  [[nodiscard]] Json result(std::size_t i) const;

 private:
  struct Search {
    PointConfig point;
    std::string highest_is;  ///< what the load is at which the search begins
    double highest = 0;
    double cost = 0;  ///< expected seconds of a point
    SaturationSearch loads{1};
    unsigned longer = 0;          ///< times that this load was measured and not decided
    Json points = Json::array();  ///< as in results.json
  };
  static Search search_of(PointConfig point);
  static void limit_to_offered(Search& search);
  static PointConfig at(const Search& search, double load);
  void note(Search& search, const Json& point) const;

  std::string program_;
  const Options& options_;
  std::deque<Search> searches_;
  std::vector<std::string> keys_;
};

/// A result of a search whose "maximum_accepted" counts these points, too.
[[nodiscard]] Json with_loads_of_the_file(Json result, const std::vector<Json>& points);

}  // namespace noctule
