#include "verify/planned/planned_load.h"

#include <algorithm>

#include "core/rng.h"
#include "topology/elsewhere.h"
#include "verify/planned/worm_follower.h"
#include "verify/unicast/pair_flows.h"

namespace noctule {
namespace {

constexpr std::size_t kSampledMulticasts = 20'000;  ///< at least, over all terminals

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

class PlannedTraffic {
 public:
  PlannedTraffic(const FabricPlan& plan, const ChannelIndex& channels, const OfferedMessages& messages,
                 std::uint64_t most_states)
      : plan_(plan),
        topology_(*plan.topology),
        messages_(messages),
        most_states_(most_states),
        planned_(with_relation(plan, plan.multicast->relation), channels, most_states),
        plain_(plan, channels, most_states) {
    load_.by_channel.resize(channels.virtual_channels());
    load_.copies = 0;
  }

  std::optional<PlannedLoad> run() {
    for (std::size_t t = 0; t < topology_.terminals(); ++t)
      if (messages_.pattern->injects(terminal(t))) sources_.push_back(terminal(t));
    if (sources_.empty()) return std::nullopt;
    for (const TerminalId source : sources_)
      if (messages_.multicast_share < 1 && !unicasts(source)) return std::nullopt;
    if (messages_.multicast_share > 0 && !multicasts()) return std::nullopt;
    const auto n = static_cast<double>(sources_.size());
    load_.hops /= n;
    load_.least_hops /= n;
    load_.copies /= n;
    load_.links_given = planned_.links_given() && plain_.links_given();
    load_.classes_given = planned_.classes_given() && plain_.classes_given();
    return std::move(load_);
  }

 private:
  bool unicasts(TerminalId source) {
    const double share = 1 - messages_.multicast_share;
    const RouterId home = topology_.injection_router(source);
    load_.copies += share;
    for (const auto& [to, probability] : messages_.pattern->distribution(source)) {
      const RouterId there = topology_.consumption_router(to);
      if (there == home || probability <= 0) continue;
      if (!plan_.multicast->plans_unicasts) {
        if (!add(plain_, home, there, share * probability)) return false;
        continue;
      }
      if (!message(source, std::span(&to, 1), share * probability)) return false;
      load_.copies += share * probability * (static_cast<double>(worms_.size()) - 1);
    }
    return true;
  }
  /// As the traffic source draws them, but from draws of their own.
  bool multicasts() {
    load_.sampled = true;
    Rng rng(hash_name("channel load of multicasts"));
    const std::size_t each = (kSampledMulticasts + sources_.size() - 1) / sources_.size();
    const double weight = messages_.multicast_share / static_cast<double>(each);
    std::vector<TerminalId> others;
    for (const TerminalId source : sources_) {
      others.clear();
      for (std::size_t t = 0; t < topology_.terminals(); ++t)
        if (is_elsewhere(topology_, source, terminal(t))) others.push_back(terminal(t));
      if (others.size() < messages_.most) return false;
      for (std::size_t i = 0; i < each; ++i) {
        const std::size_t count = messages_.least + rng.below(messages_.most - messages_.least + 1);
        for (std::size_t n = 0; n < count; ++n)
          std::swap(others[n], others[n + rng.below(others.size() - n)]);
        if (!message(source, std::span(others).first(count), weight)) return false;
        load_.copies += weight * static_cast<double>(worms_.size());
      }
    }
    return true;
  }

  /// All copies of a message, from stop to stop.
  bool message(TerminalId source, std::span<const TerminalId> destinations, double flits) {
    worms_.clear();
    plan_.multicast->planner->plan(source, destinations, worms_);
    for (const auto& worm : worms_) {
      RouterId here = topology_.injection_router(source);
      for (const Stop& stop : worm.stops) {
        if (stop.router != here && !add(planned_, here, stop.router, flits)) return false;
        here = stop.router;
      }
    }
    return true;
  }
  bool add(PairFlows& flows, RouterId from, RouterId to, double flits) {
    const auto* flow = flows.from_to(from, to);
    if (flow == nullptr || planned_.states() + plain_.states() > most_states_) return false;
    load_.least_hops += flits * flow->least_hops;
    for (const auto& [channel, each] : flow->flits) {
      load_.by_channel[channel] += flits * each;
      load_.hops += flits * each;
    }
    return true;
  }

  const FabricPlan& plan_;
  const Topology& topology_;
  const OfferedMessages& messages_;
  std::uint64_t most_states_;
  PairFlows planned_;  ///< worms of the planner
  PairFlows plain_;    ///< messages with one destination that nobody plans
  std::vector<TerminalId> sources_;
  std::vector<PlannedWorm> worms_;
  PlannedLoad load_;
};

}  // namespace

std::optional<PlannedLoad> planned_load(const FabricPlan& plan, const ChannelIndex& channels,
                                        const OfferedMessages& messages, std::uint64_t most_header_states) {
  return PlannedTraffic(plan, channels, messages, most_header_states).run();
}

}  // namespace noctule
