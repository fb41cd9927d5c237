#pragma once
// Latency histogram of fixed, known error: exact below 1024 cycles, above with 128 buckets per octave.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.h"

namespace noctule {

/// Counts of integer latencies in cycles. Only integers are kept, so histograms add up and subtract without
/// error in any order. Grows by octaves: short latencies keep it small.
class LatencyHistogram {
 public:
  static constexpr std::uint64_t kExact = 1024;  ///< below this, one bucket per cycle
  static constexpr unsigned kPerOctave = 128;

  /// One bucket: latencies low..high, both included.
  struct Row {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Row&, const Row&) = default;
  };

  LatencyHistogram() : buckets_(kExact) {}

  /// True: none since the last begin_window() was longer.
  bool record(std::uint64_t cycles) {
    const std::size_t b = bucket(cycles);
    if (b >= buckets_.size()) [[unlikely]]
      grow(b);
    ++buckets_[b];
    ++count_;
    sum_ += cycles;
    if (cycles < max_) return false;
    max_ = cycles;
    return true;
  }

  /// Forgets the maximum (nothing else): called when a measurement starts, so that the difference to the
  /// snapshot of that moment knows its maximum exactly.
  void begin_window() noexcept {
    max_ = 0;
    max_since_count_ = count_;
    max_exact_ = true;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  /// Largest latency since the last begin_window(); 0 if there was none.
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  /// False only for a difference whose window was not announced by begin_window(): max() then is the upper
  /// edge of its bucket.
  [[nodiscard]] bool max_is_exact() const noexcept { return max_exact_; }

  /// Smallest latency that at least numerator/denominator of all samples do not exceed: exact below kExact,
  /// else the middle of its bucket, at most 1/256 off, never above max(). 0 without samples.
  [[nodiscard]] std::uint64_t quantile(std::uint64_t numerator, std::uint64_t denominator) const noexcept {
    if (count_ == 0) return 0;
    __extension__ using Wide = unsigned __int128;
    auto rank =
        static_cast<std::uint64_t>((static_cast<Wide>(count_) * numerator + denominator - 1) / denominator);
    if (rank == 0) rank = 1;
    if (rank >= count_) return max_;
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      seen += buckets_[b];
      if (seen < rank) continue;
      const std::uint64_t middle = low(b) + (high(b) - low(b)) / 2;
      return middle < max_ ? middle : max_;
    }
    return max_;
  }
  [[nodiscard]] std::uint64_t percentile(unsigned percent) const noexcept { return quantile(percent, 100); }

  /// The buckets that hold something, ascending.
  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> list;
    for (std::size_t b = 0; b < buckets_.size(); ++b)
      if (buckets_[b] != 0) list.push_back({low(b), high(b), buckets_[b]});
    return list;
  }

  /// Adds the samples of another histogram of the same period (partial sums of threads).
  LatencyHistogram& operator+=(const LatencyHistogram& other) {
    if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
    for (std::size_t b = 0; b < other.buckets_.size(); ++b) buckets_[b] += other.buckets_[b];
    count_ += other.count_;
    sum_ += other.sum_;
    max_since_count_ += other.max_since_count_;
    max_exact_ = max_exact_ && other.max_exact_;
    if (other.max_ > max_) max_ = other.max_;
    return *this;
  }

  /// What was recorded after the earlier snapshot `before` of the same histogram.
  LatencyHistogram& operator-=(const LatencyHistogram& before) {
    if (before.count_ > count_ || before.buckets_.size() > buckets_.size())
      throw InternalError("latency histogram: the snapshot to subtract is not an earlier one");
    std::size_t top = buckets_.size();
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      const std::uint64_t earlier = b < before.buckets_.size() ? before.buckets_[b] : 0;
      if (earlier > buckets_[b])
        throw InternalError("latency histogram: the snapshot to subtract is not an earlier one");
      buckets_[b] -= earlier;
      if (buckets_[b] != 0) top = b;
    }
    const bool announced = max_since_count_ == before.count_;
    const bool raised = max_since_count_ == before.max_since_count_ && max_ > before.max_;
    count_ -= before.count_;
    sum_ -= before.sum_;
    max_since_count_ = 0;
    if (count_ == 0) {
      max_ = 0;
      max_exact_ = true;
    } else if (!announced && !raised) {
      max_ = high(top);
      max_exact_ = low(top) == high(top);
    }
    return *this;
  }
  friend LatencyHistogram operator-(LatencyHistogram after, const LatencyHistogram& before) {
    return after -= before;
  }

  /// Bucket of a latency and its bounds: low(b)..high(b).
  static constexpr std::size_t bucket(std::uint64_t cycles) noexcept {
    if (cycles < kExact) return static_cast<std::size_t>(cycles);
    const auto octave = static_cast<unsigned>(std::bit_width(cycles)) - 1;  // 10 ..
    return kExact + (octave - kFirstOctave) * kPerOctave + ((cycles >> (octave - 7)) & (kPerOctave - 1));
  }
  static constexpr std::uint64_t low(std::size_t b) noexcept {
    if (b < kExact) return b;
    const std::size_t above = b - kExact;
    return (kPerOctave + above % kPerOctave) << (above / kPerOctave + kFirstOctave - 7);
  }
  static constexpr std::uint64_t high(std::size_t b) noexcept {
    return b < kExact ? b : low(b) + ((1ULL << ((b - kExact) / kPerOctave + kFirstOctave - 7)) - 1);
  }

 private:
  static constexpr unsigned kFirstOctave = 10;

  void grow(std::size_t b) { buckets_.resize(kExact + ((b - kExact) / kPerOctave + 1) * kPerOctave); }

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
  std::uint64_t max_since_count_ = 0;  ///< count when the maximum was last forgotten
  bool max_exact_ = true;
};

}  // namespace noctule
