#include "verify/channel_load.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "verify/header_graph.h"

namespace noctule {
namespace {

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

/// A pattern by destination: the share that terminals spread evenly over all others, and the rest.
class Demand {
 public:
  Demand(const FabricPlan& plan, const TrafficPattern& pattern)
      : plan_(plan), uniform_(plan.topology->terminals()), rest_(plan.topology->routers()) {
    const auto& topology = *plan.topology;
    for (std::size_t s = 0; s < uniform_.size(); ++s) {
      if (!pattern.injects(terminal(s))) continue;
      ++injecting_;
      const auto spread = pattern.spread(terminal(s));
      if (uniform_.size() > 1) uniform_[s] = spread.uniform / static_cast<double>(uniform_.size() - 1);
      for (const auto& [to, share] : spread.rest)
        rest_[index(topology.router_of(to))].emplace_back(topology.router_of(terminal(s)), share);
    }
    rate_.resize(topology.routers());
  }

  [[nodiscard]] std::size_t injecting() const { return injecting_; }
  /// Pairs of terminals between which there is traffic, at most: each is a header state at least.
  [[nodiscard]] std::uint64_t pairs() const {
    const auto spreading =
        std::count_if(uniform_.begin(), uniform_.end(), [](double share) { return share > 0; });
    std::uint64_t sum = static_cast<std::uint64_t>(spreading) * (uniform_.size() - 1);
    if (spreading == 0)
      for (const auto& list : rest_) sum += list.size();
    return sum;
  }

  /// Flits per cycle that each router sends to this one, by RouterId; none to itself.
  const std::vector<double>& to(RouterId destination) {
    const auto here = static_cast<double>(plan_.terminals[index(destination)].size());
    for (std::size_t r = 0; r < rate_.size(); ++r) {
      rate_[r] = 0;
      for (const TerminalId t : plan_.terminals[r]) rate_[r] += uniform_[index(t)] * here;
    }
    for (const auto& [source, share] : rest_[index(destination)]) rate_[index(source)] += share;
    rate_[index(destination)] = 0;
    return rate_;
  }

 private:
  const FabricPlan& plan_;
  std::size_t injecting_ = 0;
  std::vector<double> uniform_;                                 ///< by source, to each other terminal
  std::vector<std::vector<std::pair<RouterId, double>>> rest_;  ///< by destination router
  std::vector<double> rate_;
};

/// Lets the headers of one destination flow through their graph; the load is added by LinkId.
class Flow {
 public:
  Flow(const ChannelIndex& channels, std::vector<double>& by_link) : channels_(channels), by_link_(by_link) {}

  /// False: some header can come back.
  bool add(HeaderGraph& graph, const std::vector<double>& rate) {
    const auto& order = graph.order();
    if (order.size() < graph.size()) return false;
    through_.assign(graph.size(), 0);
    const auto& starts = graph.starts();
    for (std::size_t first = 0; first < starts.size();) {
      std::size_t end = first;
      while (end < starts.size() && starts[end].source == starts[first].source) ++end;
      const double each = rate[index(starts[first].source)] / static_cast<double>(end - first);
      for (; first < end; ++first) through_[starts[first].state] += each;
    }
    for (auto s = order.rbegin(); s != order.rend(); ++s) {
      const auto moves = graph.moves(*s);
      const double each = through_[*s] / static_cast<double>(moves.size());
      for (const auto& move : moves) {
        by_link_[index(channels_.link(move.channel))] += each;
        if (move.next != HeaderGraph::kDelivered) through_[move.next] += each;
      }
    }
    return true;
  }

 private:
  const ChannelIndex& channels_;
  std::vector<double>& by_link_;
  std::vector<double> through_;  ///< by header state
};

std::size_t links_in_use(const FabricPlan& plan) {
  const auto links = plan.topology->links();
  return static_cast<std::size_t>(std::count_if(links.begin(), links.end(), [&](const Link& link) {
    for (unsigned c = 0; c < plan.relation->classes(link.out); ++c)
      if (plan.relation->exists(link, VcClass(static_cast<std::uint16_t>(c)))) return true;
    return false;
  }));
}

void summarize(const FabricPlan& plan, std::size_t injecting, ChannelLoad& load) {
  double total = 0;
  for (std::size_t l = 0; l < load.by_link.size(); ++l) {
    total += load.by_link[l];
    // Sums of the same shares in another order differ by rounding: those do not count as busier.
    if (load.by_link[l] <= load.max * (1 + 1e-12)) continue;
    load.max = load.by_link[l];
    load.busiest = LinkId(static_cast<std::uint32_t>(l));
  }
  const auto links = static_cast<double>(links_in_use(plan));
  const double width = plan.node.parallel_links;
  if (links > 0) load.mean = total / links;
  if (injecting > 0) load.mean_hops = total / static_cast<double>(injecting);
  load.throughput_bound = load.distance_bound = std::numeric_limits<double>::infinity();
  if (load.max > 0) {
    load.throughput_bound = width / load.max;
    load.distance_bound = width / load.mean;
  }
}

}  // namespace

std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const TrafficPattern& pattern, std::uint64_t most_header_states) {
  ChannelLoad load;
  load.by_link.resize(plan.topology->links().size());
  Demand demand(plan, pattern);
  if (demand.pairs() > most_header_states) return std::nullopt;
  Flow flow(channels, load.by_link);
  HeaderGraph graph(plan, channels);
  std::vector<RouterId> sources;
  std::uint64_t states = 0;
  for (std::uint32_t d = 0; d < plan.topology->routers(); ++d) {
    if (plan.terminals[d].empty()) continue;
    const auto& rate = demand.to(RouterId{d});
    sources.clear();
    for (std::uint32_t s = 0; s < rate.size(); ++s)
      if (rate[s] > 0) sources.push_back(RouterId{s});
    if (sources.empty()) continue;
    graph.explore(RouterId{d}, sources);
    states += graph.size();
    if (states > most_header_states || !flow.add(graph, rate)) return std::nullopt;
  }
  summarize(plan, demand.injecting(), load);
  return load;
}

}  // namespace noctule
