#pragma once
// Keys that were given and count for nothing.

#include <functional>
#include <string>
#include <vector>

#include "config/decode.h"

namespace noctule {

/// A key that counts in none of the points in which it was given.
struct UselessKey {
  std::string key;
  std::string message;
  Place place;
  /// Given in the file itself or on the command line; else in a base of the file.
  bool own = true;
};

/// In section trace of a configuration whose keys are looked at, where option --events is given.
inline constexpr const char* kEventsOption = "events_option";

/// In the order of their keys. Keys of resolved configurations, which are an echo of everything, are never
/// among them. `events`: the command line asks for an event log.
std::vector<UselessKey> useless_keys(const Configuration& configuration,
                                     const std::vector<PointConfig>& points, bool events = false);

/// Of these, keys of the file that count in it alone are no longer `own`: options have made them useless.
/// `alone()`: the file without options; may throw ConfigError, as it may not be complete without them.
void disown_what_options_made_useless(std::vector<UselessKey>& useless,
                                      const std::function<Configuration()>& alone);

/// Keys of `alone`, the file without options, that are in none of the points: the options chose another entry
/// of a variant, which has no such key. Their messages say so.
std::vector<UselessKey> dropped_keys(const Configuration& alone, const std::vector<PointConfig>& points);

/// "counts only where ...", for each condition of a key of the schema; empty: it always counts.
std::string effect_text(const std::string& dotted_key, const std::string& entry);

/// Does the key count, in a complete configuration of one point?
bool has_effect(const std::string& dotted_key, const Json& resolved);

}  // namespace noctule
