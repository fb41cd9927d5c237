#pragma once
// Transactions that the command `levels` runs, and networks that run them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/decode.h"
#include "tb/options.h"
#include "tlm/flow_latency.h"
#include "tlm/replay.h"

namespace noctule {

inline constexpr std::uint64_t kEnough = 1000;  ///< transactions of a flow whose error counts

/// For networks whose sockets have 32 bits, whatever the file says.
[[nodiscard]] tlm::NetworkParts levels_parts(const Options& options);

/// Drawn at `share` of the load that the file offers: as many as give every flow `each`, unless the file says
/// how many cycles. Throws ConfigErrors without places.
[[nodiscard]] std::vector<tlm::ReplayedTransaction> drawn_for_levels(const PointConfig& point,
                                                                     const tlm::TlmNetwork& network,
                                                                     double share = 1,
                                                                     std::uint64_t each = kEnough);

/// Throws ConfigError "limits.time_h" where the last one begins so late that to come there may take longer.
void check_time(const PointConfig& point, const tlm::TlmNetwork& network,
                const std::vector<tlm::ReplayedTransaction>& transactions);

/// A network, and what it runs.
struct Running {
  std::unique_ptr<tlm::TlmNetwork> network;
  std::unique_ptr<tlm::Replay> replay;
  std::shared_ptr<tlm::FlowLatencies> latencies;
};
/// All in one simulation, until everything has ended; none knows of the others.
void run_to_the_end(const std::vector<Running>& all);

/// levels FILE --calibrate OUT: the traffic of the file at three loads, at level cycle.
void calibrate_levels(const Options& options, const PointConfig& point);

}  // namespace noctule
