#pragma once
// Round-robin arbiters side by side in one word, all served at once and without a branch: a word is cut into
// fields of one width, and each field is the request lines of an arbiter.

#include <cstdint>

namespace noctule {

class FieldArbiters {
 public:
  using Word = std::uint64_t;

  /// `count` arbiters of `width` requesters each; count x width is at most the bits of a Word, width at
  /// least 1. Requester r of arbiter a is bit a x width + r.
  FieldArbiters(unsigned count, unsigned width) : width_(width) {
    for (unsigned a = 0; a < count; ++a) {
      low_ |= Word{1} << (a * width);
      high_ |= Word{1} << (a * width + width - 1);
    }
    below_ = ((high_ << 1) - low_) & ~high_;
    lowest_ = fields(Word{1} << (width - 1));
  }

  /// In every field with a request the first one of `first`; if there is none there, of all. `first` is what
  /// arbiters remember: the requesters after the one served last, at the beginning none.
  [[nodiscard, gnu::always_inline]] Word pick(Word requests, Word first) const {
    const Word ahead = requests & first;
    const Word left = ahead | (requests & ~fields(tops(ahead)));
    // The lowest bit of a field is x & ~(x - 1). Without the highest bit of x - 1, which cannot be its only
    // one.
    return left & ~((left | high_) - low_);
  }
  /// `first` once `granted`, at most one requester of every field, have been served: those after them come
  /// first.
  [[nodiscard, gnu::always_inline]] Word after(Word granted, Word first) const {
    const Word served = tops(granted);
    return (first & ~fields(served)) | (served - granted) << 1;
  }
  /// The same for requester `granted` alone, of the arbiter whose field begins with bit `begin`.
  [[nodiscard, gnu::always_inline]] Word after_one(unsigned granted, unsigned begin, Word first) const {
    const Word field = lowest_ << begin;
    return (first & ~field) | (field & (~Word{1} << granted));
  }

 private:
  /// The highest bit of every field that is not empty.
  [[nodiscard]] Word tops(Word bits) const { return (((bits & below_) + below_) | bits) & high_; }
  /// All bits of the fields with these highest bits.
  [[nodiscard]] Word fields(Word tops) const { return (tops << 1) - (tops >> (width_ - 1)); }

  unsigned width_;
  Word low_ = 0;     ///< lowest bit of every field
  Word high_ = 0;    ///< highest bit of every field
  Word below_ = 0;   ///< the other bits of all fields
  Word lowest_ = 0;  ///< the bits of the lowest field
};

}  // namespace noctule
