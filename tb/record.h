#pragma once
// Records of points as they travel from the child process and stand in the journal.

#include <string>

#include "core/parameters.h"
#include "run/point.h"

namespace noctule {

Json to_json(const PointRecord& record);
/// Inverse; throws nlohmann::json::exception for anything else.
PointRecord record_from_json(const Json& json);

/// Rows of a table under another point number and label than they were made with.
std::string renumbered(const std::string& rows, std::size_t number, const std::string& label);

}  // namespace noctule
