#pragma once
// Records of points as they travel from the child process and stand in the journal.

#include <optional>
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

/// Where a router in hardware broke a rule, and what is said of it.
struct RtlFaultSite {
  RouterId router{};
  std::string name;  ///< of the router
  Cycle cycle = 0;
  Cycle since = 0;  ///< RtlFault::since
  std::string text;
};
/// As simulated_record, but an RtlFault becomes the record, for whoever wants to see more of it.
[[nodiscard]] std::string simulated_record_or_fault(const PointConfig& point, const TraceRequest& trace,
                                                    std::size_t number, const ReportProgress& progress,
                                                    bool quiet);
/// What such a record says; nothing of any other.
[[nodiscard]] std::optional<RtlFaultSite> fault_of(const Json& record);
/// Said of a fault or a divergence that does not come again when it is recorded.
inline constexpr const char* kOtherCourse =
    "the run that records it took another course, and there is no waveform; does an output of the module "
    "depend on an 'x, on $random, or on something outside?";
/// In a child process: simulates the point again, as far as the fault, and leaves a waveform of the router's
/// pins and insides around it. Returns an empty record. Throws a ConfigError, kOtherCourse, where there is no
/// fault.
[[nodiscard]] std::string recorded_fault(const PointConfig& point, const RtlFaultSite& site,
                                         const std::string& file, const ReportProgress& progress, bool quiet);

/// In a child process: check_waveform of the point. Returns an empty record. Throws ConfigErrors that name
/// places.
[[nodiscard]] std::string checked_waveform(const PointConfig& point);

Json to_json(const PointRecord& record);
/// Inverse; throws nlohmann::json::exception for anything else.
PointRecord record_from_json(const Json& json);

/// Rows of a table under another point number and label than they were made with.
std::string renumbered(const std::string& rows, std::size_t number, const std::string& label);

}  // namespace noctule
