#pragma once
// Counters of a router's inputs or outputs, one per bit of a mask: many are counted up or down at once,
// without a loop over them and without a branch.

#include "core/mask.h"

namespace noctule {

/// Bit i of plane p is bit p of counter i. Four planes are here, which is enough for buffers of 15 flits. For
/// deeper ones their owner keeps the others.
template <int W>
struct MaskCounters {
  using M = Mask<W>;
  static constexpr unsigned kNear = 4;
  static constexpr unsigned kFar = 13;  ///< for counters up to 2^17 - 1

  /// Do counters up to `most` need far planes?
  [[nodiscard]] static constexpr bool needs_far(std::size_t most) { return most >> kNear != 0; }

  /// One more, of each of `which`; none is at the most that the planes hold.
  [[gnu::always_inline]] void add(M which) {
    each_near([&](unsigned p) __attribute__((always_inline)) { which = carry(near[p], which); });
    if (far != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) which = carry(far[p], which);
  }
  /// 1 more of each of `ones`, 2 of each of `twos` and 4 of each of `fours`.
  [[gnu::always_inline]] void add(M ones, M twos, M fours) {
    M carried = carry(near[0], ones);
    carried = carry(near[1], twos, carried);
    carried = carry(near[2], fours, carried);
    carried = carry(near[3], carried);
    if (far != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) carried = carry(far[p], carried);
  }
  /// One more of each of `more`, and one less of each of `less`; none becomes less than 0.
  [[gnu::always_inline]] void change(M more, M less) {
    const M both = more & less;
    more ^= both;
    less ^= both;
    each_near([&](unsigned p) __attribute__((always_inline)) { count_on(near[p], more, less); });
    if (far != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) count_on(far[p], more, less);
  }
  /// Those that are not 0.
  [[nodiscard, gnu::always_inline]] M any() const {
    M some;
    each_near([&](unsigned p) __attribute__((always_inline)) { some |= near[p]; });
    if (far != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) some |= far[p];
    return some;
  }
  /// Those that are not what they are in `others`, which have as many planes.
  [[nodiscard, gnu::always_inline]] M differ(const MaskCounters& others) const {
    M some;
    each_near([&](unsigned p) __attribute__((always_inline)) { some |= near[p] ^ others.near[p]; });
    if (far != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) some |= far[p] ^ others.far[p];
    return some;
  }

  [[nodiscard]] std::size_t operator[](std::size_t i) const {
    std::size_t value = 0;
    for (unsigned p = 0; p < planes(); ++p) value |= static_cast<std::size_t>(plane(p).test(i)) << p;
    return value;
  }
  void set(std::size_t i, std::size_t value) {
    for (unsigned p = 0; p < planes(); ++p) {
      M& plane = p < kNear ? near[p] : far[p - kNear];
      plane.clear(i);
      plane.set_if(i, (value >> p & 1) != 0);
    }
  }
  static constexpr std::size_t kMostNear = (std::size_t{1} << kNear) - 1;
  /// Counter i, which is 0, becomes `value`, which is at most kMostNear.
  [[gnu::always_inline]] void start(std::size_t i, std::size_t value) {
    each_near([&](unsigned p) __attribute__((always_inline)) { near[p].set_if(i, (value >> p & 1) != 0); });
  }
  void clear() {
    for (unsigned p = 0; p < planes(); ++p) (p < kNear ? near[p] : far[p - kNear]) = {};
  }

  M near[kNear] = {};
  M* far = nullptr;  ///< [kFar]; null: none

 private:
  [[nodiscard]] unsigned planes() const { return far == nullptr ? kNear : kNear + kFar; }
  /// Compilers leave a loop of four as a loop.
  template <class F>
  [[gnu::always_inline]] static void each_near(F&& f) {
    static_assert(kNear == 4);
    f(0);
    f(1);
    f(2);
    f(3);
  }
  [[nodiscard]] const M& plane(unsigned p) const { return p < kNear ? near[p] : far[p - kNear]; }
  [[gnu::always_inline]] static M carry(M& plane, const M& which) {
    const M before = plane;
    plane ^= which;
    return which & before;
  }
  [[gnu::always_inline]] static M carry(M& plane, const M& a, const M& b) {
    const M before = plane;
    plane ^= a ^ b;
    return (before & a) | (b & (before ^ a));
  }
  [[gnu::always_inline]] static void count_on(M& plane, M& more, M& less) {
    const M before = plane;
    plane ^= more | less;
    more &= before;
    less &= plane;
  }
};

}  // namespace noctule
