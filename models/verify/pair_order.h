#pragma once
// Do packets arrive in the order in which they were sent?

#include <optional>
#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule {

/// Packets of one class, from one terminal to another.
struct TerminalPair {
  TerminalId source{};
  TerminalId destination{};
};

/// Nothing: the packets of a message class arrive, for each of these pairs, in the order in which they
/// entered the source queue, as every header has one choice on its whole way: one state at the start, one VC
/// at every hop, one worm at a time in injection and consumption channel. Else the reason, with the pair, in
/// words: packets may overtake each other. A sufficient condition: a fabric that fails it may keep the order
/// all the same. Takes the sum of the lengths of all ways.
[[nodiscard]] std::optional<std::string> order_obstacle(const FabricPlan& plan, std::uint8_t message_class,
                                                        const std::vector<TerminalPair>& pairs);

}  // namespace noctule
