#pragma once
// What `cosim` writes down of a point, and what it says of coverage.

#include <string>

#include "config/model.h"
#include "core/json.h"
#include "cosim/bench.h"

namespace noctule {

const char* to_string(CosimMode mode);

/// "of pins 296 of 300 bits toggled, never: y_minus_vc_o[5:4]". `part`: of a record's toggles, "pins" or
/// "inside".
std::string toggle_text(const char* of, const Json& part);

Json to_json(const CosimRecord& record);

}  // namespace noctule
