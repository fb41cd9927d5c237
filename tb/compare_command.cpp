// compare: what run does, of files that compare series, or with an axis whose values are the series.

#include "tb/options.h"
#include "tb/points_command.h"

namespace noctule {

int compare_command(const Options& options) {
  const Configuration configuration = decoded(options);
  if (!configuration.resolved.at("compare").empty()) return simulate_series(options, configuration);
  if (options.axes.empty())
    throw ConfigError("compare", "the file compares nothing; add series, or give --axis node.model=a,b");
  const std::string& axis = options.axes.front();
  return simulate_series(options, configuration, axis.substr(0, axis.find('=')));
}

}  // namespace noctule
