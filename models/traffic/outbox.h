#pragma once
// What one terminal is about to send: packets that wait for their birth.

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "core/ids.h"

namespace noctule {

/// Gives packets in the order of their births, of equal births in the order in which they were added. For
/// sources whose packets follow from deliveries (TrafficSource::delivered): one that is added later may be
/// born before one that the fabric has been given already.
class Outbox {
 public:
  struct Entry {
    Cycle birth = 0;
    std::uint64_t order = 0;
    std::uint64_t what = 0;  ///< the owner's number of the packet
    friend bool operator>(const Entry& a, const Entry& b) {
      return std::tie(a.birth, a.order) > std::tie(b.birth, b.order);
    }
  };

  /// The fabric asks for the next packet, and makes it at its birth.
  std::optional<Entry> take() {
    if (waiting_.empty()) return std::nullopt;
    handed_ = waiting_.top();
    waiting_.pop();
    return handed_;
  }
  /// `now`: the cycle that ends; kNever: before the first one. The terminal has to be asked anew: what the
  /// fabric has been given, but has not made, waits here again.
  void add(std::uint64_t what, Cycle birth, Cycle now) {
    if (handed_ && now != kNever && handed_->birth > now) waiting_.push(*handed_);
    handed_.reset();
    waiting_.push({birth, added_++, what});
  }
  void clear() {
    waiting_ = {};
    handed_.reset();
  }

 private:
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting_;
  std::optional<Entry> handed_;  ///< taken last
  std::uint64_t added_ = 0;
};

}  // namespace noctule
