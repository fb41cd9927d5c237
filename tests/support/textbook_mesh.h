#pragma once
// A textbook input-queued virtual-channel router on a k x k mesh, simulated as naively as possible: a second
// opinion on the engine, packet by packet. Shares no code with it.

#include <cstdint>
#include <span>
#include <vector>

namespace noctule {

struct TextbookOptions {
  unsigned k = 8;
  unsigned vcs = 4;    ///< of each link, of the injection and of the consumption channel
  unsigned depth = 8;  ///< flits per input VC
  unsigned routing_delay = 1, vc_allocation_delay = 1, switch_allocation_delay = 1, traversal_delay = 1,
           link_delay = 1, credit_delay = 1;
  bool atomic = false;       ///< an output VC is allocated only when all its credits are home
  bool speculative = false;  ///< headers ask for the switch together with their output VC
};

/// Terminal n is at router n = x + k * y.
struct TextbookPacket {
  std::uint64_t birth;
  unsigned source, destination, length;
};

/// For each packet the cycle in which its tail is consumed. Packets of one source are sent in the order of
/// (birth, position).
std::vector<std::uint64_t> simulate_textbook_mesh(const TextbookOptions& options,
                                                  std::span<const TextbookPacket> packets);

}  // namespace noctule
