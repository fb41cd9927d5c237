#pragma once
// Who takes part in a closed loop: not all terminals that the pattern lets send open transactions, and
// whoever is asked answers.

#include <vector>

#include "core/closed_loop.h"
#include "patterns/pattern.h"

namespace noctule {

/// By TerminalId: those that send a message of some transaction, and those that one goes to.
struct LoopEnds {
  std::vector<bool> injecting;
  std::vector<bool> addressed;
};

/// Of `loop`, whose messages go where `pattern` says; both are for the same terminals.
[[nodiscard]] LoopEnds ends_of_loop(const ClosedLoop& loop, const TrafficPattern& pattern);

}  // namespace noctule
