#pragma once
// Traffic of which it is stated how much may come, at most: what a bound on latency needs.

#include <cstdint>

#include "core/ids.h"

namespace noctule {

/// Packets of one source to one destination. In any x cycles in a row, x >= 1, at most
/// burst + floor((x - 1) / period) of them are born: a token bucket that gets a token every `period` cycles
/// and holds `burst` of them (Cruz, A calculus for network delay, part I, IEEE Trans. Information Theory
/// 37(1), 1991).
struct RegulatedFlow {
  TerminalId source{};
  TerminalId destination{};
  std::uint8_t message_class = 0;
  std::uint32_t length = 1;  ///< flits of a packet, at most
  std::uint64_t period = 1;  ///< cycles, >= 1
  std::uint64_t burst = 1;   ///< packets, >= 1
};

}  // namespace noctule
