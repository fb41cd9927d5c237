// Does every address have the one target that the regions say? Against a list that is searched byte by byte.

#include "transactions/address_map.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "core/rng.h"

namespace noctule {
namespace {

constexpr std::uint64_t kTop = ~std::uint64_t{0};

Region region(std::uint64_t base, std::uint64_t size, unsigned target, std::uint64_t offset = 0) {
  return {base, size, {TargetId{target}}, offset};
}
Region interleaved(std::uint64_t base, std::uint64_t size, unsigned first, unsigned count,
                   std::uint64_t granule, bool hash = false) {
  Region r{base, size, {}, 0, granule, hash};
  for (unsigned t = 0; t < count; ++t) r.targets.push_back(TargetId{first + t});
  return r;
}

std::string complaint(std::vector<Region> regions, std::size_t targets = 4) {
  try {
    const AddressMap map(std::move(regions), targets);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

/// Byte by byte, by the definitions in the header.
std::optional<std::pair<unsigned, std::uint64_t>> reference(const std::vector<Region>& regions,
                                                            std::uint64_t a) {
  for (const Region& r : regions) {
    if (a < r.base || a - r.base >= r.size) continue;
    const std::uint64_t n = r.targets.size();
    if (n == 1) return {{static_cast<unsigned>(r.targets[0]), r.offset + (a - r.base)}};
    const std::uint64_t g = (a - r.base) / r.granule;
    std::uint64_t number = g % n;
    if (r.hash) {
      unsigned bits = 0;
      while (1U << bits < n) ++bits;
      for (std::uint64_t rest = g / n; rest > 0; rest >>= bits) number ^= rest & (n - 1);
    }
    return {
        {static_cast<unsigned>(r.targets[number]), r.offset + g / n * r.granule + (a - r.base) % r.granule}};
  }
  return std::nullopt;
}

std::vector<Region> drawn_regions(Rng& rng) {
  std::vector<Region> regions;
  for (std::uint64_t at = rng.below(20); at < 200; at += rng.below(3) * rng.below(10)) {
    const unsigned count = 1U << rng.below(3);
    Region r = region(at, 1 + rng.below(30), static_cast<unsigned>(rng.below(4)), rng.below(100));
    if (count > 1) {
      r = interleaved(at, 0, 0, count, 1 + rng.below(5), rng.below(2) == 0);
      r.size = r.granule * count * (1 + rng.below(4));
      r.offset = rng.below(50);
    }
    at += r.size;
    regions.push_back(r);
  }
  if (regions.empty()) regions.push_back(region(0, 100, 1));
  std::swap(regions.front(), regions.back());
  return regions;
}

TEST(AnAddress, HasTheTargetAndTheAddressThereThatTheRegionsSay) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, "map");
    const auto regions = drawn_regions(rng);
    const AddressMap map(regions, 4);
    for (std::uint64_t a = 0; a < 320; ++a) {
      const auto expected = reference(regions, a);
      const auto found = map.find(a);
      ASSERT_EQ(found.has_value(), expected.has_value()) << seed << " at " << a;
      if (!found) continue;
      EXPECT_EQ(static_cast<unsigned>(found->target), expected->first) << seed << " at " << a;
      EXPECT_EQ(found->address, expected->second) << seed << " at " << a;
      ASSERT_GT(found->contiguous, 0U);
      for (std::uint64_t n = 1; n < found->contiguous; ++n)
        EXPECT_EQ(reference(regions, a + n), (std::pair(expected->first, expected->second + n)));
    }
  }
}

TEST(ARange, ReachesToTheEndOfItsGranuleOrRegionAndToTheNextGap) {
  const AddressMap map({region(0x100, 0x100, 2, 0x40), interleaved(0x400, 0x80, 0, 2, 0x20)}, 3);
  const auto in = map.range_of(0x1ff);
  EXPECT_EQ(in.first, 0x100U);
  EXPECT_EQ(in.last, 0x1ffU);
  EXPECT_EQ(in.local, 0x40U);
  const auto gap = map.range_of(0x200);
  EXPECT_EQ(gap.first, 0x200U);
  EXPECT_EQ(gap.last, 0x3ffU);
  EXPECT_FALSE(gap.target);
  const auto granule = map.range_of(0x45f);
  EXPECT_EQ(granule.first, 0x440U);
  EXPECT_EQ(granule.last, 0x45fU);
  EXPECT_EQ(granule.target, TargetId{0});
  EXPECT_EQ(granule.local, 0x20U);
  EXPECT_EQ(map.range_of(0x480).last, kTop);
  EXPECT_EQ(map.last_address(), 0x47fU);
}

TEST(TheLastAddress, OfAllCanBelongToARegion) {
  const AddressMap map({region(kTop - 3, 4, 0, 8)}, 1);
  EXPECT_EQ(map.find(kTop), (AddressMap::Place{TargetId{0}, 11, 1}));
  EXPECT_FALSE(map.find(0));
  EXPECT_FALSE(map.find(kTop - 4));
  const AddressMap all({}, 2, TargetId{1});
  EXPECT_EQ(all.find(0), (AddressMap::Place{TargetId{1}, 0, 0})) << "2^64 bytes";
  EXPECT_EQ(all.find(kTop), (AddressMap::Place{TargetId{1}, kTop, 1}));
}

TEST(ADefaultTarget, ServesTheGapsByTheirOwnAddresses) {
  const AddressMap map({region(0x100, 0x10, 0)}, 2, TargetId{1});
  EXPECT_EQ(map.find(0xf0), (AddressMap::Place{TargetId{1}, 0xf0, 0x10}));
  EXPECT_EQ(map.find(0x100)->target, TargetId{0});
  EXPECT_EQ(map.find(0x110)->address, 0x110U);
}

TEST(RangesOfATarget, AreAllAddressesThatLeadThereAndNoOthers) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, "inverse");
    const auto regions = drawn_regions(rng);
    const AddressMap map(regions, 4);
    for (unsigned target = 0; target < 4; ++target) {
      const std::uint64_t first = rng.below(60);
      const std::uint64_t last = first + rng.below(60);
      std::set<std::uint64_t> found;
      EXPECT_TRUE(map.each_range_of(TargetId{target}, first, last, 1000, [&](const AddressMap::Range& range) {
        for (std::uint64_t a = range.first; a <= range.last; ++a) {
          found.insert(a);
          EXPECT_EQ(reference(regions, a), std::pair(target, range.local + (a - range.first)));
        }
      }));
      std::set<std::uint64_t> expected;
      for (std::uint64_t a = 0; a < 400; ++a)
        if (const auto at = reference(regions, a);
            at && at->first == target && at->second >= first && at->second <= last)
          expected.insert(a);
      EXPECT_EQ(found, expected) << seed << " target " << target;
    }
  }
}

TEST(RangesOfATarget, CoverTheGapsOfADefaultTarget) {
  const AddressMap map({region(0x100, 0x10, 0), region(0x200, 0x10, 1, 0x300)}, 2, TargetId{1});
  std::map<std::uint64_t, std::uint64_t> found;
  EXPECT_TRUE(map.each_range_of(TargetId{1}, 0x80, 0x30f, 10,
                                [&](const AddressMap::Range& r) { found[r.first] = r.last; }));
  EXPECT_EQ(found, (std::map<std::uint64_t, std::uint64_t>{
                       {0x80, 0xff}, {0x110, 0x1ff}, {0x200, 0x20f}, {0x210, 0x30f}}));
  unsigned calls = 0;
  EXPECT_FALSE(map.each_range_of(TargetId{1}, 0, kTop, 2, [&](const AddressMap::Range&) { ++calls; }));
  EXPECT_EQ(calls, 2U);
}

TEST(OverlappingRegions, AreRefusedAndBothAreNamed) {
  const auto text = complaint({region(0x1000, 0x100, 0), region(0x4000, 16, 1), region(0x10ff, 1, 1)});
  EXPECT_NE(text.find("tlm.map[2]: [0x10ff, 0x10ff] overlaps [0x1000, 0x10ff] of tlm.map[0]"),
            std::string::npos)
      << text;
  EXPECT_EQ(complaint({region(0x1000, 0x100, 0), region(0x1100, 1, 1)}), "");
  // A long region meets all that it covers, not only its neighbour.
  const auto both = complaint({region(0, 0x1000, 0), region(0x10, 4, 1), region(0x20, 4, 1)});
  EXPECT_NE(both.find("tlm.map[1]: "), std::string::npos) << both;
  EXPECT_NE(both.find("tlm.map[2]: "), std::string::npos) << both;
}

TEST(ABadRegion, IsRefusedWithItsKey) {
  EXPECT_NE(complaint({region(0, 0, 0)}).find("tlm.map[0].size"), std::string::npos);
  EXPECT_NE(complaint({region(kTop, 2, 0)}).find("leave the 64 bits of an address; at most 0x1 fit"),
            std::string::npos);
  EXPECT_NE(complaint({region(0xFFFFFFFFFFFFF000, 0x1001, 0)}).find("at most 0x1000 fit"), std::string::npos);
  EXPECT_EQ(complaint({region(0xFFFFFFFFFFFFF000, 0x1000, 0)}), "");
  EXPECT_EQ(complaint({region(kTop, 1, 0)}), "");
  EXPECT_NE(complaint({region(0, 16, 4)}).find("target 4 is named; there are 4"), std::string::npos);
  EXPECT_NE(complaint({region(0, 16, 0, kTop - 14)}).find("tlm.map[0].offset"), std::string::npos);
  EXPECT_EQ(complaint({region(0, 16, 0, kTop - 15)}), "");
  EXPECT_NE(complaint({{0, 16, {}}}).find("no target"), std::string::npos);
  EXPECT_NE(complaint({}).find("tlm.map: "), std::string::npos);
  EXPECT_NE(complaint({interleaved(0, 48, 0, 2, 16)}).find("make the size a multiple of 32"),
            std::string::npos);
  EXPECT_NE(complaint({interleaved(0, 48, 0, 2, 0)}).find("granule"), std::string::npos);
  EXPECT_NE(complaint({interleaved(0, 48, 0, 3, 16, true)}).find("2, 4, 8"), std::string::npos);
  EXPECT_EQ(complaint({interleaved(0, 48, 0, 3, 16)}), "");
  EXPECT_THROW(AddressMap({region(0, 1, 0)}, 1, TargetId{1}), ConfigError);
}

TEST(ARegion, WhoseTurnsComeBackToATargetIsRefused) {
  const auto named = [](std::initializer_list<unsigned> targets) {
    Region r{0, 16 * targets.size(), {}, 0, 16};
    for (const unsigned t : targets) r.targets.push_back(TargetId{t});
    return complaint({r});
  };
  EXPECT_NE(named({0, 0}).find("tlm.map[0].interleave.over: entries 0 and 1"), std::string::npos)
      << named({0, 0});
  EXPECT_NE(named({3, 1, 2, 1}).find("tlm.map[0].interleave.over: entries 1 and 3"), std::string::npos);
  EXPECT_EQ(named({3, 1, 2, 0}), "");
}

}  // namespace
}  // namespace noctule
