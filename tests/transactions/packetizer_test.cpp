// Do packets have the flits that their bytes need, and do pieces cover a burst once? Against byte by byte.

#include "transactions/packetizer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/error.h"
#include "core/rng.h"

namespace noctule {
namespace {

/// Flits of the data, one byte behind the other: a new flit where the lane is not above the one before, and
/// at the start of every beat.
std::uint32_t data_flits(const Burst& burst, std::uint32_t flit_bytes) {
  const std::uint32_t width =
      burst.streaming_width == 0 ? burst.length : std::min(burst.streaming_width, burst.length);
  std::uint32_t flits = 0;
  for (std::uint32_t i = 0; i < burst.length; ++i) {
    const auto lane = (burst.address + i % width) % flit_bytes;
    if (i % width == 0 || lane == 0) ++flits;
  }
  return flits;
}
/// Flits of a header field list, bit by bit.
std::uint32_t flits_of(std::uint64_t bits, std::uint32_t flit_bytes) {
  std::uint32_t flits = 0;
  for (std::uint64_t b = 0; b < bits; b += std::uint64_t{8} * flit_bytes) ++flits;
  return flits;
}

TEST(APacket, HasTheFlitsOfItsHeaderItsEnablesAndItsLanes) {
  for (const std::uint32_t w : {1U, 2U, 3U, 4U, 8U, 16U, 64U})
    for (const unsigned id_bits : {0U, 8U}) {
      const PacketFormat format{w, 32, 12, id_bits};
      const Packetizer packetizer(format);
      for (std::uint64_t address = 0; address < 2 * w + 1; ++address)
        for (std::uint32_t length = 0; length <= 40; ++length)
          for (const std::uint32_t streaming : {0U, 1U, 3U, 4U, 40U})
            for (const std::uint32_t enables : {0U, 1U, 9U, 64U}) {
              Burst burst{Access::kWrite, address, length, streaming, enables};
              const bool streams = streaming != 0 && streaming < length;
              const std::uint32_t data = data_flits(burst, w);
              const std::uint32_t header = flits_of(2 + 32 + 12 + id_bits + (streams ? 12 : 0), w) +
                                           flits_of(std::min(enables, length), w);
              const std::uint32_t response = flits_of(2 + 3 + id_bits, w);
              ASSERT_EQ(packetizer.request_flits(burst), header + data)
                  << w << ' ' << address << ' ' << length;
              ASSERT_EQ(packetizer.response_flits(burst), response);
              burst.access = Access::kRead;
              ASSERT_EQ(packetizer.request_flits(burst), header);
              ASSERT_EQ(packetizer.response_flits(burst), response + data);
              burst.access = Access::kNothing;
              ASSERT_EQ(packetizer.request_flits(burst), header);
              ASSERT_EQ(packetizer.response_flits(burst), response);
            }
    }
}

TEST(APacket, OfTheDefaultFormatHasAHeaderOfOneFlit) {
  const Packetizer packetizer(PacketFormat{});
  EXPECT_EQ(packetizer.request_flits({Access::kWrite, 0x1004, 8}), 1U + 2) << "8 bytes over two words";
  EXPECT_EQ(packetizer.request_flits({Access::kWrite, 0x1000, 8}), 1U + 1);
  EXPECT_EQ(packetizer.request_flits({Access::kRead, 0x1000, 64}), 1U);
  EXPECT_EQ(packetizer.response_flits({Access::kRead, 0x1000, 64}), 1U + 8);
  EXPECT_EQ(packetizer.response_flits({Access::kWrite, 0x1000, 64}), 1U);
  EXPECT_EQ(packetizer.most_bytes(), 4096U);
}

TEST(AFormat, OutOfRangeIsRefused) {
  const auto refused = [](PacketFormat format, const std::string& key) {
    try {
      const Packetizer packetizer(format);
    } catch (const ConfigError& e) {
      return std::string(e.what()).find(key) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused({0}, "tlm.packet.flit_bytes"));
  EXPECT_TRUE(refused({4097}, "tlm.packet.flit_bytes"));
  EXPECT_TRUE(refused({8, 0}, "tlm.packet.address_bits"));
  EXPECT_TRUE(refused({8, 65}, "tlm.packet.address_bits"));
  EXPECT_TRUE(refused({8, 32, 0}, "tlm.packet.length_bits"));
  EXPECT_TRUE(refused({8, 32, 12, 33}, "tlm.packet.id_bits"));
  EXPECT_FALSE(refused({1, 64, 28, 32}, "tlm"));
}

AddressMap a_map() {
  return AddressMap({{0x10, 0x20, {TargetId{0}}, 0x100},
                     {0x30, 0x20, {TargetId{1}}, 0},
                     {0x50, 0x60, {TargetId{0}, TargetId{1}, TargetId{2}}, 0x40, 8},
                     {~std::uint64_t{0} - 7, 8, {TargetId{2}}, 0}},
                    3);
}

TEST(Pieces, CoverABurstOnceInOrderAndGoWhereItsBytesGo) {
  const AddressMap map = a_map();
  std::vector<Piece> pieces;
  std::size_t cuts = 0;
  for (std::uint64_t address = 0; address < 0xc0; ++address)
    for (std::uint32_t length = 1; length < 80; length += 1 + length / 9)
      for (const std::uint32_t streaming : {0U, 1U, 5U, 8U, 20U})
        for (const std::uint64_t most : {4ULL, 16ULL, 4096ULL}) {
          const Burst burst{Access::kWrite, address, length, streaming};
          const std::uint32_t width = burst.width();
          bool mapped = true;
          for (std::uint32_t i = 0; i < width; ++i) mapped = mapped && map.find(address + i).has_value();
          const auto fault = cut(burst, map, most, true, pieces);
          ASSERT_EQ(fault.has_value(), !mapped) << address << ' ' << length << ' ' << streaming;
          if (!mapped) continue;
          cuts += pieces.size() > 1 ? 1 : 0;
          std::uint32_t next = 0;
          for (const Piece& piece : pieces) {
            ASSERT_EQ(piece.first, next);
            ASSERT_GE(piece.length, 1U);
            ASSERT_LE(piece.length, most);
            ASSERT_GE(piece.streaming_width, 1U);
            for (std::uint32_t i = 0; i < piece.length; ++i) {
              const auto place = map.find(address + (next + i) % width);
              ASSERT_EQ(place->target, piece.target);
              ASSERT_EQ(place->address, piece.address + i % piece.streaming_width);
            }
            next += piece.length;
          }
          ASSERT_EQ(next, length);
          // Without leave to cut: the same single piece, or none.
          std::vector<Piece> whole;
          const auto uncut = cut(burst, map, most, false, whole);
          ASSERT_EQ(uncut.has_value(), pieces.size() > 1);
          if (!uncut) {
            ASSERT_EQ(whole, pieces);
          }
        }
  EXPECT_GT(cuts, 1000U);
}

TEST(AStreamingBurst, IsCutAtWholeBeats) {
  const AddressMap map = a_map();
  std::vector<Piece> pieces;
  const auto cut_at = [&](std::uint64_t address, std::uint32_t length, std::uint32_t width) {
    EXPECT_EQ(cut({Access::kWrite, address, length, width}, map, 16, true, pieces), std::nullopt);
    return pieces;
  };
  const auto piece = [](std::uint32_t first, std::uint32_t length, std::uint32_t width) {
    return Piece{TargetId{0}, 0x102, first, length, width};
  };
  EXPECT_EQ(cut_at(0x12, 17, 1), (std::vector{piece(0, 16, 1), piece(16, 1, 1)}));
  EXPECT_EQ(cut_at(0x12, 40, 5), (std::vector{piece(0, 15, 5), piece(15, 15, 5), piece(30, 10, 5)}));
  EXPECT_EQ(cut_at(0x12, 31, 5), (std::vector{piece(0, 15, 5), piece(15, 16, 5)})) << "the rest fits whole";
  EXPECT_EQ(cut_at(0x12, 33, 16), (std::vector{piece(0, 16, 16), piece(16, 16, 16), piece(32, 1, 1)}));
  EXPECT_EQ(cut_at(0x12, 4000, 3).size(), 267U);
  // Beats of two targets, and beats that no packet carries.
  EXPECT_EQ(cut_at(0x2f, 6, 2).size(), 6U);
  EXPECT_EQ(cut_at(0x12, 40, 20).size(), 4U);
}

TEST(ABurst, PastTheLastAddressOrWithoutDataIsTold) {
  const AddressMap map = a_map();
  std::vector<Piece> pieces;
  EXPECT_EQ(cut({Access::kRead, ~std::uint64_t{0} - 3, 4}, map, 4096, true, pieces), std::nullopt);
  EXPECT_EQ(cut({Access::kRead, ~std::uint64_t{0} - 3, 5}, map, 4096, true, pieces), CutFault::kUnmapped);
  EXPECT_EQ(cut({Access::kNothing, 0x31, 0}, map, 4096, true, pieces), std::nullopt);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0], (Piece{TargetId{1}, 1, 0, 0, 0}));
  EXPECT_EQ(cut({Access::kRead, 0x2f, 2}, map, 4096, false, pieces), CutFault::kTooLarge);
  EXPECT_EQ(cut({Access::kRead, 0x0f, 2}, map, 4096, false, pieces), CutFault::kUnmapped);
}

}  // namespace
}  // namespace noctule
