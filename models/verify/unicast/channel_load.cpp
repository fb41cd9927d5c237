#include "verify/unicast/channel_load.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "verify/graph/header_flow.h"
#include "verify/unicast/factored_load.h"
#include "verify/unicast/legs.h"

namespace noctule {
namespace {

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

/// What is sent by destination: what terminals spread evenly over all others, and the rest.
class Demand {
 public:
  Demand(const FabricPlan& plan, const ClassDemand& sent)
      : plan_(plan),
        class_(sent.message_class),
        uniform_(plan.topology->terminals()),
        rest_(plan.topology->routers()) {
    for (std::size_t s = 0; s < uniform_.size(); ++s) {
      const auto& spread = sent.sent[s];
      if (flits_of(spread) <= 0) continue;
      ++injecting_;
      if (uniform_.size() > 1) uniform_[s] = spread.uniform / static_cast<double>(uniform_.size() - 1);
      for (const auto& [to, share] : spread.rest)
        rest_[index(plan.consumption_router(to, class_))].emplace_back(
            plan.injection_router(terminal(s), class_), share);
    }
    rate_.resize(plan.topology->routers());
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
    std::size_t here = 0;
    plan_.each_consuming(destination, class_, [&](TerminalId) { ++here; });
    for (std::size_t r = 0; r < rate_.size(); ++r) {
      rate_[r] = 0;
      plan_.each_injecting(RouterId(r), class_, [&](TerminalId t) {
        const bool own = plan_.consumption_router(t, class_) == destination;  // nothing goes to itself
        rate_[r] += uniform_[index(t)] * static_cast<double>(here - (own ? 1 : 0));
      });
    }
    for (const auto& [source, share] : rest_[index(destination)]) rate_[index(source)] += share;
    rate_[index(destination)] = 0;
    return rate_;
  }

 private:
  const FabricPlan& plan_;
  std::uint8_t class_;
  std::size_t injecting_ = 0;
  std::vector<double> uniform_;                                 ///< by source, to each other terminal
  std::vector<std::vector<std::pair<RouterId, double>>> rest_;  ///< by destination router
  std::vector<double> rate_;
};

std::size_t links_in_use(const FabricPlan& plan) {
  const auto links = plan.topology->links();
  return static_cast<std::size_t>(std::count_if(links.begin(), links.end(), [&](const Link& link) {
    for (unsigned c = 0; c < plan.relation->classes(link); ++c)
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
  const auto sources = static_cast<double>(injecting);
  if (links > 0) load.mean = total / links;
  if (injecting > 0) {
    load.mean_hops = total / sources;
    load.least_hops /= sources;
  }
  load.links_full = load.distance_bound = std::numeric_limits<double>::infinity();
  if (load.max > 0) {
    load.links_full = plan.parallel_links(load.busiest) / load.max;
    load.distance_bound = static_cast<double>(built_links(plan)) / (sources * load.least_hops);
  }
}

}  // namespace

std::size_t built_links(const FabricPlan& plan) {
  std::size_t links = 0;
  for (const auto& router : plan.routers) links += router->outbound.size();
  return links;
}

std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const TrafficPattern& pattern, std::uint64_t most_header_states) {
  return channel_load(plan, channels, demand_of(*plan.topology, pattern), most_header_states);
}

std::optional<ChannelLoad> channel_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const ClassDemand& sent, std::uint64_t most_header_states) {
  if (too_many_but_by_legs(plan)) return std::nullopt;
  Demand demand(plan, sent);
  const auto without_headers = [&] {
    auto factored = factored_load(plan, channels, sent);
    if (factored) summarize(plan, demand.injecting(), *factored);
    return factored;
  };
  if (demand.pairs() > most_header_states) return without_headers();
  ChannelLoad load;
  load.by_link.resize(plan.topology->links().size());
  load.by_channel.resize(channels.virtual_channels());
  HeaderFlow flow(channels);
  const auto add = [&](ChannelId channel, double flits) {
    load.by_channel[channel] += flits;
    load.by_link[index(channels.link(channel))] += flits;
  };
  HeaderGraph graph(plan, channels);
  std::vector<RouterId> sources;
  std::uint64_t states = 0;
  for (std::uint32_t d = 0; d < plan.topology->routers(); ++d) {
    if (!plan.consumes(RouterId{d}, sent.message_class)) continue;
    const auto& rate = demand.to(RouterId{d});
    sources.clear();
    for (std::uint32_t s = 0; s < rate.size(); ++s)
      if (rate[s] > 0) sources.push_back(RouterId{s});
    if (sources.empty()) continue;
    graph.limit(most_header_states - states);
    graph.explore(RouterId{d}, sources, sent.message_class);
    states += graph.size();
    if (!graph.complete()) return without_headers();
    if (!flow.follow(graph, rate, add)) return std::nullopt;
  }
  load.links_given = flow.links_given();
  load.classes_given = flow.classes_given();
  load.least_hops = flow.least_hops();
  summarize(plan, demand.injecting(), load);
  return load;
}

}  // namespace noctule
