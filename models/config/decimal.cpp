#include "config/decimal.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace noctule {
namespace {

constexpr std::size_t kMostDigits = 30;
constexpr int kMostExponent = 1000;

/// The parts of a number's text.
struct Parts {
  bool negative = false;
  std::string digits;  ///< all of the mantissa
  int scale = 0;       ///< digits behind the point
  std::string exponent;
};

bool take_digits(const std::string& text, std::size_t& i, std::string& digits) {
  const std::size_t start = i;
  while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) digits += text[i++];
  return i > start;
}

std::optional<Parts> split(const std::string& text) {
  Parts parts;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) parts.negative = text[i++] == '-';
  const bool whole = take_digits(text, i, parts.digits);
  if (parts.digits.size() > 1 && parts.digits[0] == '0') return std::nullopt;
  bool fraction = false;
  if (i < text.size() && text[i] == '.') {
    const std::size_t before = parts.digits.size();
    fraction = take_digits(text, ++i, parts.digits);
    parts.scale = static_cast<int>(parts.digits.size() - before);
  }
  if (!whole && !fraction) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    if (++i < text.size() && (text[i] == '+' || text[i] == '-')) {
      if (text[i] == '-') parts.exponent = "-";
      ++i;
    }
    if (!take_digits(text, i, parts.exponent)) return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  return parts;
}

void strip_zeros(Decimal& d) {
  if (d.mantissa == 0) d.exponent = 0;
  while (d.mantissa != 0 && d.mantissa % 10 == 0) {
    d.mantissa /= 10;
    ++d.exponent;
  }
}

/// The mantissa at a smaller exponent, if it fits.
std::optional<Decimal::Wide> at_exponent(const Decimal& d, int exponent) {
  constexpr Decimal::Wide kMost = (Decimal::Wide{1} << 120) / 10;
  Decimal::Wide m = d.mantissa;
  if (m == 0) return m;
  for (int e = d.exponent; e > exponent; --e) {
    if (m > kMost || m < -kMost) return std::nullopt;
    m *= 10;
  }
  return m;
}

}  // namespace

std::optional<Decimal> Decimal::parse(const std::string& text) {
  const auto parts = split(text);
  if (!parts) return std::nullopt;
  std::string digits = parts->digits;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMostDigits || parts->exponent.size() > 4) return std::nullopt;
  Decimal d;
  for (const char c : digits) d.mantissa = d.mantissa * 10 + (c - '0');
  if (parts->negative) d.mantissa = -d.mantissa;
  d.exponent = (parts->exponent.empty() ? 0 : std::stoi(parts->exponent)) - parts->scale;
  strip_zeros(d);
  if (std::abs(d.exponent) > kMostExponent) return std::nullopt;
  return d;
}

std::optional<std::int64_t> Decimal::integer() const {
  if (exponent < 0) return std::nullopt;
  const auto m = at_exponent(*this, 0);
  if (!m || *m > std::numeric_limits<std::int64_t>::max() || *m < std::numeric_limits<std::int64_t>::min())
    return std::nullopt;
  return static_cast<std::int64_t>(*m);
}

std::string Decimal::text() const {
  Decimal d = *this;
  strip_zeros(d);
  std::string digits;
  for (Wide m = d.mantissa < 0 ? -d.mantissa : d.mantissa; m != 0; m /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(m % 10)));
  if (digits.empty()) return "0";
  const std::string sign = d.mantissa < 0 ? "-" : "";
  if (d.exponent > 18 || d.exponent < -30) return sign + digits + "e" + std::to_string(d.exponent);
  if (d.exponent >= 0) return sign + digits + std::string(static_cast<std::size_t>(d.exponent), '0');
  const auto scale = static_cast<std::size_t>(-d.exponent);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  digits.insert(digits.size() - scale, ".");
  return sign + digits;
}

bool looks_like_number(const std::string& text) {
  return split(text).has_value();
}

std::optional<double> parse_real(const std::string& text) {
  if (!looks_like_number(text)) return std::nullopt;
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value == 0 ? 0.0 : value;
}

std::optional<std::vector<Decimal>> decimal_range(const Decimal& from, const Decimal& to, const Decimal& step,
                                                  std::size_t most) {
  const int exponent = std::min({from.exponent, to.exponent, step.exponent});
  const auto first = at_exponent(from, exponent);
  const auto last = at_exponent(to, exponent);
  const auto by = at_exponent(step, exponent);
  if (!first || !last || !by || *by == 0) return std::nullopt;
  const Decimal::Wide distance = *last - *first;
  if (distance != 0 && (distance < 0) != (*by < 0)) return std::nullopt;
  const Decimal::Wide steps = distance / *by;
  if (steps >= static_cast<Decimal::Wide>(most)) return std::nullopt;
  std::vector<Decimal> values;
  for (Decimal::Wide i = 0; i <= steps; ++i) values.push_back({*first + i * *by, exponent});
  for (auto& value : values) strip_zeros(value);
  return values;
}

}  // namespace noctule
