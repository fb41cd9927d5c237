#pragma once
// Keys of a configuration that a command does not heed.

#include <span>

#include "config/decode.h"

namespace noctule {

/// A key or a section without effect, and what to do instead.
struct IdleKey {
  const char* section;
  const char* instead;
};

/// Throws ConfigError for options of the command line that set such keys; where a file asks by them for what
/// there will not be, it warns, unless `quiet`.
void check_idle_keys(std::span<const IdleKey> idle, const Configuration& configuration,
                     std::span<const PointConfig> points, bool quiet);

}  // namespace noctule
