#pragma once
// How many flits a transaction takes on the links, and how one is cut that no single packet can carry.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/divisor.h"
#include "transactions/address_map.h"

namespace noctule {

enum class Access : std::uint8_t {
  kRead,
  kWrite,
  kNothing  ///< moves no data: what its extensions say
};

/// The bytes of a transaction and where they go. Byte i is at address + i mod streaming_width.
struct Burst {
  Access access = Access::kRead;
  std::uint64_t address = 0;
  std::uint32_t length = 0;              ///< bytes
  std::uint32_t streaming_width = 0;     ///< bytes; 0, or at least the length: no streaming
  std::uint32_t byte_enable_length = 0;  ///< bytes of the pattern; 0: all bytes count
  /// Bytes of the range of addresses that it touches.
  [[nodiscard]] std::uint32_t width() const {
    return streaming_width == 0 || streaming_width > length ? length : streaming_width;
  }
};

/// What a flit holds and what stands in a header. Bits and bytes.
struct PacketFormat {
  std::uint32_t flit_bytes = 8;  ///< W: bytes of data in a flit, 1 to 4096
  unsigned address_bits = 40;    ///< 1 to 64
  unsigned length_bits = 12;     ///< of length - 1: a packet carries at most 2^length_bits bytes; 1 to 28
  unsigned id_bits = 8;          ///< 0 to 32
  static constexpr unsigned kCommandBits = 2;  ///< read, write, nothing
  static constexpr unsigned kStatusBits = 3;   ///< in responses
};

/// Packet lengths in flits. Data keep their byte lanes: byte at address A rides in lane A mod W, and every
/// beat of a streaming burst begins a new flit.
///
///   write request   header + enables + ceil((address mod W + length) / W), of each beat
///   read request    header + enables
///   read response   header + ceil((address mod W + length) / W), of each beat
///   write response  header
///
/// A request header has command, address, length and id, and the streaming width where there is streaming;
/// enables are one bit for each byte of the pattern, at most as many as there are bytes; a response header
/// has command, status and id. All are rounded up to whole flits.
class Packetizer {
 public:
  /// Throws ConfigError "tlm.packet..." for what is out of range.
  explicit Packetizer(const PacketFormat& format);

  [[nodiscard]] std::uint32_t request_flits(const Burst& burst) const;
  [[nodiscard]] std::uint32_t response_flits(const Burst& burst) const;
  /// Bytes that one packet carries at most.
  [[nodiscard]] std::uint64_t most_bytes() const { return std::uint64_t{1} << format_.length_bits; }
  [[nodiscard]] const PacketFormat& format() const { return format_; }

 private:
  [[nodiscard]] std::uint64_t flits_of_bits(std::uint64_t bits) const;
  [[nodiscard]] std::uint64_t data_flits(const Burst& burst) const;

  PacketFormat format_;
  Divisor flit_bytes_;
  std::uint64_t request_header_;    ///< flits, without streaming
  std::uint64_t streaming_header_;  ///< with it
  std::uint64_t response_header_;
};

/// A part of a burst that one target serves and one packet carries.
struct Piece {
  TargetId target{};
  std::uint64_t address = 0;          ///< at the target
  std::uint32_t first = 0;            ///< byte of the burst's data
  std::uint32_t length = 0;           ///< bytes
  std::uint32_t streaming_width = 0;  ///< of the piece, 1 to length; 0 where there are no data
  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class CutFault : std::uint8_t {
  kUnmapped,  ///< nobody serves one of its addresses, or they pass 2^64
  kTooLarge   ///< it needs more than one piece, and may not be cut
};

/// Cuts a burst at the ends of regions and granules, and so that no piece has more than `most_bytes`. In the
/// order of its data; `pieces` is filled anew. A burst without data is one piece, at its address. Streaming
/// bursts are cut into as many whole beats as a packet carries; where no one target serves a whole beat, or
/// no packet carries it, every beat is cut by itself. `split` false: at most one piece. Nothing: done.
[[nodiscard]] std::optional<CutFault> cut(const Burst& burst, const AddressMap& map, std::uint64_t most_bytes,
                                          bool split, std::vector<Piece>& pieces);

}  // namespace noctule
