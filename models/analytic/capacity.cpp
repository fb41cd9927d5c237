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

/// What the links out of each part, and into it, bear.
double capacity_between(const Topology& topology, const std::vector<double>& rates,
                        const std::vector<std::size_t>& part) {
  struct Traffic {
    double injecting = 0, consuming = 0, out = 0, in = 0;
  };
  std::vector<Traffic> of(topology.routers());
  for (std::uint32_t t = 0; t < topology.terminals(); ++t) {
    of[part[index(topology.injection_router(TerminalId{t}))]].injecting += 1;
    of[part[index(topology.consumption_router(TerminalId{t}))]].consuming += 1;
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

}  // namespace

double capacity_of(const Topology& topology, const std::vector<double>& rates) {
  const std::set<double> kinds(rates.begin(), rates.end());
  if (kinds.empty()) return topology.capacity();
  double capacity = topology.capacity() * *kinds.rbegin();
  if (kinds.size() == 1) return capacity;
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
  const double hops = static_cast<double>(topology.terminals()) * topology.mean_distance();
  if (hops > 0) capacity = std::min(capacity, all / hops);
  for (const double slow : kinds)
    if (slow != *kinds.rbegin())
      capacity = std::min(capacity, capacity_between(topology, rates, parts(topology, rates, slow)));
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
