#include "config/booksim_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "config/booksim_keys.h"

namespace noctule {
namespace {

/// Keys that BookSim2 takes a list for: a value for each class.
constexpr std::array<std::string_view, 6> kByClass{"traffic",     "injection_rate",   "injection_process",
                                                   "packet_size", "packet_size_rate", "use_read_write"};

}  // namespace

std::string BooksimValues::whole_value(const std::string& key) const {
  const auto found = text_.given().find(key);
  return found == text_.given().end() ? booksim_keys().at(key) : found->second.value;
}

std::string BooksimValues::value(const std::string& key) const {
  const std::string all = whole_value(key);
  return std::ranges::find(kByClass, key) == kByClass.end() ? all : of_first_class(all);
}

std::string BooksimValues::from(const std::string& key, const std::string& unit) const {
  return fmt::format("{} = {}{}{}{}", key, whole_value(key), unit.empty() ? "" : " ", unit,
                     is_given(key) ? "" : ", BookSim2's default");
}

void BooksimValues::fail(const std::string& key, const std::string& text) const {
  text_.fail(is_given(key) ? text_.given().at(key).line : 0, fmt::format("{}: {}", key, text));
}

double BooksimValues::number_in(const std::string& key, const std::string& text) const {
  double x = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc() || stop != end || !std::isfinite(x))
    fail(key, fmt::format("expected a number, not '{}'", text));
  return x;
}

long BooksimValues::whole_in(const std::string& key, const std::string& text, long least, long most) const {
  const double x = number_in(key, text);
  if (x != std::floor(x) || x < static_cast<double>(least) || x > static_cast<double>(most))
    fail(key, fmt::format("expected an integer, {} to {}, not '{}'", least, most, text));
  return static_cast<long>(x);
}

void BooksimValues::no_counterpart(const std::string& key, const std::string& instead) {
  out_.replaced(fmt::format("{} = {} has no counterpart; {}", key, whole_value(key), instead));
}

}  // namespace noctule
