#include "analytic/capacity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace noctule {

namespace {

/// Routers that links of more than some rate hold together.
std::vector<std::size_t> parts(const Topology& topology, const std::vector<double>& rates, double above) {
  std::vector<std::size_t> part(topology.routers());
  std::iota(part.begin(), part.end(), std::size_t{0});
  const auto root = [&](std::size_t r) {
    while (part[r] != r) r = part[r] = part[part[r]];
    return r;
  };
  for (const Link& link : topology.links())
    if (rates[index(link.id)] > above) part[root(index(link.from))] = root(index(link.to));
  for (std::size_t r = 0; r < part.size(); ++r) part[r] = root(r);
  return part;
}

/// Terminals by router.
struct Ends {
  explicit Ends(const Topology& topology) : injecting(topology.routers()), consuming(topology.routers()) {
    for (std::uint32_t t = 0; t < topology.terminals(); ++t) {
      injecting[index(topology.injection_router(TerminalId{t}))] += 1;
      consuming[index(topology.consumption_router(TerminalId{t}))] += 1;
    }
  }
  std::vector<double> injecting;
  std::vector<double> consuming;
};

/// What the links out of each part, and into it, bear.
double capacity_between(const Topology& topology, const std::vector<double>& rates,
                        const std::vector<std::size_t>& part) {
  struct Traffic {
    double injecting = 0, consuming = 0, out = 0, in = 0;
  };
  std::vector<Traffic> of(topology.routers());
  const Ends ends(topology);
  for (std::size_t r = 0; r < part.size(); ++r) {
    of[part[r]].injecting += ends.injecting[r];
    of[part[r]].consuming += ends.consuming[r];
  }
  for (const Link& link : topology.links()) {
    if (part[index(link.from)] == part[index(link.to)]) continue;
    of[part[index(link.from)]].out += rates[index(link.id)];
    of[part[index(link.to)]].in += rates[index(link.id)];
  }
  const auto n = static_cast<double>(topology.terminals());
  double capacity = std::numeric_limits<double>::infinity();
  for (const Traffic& here : of) {
    const double leaving = here.injecting * (n - here.consuming) / n;
    const double coming = here.consuming * (n - here.injecting) / n;
    if (leaving > 0) capacity = std::min(capacity, here.out / leaving);
    if (coming > 0) capacity = std::min(capacity, here.in / coming);
  }
  return capacity;
}

/// Routers times their links, beyond which the search below takes seconds.
constexpr double kMostSteps = 2e8;

/// What links of at most `slow` bear, where packets have no way of faster ones.
double capacity_of_slow(const Topology& topology, const std::vector<double>& rates, double slow) {
  const auto n = static_cast<double>(topology.terminals());
  const auto [injecting, consuming] = Ends(topology);
  double borne = 0;
  for (const double rate : rates) borne += rate <= slow ? rate : 0;
  double capacity = std::numeric_limits<double>::infinity();
  double crossing = 0;  // flits that need a slow link, per flit of every terminal
  for (std::uint32_t source = 0; source < topology.routers(); ++source) {
    if (injecting[source] == 0) continue;
    std::vector<char> reached(topology.routers());
    std::vector<RouterId> order{RouterId{source}};
    reached[source] = 1;
    double out = 0;  // of what faster links lead to
    double inside = 0;
    double at_home = 0;
    for (std::size_t next = 0; next < order.size(); ++next) {
      const RouterId here = order[next];
      inside += injecting[index(here)];
      at_home += consuming[index(here)];
      for (std::size_t p = 0; p < topology.ports(here); ++p) {
        const Link* link = topology.outgoing(here, PortId(p));
        if (link == nullptr || rates[index(link->id)] <= slow || reached[index(link->to)] != 0) continue;
        reached[index(link->to)] = 1;
        order.push_back(link->to);
      }
    }
    crossing += injecting[source] * (n - at_home) / n;
    if (n <= at_home) continue;
    for (const RouterId here : order)
      for (std::size_t p = 0; p < topology.ports(here); ++p)
        if (const Link* link = topology.outgoing(here, PortId(p));
            link != nullptr && reached[index(link->to)] == 0)
          out += rates[index(link->id)];
    capacity = std::min(capacity, out * n / (inside * (n - at_home)));
  }
  return crossing > 0 ? std::min(capacity, borne / crossing) : capacity;
}

}  // namespace

double capacity_of(const Topology& topology, const std::vector<double>& rates) {
  const std::set<double> kinds(rates.begin(), rates.end());
  if (kinds.empty()) return topology.capacity();
  double capacity = topology.capacity() * *kinds.rbegin();
  if (kinds.size() == 1) return capacity;
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
  const double hops = static_cast<double>(topology.terminals()) * topology.mean_hops();
  if (hops > 0) capacity = std::min(capacity, all / hops);
  const double steps = static_cast<double>(kinds.size()) * static_cast<double>(topology.routers()) *
                       static_cast<double>(topology.routers() + topology.links().size());
  for (const double slow : kinds) {
    if (slow == *kinds.rbegin()) continue;
    capacity = std::min(capacity, capacity_between(topology, rates, parts(topology, rates, slow)));
    if (steps <= kMostSteps) capacity = std::min(capacity, capacity_of_slow(topology, rates, slow));
  }
  return capacity;
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> cumulative(
    const std::vector<std::pair<std::uint32_t, double>>& weighted) {
  double total = 0;
  for (const auto& [value, weight] : weighted) total += weight;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> result;
  double sum = 0;
  for (const auto& [value, weight] : weighted) {
    sum += weight;
    result.emplace_back(value, static_cast<std::uint64_t>(std::ldexp(sum / total, 32)));
  }
  if (!result.empty()) result.back().second = std::uint64_t{1} << 32;
  return result;
}

}  // namespace noctule
