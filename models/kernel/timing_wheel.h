#pragma once
// When which terminal has something to do next: one entry per terminal, buckets by cycle. Terminals may be in
// bands, each with a wheel of its own.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"

namespace noctule {

class TimingWheel {
 public:
  explicit TimingWheel(std::size_t entries, std::size_t bands = 1)
      : head_(kBuckets * bands, kEnd), next_(entries, kEnd), when_(entries, kNever) {}

  /// Entry `who`, which is always of that band, is due in cycle `when`; it is not in the wheel.
  void add(std::uint32_t who, Cycle when, std::size_t band = 0) {
    when_[who] = when;
    if (when == kNever) return;
    auto& head = bucket(when, band);
    next_[who] = head;
    head = who;
    ++size_;
  }
  /// Takes out an entry, if it is in.
  void remove(std::uint32_t who, std::size_t band = 0) {
    if (when_[who] == kNever) return;
    std::uint32_t* link = &bucket(when_[who], band);
    while (*link != who) link = &next_[*link];
    *link = next_[who];
    when_[who] = kNever;
    --size_;
  }
  /// Takes out every entry of the band that is due in cycle t and calls f(who); f may add it again, later
  /// than t.
  template <class F>
  void fire(Cycle t, F&& f, std::size_t band = 0) {
    std::uint32_t who = std::exchange(bucket(t, band), kEnd);
    while (who != kEnd) {
      const std::uint32_t after = next_[who];
      --size_;
      const Cycle when = std::exchange(when_[who], kNever);
      if (when == t) {
        f(who);
      } else {
        add(who, when, band);
      }
      who = after;
    }
  }
  /// A lower bound, greater or equal t, on the cycle of the next entry, exact within the next bucket round;
  /// kNever if the wheel is empty.
  [[nodiscard]] Cycle next(Cycle t) const {
    if (size_ == 0) return kNever;
    for (Cycle at = t; at < t + kBuckets; ++at)
      for (std::size_t first = at % kBuckets; first < head_.size(); first += kBuckets)
        for (std::uint32_t who = head_[first]; who != kEnd; who = next_[who])
          if (when_[who] == at) return at;
    return t + kBuckets;
  }

 private:
  static constexpr std::size_t kBuckets = 4096;
  static constexpr std::uint32_t kEnd = ~0U;
  [[nodiscard]] std::uint32_t& bucket(Cycle at, std::size_t band) {
    return head_[band * kBuckets + at % kBuckets];
  }
  std::vector<std::uint32_t> head_;
  std::vector<std::uint32_t> next_;
  std::vector<Cycle> when_;
  std::size_t size_ = 0;
};

}  // namespace noctule
