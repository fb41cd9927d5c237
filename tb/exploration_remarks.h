#pragma once
// What explore says of its fabrics in words, below the table.

#include <string>
#include <vector>

#include "core/json.h"

namespace noctule {

/// Keys that differ among the fabrics of one label; the others are what the label says.
[[nodiscard]] std::vector<std::string> varying_keys(const Json& rows);

/// Of these, what a fabric was given: "node.lanes=2 node.input_depth=4"
[[nodiscard]] std::string given_text(const Json& row, const std::vector<std::string>& keys);

/// What is said of the fabrics that are not proved: once for all of one label that it is said of.
[[nodiscard]] std::string unproved_fabrics(const Json& rows, const std::vector<std::string>& keys);

/// In which fabrics routers differ, and what those of each kind store.
[[nodiscard]] std::string unlike_routers(const Json& rows, const std::vector<std::string>& keys);

}  // namespace noctule
