#pragma once
// Gaps between the successes of a Bernoulli process, without a logarithm: the same on every machine.

#include <array>
#include <cstddef>
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
    Reached at = begins_[u >> kWithin];
    while (at.levels > 0) {
      const std::uint64_t next = survival_below(at);
      descend(at, next, u < next);
    }
    return at.gap == ~std::uint64_t{0} ? at.gap : at.gap + 1;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr unsigned kLevels = 64;
  static constexpr unsigned kWithin = 58;  ///< bits of u below those that choose where a descent begins

  /// A place in the descent towards the largest g with u < (1-p)^g in units of 2^-64.
  struct Reached {
    std::uint64_t survival = ~std::uint64_t{0};  ///< (1-p)^gap less one unit
    std::uint64_t gap = 0;                       ///< the bits of g that are known
    unsigned levels = 0;                         ///< so many lower ones are not
  };
  /// The survival probability if the next bit is set.
  [[nodiscard, gnu::always_inline]] std::uint64_t survival_below(const Reached& at) const noexcept {
    const std::uint64_t power = power_[at.levels - 1];
    return static_cast<std::uint64_t>((static_cast<Wide>(at.survival) * power + power) >> 64);
  }
  [[gnu::always_inline]] static void descend(Reached& at, std::uint64_t next, bool survives) noexcept {
    --at.levels;
    at.survival = survives ? next - 1 : at.survival;
    at.gap |= static_cast<std::uint64_t>(survives) << at.levels;
  }

  std::array<std::uint64_t, kLevels> power_{};  ///< (1-p)^(2^j) in units of 2^-64
  /// By the high bits of u: as far as the descents of all such u are the same.
  std::array<Reached, std::size_t{1} << (64 - kWithin)> begins_{};
};

}  // namespace noctule
