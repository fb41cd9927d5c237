#pragma once
// Message lengths: fixed, or a mixture.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/rng.h"

namespace noctule {

/// Lengths in flits with their cumulative probabilities in units of 2^-32, as in SourceContext.
class LengthMixture {
 public:
  /// Throws InternalError unless lengths are at least 1 and the probabilities rise to 2^32.
  explicit LengthMixture(std::vector<std::pair<std::uint32_t, std::uint64_t>> lengths)
      : lengths_(std::move(lengths)) {
    std::uint64_t below = 0;
    for (const auto& [length, cumulative] : lengths_) {
      if (length == 0 || cumulative < below) throw InternalError("not a mixture of message lengths");
      below = cumulative;
    }
    if (below != kOne) throw InternalError("the probabilities of the message lengths do not sum to 1");
  }

  /// Always one draw, so that what is drawn next does not depend on the mixture.
  [[nodiscard]] std::uint32_t draw(Rng& rng) const {
    const std::uint64_t u = rng.next() >> 32;
    for (const auto& [length, cumulative] : lengths_)
      if (u < cumulative) return length;
    return lengths_.back().first;
  }
  /// Lengths in flits with their shares of the messages, which sum to 1.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> shares() const {
    std::vector<std::pair<std::uint32_t, double>> list;
    std::uint64_t below = 0;
    for (const auto& [length, cumulative] : lengths_) {
      list.emplace_back(length, static_cast<double>(cumulative - below) / static_cast<double>(kOne));
      below = cumulative;
    }
    return list;
  }

 private:
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 32;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> lengths_;
};

/// Packets by their length.
class LengthCounts {
 public:
  void add(std::uint32_t length, double packets) {
    packets_[length] += packets;
    all_ += packets;
  }
  [[nodiscard]] double all() const { return all_; }
  /// Lengths in flits with their shares, which sum to 1; none where there are no packets.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> shares() const {
    std::vector<std::pair<std::uint32_t, double>> list;
    for (const auto& [length, packets] : packets_)
      if (packets > 0) list.emplace_back(length, packets / all_);
    return list;
  }

 private:
  std::map<std::uint32_t, double> packets_;
  double all_ = 0;
};

}  // namespace noctule
