#pragma once
// Gaps between the successes of a Bernoulli process, without a logarithm: the same on every machine.

#include <array>
#include <bit>
#include <cstdint>

namespace noctule {

/// Number of trials up to and including the first success, success having probability p = rate / 2^64:
/// P(gap > g) = (1-p)^g. Inversion of a 64-bit uniform draw by binary descent over (1-p)^(2^j); every
/// survival probability is right to within 2^-57.
class GeometricGap {
 public:
  /// rate >= 1.
  explicit GeometricGap(std::uint64_t rate);

  /// The gap (>= 1) of the uniform draw u / 2^64; the largest integer if it does not fit.
  [[nodiscard, gnu::always_inline]] std::uint64_t operator()(std::uint64_t u) const noexcept {
    // The largest g with u < (1-p)^g in units of 2^-64; `survival` is that power less one unit.
    std::uint64_t survival = ~std::uint64_t{0};
    std::uint64_t g = 0;
    for (unsigned j = start_[static_cast<unsigned>(std::countl_zero(u))]; j-- > 0;) {
      const auto next =
          static_cast<std::uint64_t>((static_cast<Wide>(survival) * power_[j] + power_[j]) >> 64);
      const bool survives = u < next;
      survival = survives ? next - 1 : survival;
      g |= static_cast<std::uint64_t>(survives) << j;
    }
    return g == ~std::uint64_t{0} ? g : g + 1;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr unsigned kLevels = 64;
  std::array<std::uint64_t, kLevels> power_{};     ///< (1-p)^(2^j) in units of 2^-64
  std::array<std::uint8_t, kLevels + 1> start_{};  ///< by leading zeros of u: levels that can matter
};

}  // namespace noctule
