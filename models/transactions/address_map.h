#pragma once
// Which target serves an address, and which address it is there.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transactions/ids.h"

namespace noctule {

/// A range of addresses [base, base + size) and who serves it.
struct Region {
  std::uint64_t base = 0;         ///< bytes
  std::uint64_t size = 0;         ///< bytes, >= 1; base + size at most 2^64
  std::vector<TargetId> targets;  ///< one; several: interleaved
  std::uint64_t offset = 0;       ///< at the target, address that `base` becomes (of each, if interleaved)
  std::uint64_t granule = 0;      ///< interleaved: bytes that one target serves before the next one's turn
  bool hash = false;              ///< interleaved: the turn is XORed with the higher parts of the address
};

/// Regions by address. Granule g of an interleaved region of n targets is granule g / n of its target, and
/// that is number g mod n of the list; hashed: g mod n, XORed with every log2(n) bits of g / n.
class AddressMap {
 public:
  /// Throws ConfigError with all that is wrong: "tlm.map[R]..." for region R that is empty, leaves the 64
  /// bits of an address, names no target or one from `targets` on, or overlaps another one (both are named);
  /// for an interleave whose granule does not divide the region into whole turns, or is hashed over a number
  /// of targets that is no power of two. `otherwise`: serves what is in no region, by its own address.
  AddressMap(std::vector<Region> regions, std::size_t targets, std::optional<TargetId> otherwise = {});

  struct Place {
    TargetId target{};
    std::uint64_t address = 0;  ///< at the target
    /// Bytes from here on, this one included, that the same target serves at the addresses that follow;
    /// 0 stands for 2^64.
    std::uint64_t contiguous = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// Nothing: nobody serves this address.
  [[nodiscard]] std::optional<Place> find(std::uint64_t address) const;

  /// The range of addresses around `address` that one target serves at addresses that follow each other:
  /// first, last, and the address of the first at the target. Where nobody serves it: the gap between
  /// regions.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  ///< included
    std::optional<TargetId> target;
    std::uint64_t local = 0;
  };
  [[nodiscard]] Range range_of(std::uint64_t address) const;
  /// Calls f(Range) for every range of addresses that `target` serves within its own addresses
  /// [first, last], clipped to these; interleaved ones granule by granule, but at most `most` of them:
  /// false, when there are more (then f has seen some).
  template <class F>
  bool each_range_of(TargetId target, std::uint64_t first, std::uint64_t last, std::size_t most, F&& f) const;

  /// By base.
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  /// The largest address that a region has; without regions 0.
  [[nodiscard]] std::uint64_t last_address() const;

 private:
  [[nodiscard]] const Region* region_of(std::uint64_t address) const;
  [[nodiscard]] static std::size_t turn(const Region& region, std::uint64_t granule);

  std::vector<Region> regions_;  ///< by base
  std::optional<TargetId> otherwise_;
};

/// "[0x1000, 0x1fff]".
[[nodiscard]] std::string range_text(std::uint64_t first, std::uint64_t last);

// --- implementation ---

template <class F>
bool AddressMap::each_range_of(TargetId target, std::uint64_t first, std::uint64_t last, std::size_t most,
                               F&& f) const {
  std::size_t count = 0;
  const auto add = [&](std::uint64_t local, std::uint64_t bytes_less_1, std::uint64_t address) {
    if (local > last || local + bytes_less_1 < first) return true;
    if (++count > most) return false;
    const std::uint64_t cut = first > local ? first - local : 0;
    const std::uint64_t end = local + bytes_less_1 > last ? last - local : bytes_less_1;
    f(Range{address + cut, address + end, target, local + cut});
    return true;
  };
  for (const Region& region : regions_) {
    const std::uint64_t n = region.targets.size();
    if (n == 1) {
      if (region.targets.front() == target && !add(region.offset, region.size - 1, region.base)) return false;
      continue;
    }
    const std::uint64_t rows = region.size / region.granule / n;
    const std::uint64_t from = first > region.offset ? (first - region.offset) / region.granule : 0;
    for (std::uint64_t row = from; row < rows && region.offset + row * region.granule <= last; ++row)
      for (std::uint64_t g = row * n; g < (row + 1) * n; ++g)
        if (region.targets[turn(region, g)] == target &&
            !add(region.offset + row * region.granule, region.granule - 1, region.base + g * region.granule))
          return false;
  }
  if (otherwise_ != target) return true;
  std::uint64_t at = first;
  while (true) {
    const Range range = range_of(at);
    const std::uint64_t end = std::min(range.last, last);
    if (region_of(at) == nullptr && !add(at, end - at, at)) return false;
    if (end == last) return true;
    at = end + 1;
  }
}

}  // namespace noctule
