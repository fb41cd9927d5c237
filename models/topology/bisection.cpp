#include "topology/bisection.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/rng.h"

namespace noctule {
namespace {

/// One split of the routers, made better by moving one router after the other to the other side.
class Split {
 public:
  explicit Split(const Topology& topology) : topology_(topology), weight_(topology.routers()) {
    for (std::size_t t = 0; t < topology.terminals(); ++t) {
      ++weight_[index(topology.injection_router(TerminalId(t)))];
      ++weight_[index(topology.consumption_router(TerminalId(t)))];
    }
    total_ = std::accumulate(weight_.begin(), weight_.end(), std::int64_t{0});
    heaviest_ = *std::max_element(weight_.begin(), weight_.end());
  }

  /// The first routers of an order on one side, until half of the terminals are there.
  void start(const std::vector<std::uint32_t>& order) {
    side_.assign(weight_.size(), 0);
    balance_ = -total_;
    for (const auto r : order) {
      if (2 * weight_[r] + balance_ > heaviest_) continue;
      if (balance_ >= 0) break;
      flip(r);
    }
  }
  /// Passes, until one finds nothing better.
  void improve() {
    while (pass()) {
    }
  }
  [[nodiscard]] unsigned cut() const {
    unsigned there = 0;
    unsigned back = 0;
    for (const Link& link : topology_.links()) {
      if (side_[index(link.from)] == side_[index(link.to)]) continue;
      ++(side_[index(link.from)] == 0 ? there : back);
    }
    return std::min(there, back);
  }

 private:
  void flip(std::uint32_t r) {
    side_[r] ^= 1;
    balance_ += side_[r] != 0 ? 2 * weight_[r] : -2 * weight_[r];
  }
  /// Links fewer across, of both directions, if the router moves.
  [[nodiscard]] int gain(std::uint32_t r) const {
    int gain = 0;
    const RouterId router{r};
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      if (const Link* link = topology_.outgoing(router, PortId(p)))
        gain += side_[index(link->to)] != side_[r] ? 1 : -1;
      if (const Link* link = topology_.incoming(router, PortId(p)))
        gain += side_[index(link->from)] != side_[r] ? 1 : -1;
    }
    return gain;
  }
  [[nodiscard]] bool keeps_balance(std::uint32_t r) const {
    const std::int64_t after = balance_ + (side_[r] != 0 ? -2 * weight_[r] : 2 * weight_[r]);
    return std::abs(after) <= std::max<std::int64_t>(std::abs(balance_), 2 * heaviest_);
  }
  /// Moves every router once, best first, and keeps the best balanced split on the way.
  bool pass() {
    const std::size_t n = weight_.size();
    std::vector<int> gains(n);
    for (std::uint32_t r = 0; r < n; ++r) gains[r] = gain(r);
    std::vector<std::vector<std::uint32_t>> buckets(4 * topology_.most_ports() + 1);
    const int middle = 2 * static_cast<int>(topology_.most_ports());
    const auto bucket = [&](int g) -> auto& {
      return buckets[static_cast<std::size_t>(g + middle)];
    };
    for (std::uint32_t r = 0; r < n; ++r) bucket(gains[r]).push_back(r);
    std::vector<char> moved(n);
    std::vector<std::uint32_t> sequence;
    int sum = 0;
    int best = 0;
    std::size_t kept = 0;
    while (take(buckets, moved, gains, middle, sequence)) {
      const auto r = sequence.back();
      sum += gains[r];
      flip(r);
      update_neighbours(r, moved, gains, buckets, middle);
      if (sum > best && std::abs(balance_) <= heaviest_) {
        best = sum;
        kept = sequence.size();
      }
    }
    while (sequence.size() > kept) {
      flip(sequence.back());
      sequence.pop_back();
    }
    return best > 0;
  }
  /// The router of the highest gain that may move, appended to the sequence. Entries that are out of date
  /// are thrown away.
  bool take(std::vector<std::vector<std::uint32_t>>& buckets, std::vector<char>& moved,
            const std::vector<int>& gains, int middle, std::vector<std::uint32_t>& sequence) const {
    for (std::size_t b = buckets.size(); b-- > 0;) {
      auto& list = buckets[b];
      for (std::size_t i = list.size(); i-- > 0;) {
        const auto r = list[i];
        const bool current = moved[r] == 0 && gains[r] + middle == static_cast<int>(b);
        if (current && !keeps_balance(r)) continue;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        if (!current) continue;
        moved[r] = 1;
        sequence.push_back(r);
        return true;
      }
    }
    return false;
  }
  void update_neighbours(std::uint32_t r, const std::vector<char>& moved, std::vector<int>& gains,
                         std::vector<std::vector<std::uint32_t>>& buckets, int middle) const {
    const RouterId router{r};
    const auto update = [&](RouterId other) {
      const auto o = index(other);
      if (moved[o] != 0) return;
      const int now = gain(static_cast<std::uint32_t>(o));
      if (now == gains[o]) return;
      gains[o] = now;
      buckets[static_cast<std::size_t>(now + middle)].push_back(static_cast<std::uint32_t>(o));
    };
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      if (const Link* link = topology_.outgoing(router, PortId(p))) update(link->to);
      if (const Link* link = topology_.incoming(router, PortId(p))) update(link->from);
    }
  }

  const Topology& topology_;
  std::vector<std::int64_t> weight_;  ///< ends of terminals, by router
  std::int64_t total_ = 0;
  std::int64_t heaviest_ = 0;
  std::int64_t balance_ = 0;  ///< ends on side 1 less those on side 0
  std::vector<char> side_;
};

/// Routers in the order of their hops from one of them, along the links.
std::vector<std::uint32_t> breadth_first(const Topology& topology, std::uint32_t from) {
  std::vector<std::uint32_t> order{from};
  std::vector<char> seen(topology.routers());
  seen[from] = 1;
  const auto visit = [&](RouterId router) {
    if (seen[index(router)]++ == 0) order.push_back(static_cast<std::uint32_t>(router));
  };
  for (std::size_t next = 0; next < order.size(); ++next) {
    const RouterId here{order[next]};
    for (std::size_t p = 0; p < topology.ports(here); ++p) {
      if (const Link* link = topology.outgoing(here, PortId(p))) visit(link->to);
      if (const Link* link = topology.incoming(here, PortId(p))) visit(link->from);
    }
  }
  return order;
}

}  // namespace

unsigned find_bisection(const Topology& topology) {
  constexpr unsigned kStarts = 8;
  Split split(topology);
  unsigned best = std::numeric_limits<unsigned>::max();
  std::vector<std::uint32_t> order(topology.routers());
  std::iota(order.begin(), order.end(), 0U);
  Rng rng(1);
  for (unsigned start = 0; start < kStarts; ++start) {
    if (start > 0) order = breadth_first(topology, static_cast<std::uint32_t>(rng.below(topology.routers())));
    split.start(order);
    split.improve();
    best = std::min(best, split.cut());
  }
  return best;
}

}  // namespace noctule
