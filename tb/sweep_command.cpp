// sweep: what run does, of files that have a sweep.

#include "tb/options.h"
#include "tb/points_command.h"

namespace noctule {

int sweep_command(const Options& options) {
  const Configuration configuration = decoded(options);
  if (configuration.resolved.at("sweep").empty())
    throw ConfigError("sweep", "the file has no sweep; add one, or give --axis key=a,b,c");
  return simulate_series(options, configuration);
}

}  // namespace noctule
