#pragma once
// Which channels could be held by worms that wait for one another for ever? The exact question, where no
// order of the channels answers it.

#include <vector>

#include "verify/graph/header_graph.h"

namespace noctule {

/// The largest set S of channels such that each channel of S can be held by a worm whose channels from there
/// to its header all lie in S, and whose header can go on into channels of S alone. By channel: in S?
///
/// Where a worm enters a VC only when it is empty, every deadlocked set of worms holds such a set of
/// channels: each of the worms waits for channels that the others hold. So if S is empty, there is no
/// deadlock. If it is not, there may be: the worms that hold its channels may not fit together (see
/// witness.h).
std::vector<bool> largest_deadlocked_set(std::vector<HeaderGraph>& graphs, const ChannelIndex& channels);
/// A small one within `set`, which is one: no channel can be left out of it, unless that took too long to
/// find. Where there are several, another `variant` may be another one.
std::vector<bool> small_deadlocked_set(std::vector<HeaderGraph>& graphs, std::vector<bool> set,
                                       unsigned variant);

}  // namespace noctule
