#pragma once
// Links that lead one way only.

#include <algorithm>

#include "topology/topology.h"

namespace noctule {

/// The first link whose ends are joined by none in the opposite direction; null: there is no such link.
[[nodiscard]] inline const Link* first_one_way_link(const Topology& topology) {
  const auto& links = topology.links();
  const auto found = std::ranges::find_if(
      links, [&](const Link& link) { return topology.link_between(link.to, link.from) == nullptr; });
  return found == links.end() ? nullptr : &*found;
}

}  // namespace noctule
