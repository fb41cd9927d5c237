#include "traffic/geometric.h"

#include "core/error.h"

namespace noctule {
namespace {

__extension__ using Wide = unsigned __int128;

/// A fraction in units of 2^-128, squared, cut off.
Wide squared(Wide x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  const auto low = static_cast<std::uint64_t>(x);
  const Wide cross = static_cast<Wide>(high) * low;
  const Wide low_square = static_cast<Wide>(low) * low;
  // 2 * cross * 2^64 + low^2, of which the part from 2^128 on is kept.
  const Wide middle = (cross << 1) + (low_square >> 64);
  const bool carry = (cross >> 127) != 0 || middle < (cross << 1);
  return static_cast<Wide>(high) * high + (middle >> 64) + (static_cast<Wide>(carry) << 64);
}

}  // namespace

GeometricGap::GeometricGap(std::uint64_t rate) {
  if (rate == 0) throw InternalError("geometric gaps of rate 0");
  unsigned used = 0;
  Wide power = static_cast<Wide>(0 - rate) << 64;  // 1 - p
  for (; used < kLevels; ++used, power = squared(power)) {
    const auto cut = static_cast<std::uint64_t>(power >> 64);
    const bool round_up = (static_cast<std::uint64_t>(power) >> 63) != 0 && cut != ~std::uint64_t{0};
    power_[used] = cut + (round_up ? 1 : 0);
    if (power_[used] == 0) break;
  }
  for (std::uint64_t high = 0; high < begins_.size(); ++high) {
    const std::uint64_t least = high << kWithin;
    const std::uint64_t most = least | ((std::uint64_t{1} << kWithin) - 1);
    Reached& at = begins_[high];
    at.levels = used;
    while (at.levels > 0) {
      const std::uint64_t next = survival_below(at);
      if ((least < next) != (most < next)) break;
      descend(at, next, least < next);
    }
  }
}

}  // namespace noctule
