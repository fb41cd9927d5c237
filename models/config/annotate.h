#pragma once
// Where the key of a finding was given.

#include <string>

#include "config/decoder.h"

namespace noctule {

/// The place of the key, or of the nearest section around it; null: nobody gave either.
const Place* place_of_key(const PlaceMap& places, std::string key);

}  // namespace noctule
