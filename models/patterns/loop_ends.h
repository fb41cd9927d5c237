#pragma once
// Who takes part in a closed loop: not all terminals that the pattern lets send open transactions, and
// whoever is asked answers.

#include <vector>

#include "core/closed_loop.h"
#include "patterns/pattern.h"

namespace noctule {

/// Adds those to `addressed` to whom messages of these terminals go, where each goes where `pattern` says.
/// Both are by TerminalId; who sends may, by the pattern.
void add_destinations(const std::vector<bool>& senders, const TrafficPattern& pattern,
                      std::vector<bool>& addressed);

/// By TerminalId: those that send a message of some transaction, and those that one goes to.
struct LoopEnds {
  std::vector<bool> injecting;
  std::vector<bool> addressed;
};

/// Of `loop`, whose messages go where `pattern` says; both are for the same terminals.
[[nodiscard]] LoopEnds ends_of_loop(const ClosedLoop& loop, const TrafficPattern& pattern);

}  // namespace noctule
