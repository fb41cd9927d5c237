#pragma once
// Least latencies in fabrics whose routers or links differ, whatever way a packet takes.

#include <cstdint>
#include <vector>

#include "analytic/zero_load.h"

namespace noctule {

/// Cycles from the birth of a packet to the consumption of its tail, at least: its header on the fastest way,
/// and a cycle for each flit behind it. No worm is faster. Keeps references; found once for each source.
class FastestWays {
 public:
  FastestWays(const FabricPlan& plan, const ZeroLoad& zero_load) : plan_(plan), zero_load_(zero_load) {}

  /// `to` can be reached; `length`: flits, >= 1.
  [[nodiscard]] std::uint64_t operator()(RouterId from, RouterId to, std::uint64_t length);

 private:
  /// Cycles of a header from one router to all others.
  [[nodiscard]] std::vector<std::uint64_t> headers_from(RouterId from) const;

  const FabricPlan& plan_;
  const ZeroLoad& zero_load_;
  std::vector<std::vector<std::uint64_t>> from_;     ///< by RouterId; empty: not asked for
  std::size_t kept_ = 0;                             ///< of these,
  static constexpr std::size_t kMostKept = 1 << 21;  ///< numbers, and when they are forgotten
};

}  // namespace noctule
