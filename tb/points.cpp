#include "tb/points.h"

#include "config/effects.h"
#include "core/error_output.h"

namespace noctule {

std::vector<PointConfig> points_of(const Configuration& configuration, const Options& options) {
  auto points = expand(configuration);
  Faults wrong;
  for (const auto& useless : useless_keys(configuration, points, !options.events.empty())) {
    if (useless.own)
      wrong.push_back({useless.key, useless.message, useless.place});
    else if (!options.quiet)
      print_error("noctule: warning: {}: {}: {}\n", useless.place.text(), useless.key, useless.message);
  }
  if (!wrong.empty()) throw to_error(std::move(wrong));
  return points;
}

}  // namespace noctule
