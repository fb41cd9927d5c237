#pragma once
// What a flit looks like on the pins of a router in hardware (rtl/README.md, "Flits").

#include <cstdint>
#include <string>
#include <vector>

#include "core/flit.h"
#include "nodes/router_plan.h"

namespace noctule {

/// flit = {head, tail, data}. Data of a header, from bit 0 on: destination, one coordinate per dimension;
/// state for the routing relation; number of the message class, where classes are named; tag. Data of body
/// flits: number within the packet; tag. The tag is the
/// packet's handle: it names the packet among those that live, and is carried through unchanged. Tag and
/// number are scrambled (all data of a body flit together): every bit takes both values, from worm to worm
/// and from flit to flit, and none can be told from another.
class FlitFormat {
 public:
  static constexpr unsigned kStateBits = 3;
  static constexpr unsigned kTagBits = 32;
  static constexpr unsigned kMostBits = 63;  ///< of a flit; waveforms hold no wider values

  /// The narrowest format for the fabric, coordinates of at least 5 bits. Throws ConfigError where the
  /// topology is no k-ary n-cube, the relation's header does not fit, or a flit would be wider than
  /// kMostBits.
  explicit FlitFormat(const FabricPlan& plan);

  [[nodiscard]] unsigned coordinate_bits() const { return coordinate_bits_; }
  [[nodiscard]] unsigned dimensions() const { return dimensions_; }
  /// 0 where there is one class.
  [[nodiscard]] unsigned class_bits() const { return class_bits_; }
  [[nodiscard]] unsigned data_bits() const { return class_at() + class_bits_ + kTagBits; }
  [[nodiscard]] unsigned flit_bits() const { return data_bits() + 2; }

  /// `packet` as it is when the flit is on the pins.
  [[nodiscard]] std::uint64_t encode(Flit flit, const Packet& packet) const {
    const std::uint64_t ends = std::uint64_t{flit.head()} << (data_bits() + 1) | std::uint64_t{flit.tail()}
                                                                                     << data_bits();
    const unsigned low = data_bits() - kTagBits;
    const std::uint64_t tag = static_cast<std::uint32_t>(flit.packet);
    if (!flit.head())
      return ends | scrambled(tag << low | (flit.number() & ((std::uint64_t{1} << low) - 1)), data_bits());
    const std::uint64_t state = packet.route_state & ((1U << kStateBits) - 1);
    const std::uint64_t message_class = class_bits_ == 0 ? 0 : packet.message_class;
    return ends | scrambled(tag, kTagBits) << low | message_class << class_at() |
           state << (class_at() - kStateBits) | destination_[index(packet.destination_router)];
  }
  [[nodiscard]] bool head(std::uint64_t flit) const { return (flit >> (data_bits() + 1) & 1) != 0; }
  [[nodiscard]] bool tail(std::uint64_t flit) const { return (flit >> data_bits() & 1) != 0; }
  [[nodiscard]] PacketHandle packet(std::uint64_t flit) const {
    const unsigned low = data_bits() - kTagBits;
    return PacketHandle(static_cast<std::uint32_t>(
        head(flit) ? unscrambled(flit >> low & ~std::uint32_t{0}, kTagBits) : body(flit) >> low));
  }
  /// Of a header.
  [[nodiscard]] RouteState state(std::uint64_t flit) const {
    return flit >> (dimensions_ * coordinate_bits_) & ((1U << kStateBits) - 1);
  }
  /// Of a header.
  [[nodiscard]] std::uint8_t message_class(std::uint64_t flit) const {
    return static_cast<std::uint8_t>(flit >> class_at() & ((1U << class_bits_) - 1));
  }
  [[nodiscard]] std::uint64_t with_state(std::uint64_t flit, RouteState state) const {
    const unsigned at = dimensions_ * coordinate_bits_;
    const std::uint64_t field = std::uint64_t{(1U << kStateBits) - 1} << at;
    return (flit & ~field) | (state << at & field);
  }
  /// Of a header: coordinate in a dimension.
  [[nodiscard]] unsigned destination(std::uint64_t flit, unsigned dimension) const {
    return static_cast<unsigned>(flit >> (dimension * coordinate_bits_)) & ((1U << coordinate_bits_) - 1);
  }
  /// "head of packet handle 17 to (2,3), state 1, class 0": for reports.
  [[nodiscard]] std::string describe(std::uint64_t flit) const;

 private:
  static constexpr std::uint64_t kFactor = 0xd1342543de82ef95;   // odd: multiplying by it can be undone
  static constexpr std::uint64_t kInverse = 0x572b5ee77a54e3bd;  // of kFactor modulo 2^64

  /// Bijections on so many bits, each the inverse of the other.
  static constexpr std::uint64_t scrambled(std::uint64_t value, unsigned bits) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const unsigned half = (bits + 1) / 2;
    value ^= 0x5bf03635f0a31e4b & mask;
    for (int round = 0; round < 2; ++round) {
      value = value * kFactor & mask;
      value ^= value >> half;
    }
    return value * kFactor & mask;
  }
  static constexpr std::uint64_t unscrambled(std::uint64_t value, unsigned bits) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const unsigned half = (bits + 1) / 2;
    value = value * kInverse & mask;
    for (int round = 0; round < 2; ++round) {
      value ^= value >> half;
      value = value * kInverse & mask;
    }
    return value ^ (0x5bf03635f0a31e4b & mask);
  }
  static_assert(kFactor * kInverse == 1);
  /// Data of a body flit, in clear: number, tag.
  [[nodiscard]] std::uint64_t body(std::uint64_t flit) const {
    return unscrambled(flit & ((std::uint64_t{1} << data_bits()) - 1), data_bits());
  }

  [[nodiscard]] unsigned class_at() const { return dimensions_ * coordinate_bits_ + kStateBits; }

  unsigned dimensions_;
  unsigned coordinate_bits_;
  unsigned class_bits_;
  std::vector<std::uint64_t> destination_;  ///< by RouterId: the coordinates, in place
};

}  // namespace noctule
