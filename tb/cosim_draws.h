#pragma once
// `cosim.draws`: more points of a bench, with sizes, traffic and modes that are drawn.

#include <cstdint>
#include <string>
#include <vector>

#include "config/decode.h"

namespace noctule {

/// What is set in draw `number` (from 0) for a point, as after --set: topology.radix, traffic.pattern,
/// traffic.packet_lengths, traffic.offered_load, cosim.mode, cosim.cycles, cosim.resets and, where the point
/// has it, traffic.stall. About as many router-cycles as the point has. Depends on the point's seed and
/// fabric alone.
[[nodiscard]] std::vector<std::string> draw_settings(const PointConfig& point, std::uint64_t number);

}  // namespace noctule
