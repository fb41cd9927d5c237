#pragma once
// Networks with routers and links taken away: faults, and chips that were never complete.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace noctule {

struct Without {
  std::vector<std::string>
      links;  ///< globs of names of links, "router_3_4.x_plus"; each direction has its own
  std::vector<std::string> routers;  ///< globs of names of routers; their links and terminals go with them
  unsigned random_links = 0;         ///< so many links more, drawn; those both ways go together
  std::uint64_t seed = 1;            ///< of that draw
  [[nodiscard]] bool empty() const { return links.empty() && routers.empty() && random_links == 0; }
};

/// What is left, renumbered: routers, ports and terminals keep their order, routers and ports their names.
/// Links that are drawn never cut off a terminal. No geometry is left: who needs one counts on all that it
/// promises. Throws ConfigError: a glob that matches nothing ("without.links", "without.routers"), two
/// terminals that are cut off from each other ("without"), fewer links that can go than asked
/// ("without.random_links.count").
[[nodiscard]] Topology take_away(const Topology& topology, const Without& without);

}  // namespace noctule
