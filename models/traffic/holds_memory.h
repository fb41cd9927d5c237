#pragma once
// Sources whose memory is worth counting before a run.

namespace noctule {

/// A TrafficSource may be one as well.
class HoldsMemory {
 public:
  virtual ~HoldsMemory() = default;
  /// Bytes that it holds.
  [[nodiscard]] virtual double memory_bytes() const = 0;
};

}  // namespace noctule
