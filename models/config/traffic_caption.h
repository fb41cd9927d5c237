#pragma once
// What a figure says of the traffic of a point.

#include "core/json.h"

namespace noctule {

/// Of a complete configuration of one point, in words: "pattern" (who sends to whom: "uniform traffic"),
/// "packets" (how long they are: "5-flit packets") and "source" (when they are sent, or which file says all
/// of it: "flows of soc-flows.txt"). What does not count, or needs no word, is absent.
[[nodiscard]] Json traffic_caption(const Json& resolved);

}  // namespace noctule
