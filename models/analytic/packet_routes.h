#pragma once
// Packets whose flits nobody moves: which links they take, and when they would arrive if they met no other.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analytic/zero_load.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// What the flits of one packet pass one behind the other: an injection channel, a link, a consumption
/// channel. Each has VCs, of which a worm takes one; those of a link are of one message class. VC v, from 0
/// on, rides on channel v mod `replicas`.
struct RouteStop {
  std::uint32_t first = 0;     ///< number of the channel
  std::uint32_t replicas = 1;  ///< channels first, first + 1, ...: any of them will do
  std::uint32_t vc = 0;        ///< number of the first VC there
  std::uint32_t vcs = 1;       ///< >= 1: worms that may hold it at a time
  bool alone = false;          ///< no other worm shares a channel with one that has its VC
  std::uint64_t offset =
      0;                   ///< cycles from the birth of a packet that waits nowhere until its header is there
  std::uint64_t slot = 1;  ///< cycles for each flit
  std::uint64_t places = 0;  ///< flits that fit behind it, into the next buffer
  std::uint64_t turn = 0;    ///< cycles from the tail of one worm to the header of the next in the same VC
  /// Cycles from the tail to the same at the stop ahead, of a packet that fills the buffer between them.
  std::uint64_t lead = 0;
  std::uint64_t flight = 0;  ///< cycles from here to the front of an empty buffer ahead
};

/// The way of packets of one message class from one terminal to another.
struct PacketRoute {
  std::vector<RouteStop> stops;
  std::uint64_t hops = 0;
  std::uint8_t message_class = 0;
  std::vector<LinkId> links;             ///< in their order
  std::vector<std::uint32_t> vcs;        ///< that a header may choose from there
  std::vector<std::uint64_t> zero_load;  ///< by length, as far as it was asked for; 0: not yet
};

/// Finds them. Where a relation offers a choice, a packet takes what it offers first among what its message
/// class may use. Keeps references to plan and zero load.
class PacketRoutes {
 public:
  PacketRoutes(const FabricPlan& plan, const ZeroLoad& zero_load);

  /// From the first of the states at the start. Stays as long as this object. Throws ConfigError
  /// "routing.algorithm" where the way does not end.
  [[nodiscard]] PacketRoute& route(TerminalId from, TerminalId to, std::uint8_t message_class);
  /// How many states there are at the start, >= 1.
  [[nodiscard]] std::uint64_t states(TerminalId from, TerminalId to, std::uint8_t message_class) const;
  /// From state `state` < states(...); stays until this is called again.
  [[nodiscard]] PacketRoute& drawn(TerminalId from, TerminalId to, std::uint8_t message_class,
                                   std::uint64_t state);
  /// Cycles from birth to the consumption of the tail, of a packet that meets no other; flits >= 1.
  [[nodiscard]] std::uint64_t zero_load(PacketRoute& route, TerminalId from, std::uint32_t flits) const {
    if (zero_load_.by_hops()) return zero_load_.latency(route.hops, flits);
    return by_path(route, from, flits);
  }
  /// Channels of all stops are numbered 0 to below this, VCs likewise.
  [[nodiscard]] std::size_t channels() const { return channels_; }
  [[nodiscard]] std::size_t vcs() const { return vcs_; }

 private:
  [[nodiscard]] std::uint64_t by_path(PacketRoute& route, TerminalId from, std::uint32_t flits) const;
  [[nodiscard]] std::uint64_t key_of(TerminalId from, TerminalId to, std::uint8_t message_class) const;
  [[nodiscard]] PacketRoute made(TerminalId from, TerminalId to, std::uint8_t message_class,
                                 std::uint64_t state) const;
  void follow(PacketRoute& route, RouterId here, RouterId end, std::uint64_t number) const;
  void add_stops(PacketRoute& route, TerminalId from, TerminalId to) const;

  const FabricPlan& plan_;
  const ZeroLoad& zero_load_;
  std::vector<std::uint32_t> link_;            ///< first channel, by LinkId
  std::vector<std::uint32_t> injection_;       ///< by terminal and interface
  std::vector<std::uint32_t> consumption_;     ///< likewise
  std::vector<std::uint32_t> vc_;              ///< by LinkId: the first one of class 0
  std::vector<std::uint32_t> injection_vc_;    ///< as injection_
  std::vector<std::uint32_t> consumption_vc_;  ///< as consumption_
  std::size_t channels_ = 0;
  std::size_t vcs_ = 0;
  std::deque<PacketRoute> routes_;
  std::unordered_map<std::uint64_t, PacketRoute*> known_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, PacketRoute> drawn_;  ///< by pair and class, and state
};

}  // namespace noctule
