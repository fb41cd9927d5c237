#pragma once
// Arbiters: which one of several requesters is served? Plain classes; hardware has one per shared resource.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/mask.h"

namespace noctule {

enum class ArbiterKind : std::uint8_t {
  kRoundRobin,  ///< the first requester after the one served last: a pointer and a priority encoder
  kMatrix,      ///< the requester that was served longest ago: one bit per pair of requesters
  kAge          ///< the oldest packet, in all that a router decides (blocks/age_order.h): no ArbiterBank
};

/// A round-robin arbiter, as functions of what it remembers: `next`, first of the cyclic order; at the
/// beginning 0.
template <int W>
struct RoundRobin {
  using M = Mask<W>;
  static constexpr std::size_t kLast = M::kBits - 1;

  /// The winner among `requests`, which is not empty.
  [[nodiscard]] static constexpr std::size_t pick(const M& requests, std::size_t next) {
    if constexpr (W == 1) return requests.next_from(next);
    std::size_t w = next >> 6;
    std::uint64_t x = requests.words[w] & ~0ULL << (next & 63);
    while (x == 0) {
      w = w + 1 == W ? 0 : w + 1;
      x = requests.words[w];
    }
    return 64 * w + lowest_bit(x);
  }
  /// The winner of two.
  [[nodiscard]] static constexpr std::size_t pick(std::size_t a, std::size_t b, std::size_t next) {
    return ((a - next) & kLast) < ((b - next) & kLast) ? a : b;
  }
  /// What it remembers once `winner` was served: it has the lowest priority.
  [[nodiscard]] static constexpr std::size_t after(std::size_t winner) { return (winner + 1) & kLast; }
};

/// Arbiters of one kind, numbered in the order in which they are added, side by side in memory. `pick` is a
/// function of the state; `served` moves it, so that an arbiter whose choice comes to nothing can stay as it
/// was. As built, the lowest number has the highest priority.
template <int W>
class ArbiterBank {
 public:
  using M = Mask<W>;
  explicit ArbiterBank(ArbiterKind kind, std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : kind_(kind), next_(memory), orders_(memory) {}

  /// There will be so many.
  void reserve(std::size_t arbiters) {
    if (kind_ == ArbiterKind::kRoundRobin)
      next_.reserve(arbiters);
    else
      orders_.reserve(arbiters);
  }

  /// `count` arbiters over requesters first .. end-1, below 64 W.
  void add(std::size_t count, std::size_t first, std::size_t end) {
    if (kind_ == ArbiterKind::kRoundRobin) {
      next_.resize(next_.size() + count);
    } else {
      for (std::size_t n = 0; n < count; ++n) {
        orders_.push_back(
            {first, std::pmr::vector<std::uint64_t>(end - first, orders_.get_allocator().resource())});
        orders_.back().reset();
      }
    }
  }

  /// The winner among `requests`, which is not empty.
  [[nodiscard]] std::size_t pick(std::size_t arbiter, const M& requests) const {
    if constexpr (W == 1) {
      const std::uint64_t all = requests.words[0];
      if ((all & (all - 1)) == 0) return requests.lowest();
    }
    if (kind_ == ArbiterKind::kMatrix) return longest_ago(arbiter, requests);
    return RoundRobin<W>::pick(requests, static_cast<std::size_t>(next_[arbiter]));
  }
  /// The winner of two.
  [[nodiscard]] std::size_t pick(std::size_t arbiter, std::size_t a, std::size_t b) const {
    if (kind_ == ArbiterKind::kMatrix) return orders_[arbiter].at(a) < orders_[arbiter].at(b) ? a : b;
    return RoundRobin<W>::pick(a, b, static_cast<std::size_t>(next_[arbiter]));
  }
  /// `winner` was served: it has the lowest priority from now on.
  void served(std::size_t arbiter, std::size_t winner) {
    if (kind_ == ArbiterKind::kMatrix)
      orders_[arbiter].at(winner) = now_++;
    else
      next_[arbiter] = static_cast<Number>(RoundRobin<W>::after(winner));
  }
  void reset() {
    std::fill(next_.begin(), next_.end(), Number{0});
    for (Order& order : orders_) order.reset();
    now_ = M::kBits;
  }

 private:
  /// Of a requester. An enumeration: bytes that may be anything would have to be read again after every
  /// write.
  enum class Number : std::conditional_t<W == 1, std::uint8_t, std::uint16_t>{};
  /// A matrix holds who comes before whom, which is the order of these.
  struct Order {
    std::size_t first;
    std::pmr::vector<std::uint64_t> times;  ///< [requester - first]: when it was served last
    [[nodiscard]] std::uint64_t at(std::size_t i) const { return times[i - first]; }
    [[nodiscard]] std::uint64_t& at(std::size_t i) { return times[i - first]; }
    void reset() { std::iota(times.begin(), times.end(), std::uint64_t{0}); }
  };

  [[gnu::noinline]] [[nodiscard]] std::size_t longest_ago(std::size_t arbiter, const M& requests) const {
    const Order& order = orders_[arbiter];
    std::size_t winner = requests.lowest();
    requests.each([&](std::size_t i) {
      if (order.at(i) < order.at(winner)) winner = i;
    });
    return winner;
  }

  ArbiterKind kind_;
  std::pmr::vector<Number> next_;   ///< [arbiter], round robin: first of the cyclic order
  std::pmr::vector<Order> orders_;  ///< [arbiter], matrix
  std::uint64_t now_ = M::kBits;    ///< services, counted from above the times as built
};

}  // namespace noctule
