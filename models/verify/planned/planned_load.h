#pragma once
// What messages that a planner carries put on the channels of a fabric: their own worms, hop by hop, not
// those of unicasts.

#include <cstdint>
#include <optional>
#include <vector>

#include "patterns/demand.h"
#include "verify/graph/channel_index.h"

namespace noctule {

/// What terminals send: messages with one destination as the pattern says, and a share of messages with
/// several, drawn uniformly from all terminals of other routers.
struct OfferedMessages {
  const TrafficPattern* pattern = nullptr;  ///< not null without `demand`; also says which terminals send
  double multicast_share = 0;               ///< 0 to 1, of all messages
  std::uint32_t least = 1;                  ///< destinations of a multicast: uniform from `least` to `most`
  std::uint32_t most = 1;
  /// Sent instead of what the pattern says, all rates at the same scale; no multicasts then.
  std::vector<ClassDemand> demand = {};

  [[nodiscard]] double destinations_per_multicast() const { return 0.5 * (double{1} * least + most); }
  [[nodiscard]] double destinations_per_message() const {
    return 1 + multicast_share * (destinations_per_multicast() - 1);
  }
};

/// Flits per cycle while every terminal that sends makes one message flit per cycle, whatever the number of
/// its destinations, and the network never refuses one. Unicasts are messages with one copy.
struct PlannedLoad {
  std::vector<double> by_channel;  ///< by ChannelId, virtual channels only
  double hops = 0;                 ///< links that a message's copies take together, mean
  double least_hops = 0;           ///< if each went the shortest way that its relation lets it
  double copies = 1;               ///< worms per message, mean; each is injected by itself
  bool links_given = true;         ///< as in ChannelLoad
  bool classes_given = true;
  bool sampled = false;  ///< destinations of multicasts were sampled: all of this is an estimate
};

/// Multicasts are sampled: the same number from every terminal, the same in every run. Messages with one
/// destination are enumerated. Nothing if more than `most_header_states` would have to be followed, or if a
/// header can come back to where it was. Needs plan.multicast.
std::optional<PlannedLoad> planned_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const OfferedMessages& messages, std::uint64_t most_header_states);

}  // namespace noctule
