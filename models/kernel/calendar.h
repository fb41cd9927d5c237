#pragma once
// Who has work in which of the next cycles: a ring of sets of routers.

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace noctule {

class Calendar {
  struct Unannounced {
    template <class Router>
    void operator()(const Router&) const {}
  };

 public:
  /// Wake-ups reach at most `horizon` cycles ahead.
  Calendar(std::size_t routers, std::size_t horizon)
      : slots_(std::bit_ceil(horizon + 1)), words_((routers + 63) / 64), ring_(slots_ * words_) {}

  /// The router at `position` has work in cycle `at`: now or up to `horizon` cycles ahead.
  void wake(std::uint32_t position, Cycle at) noexcept { slot(at)[position >> 6] |= 1ULL << (position & 63); }
  /// The set of routers with work in cycle `at`, as words of 64 positions; valid until `at` has been
  /// performed.
  [[nodiscard]] std::uint64_t* slot(Cycle at) noexcept { return &ring_[(at & (slots_ - 1)) * words_]; }
  [[nodiscard]] const std::uint64_t* slot(Cycle at) const noexcept {
    return &ring_[(at & (slots_ - 1)) * words_];
  }
  /// Calls f(routers[position]) for every router in the words [from, to) of positions that has work in cycle
  /// t, ascending, also for those that are woken for t meanwhile at later positions; f returns whether the
  /// router has work in t+1 as well. Where the next one is near, in the same word or the next,
  /// soon(router) is called with it before f is called with this one: a hint, which may go wrong, as others
  /// can be woken in between. Returns the number of calls of f.
  template <class Router, class F, class Soon = Unannounced>
  std::size_t run(Cycle t, std::size_t from, std::size_t to, const Router* routers, F&& f, Soon soon = {}) {
    std::uint64_t* const now = slot(t);
    std::uint64_t* const next = slot(t + 1);
    std::size_t calls = 0;
    routers += 64 * from;
    for (std::size_t w = from; w < to; ++w, routers += 64)
      while (const std::uint64_t left = now[w]) {
        const int bit = std::countr_zero(left);
        now[w] = left & (left - 1);
        if (now[w] != 0)
          soon(routers[std::countr_zero(now[w])]);
        else if (w + 1 < to && now[w + 1] != 0)
          soon(routers[64 + std::countr_zero(now[w + 1])]);
        ++calls;
        next[w] |= static_cast<std::uint64_t>(f(routers[bit])) << bit;
      }
    return calls;
  }
  /// Words of 64 positions.
  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  /// First cycle from t on with work, at most t + horizon; kNever if there is none.
  [[nodiscard]] Cycle next(Cycle t) const noexcept {
    for (std::size_t d = 0; d < slots_; ++d) {
      const std::uint64_t* slot = &ring_[((t + d) & (slots_ - 1)) * words_];
      for (std::size_t w = 0; w < words_; ++w)
        if (slot[w] != 0) return t + d;
    }
    return kNever;
  }
  void clear() { ring_.assign(ring_.size(), 0); }

 private:
  std::size_t slots_;
  std::size_t words_;
  std::vector<std::uint64_t> ring_;
};

}  // namespace noctule
