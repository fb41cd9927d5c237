#pragma once
// Destination functions. Definitions follow Dally and Towles, "Principles and Practices of Interconnection
// Networks", 2004, section 3.2, unless a pattern's own file says otherwise.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/registry.h"
#include "core/rng.h"
#include "topology/topology.h"

namespace noctule {

class TrafficPattern {
 public:
  virtual ~TrafficPattern() = default;
  /// False: the terminal never injects (a fixed point of a permutation).
  [[nodiscard]] virtual bool injects(TerminalId source) const {
    (void)source;
    return true;
  }
  /// Destination of the packet whose draws come from `rng`; source injects.
  [[nodiscard]] virtual TerminalId destination(TerminalId source, Rng& rng) const = 0;
  /// The exact distribution behind `destination`: (terminal, probability), probabilities sum to 1.
  [[nodiscard]] virtual std::vector<std::pair<TerminalId, double>> distribution(TerminalId source) const = 0;

  /// The same in short: a share that is uniform over all terminals but the source, and the rest spelt out.
  /// Keeps means over patterns below N^2.
  struct Spread {
    double uniform = 0;
    std::vector<std::pair<TerminalId, double>> rest;
  };
  [[nodiscard]] virtual Spread spread(TerminalId source) const { return {0, distribution(source)}; }
};

struct PatternTraits {
  static constexpr const char* kind = "pattern";
  /// Throws ConfigError (key "traffic.pattern") where the pattern is not defined on the network; says why.
  /// The seed is the run's.
  using Factory = std::function<std::unique_ptr<TrafficPattern>(std::shared_ptr<const Topology>,
                                                                const Parameters&, std::uint64_t seed)>;
};
using PatternRegistry = Registry<PatternTraits>;
template <>
PatternRegistry& PatternRegistry::instance();

/// Mean distance of the packets of a pattern, weighted by its distribution and equal rates of all terminals
/// that inject; exact up to rounding.
double mean_distance(const Topology& topology, const TrafficPattern& pattern);

}  // namespace noctule
