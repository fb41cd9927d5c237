#pragma once
// Words of a command that a user is told to give.

#include <string>

namespace noctule {

/// The text as one word of a shell: as it is, or quoted where a shell would read more into it.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace noctule
