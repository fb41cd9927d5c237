#pragma once
// What there is to configure, in words, from the declarations.

#include <optional>
#include <string>

#include "core/parameters.h"

namespace noctule {

/// A commented configuration with every key at its default; a legal configuration itself.
std::string reference_yaml();

/// Everything registered, by kind, one line each.
std::string list_everything();

/// A kind ("routing"), an entry of any kind ("star_channels", in each kind that has one), a dotted key
/// ("traffic.offered_load"): what it is, with its keys, types, units, ranges and defaults. "metric", or a
/// number of the results (metrics_text). Nothing if there is none of that name.
std::optional<std::string> describe(const std::string& name);

/// The same in JSON: {kind: {entry: description}} of a kind or an entry, and of an entry or a key "keys":
/// [{"name", "description", "values", "unit", "required" or "default", "keys"}], of an entry each with "of":
/// "kind entry". "metric": [metrics_called()]. `name` empty: all kinds. Nothing if there is none of that
/// name.
std::optional<Json> described(const std::string& name);

/// Names that `describe` understands and that are nearest to this one; empty if none is near.
std::string nearest_description(const std::string& name);

/// A value in YAML, on one line.
std::string yaml_text(const Json& value);

}  // namespace noctule
