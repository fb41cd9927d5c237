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

/// Calls f(word) for the words of a text, with blanks or commas between them.
template <class F>
void each_word(std::string_view text, F&& f) {
  constexpr std::string_view kBetween = " ,\t";
  for (auto from = text.find_first_not_of(kBetween); from != std::string_view::npos;
       from = text.find_first_not_of(kBetween, from)) {
    const auto to = text.find_first_of(kBetween, from);
    f(text.substr(from, to == std::string_view::npos ? to : to - from));
    if (to == std::string_view::npos) return;
    from = to;
  }
}

}  // namespace noctule
