#pragma once
// Probabilities as 64-bit integers, which are drawn against and compared exactly.

#include <cstdint>

namespace noctule {

/// A probability in units of 2^-64, rounded down; 1 and more become the largest integer, 0 and less 0.
[[nodiscard]] constexpr std::uint64_t to_fixed_point(double probability) noexcept {
  if (!(probability > 0)) return 0;
  if (probability >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(probability * 0x1p64);
}

[[nodiscard]] constexpr double from_fixed_point(std::uint64_t units) noexcept {
  return static_cast<double>(units) * 0x1p-64;
}

}  // namespace noctule
