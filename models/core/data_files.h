#pragma once
// Where the project's own files are that a program needs at run time: scripts, RTL, tables.

#include <filesystem>

namespace noctule {

/// A file or folder by its path in the source tree ("scripts/plot", "rtl"): in the source tree that the
/// program or the library was built in, or in the share folder of the installed package. Empty if there is
/// none.
[[nodiscard]] std::filesystem::path find_data(const std::filesystem::path& relative);

/// Where this user's programs keep what they can make again: $XDG_CACHE_HOME/noctule, or ~/.cache/noctule.
/// Need not exist; empty where neither variable holds an absolute path.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace noctule
