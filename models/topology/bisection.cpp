#include "topology/bisection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/rng.h"

namespace noctule {
namespace {

/// One split of the routers, made better by moving one router after the other to the other side.
class Split {
 public:
  explicit Split(const Topology& topology) : topology_(topology) {
    for (Ends* ends : {&injecting_, &consuming_}) ends->of.resize(topology.routers());
    for (std::size_t t = 0; t < topology.terminals(); ++t) {
      ++injecting_.of[index(topology.injection_router(TerminalId(t)))];
      ++consuming_.of[index(topology.consumption_router(TerminalId(t)))];
    }
    for (Ends* ends : {&injecting_, &consuming_})
      ends->most = *std::max_element(ends->of.begin(), ends->of.end());
  }

  /// The first routers of an order on one side, until half of the terminals are there.
  void start(const std::vector<std::uint32_t>& order) {
    side_.assign(topology_.routers(), 0);
    for (Ends* ends : {&injecting_, &consuming_})
      ends->balance = -static_cast<std::int64_t>(topology_.terminals());
    for (const auto r : order) {
      if (injecting_.too_many(r) || consuming_.too_many(r)) continue;
      if (injecting_.balance >= 0 && consuming_.balance >= 0) break;
      flip(r);
    }
  }
  /// Passes, until one finds nothing better.
  void improve() {
    while (pass()) {
    }
  }
  /// Adds this one to those that have been looked at.
  void lower(Bisection& least) const {
    std::array<unsigned, 2> links = {};  // by the side that they leave
    for (const Link& link : topology_.links())
      if (side_[index(link.from)] != side_[index(link.to)]) ++links[side_[index(link.from)] == 0 ? 0 : 1];
    const auto n = static_cast<double>(topology_.terminals());
    for (const std::size_t from : {0U, 1U}) {
      const double crossing = injecting_.on_side(from, n) * consuming_.on_side(1 - from, n) / n;
      if (crossing <= 0) continue;
      least.links = std::min(least.links, links[from]);
      least.capacity = std::min(least.capacity, links[from] / crossing);
    }
  }

 private:
  /// Where terminals are attached.
  struct Ends {
    std::vector<std::int64_t> of;  ///< by router
    std::int64_t most = 0;         ///< of a router
    std::int64_t balance = 0;      ///< those on side 1 less those on side 0
    [[nodiscard]] bool too_many(std::uint32_t r) const { return 2 * of[r] + balance > most; }
    [[nodiscard]] bool balanced() const { return std::abs(balance) <= most; }
    /// The router leaves the side.
    [[nodiscard]] bool keeps(std::uint32_t r, char side) const {
      const std::int64_t after = balance + (side != 0 ? -2 * of[r] : 2 * of[r]);
      return std::abs(after) <= std::max(std::abs(balance), 2 * most);
    }
    [[nodiscard]] double on_side(std::size_t side, double all) const {
      return (side == 0 ? all - static_cast<double>(balance) : all + static_cast<double>(balance)) / 2;
    }
  };

  void flip(std::uint32_t r) {
    side_[r] ^= 1;
    for (Ends* ends : {&injecting_, &consuming_})
      ends->balance += side_[r] != 0 ? 2 * ends->of[r] : -2 * ends->of[r];
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
    return injecting_.keeps(r, side_[r]) && consuming_.keeps(r, side_[r]);
  }
  /// Moves every router once, best first, and keeps the best balanced split on the way.
  bool pass() {
    const std::size_t n = topology_.routers();
    gains_.resize(n);
    moved_.assign(n, 0);
    for (auto& buckets : buckets_) buckets.assign(4 * topology_.most_ports() + 1, {});
    for (std::uint32_t r = 0; r < n; ++r) {
      gains_[r] = gain(r);
      bucket(r).push_back(r);
    }
    std::vector<std::uint32_t> sequence;
    int sum = 0;
    int best = 0;
    std::size_t kept = 0;
    while (const auto next = take()) {
      const auto r = *next;
      moved_[r] = 1;
      sequence.push_back(r);
      sum += gains_[r];
      flip(r);
      update_neighbours(r);
      if (sum > best && injecting_.balanced() && consuming_.balanced()) {
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
  /// Of a router that has not moved: those of its side and gain.
  std::vector<std::uint32_t>& bucket(std::uint32_t r) {
    const auto middle = 2 * static_cast<std::int64_t>(topology_.most_ports());
    return buckets_[side_[r] != 0 ? 1 : 0][static_cast<std::size_t>(middle + gains_[r])];
  }
  /// The router of the highest gain that may move, out of its bucket. Entries that are out of date go.
  std::optional<std::uint32_t> take() {
    for (std::size_t b = buckets_[0].size(); b-- > 0;)
      for (auto& buckets : buckets_) {
        auto& list = buckets[b];
        for (std::size_t i = list.size(); i-- > 0;) {
          const auto r = list[i];
          const bool current = moved_[r] == 0 && &bucket(r) == &list;
          if (current && !keeps_balance(r)) continue;
          list[i] = list.back();
          list.pop_back();
          if (current) return r;
        }
      }
    return {};
  }
  void update_neighbours(std::uint32_t r) {
    const RouterId router{r};
    const auto update = [&](RouterId other) {
      const auto o = static_cast<std::uint32_t>(index(other));
      if (moved_[o] != 0) return;
      const int now = gain(o);
      if (now == gains_[o]) return;
      gains_[o] = now;
      bucket(o).push_back(o);
    };
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      if (const Link* link = topology_.outgoing(router, PortId(p))) update(link->to);
      if (const Link* link = topology_.incoming(router, PortId(p))) update(link->from);
    }
  }

  const Topology& topology_;
  Ends injecting_;
  Ends consuming_;
  std::vector<char> side_;
  std::vector<int> gains_;  ///< of a pass: by router
  std::vector<char> moved_;
  std::array<std::vector<std::vector<std::uint32_t>>, 2> buckets_;  ///< by side, by gain
};

/// Routers in the order of their hops from one of them, along the links.
std::vector<std::uint32_t> breadth_first(const Topology& topology, std::uint32_t from) {
  std::vector<std::uint32_t> order{from};
  std::vector<char> seen(topology.routers());
  seen[from] = 1;
  const auto visit = [&](RouterId router) {
    if (std::exchange(seen[index(router)], 1) == 0) order.push_back(static_cast<std::uint32_t>(router));
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

Bisection find_bisection(const Topology& topology) {
  // A start takes seconds where there are thousands of routers.
  constexpr std::size_t kManyRouters = 2048;
  const unsigned starts = topology.routers() > kManyRouters ? 2 : 8;
  Split split(topology);
  Bisection least{std::numeric_limits<unsigned>::max(), std::numeric_limits<double>::infinity()};
  std::vector<std::uint32_t> order(topology.routers());
  std::iota(order.begin(), order.end(), 0U);
  Rng rng(1);
  for (unsigned start = 0; start < starts; ++start) {
    if (start > 0) order = breadth_first(topology, static_cast<std::uint32_t>(rng.below(topology.routers())));
    split.start(order);
    split.improve();
    split.lower(least);
  }
  if (least.links == std::numeric_limits<unsigned>::max()) least.links = 0;  // nobody sends across
  return least;
}

}  // namespace noctule
