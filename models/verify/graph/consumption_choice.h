#pragma once
// Consumption channels as vertices of the dependency graph: which a worm waits for, which it may hold.

#include <algorithm>
#include <bit>
#include <vector>

#include "verify/graph/channel_index.h"

namespace noctule {

/// Of a class of worms at a terminal, as channels that stand for vertices (ChannelIndex::consumption).
struct ConsumptionChoice {
  /// It may have to wait for any one of these alone. Where it takes whichever comes free first, that is the
  /// own channel of its class, which is always among those that it may take.
  std::vector<unsigned> asked;
  /// It may also hold one of these instead, but never waits for one of them alone.
  std::vector<unsigned> besides;
};

inline ConsumptionChoice consumption_choice(const ChannelIndex& channels, const ConsumptionRule& rule,
                                            unsigned consumption_class, bool several) {
  std::vector<unsigned> may;
  const TerminalId any{0};
  for (auto bits = rule.channels(consumption_class, several).allowed; bits != 0; bits &= bits - 1) {
    const auto channel = static_cast<unsigned>(std::countr_zero(bits));
    const bool known = std::any_of(may.begin(), may.end(), [&](unsigned other) {
      return channels.consumption(any, other) == channels.consumption(any, channel);
    });
    if (!known) may.push_back(channel);
  }
  if (rule.waits_committed()) return {may, {}};
  const ChannelId own = channels.consumption(any, consumption_class);
  ConsumptionChoice choice{{consumption_class}, {}};
  for (const unsigned channel : may)
    if (channels.consumption(any, channel) != own) choice.besides.push_back(channel);
  return choice;
}

}  // namespace noctule
