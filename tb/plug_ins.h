#pragma once
// Libraries that register models.

#include <string>
#include <vector>

namespace noctule {

/// Loads the libraries of --load. Throws ConfigError, with the name of the library, for one that cannot be
/// loaded, that registers nothing, or whose entries are not as they must be.
void load_plug_ins(const std::vector<std::string>& libraries);

}  // namespace noctule
