#pragma once
// What a flit looks like on the pins of a router in hardware (rtl/README.md, "Flits").

#include <cstdint>
#include <string>
#include <vector>

#include "core/flit.h"
#include "nodes/router_plan.h"

namespace noctule {

/// flit = {head, tail, data}. Data of a header, from bit 0 on: destination, one coordinate per dimension;
/// state for the routing relation; tag. Data of body flits: number within the packet; tag. The tag is the
/// packet's handle: it names the packet among those that live, and is carried through unchanged.
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
  [[nodiscard]] unsigned data_bits() const { return dimensions_ * coordinate_bits_ + kStateBits + kTagBits; }
  [[nodiscard]] unsigned flit_bits() const { return data_bits() + 2; }

  /// `packet` as it is when the flit is on the pins.
  [[nodiscard]] std::uint64_t encode(Flit flit, const Packet& packet) const {
    const std::uint64_t ends = std::uint64_t{flit.head()} << (data_bits() + 1) | std::uint64_t{flit.tail()}
                                                                                     << data_bits();
    const unsigned low = data_bits() - kTagBits;
    const std::uint64_t tag = std::uint64_t{static_cast<std::uint32_t>(flit.packet)} << low;
    if (!flit.head()) return ends | tag | (flit.number() & ((std::uint64_t{1} << low) - 1));
    const std::uint64_t state = packet.route_state & ((1U << kStateBits) - 1);
    return ends | tag | state << (low - kStateBits) | destination_[index(packet.destination_router)];
  }
  [[nodiscard]] bool head(std::uint64_t flit) const { return (flit >> (data_bits() + 1) & 1) != 0; }
  [[nodiscard]] bool tail(std::uint64_t flit) const { return (flit >> data_bits() & 1) != 0; }
  [[nodiscard]] PacketHandle packet(std::uint64_t flit) const {
    return PacketHandle(static_cast<std::uint32_t>(flit >> (data_bits() - kTagBits)));
  }
  /// Of a header.
  [[nodiscard]] RouteState state(std::uint64_t flit) const {
    return flit >> (dimensions_ * coordinate_bits_) & ((1U << kStateBits) - 1);
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
  /// "head of packet handle 17 to (2,3), state 1": for reports.
  [[nodiscard]] std::string describe(std::uint64_t flit) const;

 private:
  unsigned dimensions_;
  unsigned coordinate_bits_;
  std::vector<std::uint64_t> destination_;  ///< by RouterId: the coordinates, in place
};

}  // namespace noctule
