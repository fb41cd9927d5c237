#pragma once
// The order in which large networks perform their cycles.

#include <algorithm>
#include <cstddef>

#include "core/ids.h"

namespace noctule {

/// Routers in bands of positions, such that links lead within a band, or to the one before or behind it, and
/// all that a router does takes effect in later cycles. Then a band may perform a cycle as soon as the band
/// behind it has performed the one before: a few bands perform several cycles, while their records are in
/// the cache, where all of them would perform one (loop skewing, Wolfe 1986). Every router sees what it would
/// have seen.
struct Bands {
  std::size_t words = 0;  ///< of 64 positions, in a band
  std::size_t count = 1;
  Cycle cycles = 1;  ///< that a band performs while its records are in the cache

  /// Measured: smaller networks gain nothing, as records are fetched ahead.
  static constexpr std::size_t kLeastBytes = std::size_t{15} << 17;

  /// Those of a network with so many bytes of state records, whose links lead to positions up to `reach`
  /// apart. One, if there are few, or fewer bytes than `least_bytes`.
  static Bands of(std::size_t positions, std::size_t reach, std::size_t bytes, std::size_t least_bytes) {
    const Bands one{(positions + 63) / 64, 1, 1};
    Bands many = one;
    many.words = std::max<std::size_t>(1, (reach + 63) / 64);
    many.count = (one.words + many.words - 1) / many.words;
    if (bytes < least_bytes || many.count < kLeastBands) return one;
    // In work are as many bands as there are cycles, and one on either side.
    const std::size_t cache = bytes < kLargeBytes ? kSecondLevelBytes : kThirdLevelBytes;
    const std::size_t fit = cache / (bytes / many.count + 1);
    many.cycles = std::clamp<std::size_t>(fit, kLeastCycles + 2, kMostCycles + 2) - 2;
    return many;
  }

  [[nodiscard]] std::size_t of_position(std::size_t position) const { return position / 64 / words; }

  /// Calls f(band, cycle) for all bands and for `n` cycles from t on.
  template <class F>
  void each(Cycle t, Cycle n, F&& f) const {
    for (std::size_t front = 0; front < count + n - 1; ++front)
      for (Cycle ahead = front < count ? 0 : front - count + 1; ahead < n && ahead <= front; ++ahead)
        f(front - ahead, t + ahead);
  }

 private:
  static constexpr std::size_t kLargeBytes = std::size_t{16} << 20;  ///< in no cache as a whole
  static constexpr std::size_t kSecondLevelBytes = std::size_t{3} << 18;
  static constexpr std::size_t kThirdLevelBytes = std::size_t{8} << 20;
  static constexpr std::size_t kLeastBands = 8;
  static constexpr std::size_t kLeastCycles = 4;
  static constexpr std::size_t kMostCycles = 32;
};

}  // namespace noctule
