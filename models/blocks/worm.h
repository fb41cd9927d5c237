#pragma once
// Planned worms under way, and the messages that they are copies of.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/flit.h"
#include "core/ids.h"
#include "multicast/planned_worm.h"

namespace noctule {

class RoutingRelation;

/// A planned worm under way, or waiting to be injected.
struct Worm {
  std::vector<Stop> stops;
  std::vector<bool> served;  ///< [stop]: its terminal has taken the tail
  std::uint32_t next = 0;    ///< stop that the header goes to; behind the last one: it needs nothing more
  std::uint32_t left = 0;    ///< destinations that have not taken the tail yet
  std::uint32_t message = 0;
  std::uint8_t group = 0;
  bool several = false;  ///< has more than one destination
  const RoutingRelation* relation = nullptr;
};

/// A message with any number of destinations, from generation until each of them has all of it.
struct Message {
  Cycle birth = 0;
  Cycle injected = kNever;  ///< cycle in which the header of its first copy entered the injection channel
  std::uint64_t hops = 0;   ///< links taken by the headers of the copies that are through
  std::uint32_t copies = 0;
  std::uint32_t destinations = 0;
  std::uint32_t left = 0;  ///< destinations that do not have all of it yet
};

/// The header of a planned worm goes to one of its stops next: any way, as if it started where it is.
inline void head_for(Packet& packet, const std::vector<Stop>& stops, std::size_t stop) {
  packet.destination_router = stops[stop].router;
  while (!stops[stop].serves()) ++stop;  // the last one does
  packet.destination = stops[stop].terminal;
  packet.route_state = 0;
}

}  // namespace noctule
