#include "analytic/fastest_ways.h"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace noctule {
namespace {

constexpr std::uint64_t kUnreached = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t FastestWays::operator()(RouterId from, RouterId to, std::uint64_t length) {
  const std::size_t routers = plan_.routers.size();
  from_.resize(routers);
  auto& row = from_[index(from)];
  if (row.empty()) {
    if (kept_ + routers > kMostKept) {
      from_.assign(routers, {});
      kept_ = 0;
    }
    from_[index(from)] = headers_from(from);
    kept_ += routers;
  }
  const std::uint64_t header = from_[index(from)][index(to)];
  return (header == kUnreached ? 0 : header) + zero_load_.ends(from, to).sum() + length - 1;
}

std::vector<std::uint64_t> FastestWays::headers_from(RouterId from) const {
  const Topology& topology = *plan_.topology;
  std::vector<std::uint64_t> cycles(plan_.routers.size(), kUnreached);
  using Reached = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  cycles[index(from)] = 0;
  next.emplace(0, index(from));
  while (!next.empty()) {
    const auto [at, router] = next.top();
    next.pop();
    if (at > cycles[router]) continue;
    for (const auto& channel : plan_.routers[router]->outbound) {
      const Link* link = topology.outgoing(RouterId{router}, channel.port);
      const std::uint64_t there = at + zero_load_.hop(link->id).sum();
      if (there >= cycles[index(link->to)]) continue;
      cycles[index(link->to)] = there;
      next.emplace(there, index(link->to));
    }
  }
  return cycles;
}

}  // namespace noctule
