#pragma once
// What all routers of a fabric share.

#include <cstdint>
#include <vector>

#include "blocks/known_routes.h"
#include "blocks/network_interface.h"
#include "blocks/observer.h"
#include "blocks/refusals.h"
#include "blocks/worm.h"
#include "core/flit.h"
#include "core/pool.h"
#include "kernel/calendar.h"
#include "kernel/interfaces.h"
#include "routing/relation.h"
#include "topology/topology.h"

namespace noctule {

struct MulticastPlan;

/// Receives packets whose tail has been consumed; the fabric.
class DeliverySink {
 public:
  virtual ~DeliverySink() = default;
  virtual void packet_delivered(PacketHandle packet, Cycle t) = 0;
  /// Of a planned worm: one of its destinations has consumed the tail.
  virtual void stop_served(PacketHandle packet, TerminalId terminal, Cycle t) = 0;
};

/// A message that a destination has absorbed, and that waits in its consumption channel for a retransmission
/// buffer.
struct Absorbed {
  PacketHandle packet = kNoPacket;
  std::uint16_t output = 0;  ///< of the router
};

struct FabricContext {
  PacketTable packets;
  const Topology* topology = nullptr;
  const RoutingRelation* relation = nullptr;
  bool relation_has_state = false;
  bool relation_has_tables = false;
  KnownRoutes known_routes;
  Cycle flight = 1;     ///< cycles from the sending of a flit to its being in the next buffer, on usual links
  bool trains = false;  ///< a credit enables moves in the cycle in which it is given (CreditOrder)
  Cycle horizon = 1;    ///< cycles ahead of now in which anything posted takes effect, at most
  /// The links that headers took, by handle of the packet; null where the number of hops says enough.
  std::vector<std::vector<LinkId>>* paths = nullptr;
  /// By handle of the packet, the cycle in which its tail came into the router that stores it
  /// (StoredPackets).
  std::vector<Cycle> stored_at;
  /// By handle of the packet, flits of it that its terminal has taken, where consumption is unlimited; 0
  /// before the first one.
  std::vector<std::uint32_t> taken;
  Calendar* calendar = nullptr;
  /// Where sources discard: births at one router.
  struct Births {
    std::uint64_t fresh = 0;  ///< terminals that were idle until a packet was born in `at`
    Cycle at = kNever;
    std::uint64_t busy = 0;  ///< terminals whose injection channel was busy when the last cycle started
  };
  std::vector<Births> births;      ///< by position; empty: sources do not discard
  std::uint64_t* awake = nullptr;  ///< of the calendar: whom a flit sent in this cycle on a usual link wakes
  /// By position, as bits: routers that may hold something while they sleep, be it a worm's connection.
  std::vector<std::uint64_t> held;
  FlitObserver* observer = nullptr;
  DeliverySink* sink = nullptr;
  Pool<Worm> worms;
  Pool<Message> messages;
  const MulticastPlan* multicast = nullptr;     ///< null: every message has one destination
  std::vector<std::vector<Absorbed>> absorbed;  ///< by terminal, in order; empty without retransmission
  /// Those of terminal t are t * interfaces_per_terminal and what follows.
  std::vector<NetworkInterface> interfaces;
  std::uint32_t interfaces_per_terminal = 1;
  std::vector<std::uint8_t> interface_of_class = {0};  ///< by message class, within the terminal
  std::vector<std::uint64_t> terminal_flits;           ///< consumed, by terminal
  std::vector<std::uint64_t> class_flits;              ///< by message class; empty where they have no names
  std::uint64_t flits_injected = 0;  ///< some of them ahead of their cycle (RouterView::flits_ahead)
  std::uint64_t flits_copied = 0;    ///< at destinations from which they went on as well
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_injected = 0;  ///< of messages with several copies the first one counts
  std::uint64_t injection_cycles = 0;  ///< sum of the cycles in which these were injected, modulo 2^64
  std::uint64_t connections = 0;
  std::vector<PacketHandle>* begun =
      nullptr;                           ///< packets whose injection began in this cycle; null: not asked
  CandidateList candidates;              ///< scratch of the route computation
  Refusals* refusals = nullptr;          ///< terminals that may refuse flits; null: they take all that comes
  std::uint32_t consumption_places = 1;  ///< consumption outputs of an interface, at most

  /// The terminal consumes a flit of the packet.
  [[gnu::always_inline]] void count_consumed(std::uint32_t terminal, PacketHandle packet) {
    ++flits_delivered;
    ++terminal_flits[terminal];
    if (!class_flits.empty()) [[unlikely]]
      ++class_flits[packets[packet].message_class];
  }
  [[nodiscard]] std::size_t interface(TerminalId terminal, std::uint8_t message_class) const {
    return index(terminal) * interfaces_per_terminal + interface_of_class[message_class];
  }
  /// Where there are `paths`: the header of the packet goes over the link. `first`: it comes from a terminal.
  [[gnu::noinline]] void add_to_path(PacketHandle packet, bool first, LinkId link) {
    auto& path = of_packet(*paths, packet);
    if (first) path.clear();
    path.push_back(link);
  }
  /// The entry of a list that goes by handles, which grows as they do.
  template <class T>
  [[nodiscard]] static T& of_packet(std::vector<T>& list, PacketHandle packet) {
    if (list.size() <= index(packet)) [[unlikely]]
      list.resize(2 * index(packet) + 1);
    return list[index(packet)];
  }
};

}  // namespace noctule
