#pragma once
// Bounds on latency under stated rates, for people and for programs.

#include <string>

#include "analytic/latency_bound.h"
#include "core/json.h"
#include "run/point.h"
#include "verify/certificate.h"

namespace noctule {

/// Of the flows of a point whose source states what it sends at most (TrafficSource::regulated).
struct PointLatencyBounds {
  std::vector<RegulatedFlow> flows;  ///< empty: nothing is stated
  LatencyBounds bounds;
};
[[nodiscard]] PointLatencyBounds latency_bounds(const PointSpec& spec, const Certificate& certificate);

/// Lines that begin with two blanks; empty without flows.
[[nodiscard]] std::string latency_text(const PointLatencyBounds& latency);
/// "latency_bounds" of verify --json; null without flows.
[[nodiscard]] Json latency_json(const PointLatencyBounds& latency, const MessageClasses& classes);

}  // namespace noctule
