#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "patterns/pattern.h"

namespace noctule {

template <>
PatternRegistry& PatternRegistry::instance() {
  static PatternRegistry registry;
  return registry;
}

namespace {

TerminalId terminal(std::size_t i) {
  return TerminalId(static_cast<std::uint32_t>(i));
}

double mean_to_others(const Topology& topology, TerminalId source) {
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < topology.terminals(); ++t)
    sum += topology.distance(topology.injection_router(source), topology.consumption_router(terminal(t)));
  return static_cast<double>(sum) / static_cast<double>(topology.terminals() - 1);
}

}  // namespace

double mean_distance(const Topology& topology, const TrafficPattern& pattern) {
  // The uniform share that all terminals have in common comes from the topology's closed form; only what a
  // terminal sends uniformly beyond it is summed pair by pair.
  const std::size_t n = topology.terminals();
  std::vector<double> uniform(n, 0);
  double common = std::numeric_limits<double>::infinity();
  std::vector<std::pair<RouterId, RouterId>> pairs;
  std::vector<double> shares;  // of the pairs
  std::size_t injecting = 0;
  for (std::size_t s = 0; s < n; ++s) {
    if (!pattern.injects(terminal(s))) {
      common = 0;
      continue;
    }
    ++injecting;
    const auto spread = pattern.spread(terminal(s));
    uniform[s] = spread.uniform;
    common = std::min(common, spread.uniform);
    for (const auto& [to, probability] : spread.rest) {
      pairs.emplace_back(topology.injection_router(terminal(s)), topology.consumption_router(to));
      shares.push_back(probability);
    }
  }
  if (injecting == 0) return 0;
  const auto hops = topology.distances(pairs);
  double sum = std::inner_product(shares.begin(), shares.end(), hops.begin(), 0.0);
  for (std::size_t s = 0; s < n; ++s)
    if (uniform[s] > common) sum += (uniform[s] - common) * mean_to_others(topology, terminal(s));
  if (common > 0) sum += common * static_cast<double>(n) * topology.mean_distance();
  return sum / static_cast<double>(injecting);
}

}  // namespace noctule
