#pragma once
// The JSON type in full. Costs each file that includes it seconds of compilation: headers that only pass a
// Json on include core/parameters.h, which declares it.

#include <nlohmann/json.hpp>

#include "core/parameters.h"

/// Compiled once, in core/json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace noctule {

template <class T>
T Parameters::get(const std::string& name) const {
  return json().at(name).template get<T>();
}

}  // namespace noctule
