#pragma once
// What packets wait for each other where nobody moves their flits: each books the channels of its way, one
// packet after the other.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analytic/packet_routes.h"
#include "core/ids.h"

namespace noctule {

/// Packets book in the order in which they are told of, for instance that of their births; channels serve
/// them in the order in which their headers arrive. Three things make them wait:
///
/// * A VC is held by one worm at a time. A header waits for those that arrived at it before. The VC comes
///   free when the header behind would find itself at the front of the next buffer. A worm that waits ahead,
///   and is longer than the buffers between, holds the VCs behind it.
/// * Worms in different VCs of one channel share it flit by flit, each as fast as the other (processor
///   sharing: Kleinrock 1976, Queueing Systems II, 4.4). A worm flows as fast as the slowest part of its way
///   lets it. One whose header waits takes no cycles of the channels that it holds.
/// * What booked earlier is put off by what arrives before it, or shares a channel with it: at the channel,
///   and from there on. Whose time of arrival has been told for good cannot be put off: then the later one
///   takes the wait of both, and their mean is right.
///
/// Left out: who goes first among headers that come to one VC, cycles that a switch allocator loses, and what
/// those who are put off do to third ones.
class LinkBookings {
 public:
  explicit LinkBookings(const PacketRoutes& routes);

  struct Packet {
    const PacketRoute* route = nullptr;
    Cycle born = 0;
    std::uint64_t flits = 1;
    std::uint64_t body = 1;  ///< cycles in which they pass if nothing is in the way, >= flits
    bool final = false;      ///< nobody asks for `put_off`
  };
  /// What a packet adds to its zero-load latency.
  struct Waits {
    std::uint64_t injection = 0;  ///< cycles, before it enters the injection channel
    std::uint64_t all = 0;        ///< cycles, that one included
    std::uint64_t number = 0;     ///< of the packet
  };
  /// `now`: no later call has a birth before it.
  Waits book(const Packet& packet, Cycle now);
  /// Cycles by which later bookings have made the packet of this number wait, besides what it was told.
  [[nodiscard]] std::uint64_t put_off(std::uint64_t number) const;
  /// The packet's time has been told for good.
  void settle(std::uint64_t number);
  /// Everything is free.
  void clear();

 private:
  /// In a VC of a channel.
  struct Worm {
    std::uint64_t packet = 0;
    Cycle arrived = 0;  ///< its header
    Cycle from = 0;     ///< its header passes
    Cycle flows = 0;    ///< from then on its flits follow: nobody ahead is in the way of its header
    Cycle until = 0;    ///< its tail has passed
    Cycle free = 0;     ///< the next one's header may pass
    float share = 1;    ///< of the cycles in which it flows
    std::uint32_t vc = 0;
  };
  using Channel = std::vector<Worm>;
  struct Stop {
    Channel* channel = nullptr;
    std::uint64_t places = 0;
  };
  /// A packet that may be put off.
  struct Entry {
    std::uint64_t number = 0;
    std::uint64_t flits = 0;
    std::uint64_t put_off = 0;
    bool final = false;
    std::vector<Stop> stops;
  };
  /// A worm with which the one that books shares channels; cycles from the start of that one on.
  struct Sharer {
    std::uint64_t packet = 0;
    double from = 0;
    double end = 0;  ///< moves as it is slowed down
    double share = 1;
    double slowed = 0;  ///< cycles by which it ends later
  };

  [[nodiscard]] static Cycle free_vc(Channel& channel, std::uint32_t vc, Cycle at, Cycle now);
  void choose_vc(const RouteStop& stop, Cycle at, Cycle now, Stop& taken, Worm& worm);
  [[nodiscard]] std::uint64_t share(const Packet& packet, const Entry& me, Cycle start,
                                    std::uint64_t& instead);
  [[nodiscard]] double flow(double body);
  void hold(const Packet& packet, Cycle start, std::uint64_t slowed);
  [[nodiscard]] Cycle freed(const std::vector<RouteStop>& stops, std::size_t n, std::uint64_t flits,
                            std::uint64_t body) const;
  std::uint64_t go_first(Channel& channel, const Worm& worm);
  std::uint64_t delay(std::uint64_t number, const Channel* at, std::uint64_t by);
  [[nodiscard]] Entry& entry(std::uint64_t number) { return entries_[number & (entries_.size() - 1)]; }
  [[nodiscard]] const Entry& entry(std::uint64_t number) const {
    return entries_[number & (entries_.size() - 1)];
  }

  std::vector<Channel> channels_;
  /// A ring of 2^n: who is overtaken by so many can no longer be put off.
  std::vector<Entry> entries_;
  std::uint64_t packets_ = 0;
  // Scratch, by stop.
  std::vector<Worm> mine_;
  std::vector<Sharer> sharers_;
};

}  // namespace noctule
