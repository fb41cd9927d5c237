#pragma once
// The worms of a deadlock as a picture shows them.

#include <string>
#include <vector>

#include "verify/certificate.h"

namespace noctule {

struct DrawnWorm {
  RouterId source{};
  std::vector<RouterId> destinations;
  /// What it holds, in the order in which it was taken: virtual channels, consumption channels,
  /// retransmission buffers.
  std::vector<WitnessWorm::Hop> holds;
  std::vector<ChannelId> waits;
  std::string cause = {};  ///< who that is, where it is told (Dependency::cause)
};

/// Those of the witness; where it has none, one for each dependency of its cycle.
[[nodiscard]] std::vector<DrawnWorm> drawn_worms(const Certificate& certificate);

/// Does the worm make this dependency of the witness's cycle, from a channel that it still holds?
[[nodiscard]] bool makes_dependency(const Certificate& certificate, const DrawnWorm& worm, ChannelId to);

/// "router_0_0 -> router_2_0, holds x_plus.0 (2 times), waits for y_plus.0".
[[nodiscard]] std::string describe_worm(const Certificate& certificate, const DrawnWorm& worm);

/// Of the vertex of a terminal, for a small box: "c" (consumption), "c1", "cs" (shared), "r"
/// (retransmission), "i" (injection); where there are message classes with the first letters of theirs, "c
/// req".
[[nodiscard]] std::string short_consumption_name(const ChannelIndex& channels, ChannelId channel);

}  // namespace noctule
