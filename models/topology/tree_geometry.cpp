#include "topology/tree_geometry.h"

#include <algorithm>
#include <utility>

namespace noctule {

TreeGeometry::TreeGeometry(unsigned arity, std::vector<Place> places)
    : arity_(arity), places_(std::move(places)), under_{1, 1} {
  unsigned levels = 1;
  for (const Place& place : places_) levels = std::max<unsigned>(levels, place.level);
  while (under_.size() <= levels) under_.push_back(under_.back() * arity_);
}

}  // namespace noctule
