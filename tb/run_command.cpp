// run: all that a file says.

#include "tb/options.h"
#include "tb/points_command.h"

namespace noctule {

int run_command(const Options& options) {
  return simulate_series(options, decoded(options));
}

}  // namespace noctule
