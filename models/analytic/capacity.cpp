#include "analytic/capacity.h"

#include <cmath>

namespace noctule {

std::uint64_t to_fixed_point(double probability) noexcept {
  if (!(probability > 0)) return 0;
  if (probability >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(std::ldexp(probability, 64));
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> cumulative(
    const std::vector<std::pair<std::uint32_t, double>>& weighted) {
  double total = 0;
  for (const auto& [value, weight] : weighted) total += weight;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> result;
  double sum = 0;
  for (const auto& [value, weight] : weighted) {
    sum += weight;
    result.emplace_back(value, static_cast<std::uint64_t>(std::ldexp(sum / total, 32)));
  }
  if (!result.empty()) result.back().second = std::uint64_t{1} << 32;
  return result;
}

}  // namespace noctule
