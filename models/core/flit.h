#pragma once
// What moves: flits, and the packets (worms) that they belong to.

#include <cstdint>

#include "core/error.h"
#include "core/ids.h"
#include "core/pool.h"

namespace noctule {

/// A flow-control unit: which packet, which flit of it, and whether it is the first or the last one.
struct Flit {
  static constexpr std::uint32_t kHead = 1U << 31;
  static constexpr std::uint32_t kTail = 1U << 30;
  static constexpr std::uint32_t kNumber = kTail - 1;

  PacketHandle packet = kNoPacket;
  std::uint32_t bits = kTail;  ///< number in the packet (from 0), kHead, kTail

  static constexpr Flit of(PacketHandle packet, std::uint32_t number, std::uint32_t length) noexcept {
    return {packet, number | (number == 0 ? kHead : 0) | (number + 1 == length ? kTail : 0)};
  }
  [[nodiscard]] constexpr bool head() const noexcept { return (bits & kHead) != 0; }
  [[nodiscard]] constexpr bool tail() const noexcept { return (bits & kTail) != 0; }
  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return bits & kNumber; }
  /// May this flit follow `previous` in one virtual channel? Headers follow tails, body flits their
  /// predecessor in the same packet: worms are never interleaved within a channel.
  [[nodiscard]] constexpr bool follows(Flit previous) const noexcept {
    // Without branches: this is asked for every flit.
    const std::uint32_t starts = bits >> 31;
    const std::uint32_t ended = previous.bits >> 30 & 1;
    const std::uint32_t another =
        (static_cast<std::uint32_t>(packet) ^ static_cast<std::uint32_t>(previous.packet)) |
        (bits - previous.bits - 1) << 2;  // or not the next number
    return ((starts ^ ended) | (another & (starts - 1))) == 0;
  }
  friend constexpr bool operator==(const Flit&, const Flit&) = default;
};
static_assert(sizeof(Flit) == 8);

inline constexpr std::uint32_t kNoWorm = ~0U;

/// A live packet: from generation to the consumption of its tail.
struct Packet {
  Cycle birth = 0;           ///< cycle of generation
  Cycle injected = 0;        ///< cycle in which the header entered the injection channel
  std::uint64_t number = 0;  ///< of the packet at its source, from 0; discarded ones count
  void* user = nullptr;
  TerminalId source{};
  TerminalId destination{};
  // What every router reads, side by side:
  std::uint64_t route_state = 0;  ///< what the header carries for the routing relation
  RouterId destination_router{};
  std::uint32_t length = 1;            ///< flits
  std::uint32_t hops = 0;              ///< links taken so far by the header
  std::uint32_t waited = 0;            ///< cycles that the header has bid for output VCs in vain
  std::uint16_t consumption_slot = 0;  ///< at its destination router: the interface that takes it
  std::uint8_t message_class = 0;
  std::uint32_t worm = kNoWorm;  ///< planned ones: where it goes; destination is then its next stop
};
static_assert(sizeof(Packet) == 72);

/// All live packets of a fabric. Handles are reused, so they identify a packet only while it lives; what is
/// shown to users is (source, number).
class PacketTable {
 public:
  [[nodiscard]] PacketHandle add(const Packet& packet) { return PacketHandle(packets_.add(packet)); }
  void remove(PacketHandle handle) { packets_.remove(static_cast<std::uint32_t>(handle)); }
  [[nodiscard]] Packet& operator[](PacketHandle handle) {
    return packets_[static_cast<std::uint32_t>(handle)];
  }
  [[nodiscard]] const Packet& operator[](PacketHandle handle) const {
    return packets_[static_cast<std::uint32_t>(handle)];
  }
  [[nodiscard]] std::size_t live() const { return packets_.live(); }
  void clear() { packets_.clear(); }

 private:
  Pool<Packet> packets_;
};

}  // namespace noctule
