#pragma once
// The account of flits that are in an injection buffer before their cycle.

#include <array>
#include <cstdint>

#include "core/ids.h"

namespace noctule {

/// Packets that have entered an injection buffer as a whole (InjectionChannel::enter_whole): their flits are
/// there before the cycles in which they would be injected one by one.
class WholePackets {
 public:
  static constexpr std::uint32_t kMostFlits = 15;

  std::uint32_t longest = kMostFlits;  ///< flits of a packet that may; 0: none

  /// The first flit of one is due in cycle t, the others in the cycles that follow.
  void enter(Cycle t, std::uint32_t flits) {
    Ends& at = ends_[(t + flits - 1) % ends_.size()];
    if (at.last != t + flits - 1) at = {t + flits - 1, 0};
    ++at.packets;
  }
  /// Flits in buffers that are due in cycle `next`, which has not been performed, or later.
  [[nodiscard]] std::uint64_t flits_ahead(Cycle next) const {
    std::uint64_t flits = 0;
    for (const Ends& at : ends_)
      if (at.last >= next) flits += (at.last - next + 1) * at.packets;
    return flits;
  }
  void clear() { ends_ = {}; }

 private:
  struct Ends {
    Cycle last = 0;             ///< in which the last flit is due,
    std::uint64_t packets = 0;  ///< of so many
  };
  std::array<Ends, kMostFlits + 1> ends_ = {};
};

}  // namespace noctule
