#pragma once
// Records of points as they travel from the child process and stand in the journal.

#include <string>

#include "core/parameters.h"
#include "run/configured_point.h"
#include "run/point.h"
#include "run/process_pool.h"

namespace noctule {

/// In a child process (tb/elaboration.h): simulates a point, and returns its record as text. `quiet`: does
/// not say that RTL is compiled. Throws ConfigErrors that name places.
[[nodiscard]] std::string simulated_record(const PointConfig& point, const TraceRequest& trace,
                                           std::size_t number, const ReportProgress& progress, bool quiet);

Json to_json(const PointRecord& record);
/// Inverse; throws nlohmann::json::exception for anything else.
PointRecord record_from_json(const Json& json);

/// Rows of a table under another point number and label than they were made with.
std::string renumbered(const std::string& rows, std::size_t number, const std::string& label);

}  // namespace noctule
