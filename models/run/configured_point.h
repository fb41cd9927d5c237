#pragma once
// From a point of a configuration to the parts that run.

#include <string>

#include "config/decode.h"
#include "run/point.h"

namespace noctule {

/// Where a point may trace to.
struct TraceRequest {
  std::string stem;             ///< path without extension for the files that the configuration asks for
  bool first_of_series = true;  ///< by default only the first point of each series is traced
  std::string events;           ///< event log asked for on the command line; empty: none
  bool wanted = true;           ///< what the configuration asks for is traced
};
/// Of a simulation whose result is used, but not kept.
inline const TraceRequest kNoTrace{"", false, "", false};

/// A ConfigError (key "limits...") if the point is sure to cost more than it may: from the numbers alone,
/// before anything is built.
void check_size(const PointConfig& point);

/// Builds everything that the point is made of. Throws ConfigErrors that name places.
PointSpec configured_point(const PointConfig& point, const TraceRequest& trace);

/// The estimate of what the point costs; a ConfigError (key "limits...") if that is more than it may.
PointEstimate check_limits(const PointConfig& point, const PointSpec& spec);

}  // namespace noctule
