#pragma once
// From a document to resolved values, by the declarations.

#include <map>
#include <string>
#include <vector>

#include "config/document.h"
#include "core/json.h"

namespace noctule {

/// Where each dotted key was given; keys that nobody gave are absent.
using PlaceMap = std::map<std::string, Place>;

/// Result of decoding: complete as far as there are no faults.
struct Decoded {
  Json values;
  PlaceMap places;
  std::vector<std::string> implied;  ///< keys of variants that hold because nobody gave them
  Faults faults;
};

/// Decodes a document, shorthands written out, by the schema of the whole file.
Decoded decode_document(const Parameter& schema, const ConfigNode& document);

/// Decodes one value under a declaration, e.g. an element of a sweep axis.
Json decode_value(const Parameter& declaration, const ConfigNode& node, const std::string& key,
                  Faults& faults);

/// The values of a sweep axis: the elements of a list, a range written out, or the one value given.
std::vector<ConfigNode> axis_values(const ConfigNode& axis, const std::string& key, Faults& faults);

constexpr std::size_t kMostAxisValues = 10'000;

}  // namespace noctule
