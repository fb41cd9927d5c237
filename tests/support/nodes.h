#pragma once
// Nodes by the names of their models.

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "nodes/node_description.h"

namespace noctule {

/// A registered node model, with some keys changed.
inline NodeDescription node_of(const std::string& model, const Json& set = Json::object()) {
  Parameters keys = keys_of_model(model);
  for (const auto& [key, value] : set.items()) {
    const auto& declared = node_parameters();
    if (std::none_of(declared.begin(), declared.end(), [&key = key](const auto& p) { return p.name == key; }))
      throw InternalError("no node key is called " + key);
    keys.set(key, value);
  }
  return node_from_parameters(keys);
}

}  // namespace noctule
