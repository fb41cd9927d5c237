#pragma once
// Words of text files: numbers, and lists with commas.

#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>

namespace noctule {

/// Is the whole text a number that `value` can hold (of reals: a finite one)? Then it is that.
template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  bool fits = result.ec == std::errc{} && result.ptr == text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>) fits = fits && std::isfinite(value);
  return fits;
}

/// Calls f(part) for the parts between commas until it says false; did it never?
template <class F>
bool each_part(std::string_view text, F&& f) {
  for (;;) {
    const auto comma = text.find(',');
    if (!f(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace noctule
