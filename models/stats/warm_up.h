#pragma once
// Detects the end of the initial transient from sums over blocks of cycles.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"

namespace noctule {

/// What happened in one block, and what was there at its end.
struct WarmUpBlock {
  Cycle cycles = 0;
  std::uint64_t flits = 0;        ///< delivered
  std::uint64_t packets = 0;      ///< delivered
  std::uint64_t latency_sum = 0;  ///< total latency of these packets, cycles
  std::uint64_t population = 0;   ///< packets in flight and in source queues at the end of the block
  std::uint64_t queue = 0;        ///< packets in source queues at the end of the block
};

/// Truncation rule in the manner of MSER-5 (White 1997): of the throughput of the blocks and of the mean
/// latency of the packets delivered in them, drop the leading blocks whose loss narrows the interval of the
/// rest most. Settled when, for both, that is at most half of the blocks, and neither throughput nor
/// population trends in what is left. Asked again whenever the time has grown by about a third; blocks are
/// paired at 40.
class WarmUpDetector {
 public:
  static constexpr std::size_t kLeastBlocks = 20;
  static constexpr std::size_t kMostBlocks = 40;

  explicit WarmUpDetector(Cycle first_block_cycles) : block_cycles_(first_block_cycles) {}

  /// Length of the next block in cycles.
  [[nodiscard]] Cycle block_cycles() const noexcept { return block_cycles_; }
  void add(const WarmUpBlock& block);
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  /// Cycles at the start that the truncation rule drops, by the last assessment.
  [[nodiscard]] Cycle transient_cycles() const noexcept { return transient_; }
  [[nodiscard]] Cycle observed_cycles() const noexcept { return observed_; }

  /// Is an unlimited source queue clearly growing? Mean of the last five blocks above
  /// kSaturatedQueue; or, over the later half of at least 10 blocks, throughput below kSaturatedAccepted of
  /// offered and a mean growth of more than 5 standard errors.
  [[nodiscard]] bool clearly_saturated(double offered_flits_per_cycle,
                                       std::uint64_t injecting_terminals) const;

 private:
  void assess();
  void pair_blocks();

  std::vector<WarmUpBlock> blocks_;
  Cycle block_cycles_;
  Cycle observed_ = 0;
  Cycle transient_ = 0;
  bool settled_ = false;
};

/// MSER truncation point of a series: number of leading values to drop; searches all that leave at least a
/// third of them and 5, since the spread of fewer is small by chance.
[[nodiscard]] std::size_t mser_truncation(const std::vector<double>& values);

}  // namespace noctule
