#include "transactions/address_map.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::uint64_t kLastAddress = ~std::uint64_t{0};

std::uint64_t last_of(const Region& region) {
  return region.base + (region.size - 1);
}

std::string key_of(std::size_t region) {
  return fmt::format("tlm.map[{}]", region);
}

/// Numbers of the first two that are the same.
std::optional<std::pair<std::size_t, std::size_t>> named_twice(const std::vector<TargetId>& targets) {
  std::map<TargetId, std::size_t> known;
  for (std::size_t n = 0; n < targets.size(); ++n)
    if (const auto [first, fresh] = known.emplace(targets[n], n); !fresh) return {{first->second, n}};
  return std::nullopt;
}

/// What is wrong with one region, by itself.
void check_region(const Region& region, std::size_t number, std::size_t targets,
                  std::vector<Diagnostic>& faults) {
  const auto fault = [&](const char* key, std::string message) {
    faults.push_back({key_of(number) + key, std::move(message), {}});
  };
  if (region.size == 0) return fault(".size", "a region has at least one byte");
  if (region.size - 1 > kLastAddress - region.base)
    fault(".size", fmt::format("{} bytes from 0x{:x} on leave the 64 bits of an address; at most 0x{:x} fit",
                               region.size, region.base, kLastAddress - region.base + 1));  // base is not 0
  if (region.targets.empty()) return fault("", "no target is given; name one, or several with interleave");
  for (const TargetId target : region.targets)
    if (static_cast<std::size_t>(target) >= targets)
      fault("", fmt::format("target {} is named; there are {}, counted from 0",
                            static_cast<std::size_t>(target), targets));
  const std::uint64_t n = region.targets.size();
  const std::uint64_t last_local = (n == 1 ? region.size : region.size / n) - 1;
  if (last_local > kLastAddress - region.offset)
    fault(".offset", fmt::format("from address 0x{:x} of the target on, {} bytes leave its 64 bits",
                                 region.offset, last_local + 1));
  if (n == 1) return;
  if (const auto twice = named_twice(region.targets))
    fault(".interleave.over",
          fmt::format("entries {} and {}, counted from 0, are the same target, where two granules would have "
                      "the same addresses; name each target once",
                      twice->first, twice->second));
  if (region.granule == 0) return fault(".interleave.granule", "a granule has at least one byte");
  if (region.size % region.granule != 0 || region.size / region.granule % n != 0)
    fault(
        ".interleave.granule",
        fmt::format("{} bytes are no whole number of turns of {} targets with {} bytes each; make the size a "
                    "multiple of {}",
                    region.size, n, region.granule, region.granule * n));
  if (region.hash && !std::has_single_bit(n))
    fault(".interleave.hash",
          fmt::format("a hash spreads granules over 2, 4, 8, ... targets; {} are given", n));
}

}  // namespace

std::string range_text(std::uint64_t first, std::uint64_t last) {
  return fmt::format("[0x{:x}, 0x{:x}]", first, last);
}

AddressMap::AddressMap(std::vector<Region> regions, std::size_t targets, std::optional<TargetId> otherwise)
    : otherwise_(otherwise) {
  std::vector<Diagnostic> faults;
  for (std::size_t r = 0; r < regions.size(); ++r) check_region(regions[r], r, targets, faults);
  if (otherwise && static_cast<std::size_t>(*otherwise) >= targets)
    faults.push_back({"tlm.default",
                      fmt::format("target {} is named; there are {}, counted from 0",
                                  static_cast<std::size_t>(*otherwise), targets),
                      {}});
  if (regions.empty() && !otherwise)
    faults.push_back({"tlm.map", "no region is given, so nobody serves any address; give one", {}});
  if (!faults.empty()) throw ConfigError(std::move(faults));

  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return regions[r].base; });
  // Against the one that reaches farthest, so that a long region meets all that it covers.
  std::size_t farthest = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Region& later = regions[order[n]];
    if (n > 0 && later.base <= last_of(regions[farthest])) {
      const std::size_t blamed = std::max(farthest, order[n]);
      const std::size_t other = std::min(farthest, order[n]);
      faults.push_back({key_of(blamed),
                        fmt::format("{} overlaps {} of {}; every address has one region",
                                    range_text(regions[blamed].base, last_of(regions[blamed])),
                                    range_text(regions[other].base, last_of(regions[other])), key_of(other)),
                        {}});
    }
    if (n == 0 || last_of(later) > last_of(regions[farthest])) farthest = order[n];
  }
  if (!faults.empty()) throw ConfigError(std::move(faults));
  for (const std::size_t r : order) regions_.push_back(std::move(regions[r]));
}

const Region* AddressMap::region_of(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(regions_, address, {}, &Region::base);
  if (after == regions_.begin()) return nullptr;
  const Region& region = *(after - 1);
  return address - region.base < region.size ? &region : nullptr;
}

std::size_t AddressMap::turn(const Region& region, std::uint64_t granule) {
  const std::uint64_t n = region.targets.size();
  std::uint64_t number = granule % n;
  if (region.hash)
    for (std::uint64_t rest = granule / n; rest != 0; rest /= n) number ^= rest % n;
  return number;
}

std::optional<AddressMap::Place> AddressMap::find(std::uint64_t address) const {
  const Range range = range_of(address);
  if (!range.target) return std::nullopt;
  return Place{*range.target, range.local + (address - range.first), range.last - address + 1};
}

AddressMap::Range AddressMap::range_of(std::uint64_t address) const {
  const Region* region = region_of(address);
  if (region == nullptr) {
    const auto after = std::ranges::upper_bound(regions_, address, {}, &Region::base);
    Range gap{0, kLastAddress, otherwise_, 0};
    if (after != regions_.begin()) gap.first = last_of(*(after - 1)) + 1;
    if (after != regions_.end()) gap.last = after->base - 1;
    gap.local = gap.first;
    return gap;
  }
  if (region->targets.size() == 1)
    return {region->base, last_of(*region), region->targets.front(), region->offset};
  const std::uint64_t granule = (address - region->base) / region->granule;
  const std::uint64_t first = region->base + granule * region->granule;
  return {first, first + (region->granule - 1), region->targets[turn(*region, granule)],
          region->offset + granule / region->targets.size() * region->granule};
}

std::uint64_t AddressMap::last_address() const {
  return regions_.empty() ? 0 : last_of(regions_.back());
}

}  // namespace noctule
