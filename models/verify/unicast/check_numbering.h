#pragma once
// The second opinion: shares nothing with the verifier but the plan and the numbers of the channels.

#include <string>
#include <vector>

#include "verify/graph/channel_index.h"

namespace noctule {

/// Follows every worm and checks that each channel it may ask for (`escape_only`: each that it may ask for as
/// an escape channel, of which every header must have one) bears a higher number than every numbered channel
/// it has taken. Returns the name of the first channel that does not, or of the router where a header has
/// nothing to wait for; nothing: all is well. `number` is Certificate::numbering.
std::string check_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                            const std::vector<std::uint32_t>& number, bool escape_only);

}  // namespace noctule
