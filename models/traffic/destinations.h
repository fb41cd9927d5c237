#pragma once
// Destinations that a file gives.

#include <cstdint>
#include <span>
#include <string>

#include "topology/topology.h"

namespace noctule {

/// What is wrong with the destinations of a message from terminal `source`, all of which exist: a message
/// does not go to its own source; a multicast goes to different terminals of other routers. Empty: nothing.
[[nodiscard]] std::string wrong_destination(const Topology& topology, std::uint64_t source,
                                            std::span<const std::uint64_t> destinations);

}  // namespace noctule
