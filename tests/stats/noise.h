#pragma once
// Seeded noise for synthetic series.

#include <cstdint>

#include "core/rng.h"

namespace noctule::test {

/// About normal, mean 0 and variance 1: the sum of twelve uniform draws, less 6.
inline double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(rng.next() >> 11) * 0x1p-53;
  return sum;
}

/// mean + deviation * noise, as a count that is never negative.
inline std::uint64_t noisy_count(Rng& rng, double mean, double deviation) {
  const double value = mean + deviation * normal(rng);
  return value <= 0 ? 0 : static_cast<std::uint64_t>(value + 0.5);
}

}  // namespace noctule::test
