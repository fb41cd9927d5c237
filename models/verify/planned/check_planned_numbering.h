#pragma once
// The second opinion on fabrics with multicasts: shares nothing with the verifier but the plan and the
// numbers of the channels.

#include <cstdint>
#include <string>
#include <vector>

#include "verify/graph/channel_index.h"

namespace noctule {

/// Sends every message with one or two destinations, takes each of its worms along what it may acquire, and
/// checks that whatever it may have to wait for bears a higher number than all that it may hold. Returns the
/// name of the first resource that does not; nothing: all is well. `number` is Certificate::numbering. Of
/// more than `most_messages` messages only so many are sent, evenly spread.
std::string check_planned_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                                    const std::vector<std::uint32_t>& number,
                                    std::uint64_t most_messages = 3'000'000);

}  // namespace noctule
