#pragma once
// When which terminal has something to do next: one entry per terminal, buckets by cycle.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"

namespace noctule {

class TimingWheel {
 public:
  explicit TimingWheel(std::size_t entries)
      : head_(kBuckets, kEnd), next_(entries, kEnd), when_(entries, kNever) {}

  /// Entry `who` is due in cycle `when`; it is not in the wheel.
  void add(std::uint32_t who, Cycle when) {
    when_[who] = when;
    if (when == kNever) return;
    auto& head = head_[when % kBuckets];
    next_[who] = head;
    head = who;
    ++size_;
  }
  /// Takes out an entry, if it is in.
  void remove(std::uint32_t who) {
    if (when_[who] == kNever) return;
    std::uint32_t* link = &head_[when_[who] % kBuckets];
    while (*link != who) link = &next_[*link];
    *link = next_[who];
    when_[who] = kNever;
    --size_;
  }
  /// Takes out every entry that is due in cycle t and calls f(who); f may add it again, later than t.
  template <class F>
  void fire(Cycle t, F&& f) {
    std::uint32_t who = std::exchange(head_[t % kBuckets], kEnd);
    while (who != kEnd) {
      const std::uint32_t after = next_[who];
      --size_;
      const Cycle when = std::exchange(when_[who], kNever);
      if (when == t) {
        f(who);
      } else {
        add(who, when);
      }
      who = after;
    }
  }
  /// A lower bound, greater or equal t, on the cycle of the next entry, exact within the next bucket round;
  /// kNever if the wheel is empty.
  [[nodiscard]] Cycle next(Cycle t) const {
    if (size_ == 0) return kNever;
    for (Cycle at = t; at < t + kBuckets; ++at)
      for (std::uint32_t who = head_[at % kBuckets]; who != kEnd; who = next_[who])
        if (when_[who] == at) return at;
    return t + kBuckets;
  }

 private:
  static constexpr std::size_t kBuckets = 4096;
  static constexpr std::uint32_t kEnd = ~0U;
  std::vector<std::uint32_t> head_;
  std::vector<std::uint32_t> next_;
  std::vector<Cycle> when_;
  std::size_t size_ = 0;
};

}  // namespace noctule
