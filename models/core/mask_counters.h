#pragma once
// Counters of a router, one per input and one per output: many are counted up or down at once, without a loop
// over them and without a branch, those of inputs and those of outputs side by side.

#include "core/mask.h"

namespace noctule {

/// Which of its planes a counter needs.
enum class CounterPlanes : std::uint8_t {
  kShallow,  ///< counters up to MaskCounters::kMostShallow
  kNear,     ///< up to MaskCounters::kMostNear
  kAll
};

/// Bit i of plane p is bit p of counter i. Four planes are here, which is enough for buffers of 15 flits. For
/// deeper ones their owner keeps the others.
template <int W>
class MaskCounters {
 public:
  using M = Mask<W>;
  /// Inputs and outputs.
  struct Both {
    M inputs;
    M outputs;
  };
  /// A plane: of every word of the masks, that of the inputs and that of the outputs.
  struct alignas(16) Plane {
    using Pair [[gnu::vector_size(16)]] = std::uint64_t;
    Pair words[W] = {};
  };
  static constexpr unsigned kNear = 4;
  static constexpr unsigned kFar = 13;  ///< for counters up to 2^17 - 1
  static constexpr std::size_t kMostNear = (std::size_t{1} << kNear) - 1;
  static constexpr std::size_t kMostShallow = 3;

  /// Do counters up to `most` need far planes?
  [[nodiscard]] static constexpr bool needs_far(std::size_t most) { return most > kMostNear; }

  /// One more, of each of `which`; none is at the most that the planes hold.
  template <CounterPlanes kPlanes = CounterPlanes::kAll>
  [[gnu::always_inline]] void add(const Both& which) {
    Plane carried = plane_of(which);
    each<kPlanes>([&](Plane & plane) __attribute__((always_inline)) { carried = carry(plane, carried); });
  }
  [[gnu::always_inline]] void add_inputs(const M& which) { add({which, {}}); }
  [[gnu::always_inline]] void add_outputs(const M& which) { add({{}, which}); }
  /// Outputs: 1 more of each of `ones`, 2 of each of `twos` and 4 of each of `fours`.
  [[gnu::always_inline]] void add_outputs(const M& ones, const M& twos, const M& fours) {
    Plane carried = carry(near_[0], plane_of({{}, ones}));
    carried = carry(near_[1], plane_of({{}, twos}), carried);
    carried = carry(near_[2], plane_of({{}, fours}), carried);
    carried = carry(near_[3], carried);
    each_far([&](Plane& plane) { carried = carry(plane, carried); });
  }
  /// One more of each of `more`, and one less of each of `less`; none becomes less than 0. Returns those that
  /// are not 0 then.
  template <CounterPlanes kPlanes = CounterPlanes::kAll>
  [[gnu::always_inline]] Both change(const Both& more, const Both& less) {
    Plane up = plane_of(more);
    Plane down = plane_of(less);
    Plane some;
    for (int w = 0; w < W; ++w) {
      const auto both = up.words[w] & down.words[w];
      up.words[w] ^= both;
      down.words[w] ^= both;
    }
    each<kPlanes>([&](Plane & plane) __attribute__((always_inline)) {
      for (int w = 0; w < W; ++w) {
        const auto before = plane.words[w];
        const auto after = before ^ (up.words[w] | down.words[w]);
        up.words[w] &= before;
        down.words[w] &= after;
        some.words[w] |= after;
        plane.words[w] = after;
      }
    });
    Both result;
    for (int w = 0; w < W; ++w) {
      result.inputs.words[w] = some.words[w][kInputs];
      result.outputs.words[w] = some.words[w][kOutputs];
    }
    return result;
  }
  /// Inputs whose counters are not what they are in `others`, which have as many planes.
  [[nodiscard, gnu::always_inline]] M inputs_other_than(const MaskCounters& others) const {
    return differ<kInputs>(others);
  }
  [[nodiscard, gnu::always_inline]] M outputs_other_than(const MaskCounters& others) const {
    return differ<kOutputs>(others);
  }

  [[nodiscard]] std::size_t input(std::size_t i) const { return value<kInputs>(i); }
  [[nodiscard]] std::size_t output(std::size_t o) const { return value<kOutputs>(o); }
  void set_input(std::size_t i, std::size_t value) { set<kInputs>(i, value); }
  void set_output(std::size_t o, std::size_t value) { set<kOutputs>(o, value); }
  /// The counter of input i, which is 0, becomes `value`, which is at most kMostNear.
  [[gnu::always_inline]] void start_input(std::size_t i, std::size_t value) {
    each_near([&](unsigned p) __attribute__((always_inline)) {
      near_[p].words[i >> 6][kInputs] |= static_cast<std::uint64_t>(value >> p & 1) << (i & 63);
    });
  }
  void clear_inputs() {
    each([](Plane& plane) {
      for (auto& pair : plane.words) pair[kInputs] = 0;
    });
  }
  /// The far planes, kFar of them, all 0; without them counters go up to kMostNear.
  void set_far(Plane* planes) { far_ = planes; }

 private:
  static constexpr int kInputs = 0;
  static constexpr int kOutputs = 1;

  [[nodiscard]] unsigned planes() const { return far_ == nullptr ? kNear : kNear + kFar; }
  [[nodiscard]] const Plane& plane(unsigned p) const { return p < kNear ? near_[p] : far_[p - kNear]; }
  [[nodiscard]] Plane& plane(unsigned p) { return p < kNear ? near_[p] : far_[p - kNear]; }
  /// By number: compilers leave a loop of four as a loop.
  template <class F>
  [[gnu::always_inline]] static void each_near(F&& f) {
    static_assert(kNear == 4);
    f(0);
    f(1);
    f(2);
    f(3);
  }
  template <CounterPlanes kPlanes = CounterPlanes::kAll, class F>
  [[gnu::always_inline]] void each(F&& f) {
    if constexpr (kPlanes == CounterPlanes::kShallow) {
      f(near_[0]);
      f(near_[1]);
      return;
    }
    each_near([&](unsigned p) __attribute__((always_inline)) { f(near_[p]); });
    if constexpr (kPlanes == CounterPlanes::kAll) each_far(f);
  }
  template <class F>
  [[gnu::always_inline]] void each_far(F&& f) {
    if (far_ != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) f(far_[p]);
  }
  [[gnu::always_inline]] static Plane plane_of(const Both& both) {
    Plane plane;
    for (int w = 0; w < W; ++w)
      plane.words[w] = typename Plane::Pair{both.inputs.words[w], both.outputs.words[w]};
    return plane;
  }
  template <int side>
  [[nodiscard, gnu::always_inline]] M differ(const MaskCounters& others) const {
    M some;
    const auto add = [&](const Plane& a, const Plane& b) __attribute__((always_inline)) {
      for (int w = 0; w < W; ++w) some.words[w] |= a.words[w][side] ^ b.words[w][side];
    };
    each_near([&](unsigned p) __attribute__((always_inline)) { add(near_[p], others.near_[p]); });
    if (far_ != nullptr) [[unlikely]]
      for (unsigned p = 0; p < kFar; ++p) add(far_[p], others.far_[p]);
    return some;
  }
  template <int side>
  [[nodiscard]] std::size_t value(std::size_t i) const {
    std::size_t sum = 0;
    for (unsigned p = 0; p < planes(); ++p)
      sum |= static_cast<std::size_t>(plane(p).words[i >> 6][side] >> (i & 63) & 1) << p;
    return sum;
  }
  template <int side>
  void set(std::size_t i, std::size_t value) {
    for (unsigned p = 0; p < planes(); ++p) {
      auto& pair = plane(p).words[i >> 6];
      pair[side] = (pair[side] & ~(1ULL << (i & 63))) | static_cast<std::uint64_t>(value >> p & 1)
                                                            << (i & 63);
    }
  }
  [[gnu::always_inline]] static Plane carry(Plane& plane, const Plane& which) {
    Plane carried;
    for (int w = 0; w < W; ++w) {
      const auto before = plane.words[w];
      plane.words[w] = before ^ which.words[w];
      carried.words[w] = which.words[w] & before;
    }
    return carried;
  }
  [[gnu::always_inline]] static Plane carry(Plane& plane, const Plane& a, const Plane& b) {
    Plane carried;
    for (int w = 0; w < W; ++w) {
      const auto before = plane.words[w];
      plane.words[w] = before ^ a.words[w] ^ b.words[w];
      carried.words[w] = (before & a.words[w]) | (b.words[w] & (before ^ a.words[w]));
    }
    return carried;
  }

  Plane near_[kNear] = {};
  Plane* far_ = nullptr;  ///< [kFar]; null: none
};

}  // namespace noctule
