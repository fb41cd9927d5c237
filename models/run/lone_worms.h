#pragma once
// Worms that meet no other, simulated one after the other in the fabric of a point: what a formula for zero
// load is held against.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/point.h"

namespace noctule {

struct LoneWorm {
  TerminalId source{};
  TerminalId destination{};
  std::uint32_t length = 1;  ///< flits
  std::uint8_t message_class = 0;
  friend bool operator==(const LoneWorm&, const LoneWorm&) = default;
};

/// What became of it.
struct LoneWormRun {
  Cycle cycles = 0;        ///< from its birth to the consumption of its tail
  std::uint32_t hops = 0;  ///< links that it took
  /// These, in their order; empty where all routers and all links are alike, ways are shortest ones, and the
  /// number says it all.
  std::vector<LinkId> path;
};

/// Runs as many as arrive: each is born once the one before is consumed and all credits are back. One that is
/// under way for `most_cycles` is the last, and has no entry. Terminals take every flit, nothing is
/// discarded, and prescribed routes are not taken. Elaborates SystemC, so a process can do this once.
/// `progress` and `interrupted` as in run_point; interrupted, it returns what there is. Throws ConfigError,
/// InternalError.
[[nodiscard]] std::vector<LoneWormRun> run_lone_worms(const PointSpec& spec, std::span<const LoneWorm> worms,
                                                      Cycle most_cycles,
                                                      const std::function<void(double)>& progress = {},
                                                      const std::function<bool()>& interrupted = {});

}  // namespace noctule
