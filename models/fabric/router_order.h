#pragma once
// In which order the routers of a fabric are visited.

#include <cstdint>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// 0, 1, ..., n-1, shuffled if the seed is not 0.
[[nodiscard]] std::vector<std::uint32_t> numbers_to(std::size_t n, std::uint64_t seed);

/// By RouterId: positions in which neighbours are near each other, if any are: breadth first from a router
/// that is far from the others (Cuthill and McKee 1969).
[[nodiscard]] std::vector<std::uint32_t> near_positions(const Topology& topology);

/// How far apart the positions of the two ends of a link are at most.
[[nodiscard]] std::size_t reach_of(const Topology& topology, const std::vector<std::uint32_t>& position);

}  // namespace noctule
