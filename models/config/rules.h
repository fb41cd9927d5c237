#pragma once
// Contradictions between keys that are each legal. One table: decoding, the tests and the fuzz use it.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters.h"

namespace noctule {

/// Told of a contradiction: the key to blame, and the sentence.
using ReportContradiction = std::function<void(const std::string& key, const std::string& message)>;

struct Rule {
  /// Keys that contradict each other; the rule is not applied while one of them is faulty.
  std::vector<std::string> keys;
  /// Reports what is contradictory in a complete configuration.
  std::function<void(const Json& resolved, const ReportContradiction& report)> check;
  /// Settings (dotted key, YAML) that break the rule on top of any legal configuration.
  std::vector<std::pair<std::string, std::string>> example;
};

const std::vector<Rule>& rules();

/// The value at a dotted key, or null.
const Json* find_value(const Json& resolved, const std::string& dotted_key);

/// Mean length of the packets of a resolved traffic section, in flits.
double mean_packet_length(const Json& traffic);
/// Mean number of destinations of its messages.
double mean_destinations(const Json& traffic);

}  // namespace noctule
