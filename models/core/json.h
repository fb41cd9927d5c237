#pragma once
// The JSON type in full. Costs each file that includes it seconds of compilation: headers that only pass a
// Json on include core/parameters.h, which declares it.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/parameters.h"

/// Compiled once, in core/json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
/// The parser behind operator""_json, which nothing uses, and which each file would instantiate.
extern template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                                  nlohmann::json::parser_callback_t, bool,
                                                                  bool);

namespace noctule {

/// Of a dotted key of a configuration ("node.lanes"): where its value is.
[[nodiscard]] inline Json::json_pointer pointer_to(std::string key) {
  std::ranges::replace(key, '.', '/');
  return Json::json_pointer("/" + key);
}

template <class T>
T Parameters::get(const std::string& name) const {
  return json().at(name).template get<T>();
}

}  // namespace noctule
