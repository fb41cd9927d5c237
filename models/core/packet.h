#pragma once
// Packets as those see them who use a fabric: what goes in, and what comes out.

#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace noctule {

/// A packet as its source describes it.
struct GeneratedPacket {
  Cycle birth = 0;  ///< cycle of generation
  TerminalId destination{};
  std::uint32_t length = 1;  ///< flits, header and tail included
  std::uint8_t message_class = 0;
  void* user = nullptr;  ///< carried along, given back at delivery
  /// More than one: a multicast; `destination` is then one of them. Each is served once.
  std::vector<TerminalId> destinations{};
  /// Cycles from generation until the first copy may be injected: preparation by the sender (Boppana et al.
  /// 1998, 4). Needs a multicast planner, as several destinations do.
  std::uint32_t preparation = 0;
  /// 0: free; r: the first hops are those of route r-1 that its source prescribes.
  std::uint32_t route = 0;
};

/// A packet whose tail has been consumed.
struct Delivery {
  TerminalId source{};
  TerminalId destination{};
  std::uint64_t number = 0;  ///< of the packet at its source, from 0
  std::uint32_t length = 1;
  std::uint32_t hops = 0;
  Cycle birth = 0;     ///< generated
  Cycle injected = 0;  ///< header entered the injection channel
  Cycle consumed = 0;  ///< tail left the consumption channel
  /// Destinations of the message that do not have all of it yet: of a multicast, each is told of.
  std::uint32_t remaining = 0;
  std::uint8_t message_class = 0;
  void* user = nullptr;
};

}  // namespace noctule
