#include "stats/status.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::array<std::pair<Status, const char*>, 4> kNames{{{Status::kStable, "stable"},
                                                                {Status::kSaturated, "saturated"},
                                                                {Status::kDeadlocked, "deadlocked"},
                                                                {Status::kNotConverged, "not_converged"}}};

}  // namespace

const char* to_string(Status status) noexcept {
  for (const auto& [value, name] : kNames)
    if (value == status) return name;
  return "unknown";
}

Status status_from_string(const std::string& word) {
  for (const auto& [value, name] : kNames)
    if (word == name) return value;
  throw ConfigError("status", "'" + word +
                                  "' is not a status; allowed are stable, saturated, deadlocked and "
                                  "not_converged");
}

std::vector<std::size_t> label_sweep(std::vector<SweepPoint>& points) {
  std::map<std::string, std::size_t> peaks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    if (!p.discarding || p.status == Status::kDeadlocked) continue;
    const auto [it, first] = peaks.emplace(p.series, i);
    const auto& peak = points[it->second];
    if (!first && (p.accepted > peak.accepted || (p.accepted == peak.accepted && p.offered < peak.offered)))
      it->second = i;
  }
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& p = points[i];
    if (!p.discarding || p.status == Status::kDeadlocked || p.status == Status::kSaturated) continue;
    const auto& peak = points[peaks.at(p.series)];
    if (p.offered <= peak.offered || p.accepted >= peak.accepted) continue;
    p.status = Status::kSaturated;
    p.rule = fmt::format(
        "saturated: past the maximum of accepted throughput of this series ({:.6g} at offered {:.6g}; here "
        "{:.6g} at offered {:.6g}); sources discard.",
        peak.accepted, peak.offered, p.accepted, p.offered);
    changed.push_back(i);
  }
  return changed;
}

}  // namespace noctule
