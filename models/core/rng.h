#pragma once
// Random numbers that depend on what they are for and on nothing else: a stream is named by the run's
// seed and the name of its owner, so adding an object disturbs no other. Integer arithmetic only.

#include <cstdint>
#include <string_view>

namespace noctule {

/// Finalizer of splitmix64: a bijection on 64 bits with full avalanche.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// FNV-1a of a name, mixed: the part of a stream's key that comes from its owner.
[[nodiscard]] constexpr std::uint64_t hash_name(std::string_view name) noexcept {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix64(h);
}

/// A stream of 64-bit draws (splitmix64). Copyable; 8 bytes of state.
class Rng {
 public:
  constexpr Rng() = default;
  constexpr explicit Rng(std::uint64_t key) noexcept : state_(mix64(key)) {}
  /// The stream of the object called `owner` in the run with this seed.
  constexpr Rng(std::uint64_t seed, std::string_view owner) noexcept
      : Rng(mix64(seed * 0x9e3779b97f4a7c15ULL + 1) ^ hash_name(owner)) {}
  /// Draw stream of item `number` of the stream keyed by `key`: counter based, order free.
  constexpr Rng(std::uint64_t key, std::uint64_t number) noexcept
      : Rng(key ^ mix64(number * 0xd1b54a32d192ed03ULL + 0x2545f4914f6cdd1dULL)) {}

  constexpr std::uint64_t next() noexcept {
    state_ += kStep;
    return mix64(state_);
  }
  /// As if `draws` more had been made.
  constexpr void skip(std::uint64_t draws) noexcept { state_ += draws * kStep; }
  /// Draws made since it was `earlier`, modulo 2^64.
  [[nodiscard]] constexpr std::uint64_t draws_since(const Rng& earlier) const noexcept {
    return (state_ - earlier.state_) * kInverse;
  }
  /// Uniform in 0 .. n-1 (n >= 1). The bias is below n / 2^64.
  constexpr std::uint64_t below(std::uint64_t n) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t kInverse = 0xf1de83e19937733dULL;  ///< of kStep, modulo 2^64
  static_assert(kStep * kInverse == 1);

  std::uint64_t state_ = 0;
};

}  // namespace noctule
