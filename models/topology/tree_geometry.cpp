#include "topology/tree_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topology/topology.h"

namespace noctule {

TreeGeometry::TreeGeometry(unsigned arity, std::vector<Place> places)
    : arity_(arity), places_(std::move(places)), under_{1, 1} {
  unsigned levels = 1;
  for (const Place& place : places_) levels = std::max<unsigned>(levels, place.level);
  while (under_.size() <= levels) under_.push_back(under_.back() * arity_);
}

std::vector<std::string> TreeGeometry::link_groups() const {
  std::vector<std::string> names;
  for (unsigned level = 1; level < levels(); ++level)
    names.push_back(fmt::format("levels {} and {}", level, level + 1));
  return names;
}

std::size_t TreeGeometry::link_group(const Link& link) const {
  return std::min(level(link.from), level(link.to)) - 1;
}

std::string TreeGeometry::title() const {
  return fmt::format("tree of arity {} and {} levels", arity_, levels());
}

}  // namespace noctule
