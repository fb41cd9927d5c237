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

  /// What the arbiters remember, as built: in every field the requesters that come first, which are those
  /// after the one served last.
  [[nodiscard]] std::uint64_t start() const { return 0; }

  /// In every field with a request the first one of `first`; if there is none there, of all.
  [[nodiscard]] std::uint64_t pick(std::uint64_t requests, std::uint64_t first) const {
    const std::uint64_t ahead = requests & first;
    const std::uint64_t left = ahead | (requests & ~fields(tops(ahead)));
    // The lowest bit of a field is x & ~(x - 1). Without the highest bit of x - 1, which cannot be its only
    // one.
    return left & ~((left | high_) - low_);
  }
  /// `first` once `granted`, at most one requester of every field, have been served: those after them come
  /// first.
  [[nodiscard]] std::uint64_t after(std::uint64_t granted, std::uint64_t first) const {
    const std::uint64_t served = tops(granted);
    return (first & ~fields(served)) | (served - granted) << 1;
  }

 private:
  /// The highest bit of every field that is not empty.
  [[nodiscard]] std::uint64_t tops(std::uint64_t bits) const {
    return (((bits & below_) + below_) | bits) & high_;
  }
  /// All bits of the fields with these highest bits.
  [[nodiscard]] std::uint64_t fields(std::uint64_t tops) const {
    return (tops << 1) - (tops >> (width_ - 1));
  }

  unsigned width_;
  std::uint64_t low_ = 0;    ///< lowest bit of every field
  std::uint64_t high_ = 0;   ///< highest bit of every field
  std::uint64_t below_ = 0;  ///< the other bits of all fields
};

}  // namespace noctule
