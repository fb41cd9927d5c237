#pragma once
// Round-robin arbiters side by side in one word, all served at once and without a branch: a word is cut into
// fields of one width, and each field is the request lines of an arbiter.

#include <cstdint>

namespace noctule {

class FieldArbiters {
 public:
  /// `count` arbiters of `width` requesters each; count x width is at most 64, width at least 1. Requester r
  /// of arbiter a is bit a x width + r.
  FieldArbiters(unsigned count, unsigned width) : width_(width) {
    for (unsigned a = 0; a < count; ++a) {
      low_ |= 1ULL << (a * width);
      high_ |= 1ULL << (a * width + width - 1);
    }
    below_ = ((high_ << 1) - low_) & ~high_;
  }

  /// What the arbiters remember, as built: one bit in every field, at the requester that comes first.
  [[nodiscard]] std::uint64_t start() const { return low_; }

  /// In every field with a request the first one at or after `first`, cyclically. The grant of an arbiter is
  /// requests & ~(requests - first); if that borrows from beyond the field, the search goes on at its start.
  [[nodiscard]] std::uint64_t pick(std::uint64_t requests, std::uint64_t first) const {
    const std::uint64_t ahead = minus(requests, first);
    const std::uint64_t borrows = ((~requests & first) | (~(requests ^ first) & ahead)) & high_;
    return (requests & ~ahead) | (requests & ~minus(requests, borrows >> (width_ - 1)));
  }
  /// `first` once `granted`, at most one requester of every field, have been served: those after them come
  /// first.
  [[nodiscard]] std::uint64_t after(std::uint64_t granted, std::uint64_t first) const {
    const std::uint64_t next = (granted & ~high_) << 1 | (granted & high_) >> (width_ - 1);
    const std::uint64_t tops = (((next & below_) + below_) | next) & high_;
    const std::uint64_t fields = (tops << 1) - (tops >> (width_ - 1));
    return (first & ~fields) | next;
  }

 private:
  /// a - b in every field by itself.
  [[nodiscard]] std::uint64_t minus(std::uint64_t a, std::uint64_t b) const {
    return ((a | high_) - (b & ~high_)) ^ ((a ^ ~b) & high_);
  }

  unsigned width_;
  std::uint64_t low_ = 0;    ///< lowest bit of every field
  std::uint64_t high_ = 0;   ///< highest bit of every field
  std::uint64_t below_ = 0;  ///< the other bits of all fields
};

}  // namespace noctule
