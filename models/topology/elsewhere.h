#pragma once
// Whom a multicast may go to.

#include "topology/topology.h"

namespace noctule {

/// Is `other` another terminal than `source`, consumed at another router than where `source` is injected? On
/// a network of one direction no terminal is consumed there, not even the source.
[[nodiscard]] inline bool is_elsewhere(const Topology& topology, TerminalId source, TerminalId other) {
  return other != source && topology.consumption_router(other) != topology.injection_router(source);
}

}  // namespace noctule
