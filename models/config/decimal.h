#pragma once
// Decimal numbers as they are written, without rounding. By hand, because most of it is which texts are
// numbers here, and how numbers are shown; a library (libmpdec) would do the arithmetic alone, an addition in
// __int128.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// mantissa * 10^exponent. Mantissas have at most 30 digits.
struct Decimal {
  __extension__ using Wide = __int128;
  Wide mantissa = 0;
  int exponent = 0;  ///< at least -1000, at most 1000

  /// The number that the text is, all of it: JSON's syntax, or with a sign or point at either end. Nothing
  /// for other texts, leading zeros, and more digits than fit.
  static std::optional<Decimal> parse(const std::string& text);
  /// The value if it is whole and fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// Shortest decimal text, without exponent where that stays short.
  [[nodiscard]] std::string text() const;
};

/// Is the text a number in the sense of Decimal::parse, whatever its size?
bool looks_like_number(const std::string& text);

/// The nearest double, if the text is a number within its range.
std::optional<double> parse_real(const std::string& text);

/// from, from+step, ..., not past `to`; exact. Nothing if step is zero, leads away from `to`, or gives more
/// than `most` values.
std::optional<std::vector<Decimal>> decimal_range(const Decimal& from, const Decimal& to, const Decimal& step,
                                                  std::size_t most);

}  // namespace noctule
