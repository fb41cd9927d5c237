#pragma once
// Why a load cannot be higher: each limit with a named cause, its figures, and what to change.

#include <string>

#include "config/decode.h"
#include "nodes/router_plan.h"
#include "run/point.h"
#include "verify/throughput_limits.h"

namespace noctule {

struct LoadCause {
  std::string name;    ///< "channel load", "credits", ...: those of the table in configs/explain.md
  std::string figure;  ///< what is full, and by how much, in words
  std::string change;  ///< keys that move it
};

[[nodiscard]] LoadCause cause_of(const ThroughputLimit& limit, const PointSpec& spec, const FabricPlan& plan);

}  // namespace noctule
