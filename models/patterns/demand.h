#pragma once
// What terminals send, to whom, in the mean.

#include <cstdint>
#include <vector>

#include "patterns/pattern.h"

namespace noctule {

/// Of one message class.
struct ClassDemand {
  std::uint8_t message_class = 0;
  /// By TerminalId: to all others in equal shares (`uniform`, in all), and to single terminals. Flits per
  /// cycle, 0 or more.
  std::vector<TrafficPattern::Spread> sent;
};

/// Flits per cycle that a terminal sends.
[[nodiscard]] double flits_of(const TrafficPattern::Spread& spread);
/// By TerminalId: does it send anything, of any of the classes?
[[nodiscard]] std::vector<bool> senders(const std::vector<ClassDemand>& demand);
/// A flit per cycle from each terminal that injects, of the first message class.
[[nodiscard]] ClassDemand demand_of(const Topology& topology, const TrafficPattern& pattern);
/// All rates, times `factor`.
void scale(std::vector<ClassDemand>& demand, double factor);

}  // namespace noctule
