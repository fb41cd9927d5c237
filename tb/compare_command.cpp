// compare: what run does, of files that compare series, or with an axis whose values are the series.

#include <algorithm>
#include <string>
#include <vector>

#include "config/schema.h"
#include "tb/options.h"
#include "tb/points_command.h"

namespace noctule {
namespace {

/// The same fabric and traffic at other loads, or once more: what series are compared at, and no series.
bool is_a_series(const std::string& key) {
  return key != "traffic.offered_load" && key != "seed";
}

/// The axis whose values are the series: the first one that is given here and makes any, else the first one
/// of the sweep of the file, else the first one that is given here.
std::string series_key(const std::vector<std::string>& axes, const Json& sweep) {
  std::vector<std::string> keys;
  keys.reserve(axes.size() + sweep.size());
  for (const std::string& axis : axes) keys.push_back(choosing_key(axis.substr(0, axis.find('='))));
  const std::string first = keys.front();
  for (const auto& [key, values] : sweep.items()) keys.push_back(key);
  const auto found = std::ranges::find_if(keys, is_a_series);
  return found == keys.end() ? first : *found;
}

}  // namespace

int compare_command(const Options& options) {
  const Configuration configuration = decoded(options);
  const Json& series = configuration.resolved.at("compare");
  if (series.size() == 1)
    throw ConfigError("compare", "it has one series, and nothing to compare it with; add another one");
  if (!series.empty()) return simulate_series(options, configuration);
  if (options.axes.empty())
    throw ConfigError("compare", "the file compares nothing; add series, or give --axis node.model=a,b");
  return simulate_series(options, configuration,
                         series_key(options.axes, configuration.resolved.at("sweep")));
}

}  // namespace noctule
