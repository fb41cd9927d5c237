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
  /// Modulo 4 where a router gave it that stores a PackedFlit.
  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return bits & kNumber; }
  /// The same flit, which follows `previous`: with its whole number, if that has its.
  [[nodiscard]] constexpr Flit counted_after(Flit previous) const noexcept {
    return {packet, (bits & (kHead | kTail)) | (head() ? 0 : (previous.number() + 1) & kNumber)};
  }
  /// As PackedFlit has them.
  [[nodiscard]] constexpr std::uint32_t due() const noexcept;
  [[nodiscard]] constexpr bool follows(std::uint32_t due) const noexcept;
  friend constexpr bool operator==(const Flit&, const Flit&) = default;
};
static_assert(sizeof(Flit) == 8);

/// A flit as buffers hold it that no observer looks into: with its number modulo 4. So it is seen at the next
/// link if a flit is lost, doubled or overtaken. Four that are lost in a row make the worm too short, which
/// the terminal sees.
class PackedFlit {
 public:
  static constexpr std::uint32_t kPackets = 1U << 28;  ///< handles are below

  /// A tail, which any header may follow.
  constexpr PackedFlit() noexcept = default;
  constexpr explicit PackedFlit(Flit flit) noexcept
      : bits_(flit.number() << 30 | (static_cast<std::uint32_t>(flit.packet) & (kPackets - 1)) << 2 |
              flit.bits >> 30) {}
  static constexpr PackedFlit of(PacketHandle packet, std::uint32_t number, std::uint32_t length) noexcept {
    PackedFlit flit;
    flit.bits_ = number << 30 | static_cast<std::uint32_t>(packet) << 2 | (number == 0 ? kHead : 0) |
                 (number + 1 == length ? kTail : 0);
    return flit;
  }
  [[nodiscard]] constexpr bool head() const noexcept { return (bits_ & kHead) != 0; }
  [[nodiscard]] constexpr bool tail() const noexcept { return (bits_ & kTail) != 0; }
  [[nodiscard]] constexpr PacketHandle packet() const noexcept {
    return PacketHandle(bits_ >> 2 & (kPackets - 1));
  }
  constexpr operator Flit() const noexcept { return {packet(), bits_ >> 30 | (bits_ & 3) << 30}; }

  /// What has to follow in the same virtual channel: headers follow tails, body flits their predecessor in
  /// the same packet. Worms are never interleaved within a channel.
  [[nodiscard]] constexpr std::uint32_t due() const noexcept {
    return ((bits_ + kOne) & ~(kHead | kTail)) | ends(bits_);
  }
  /// Is it what is due?
  [[nodiscard]] constexpr bool follows(std::uint32_t due) const noexcept {
    return ((bits_ & ~kTail) | ends(bits_ >> 1)) == due;  // without branches: this is asked for every flit
  }

 private:
  // Head and tail as the two highest bits of Flit::bits, the number so that it counts round.
  static constexpr std::uint32_t kHead = 2;
  static constexpr std::uint32_t kTail = 1;
  static constexpr std::uint32_t kOne = 1U << 30;
  static constexpr std::uint32_t ends(std::uint32_t bits) noexcept { return 0U - (bits & 1); }

  std::uint32_t bits_ = kTail;
};
static_assert(sizeof(PackedFlit) == 4);

constexpr std::uint32_t Flit::due() const noexcept {
  return PackedFlit(*this).due();
}
constexpr bool Flit::follows(std::uint32_t due) const noexcept {
  return PackedFlit(*this).follows(due);
}

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
  std::uint32_t length = 1;  ///< flits
  std::uint32_t hops = 0;    ///< links taken so far by the header
  std::uint32_t waited = 0;  ///< cycles that the header has bid for output VCs in vain; while it bids, less
                             ///< the cycle from which it does, modulo 2^32
  std::uint16_t consumption_slot = 0;  ///< at its destination router: the interface that takes it
  std::uint8_t message_class = 0;
  std::uint32_t worm = kNoWorm;  ///< planned ones: where it goes; destination is then its next stop

  /// The header bids for an output from cycle `t` on.
  void bids_from(Cycle t) { waited -= static_cast<std::uint32_t>(t); }
  /// It has one in cycle `t`.
  void has_output(Cycle t) { waited += static_cast<std::uint32_t>(t); }
};
static_assert(sizeof(Packet) == 72);

/// What a packet in a source queue takes, in bytes: its entry and its place in the queue, in tables that
/// double as they grow.
inline constexpr double kQueuedBytes = 2.0 * (sizeof(Packet) + sizeof(PacketHandle));

/// All live packets of a fabric. Handles are reused, so they identify a packet only while it lives; what is
/// shown to users is (source, number).
class PacketTable {
 public:
  /// Throws ConfigError if more live than can be told apart.
  [[nodiscard]] PacketHandle add(const Packet& packet) {
    const std::uint32_t handle = packets_.add(packet);
    if (handle >= PackedFlit::kPackets - 1) [[unlikely]]
      too_many_error();
    return PacketHandle(handle);
  }
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
  [[noreturn, gnu::noinline, gnu::cold]] static void too_many_error() {
    throw ConfigError(
        "traffic.source_queue",
        "268,435,455 packets live: no more can be told apart; give source queues an end, or offer "
        "less than the network can take");
  }

  Pool<Packet> packets_;
};

}  // namespace noctule
