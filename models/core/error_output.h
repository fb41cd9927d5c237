#pragma once
// Messages for the user on standard error. One that cannot be written (a full device, a closed stream) is
// lost: the exit code still says what happened. fmt::print throws there.

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace noctule {

/// Never throws for a stream that cannot be written.
inline void write_to_standard_error(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

template <class... T>
void print_error(fmt::format_string<T...> format, T&&... arguments) {
  write_to_standard_error(fmt::format(format, std::forward<T>(arguments)...));
}

}  // namespace noctule
