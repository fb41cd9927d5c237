#include "fabric/router_order.h"

#include <algorithm>
#include <numeric>

#include "core/rng.h"
#include "fabric/fabric.h"
#include "nodes/credit_order.h"

namespace noctule {
namespace {

/// Numbers positions anew: routers by rank, those of one rank as they were.
void put_in_order(std::vector<std::uint32_t>& position, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> routers(position.size());
  for (std::uint32_t r = 0; r < routers.size(); ++r) routers[position[r]] = r;
  std::ranges::stable_sort(routers, {}, [&](std::uint32_t r) { return ranks[r]; });
  for (std::uint32_t p = 0; p < routers.size(); ++p) position[routers[p]] = p;
}

/// All routers, from one on and then from its neighbours on, whichever way links lead.
std::vector<std::uint32_t> breadth_first(const Topology& topology, std::uint32_t first) {
  std::vector<std::uint32_t> order;
  order.reserve(topology.routers());
  std::vector<bool> known(topology.routers());
  const auto reach = [&](std::uint32_t r) {
    if (!known[r]) order.push_back(r);
    known[r] = true;
  };
  reach(first);
  for (std::uint32_t rest = 0, next = 0; order.size() < topology.routers(); reach(rest++))
    for (; next < order.size(); ++next) {
      const RouterId here{order[next]};
      for (std::size_t p = 0; p < topology.ports(here); ++p) {
        if (const Link* out = topology.outgoing(here, PortId(p))) reach(static_cast<std::uint32_t>(out->to));
        if (const Link* in = topology.incoming(here, PortId(p))) reach(static_cast<std::uint32_t>(in->from));
      }
    }
  return order;
}

/// By RouterId: positions in which neighbours are near each other, if any are: breadth first from a router
/// that is far from the others (Cuthill and McKee 1969).
std::vector<std::uint32_t> near_positions(const Topology& topology) {
  const auto order = breadth_first(topology, breadth_first(topology, 0).back());
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t p = 0; p < order.size(); ++p) position[order[p]] = p;
  return position;
}

/// How far apart the positions of the two ends of a link are at most.
std::size_t reach_of(const Topology& topology, const std::vector<std::uint32_t>& position) {
  std::size_t reach = 0;
  for (const Link& link : topology.links()) {
    const auto [low, high] = std::minmax(position[index(link.from)], position[index(link.to)]);
    reach = std::max<std::size_t>(reach, high - low);
  }
  return reach;
}

}  // namespace

std::vector<std::uint32_t> numbers_to(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (seed == 0) return order;
  Rng rng(seed, "order");
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

/// By number, or so that credits that act at once come first; by near positions, where bands gain from it. No
/// bands where terminals are attached at several routers, where something is told in an order, or where it
/// takes effect in the cycle in which it is done.
void Fabric::order_routers(const CreditOrder& credits) {
  const Topology& topology = *plan_.topology;
  const std::size_t n = topology.routers();
  position_ = numbers_to(n, options_.order_seed);
  if (!credits.ranks.empty()) put_in_order(position_, credits.ranks);
  const auto bands = [&](std::size_t reach) {
    return Bands::of(n, reach, state_bytes_, options_.bands_from);
  };
  bands_ = bands(n);
  if (options_.observed || options_.rtl || plan_.multicast || refusals_ || credits.trains ||
      !credits.ranks.empty() || topology.attachments() > 1 || state_bytes_ < options_.bands_from)
    return;
  bands_ = bands(reach_of(topology, position_));
  if (bands_.count == 1 && options_.order_seed == 0) {
    auto near = near_positions(topology);
    bands_ = bands(reach_of(topology, near));
    if (bands_.count > 1) position_ = std::move(near);
  }
  wheel_ = TimingWheel(topology.terminals(), bands_.count);
}

}  // namespace noctule
