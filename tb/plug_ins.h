#pragma once
// Libraries that register models.

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace noctule {

/// All that is registered: (kind, name).
using Entries = std::set<std::pair<std::string, std::string>>;
[[nodiscard]] Entries registered_entries();

/// Is this the name of a file of C++: .cpp, .cc or .cxx?
[[nodiscard]] bool is_cxx_source(const std::string& file);

/// Loads the libraries of --load. Throws ConfigError, with the name of the library, for one that cannot be
/// loaded, that registers nothing, or whose entries are not as they must be.
void load_plug_ins(const std::vector<std::string>& libraries);

}  // namespace noctule
