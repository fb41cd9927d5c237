#pragma once
// Transactions that a network is given without a platform: recorded ones, or drawn ones. For `noctule
// levels`.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "patterns/pattern.h"
#include "tlm/network.h"

namespace noctule::tlm {

struct ReplayedTransaction {
  InitiatorId initiator{};
  Burst burst;
  /// Number of the transaction in the list whose response comes first; none: begins at `pause`.
  std::optional<std::size_t> after;
  sc_time pause;    ///< from there on
  sc_time service;  ///< that a target takes for each piece
};

/// Lines of a transactions.csv (Recording), those with packets; sockets by name; at most 1 MiB each. One
/// whose `after` sent no packet, or stands behind it, begins at its own time. Throws ConfigError "--trace"
/// that names the line, also where `network` would carry none of its packets, or not to the target that it
/// names. Also where two lines have one number, or none has that of an `after`.
[[nodiscard]] std::vector<ReplayedTransaction> recorded_transactions(const std::string& file,
                                                                     const TlmNetwork& network);

/// What is drawn: each initiator begins `per_cycle` transactions in each cycle on average, each with its own
/// probability, half of them reads, to the targets at the terminals that `pattern` draws (one without a
/// target is drawn anew). Targets answer at once.
struct DrawnTraffic {
  const TrafficPattern* pattern = nullptr;
  double per_cycle = 0;                                 ///< 0 to 1
  std::vector<std::pair<std::uint32_t, double>> bytes;  ///< of a transaction, each >= 1, and weights
  Cycle cycles = 0;
  std::uint64_t seed = 1;
};
/// Throws ConfigError "traffic.pattern" where none of the draws of an initiator is a target, "tlm.map" where
/// no region of those that are has room, and "tlm.split" where `network` may not cut what it would have to.
[[nodiscard]] std::vector<ReplayedTransaction> drawn_transactions(const DrawnTraffic& traffic,
                                                                  const TlmNetwork& network);

/// Initiators and targets of a network whose sockets have 32 bits; before elaboration ends. Initiators use
/// nb_transport, and end a response at once.
class Replay {
 public:
  /// Keeps references.
  Replay(TlmNetwork& network, const std::vector<ReplayedTransaction>& transactions);
  ~Replay();
  [[nodiscard]] bool over() const;  ///< all have ended

 private:
  struct Service;
  struct Carried;
  class Initiator;
  class Target;
  std::vector<std::unique_ptr<Initiator>> initiators_;
  std::vector<std::unique_ptr<Target>> targets_;
  std::size_t left_ = 0;
};

}  // namespace noctule::tlm
