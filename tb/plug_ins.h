#pragma once
// Libraries that register models.

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/foreign_code.h"

namespace noctule {

/// All that is registered: (kind, name).
using Entries = std::set<std::pair<std::string, std::string>>;
[[nodiscard]] Entries registered_entries();

/// Is this the name of a file of C++: .cpp, .cc or .cxx?
[[nodiscard]] bool is_cxx_source(const std::string& file);

/// The headers that plug-ins are compiled with, in the source tree or installed; empty: they are not beside
/// the program.
[[nodiscard]] std::filesystem::path plug_in_headers();
inline constexpr const char* kHeadersRemedy =
    "use the program of a source tree, or one that `cmake --install` has put somewhere";

/// Loads the libraries of --load. Throws ConfigError, with the name of the library, for one that cannot be
/// loaded, that registers nothing, or whose entries are not as they must be.
void load_plug_ins(const std::vector<std::string>& libraries);

/// f(). What is thrown there besides the project's own errors and lack of memory comes from a part of the
/// libraries, if there are any: it becomes a ConfigError that names them.
template <class F>
decltype(auto) ask_libraries(const std::vector<std::string>& libraries, F&& f) {
  if (libraries.empty()) return std::forward<F>(f)();
  return ask_part(fmt::format("--load {}", fmt::join(libraries, " --load ")).c_str(), "a part of it",
                  std::forward<F>(f));
}

}  // namespace noctule
