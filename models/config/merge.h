#pragma once
// Layers of a configuration: preset below base below file below command line.

#include <string>
#include <vector>

#include "config/document.h"
#include "core/parameters.h"

namespace noctule {

/// Writes the shorthand `routing: oblivious` out as a map, everywhere below `declaration`.
void write_out_shorthands(const Parameter& declaration, ConfigNode& node);

/// Lays `upper` over `lower`, both without shorthands: maps key by key, anything else replaced. Where `upper`
/// chooses another entry of a variant, keys that only the old entry has go, and so do those that a preset
/// implied for it; where it gives a key that stands in place of another one, that one goes.
void merge(const Parameter& declaration, ConfigNode& lower, ConfigNode upper);

/// routing.algorithm where nobody gives one: the planner's, else the node model's.
std::string default_algorithm(const std::string& model, const std::string& planner);

/// Lays one value over the tree, at a dotted key.
void merge_at(const Parameter& schema, ConfigNode& tree, const std::string& dotted_key, ConfigNode value);

/// A dotted key without further keys below it: no section, or one that is empty.
struct Leaf {
  std::string key;
  bool empty;  ///< null, or a map without keys
};
/// What merge_at would give a value: the keys in a map, however deep, and for a shorthand the one that
/// chooses the entry.
std::vector<Leaf> leaves_at(const Parameter& schema, const std::string& dotted_key, ConfigNode value);

/// A JSON value as a document, for presets.
ConfigNode node_from_json(const Json& value, const Place& place);
/// A document as JSON, scalars as YAML understands them.
Json json_from_node(const ConfigNode& node);

}  // namespace noctule
