#pragma once
// Objects chosen by shell globs on their names.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// For the descriptions of keys that take globs.
inline constexpr const char* kGlobGrammar =
    "in a glob * is any text, dots and underscores too, ? is one character, and [05] one of these; in YAML "
    "it is quoted";

/// Calls f(number) once for each of so many objects whose name matches one of the globs, in their order.
/// Returns the first glob that matches none.
std::optional<std::string> each_match(const std::vector<std::string>& globs, std::size_t objects,
                                      const std::function<std::string(std::size_t)>& name_of,
                                      const std::function<void(std::size_t)>& f);

}  // namespace noctule
