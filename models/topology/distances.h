#pragma once
// Breadth-first search over the links of a topology.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "topology/topology.h"

namespace noctule {

/// A distance that does not exist. Paths of 65,535 hops and more count as none.
inline constexpr std::uint16_t kNoDistance = std::numeric_limits<std::uint16_t>::max();

/// By router: hops to the destination, along the links.
[[nodiscard]] std::vector<std::uint16_t> distances_to(const Topology& topology, RouterId destination);

/// Searches from up to 64 destinations at once, against the direction of the links: a bit for each.
class ManyDistances {
 public:
  explicit ManyDistances(const Topology& topology);
  /// At most 64.
  void start(std::span<const RouterId> destinations);
  /// One hop farther.
  void advance();
  [[nodiscard]] unsigned hops() const { return hops_; }
  /// The routers so far away, in no order, and from which of the destinations. None: the search is over.
  [[nodiscard]] std::span<const RouterId> reached() const { return reached_; }
  [[nodiscard]] std::uint64_t mask(RouterId router) const { return now_[index(router)]; }

 private:
  std::vector<std::size_t> first_;  ///< by router: its place in
  std::vector<RouterId> behind_;    ///< where the links come from that enter it
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> now_;
  std::vector<std::uint64_t> next_;
  std::vector<RouterId> reached_;
  unsigned hops_ = 0;
};

/// Calls f(from, to, hops) for every router `from` and every one of the destinations that it has a path to.
template <class F>
void for_each_distance(const Topology& topology, std::span<const RouterId> destinations, F&& f) {
  constexpr std::size_t kAtOnce = 64;
  ManyDistances search(topology);
  for (std::size_t first = 0; first < destinations.size(); first += kAtOnce) {
    const auto some = destinations.subspan(first, std::min(kAtOnce, destinations.size() - first));
    for (search.start(some); !search.reached().empty(); search.advance())
      for (const RouterId from : search.reached())
        for (std::uint64_t mask = search.mask(from); mask != 0; mask &= mask - 1)
          f(from, some[static_cast<std::size_t>(std::countr_zero(mask))], search.hops());
  }
}

}  // namespace noctule
