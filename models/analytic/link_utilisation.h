#pragma once
// What packets wait on average where channels are busy with those of others.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analytic/packet_routes.h"
#include "core/ids.h"

namespace noctule {

/// Each channel of the way is taken for a queue with random arrivals (md1_wait): of the window before, the
/// share of cycles that packets of other clients kept it busy, and how long they are. Whole cycles; what is
/// left of a cycle goes to the next packet. In the first window nobody waits.
class LinkUtilisation {
 public:
  /// `window`: cycles, >= 1.
  LinkUtilisation(const PacketRoutes& routes, Cycle window) : window_(window), all_(routes.channels()) {}
  /// Counts a packet, and says what it waits. `client`: whose transaction it is of; its own packets never
  /// wait for each other.
  std::uint64_t pass(const PacketRoute& route, std::uint32_t client, Cycle born, std::uint64_t flits);
  /// The busiest channel that the last packet passed: its share of cycles, at most 1.
  [[nodiscard]] double busiest() const { return busiest_; }
  /// Nothing has passed.
  void clear();

 private:
  struct Sums {
    std::uint64_t busy = 0;    ///< cycles
    std::uint64_t square = 0;  ///< sum over packets of their cycles squared
  };
  struct Record {
    Cycle window = 0;
    Sums now;
    Sums before;  ///< of the window before
    void turn_to(Cycle number);
  };

  Cycle window_;
  std::vector<Record> all_;                              ///< by channel
  std::unordered_map<std::uint64_t, Record> of_client_;  ///< by channel and client
  double rest_ = 0;                                      ///< of a cycle, >= 0, < 1
  double busiest_ = 0;
};

}  // namespace noctule
