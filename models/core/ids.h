#pragma once
// Strong index types. A number that names a router never meets one that names a terminal.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace noctule {

enum class RouterId : std::uint32_t {};      ///< a router of the fabric, 0-based and dense
enum class TerminalId : std::uint32_t {};    ///< injects and consumes at a router, dense
enum class LinkId : std::uint32_t {};        ///< a directed physical direction between two routers
enum class PortId : std::uint16_t {};        ///< a direction of travel at a router (see Topology)
enum class VcClass : std::uint16_t {};       ///< a class of virtual channels within a link
enum class PacketHandle : std::uint32_t {};  ///< a live packet in the packet table; reused

inline constexpr PacketHandle kNoPacket{0xffff'ffffU};
inline constexpr TerminalId kNoTerminal{0xffff'ffffU};

/// The clock cycle of a fabric, counted from 0.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// The plain number behind an id, for indexing.
template <class Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr std::size_t index(Id id) noexcept {
  return static_cast<std::size_t>(id);
}

}  // namespace noctule
