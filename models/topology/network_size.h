#pragma once
// How large a network is, before it is built.

#include <optional>
#include <string>

#include "core/parameters.h"

namespace noctule {

struct NetworkSize {
  double routers = 0;
  double links = 0;  ///< directed
};

/// Of the network that these resolved keys of the section topology describe; absent for kinds that are no
/// k-ary n-cubes.
std::optional<NetworkSize> size_of_cube(const std::string& kind, const Parameters& keys);

}  // namespace noctule
