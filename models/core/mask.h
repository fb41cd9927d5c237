#pragma once
// Sets of a router's inputs or outputs as bits of W machine words. W = 1 compiles to plain word arithmetic.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace noctule {

/// Number of the lowest bit of x, which is not 0: std::countr_zero would ask.
[[nodiscard]] constexpr std::size_t lowest_bit(std::uint64_t x) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(x));
}

template <int W>
struct Mask {
  static constexpr std::size_t kBits = 64 * static_cast<std::size_t>(W);
  std::array<std::uint64_t, W> words{};

  static constexpr Mask bit(std::size_t i) noexcept {
    Mask m;
    m.set(i);
    return m;
  }
  /// Bits first, first+1, ..., up to the end. `first` may equal kBits: none.
  static constexpr Mask from(std::size_t first) noexcept {
    Mask m;
    for (std::size_t w = 0; w < W; ++w) {
      const std::size_t low = 64 * w;
      m.words[w] = first <= low ? ~0ULL : first >= low + 64 ? 0 : ~0ULL << (first - low);
    }
    return m;
  }
  constexpr void set(std::size_t i) noexcept { words[word(i)] |= 1ULL << (i & 63); }
  constexpr void set_if(std::size_t i, bool value) noexcept {
    words[word(i)] |= static_cast<std::uint64_t>(value) << (i & 63);
  }
  constexpr void clear(std::size_t i) noexcept { words[word(i)] &= ~(1ULL << (i & 63)); }
  [[nodiscard]] constexpr bool test(std::size_t i) const noexcept {
    return (words[word(i)] >> (i & 63) & 1) != 0;
  }
  [[nodiscard]] constexpr bool any() const noexcept {
    std::uint64_t all = 0;
    for (const auto w : words) all |= w;
    return all != 0;
  }
  [[nodiscard]] constexpr bool none() const noexcept { return !any(); }
  [[nodiscard]] constexpr unsigned count() const noexcept {
    unsigned n = 0;
    for (const auto w : words) n += bits_of(w);
    return n;
  }
  /// Is exactly one bit set?
  [[nodiscard]] constexpr bool single() const noexcept {
    if constexpr (W == 1) return words[0] != 0 && (words[0] & (words[0] - 1)) == 0;
    return count() == 1;
  }
  /// Lowest set bit; the mask is not empty.
  [[nodiscard]] constexpr std::size_t lowest() const noexcept {
    if constexpr (W == 1) return lowest_bit(words[0]);
    std::size_t w = 0;
    while (words[w] == 0) ++w;
    return 64 * w + lowest_bit(words[w]);
  }
  /// The n-th set bit, n < count().
  [[nodiscard]] constexpr std::size_t nth(std::size_t n) const noexcept {
    std::size_t w = 0;
    if constexpr (W > 1)
      for (std::size_t c; n >= (c = bits_of(words[w])); ++w) n -= c;
    std::uint64_t x = words[w];
    for (; n > 0; --n) x &= x - 1;
    return 64 * w + lowest_bit(x);
  }
  /// First set bit at or after `start`, cyclically; the mask is not empty.
  [[nodiscard]] constexpr std::size_t next_from(std::size_t start) const noexcept {
    if constexpr (W == 1) {  // no branch predictor knows whether there is one at or after
      const int turn = static_cast<int>(start & 63);
      return (static_cast<std::size_t>(turn) + lowest_bit(std::rotr(words[0], turn))) & 63;
    }
    const Mask high = *this & from(start);
    return high.any() ? high.lowest() : lowest();
  }
  /// Calls f(i) for every set bit, ascending. Always inlined: what f captures stays in registers.
  template <class F>
  [[gnu::always_inline]] constexpr void each(F&& f) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t x = words[w]; x != 0; x &= x - 1) f(64 * w + lowest_bit(x));
  }

  /// Calls f(i) for every set bit, cyclically from `start` on, until it returns false. Returns whether it has
  /// never done so.
  template <class F>
  [[gnu::always_inline]] constexpr bool each_from(std::size_t start, F&& f) const {
    if constexpr (W == 1) {  // without a branch that tells what is at or after `start` from what is not
      const int turn = static_cast<int>(start & 63);
      for (std::uint64_t x = std::rotr(words[0], turn); x != 0; x &= x - 1)
        if (!f((static_cast<std::size_t>(turn) + lowest_bit(x)) & 63)) return false;
    } else {
      const Mask late = from(start);
      for (const Mask& part : {*this & late, *this & ~late})
        for (std::size_t w = 0; w < W; ++w)
          for (std::uint64_t x = part.words[w]; x != 0; x &= x - 1)
            if (!f(64 * w + lowest_bit(x))) return false;
    }
    return true;
  }

  friend constexpr Mask operator&(Mask a, const Mask& b) noexcept { return a &= b; }
  friend constexpr Mask operator|(Mask a, const Mask& b) noexcept { return a |= b; }
  friend constexpr Mask operator~(Mask a) noexcept {
    for (auto& w : a.words) w = ~w;
    return a;
  }
  constexpr Mask& operator&=(const Mask& b) noexcept {
    for (std::size_t w = 0; w < W; ++w) words[w] &= b.words[w];
    return *this;
  }
  constexpr Mask& operator|=(const Mask& b) noexcept {
    for (std::size_t w = 0; w < W; ++w) words[w] |= b.words[w];
    return *this;
  }
  friend constexpr Mask operator^(Mask a, const Mask& b) noexcept { return a ^= b; }
  constexpr Mask& operator^=(const Mask& b) noexcept {
    for (std::size_t w = 0; w < W; ++w) words[w] ^= b.words[w];
    return *this;
  }
  friend constexpr bool operator==(const Mask& a, const Mask& b) noexcept {
    std::uint64_t difference = 0;
    for (std::size_t w = 0; w < W; ++w) difference |= a.words[w] ^ b.words[w];
    return difference == 0;
  }

 private:
  /// std::popcount without the call that it is on x86-64 processors of any age.
  static constexpr unsigned bits_of(std::uint64_t x) noexcept {
#if defined(__x86_64__) && !defined(__POPCNT__)
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return static_cast<unsigned>(x * 0x0101010101010101U >> 56);
#else
    return static_cast<unsigned>(std::popcount(x));
#endif
  }
  static constexpr std::size_t word(std::size_t i) noexcept {
    if constexpr (W == 1) return 0;
    return i >> 6;
  }
};

}  // namespace noctule
