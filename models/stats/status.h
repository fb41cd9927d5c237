#pragma once
// The verdict on a measured point, and the part of it that only a whole sweep can give.

#include <cstddef>
#include <string>
#include <vector>

namespace noctule {

// With unlimited source queues a window gets its status by the rule of verdict.h, which has these limits.
// Loads and queues are per terminal that injects.

/// Packets in the source queue of an injecting terminal: saturated above it.
inline constexpr double kSaturatedQueue = 30;
/// Part of the offered load: saturated when less is accepted.
inline constexpr double kSaturatedAccepted = 0.97;

enum class Status { kStable, kSaturated, kDeadlocked, kNotConverged };

/// "stable", "saturated", "deadlocked", "not_converged".
[[nodiscard]] const char* to_string(Status status) noexcept;
/// Inverse of to_string; throws ConfigError for other words.
[[nodiscard]] Status status_from_string(const std::string& word);

/// A point of a sweep over the offered load, as far as its label is concerned.
struct SweepPoint {
  std::string series;  ///< points of one curve share it: label and all keys but the offered load
  double offered = 0;
  double accepted = 0;
  bool discarding = false;  ///< the source drops what it cannot inject
  Status status = Status::kStable;
  std::string rule;  ///< the sentence that goes with `status`
};

/// With discarding sources, points past the maximum of their series' accepted throughput (a larger offered
/// load, and less accepted) become `saturated`, and `rule` says so. Deadlocked points neither count nor
/// change. Returns the indices of what was relabelled.
std::vector<std::size_t> label_sweep(std::vector<SweepPoint>& points);

}  // namespace noctule
