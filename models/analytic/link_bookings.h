#pragma once
// What packets wait for each other where nobody moves their flits: each books an interval of every channel
// of its way, one packet after the other.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analytic/packet_routes.h"
#include "core/ids.h"

namespace noctule {

/// Intervals of cycles that are taken, of one channel.
class ChannelCalendar {
 public:
  /// The first cycle from `at` on from which `length` cycles are free.
  [[nodiscard]] Cycle gap(Cycle at, std::uint64_t length) const;
  /// Takes [from, end), which may overlap what is taken.
  void take(Cycle from, Cycle end);
  /// Forgets what ends at `now` or before: nobody asks for it again.
  void forget(Cycle now);
  void clear() { taken_.clear(); }

 private:
  struct Interval {
    Cycle from = 0;
    Cycle end = 0;
  };
  std::vector<Interval> taken_;  ///< by `from`; no two overlap or touch
};

/// Packets book in the order in which they are told of. A header waits at each channel of its way until there
/// is a gap for its packet, and on a link besides for a VC of its class. A VC is held until the packet behind
/// finds its header at the front of the buffer; a worm that is longer than a buffer, and waits, holds the
/// channels behind it. What booked later finds the gaps that are left: nothing is moved again.
class LinkBookings {
 public:
  explicit LinkBookings(const PacketRoutes& routes) : channels_(routes.channels()), vcs_(routes.vcs()) {}
  /// What a packet adds to its zero-load latency.
  struct Waits {
    std::uint64_t injection = 0;  ///< cycles, before it enters the injection channel
    std::uint64_t all = 0;        ///< cycles, that one included
  };
  /// `born`: cycle; `now`: no later call has a birth before it.
  Waits book(const PacketRoute& route, Cycle born, std::uint64_t flits, Cycle now);
  /// Everything is free.
  void clear();

 private:
  struct Held {
    ChannelCalendar* channel = nullptr;
    ChannelCalendar* vc = nullptr;  ///< null: none
    Cycle from = 0;
  };
  Held find(const RouteStop& stop, Cycle at, std::uint64_t length, Cycle now);

  std::vector<ChannelCalendar> channels_;
  std::vector<ChannelCalendar> vcs_;
  std::vector<Held> held_;  ///< scratch
};

}  // namespace noctule
