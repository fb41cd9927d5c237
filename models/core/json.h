#pragma once
// The JSON type in full. Costs each file that includes it seconds of compilation: headers that only pass a
// Json on include core/parameters.h, which declares it.

#include <nlohmann/json.hpp>

#include "core/parameters.h"

/// Compiled once, in core/json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
/// The parser behind operator""_json, which nothing uses, and which each file would instantiate.
extern template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                                  nlohmann::json::parser_callback_t, bool,
                                                                  bool);

namespace noctule {

template <class T>
T Parameters::get(const std::string& name) const {
  return json().at(name).template get<T>();
}

}  // namespace noctule
