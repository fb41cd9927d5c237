// Flits as buffers hold them: is what they say what went in, and does only what is due follow?

#include "core/flit.h"

#include <gtest/gtest.h>

#include <vector>

namespace noctule {
namespace {

constexpr PacketHandle kOne{5};
constexpr PacketHandle kOther{PackedFlit::kPackets - 2};

std::vector<PackedFlit> worm(PacketHandle packet, std::uint32_t length) {
  std::vector<PackedFlit> flits;
  for (std::uint32_t n = 0; n < length; ++n) flits.push_back(PackedFlit::of(packet, n, length));
  return flits;
}

TEST(PackedFlit, SaysWhatWentInAndTheNumberModulo4) {
  for (const PacketHandle packet : {PacketHandle{0}, kOne, kOther})
    for (const std::uint32_t length : {1U, 2U, 5U, 300U})
      for (std::uint32_t n = 0; n < length; ++n) {
        const Flit whole = Flit::of(packet, n, length);
        const PackedFlit packed(whole);
        ASSERT_EQ(packed.head(), n == 0);
        ASSERT_EQ(packed.tail(), n + 1 == length);
        ASSERT_EQ(packed.packet(), packet);
        const Flit back = packed;
        ASSERT_EQ(back.packet, packet);
        ASSERT_EQ(back.number(), n % 4);
        ASSERT_EQ(back.head(), whole.head());
        ASSERT_EQ(back.tail(), whole.tail());
        ASSERT_EQ(back, Flit(PackedFlit::of(packet, n, length)));
        ASSERT_EQ(packed.due(), whole.due());
      }
}

TEST(PackedFlit, FollowsWhatIsBeforeItInTheWormAndNothingElse) {
  for (const std::uint32_t length : {1U, 2U, 4U, 5U, 9U}) {
    const auto flits = worm(kOne, length);
    const auto others = worm(kOther, length);
    for (std::uint32_t before = 0; before < length; ++before)
      for (std::uint32_t after = 0; after < length; ++after) {
        const bool ended = before + 1 == length;
        const bool next = ended ? after == 0 : after != 0 && after % 4 == (before + 1) % 4;
        ASSERT_EQ(flits[after].follows(flits[before].due()), next) << before << ", " << after;
        ASSERT_EQ(others[after].follows(flits[before].due()), ended && after == 0) << "of another packet";
        ASSERT_EQ(Flit(flits[after]).follows(Flit(flits[before]).due()), next);
      }
  }
}

TEST(PackedFlit, AHeaderComesFirst) {
  for (const PackedFlit flit : worm(kOne, 3)) EXPECT_EQ(flit.follows(PackedFlit().due()), flit.head());
}

TEST(Flit, IsCountedOnFromTheOneBefore) {
  Flit last;
  for (std::uint32_t n = 0; n < 11; ++n) {
    last = Flit(PackedFlit::of(kOne, n, 11)).counted_after(last);
    EXPECT_EQ(last, Flit::of(kOne, n, 11));
  }
  EXPECT_EQ(Flit::of(kOther, 0, 2).counted_after(last), Flit::of(kOther, 0, 2));
}

}  // namespace
}  // namespace noctule
