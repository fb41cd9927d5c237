#pragma once
// What packets wait on average where channels are busy with those of others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analytic/packet_routes.h"
#include "core/ids.h"

namespace noctule {

/// Where a packet waits.
enum class WaitPart : std::uint8_t {
  kEnter,  ///< for its VC: of the injection channel,
  kLinks,  ///< of links,
  kLeave,  ///< of the consumption channel;
  kShared  ///< its flits, where worms of the other direction share links with it
};
inline constexpr std::array<const char*, 4> kWaitParts{"enter", "links", "leave", "shared"};

/// Cycles that a packet waits in each part as the shares of busy cycles say: for a VC share x mean rest of a
/// worm that holds it, sum over channels; shared: its flits x share, likewise. Packets of the own client do
/// not count, but in the lines in which they enter and leave.
struct WaitShares {
  std::array<double, kWaitParts.size()> of{};
  double own = 0;      ///< cycles until the client's own packets before have entered, and left
  double busy = 0;     ///< share of cycles, mean over the channels of the way
  double busiest = 0;  ///< the same, at the busiest
};

/// What the fabric makes of these: own + sum of weight x part / (1 - steep x busy). Found by comparison with
/// level cycle (fit_waits).
struct WaitWeights {
  std::array<double, kWaitParts.size()> of{};
  double steep = 0;
  double busiest = 1;  ///< the largest WaitShares::busiest that they were compared at
  /// By what the parts grow where channels are so busy.
  [[nodiscard]] double growth(double busy) const;
  [[nodiscard]] double wait(const WaitShares& shares) const;
};

/// The mean over packets of one kind.
struct WaitSample {
  WaitShares shares;
  double wait = 0;  ///< cycles that they did wait
  double packets = 0;
};
/// By least squares; no weight is negative.
[[nodiscard]] WaitWeights fit_waits(const std::vector<WaitSample>& samples);

/// Without weights each channel of the way is taken for a queue with random arrivals (md1_wait): of the
/// window before, the share of cycles that packets of other clients kept it busy, and how long they are.
/// Whole cycles; what is left of a cycle goes to the next packet. In the first window nobody waits for
/// others.
class LinkUtilisation {
 public:
  /// `window`: cycles, >= 1.
  LinkUtilisation(const PacketRoutes& routes, Cycle window, std::optional<WaitWeights> weights = {});
  /// Counts a packet, and says what it waits. `client`: whose transaction it is of; its own packets never
  /// wait for each other, unless there are weights: then they enter and leave one behind the other.
  std::uint64_t pass(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                     std::uint64_t flits);
  /// Counts a packet, and says what its wait is made of.
  [[nodiscard]] WaitShares shares(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                                  std::uint64_t flits);
  /// The busiest channel that the last packet passed: its share of cycles, at most 1.
  [[nodiscard]] double busiest() const { return busiest_; }
  /// It was busier than where the weights come from.
  [[nodiscard]] bool outside() const { return weights_ && busiest_ > weights_->busiest; }
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
  /// By direction: of requests, of responses.
  struct Records {
    std::array<Record, 2> of;
    Cycle passed = 0;  ///< of a client, where packets enter or leave: the next one may pass
  };
  [[nodiscard]] double queued(const PacketRoute& route, bool request, std::uint32_t client, Cycle born,
                              std::uint64_t flits);
  [[nodiscard]] Sums others(const Records& all, const Records& own, bool request) const;
  Records& count(const RouteStop& stop, bool request, std::uint32_t client, Cycle born, std::uint64_t flits);

  Cycle window_;
  std::optional<WaitWeights> weights_;
  std::vector<Records> all_;                              ///< by channel
  std::unordered_map<std::uint64_t, Records> of_client_;  ///< by channel and client
  double rest_ = 0;                                       ///< of a cycle, >= 0, < 1
  double busiest_ = 0;
};

}  // namespace noctule
