#pragma once
// Division by a number that stays the same: a multiplication.

#include <bit>
#include <cstdint>

namespace noctule {

/// Exact for all dividends (Granlund and Montgomery 1994, "Division by Invariant Integers using
/// Multiplication"). Below 2^63 the error of the rounded reciprocal stays below one part of the quotient;
/// from there on it divides.
class Divisor {
 public:
  /// by >= 1.
  constexpr explicit Divisor(std::uint64_t by = 1) : by_(by) {
    if (by == 1) return;
    const auto bits = static_cast<unsigned>(std::bit_width(by - 1));
    shift_ = bits - 1;
    factor_ = static_cast<std::uint64_t>((Wide{1} << (63 + bits)) / by + 1);
    below_ = std::uint64_t{1} << 63;
  }
  [[nodiscard]] constexpr std::uint64_t by() const noexcept { return by_; }
  [[nodiscard]] constexpr std::uint64_t divide(std::uint64_t a) const noexcept {
    if (a >= below_) [[unlikely]]
      return a / by_;
    return static_cast<std::uint64_t>(Wide{a} * factor_ >> 64) >> shift_;
  }
  [[nodiscard]] constexpr std::uint64_t remainder(std::uint64_t a) const noexcept {
    return a - divide(a) * by_;
  }
  /// a / by(), rounded up.
  [[nodiscard]] constexpr std::uint64_t divide_up(std::uint64_t a) const noexcept {
    const std::uint64_t whole = divide(a);
    return whole + (whole * by_ != a ? 1 : 0);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t by_;
  std::uint64_t factor_ = 0;  ///< 2^(64 + shift_) / by, rounded up
  std::uint64_t below_ = 0;   ///< dividends for which the factor is good
  unsigned shift_ = 0;
};

}  // namespace noctule
