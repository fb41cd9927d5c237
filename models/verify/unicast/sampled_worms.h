#pragma once
// Whole worms, drawn, hop by hop as a simulation would route them: the second opinion on proofs of networks
// whose worms are too many to follow each.

#include <cstdint>
#include <optional>
#include <vector>

#include "verify/certificate.h"

namespace noctule {

struct SampledWorms {
  struct Breach {
    RouterId source{};
    RouterId destination{};
    RouterId here{};
  };
  /// The first worm that takes a channel which is none, which no worm takes by the facts, or whose number is
  /// not higher than that of the channel before; or more hops than the longest path.
  std::optional<Breach> breach;
  bool hops_exact = true;  ///< each took as many as RoutingRelation::hops says
  bool minimal = true;     ///< each hop led closer
};

/// 20,000 worms between drawn routers. `facts`: used channels and the longest path.
SampledWorms sample_worms(const FabricPlan& plan, const ChannelIndex& channels, const RoutingFacts& facts,
                          const std::vector<std::uint32_t>& numbering);

}  // namespace noctule
