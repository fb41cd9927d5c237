#include "analytic/latency_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analytic/lone_paths.h"
#include "analytic/packet_routes.h"

namespace noctule {
namespace {

/// A busy period that long says nothing to anybody.
constexpr std::uint64_t kLongest = 100'000'000;

/// Sets that are joined.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t n) {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parent_;
};

std::string terminal(TerminalId t) {
  return fmt::format("terminal {}", index(t));
}

/// What the argument does not cover; empty: nothing.
std::string obstacle(const FabricPlan& plan) {
  if (plan.multicast) return "worms of a multicast planner wait for several things at once";
  for (const NodeDescription& node : plan.nodes.kinds()) {
    if (node.stores()) return "node.forwarding store_and_forward waits for tails";
    if (node.pipeline.speculative) return "node.speculative: headers that speculate waste ports";
    if (node.injection_channels == kUnlimited) return "node.injection_channels is unlimited";
    if (node.selection == Selection::kBlind) return "node.selection blind waits for outputs that are drawn";
    if (node.injection_interleaved) return "node.injection_sharing: worms enter flit by flit";
  }
  for (const Link& link : plan.topology->links())
    if (plan.sharing(link.id) == LinkSharing::kFixedSlot)
      return "node.link_sharing fixed_slot: links stand still in slots that nobody uses";
  return "";
}

class Bounds {
 public:
  Bounds(const FabricPlan& plan, const std::vector<RegulatedFlow>& flows)
      : plan_(plan), flows_(flows), zero_load_(plan), routes_(plan, zero_load_) {}

  LatencyBounds find() {
    LatencyBounds bounds;
    for (const RegulatedFlow& flow : flows_) {
      if (!only_way(flow)) {
        bounds.none = fmt::format("the relation leaves packets from {} to {} a choice of links",
                                  terminal(flow.source), terminal(flow.destination));
        return bounds;
      }
      ways_.push_back(&routes_.route(flow.source, flow.destination, flow.message_class));
    }
    add_loads();
    group(bounds);
    for (LatencyBounds::Group& one : bounds.groups) bound(one);
    return bounds;
  }

 private:
  [[nodiscard]] bool only_way(const RegulatedFlow& flow) const {
    Rng rng(1);
    const auto path =
        draw_path(plan_, plan_.injection_router(flow.source, flow.message_class),
                  plan_.consumption_router(flow.destination, flow.message_class), flow.message_class, rng);
    return path && path->only;
  }
  void add_loads() {
    flits_.resize(routes_.channels());
    for (std::size_t f = 0; f < flows_.size(); ++f)
      for (const RouteStop& stop : ways_[f]->stops)
        flits_[stop.first] +=
            static_cast<double>(flows_[f].length * stop.slot) / (flows_[f].period.cycles() * stop.replicas);
  }
  /// Flows that meet at a channel; where a crossbar makes few connections in a cycle, at a router, too.
  void group(LatencyBounds& bounds) {
    Sets sets(flows_.size());
    std::map<std::uint32_t, std::size_t> at_channel;
    std::map<RouterId, std::size_t> at_router;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      for (const RouteStop& stop : ways_[f]->stops)
        sets.join(f, at_channel.try_emplace(stop.first, f).first->second);
      const auto pass = [&](RouterId router) {
        if (plan_.nodes[router].connections_per_cycle != 0)
          sets.join(f, at_router.try_emplace(router, f).first->second);
      };
      pass(plan_.injection_router(flows_[f].source, flows_[f].message_class));
      for (const LinkId link : ways_[f]->links) pass(plan_.topology->links()[index(link)].to);
    }
    std::map<std::size_t, std::size_t> number;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const auto [place, fresh] = number.try_emplace(sets.of(f), bounds.groups.size());
      if (fresh) bounds.groups.emplace_back();
      bounds.groups[place->second].flows.push_back(f);
      bounds.group_of.push_back(place->second);
    }
  }
  /// Worms of several VCs share it, flit by flit.
  [[nodiscard]] bool interleaved(LinkId link) const {
    const Link& wire = plan_.topology->links()[index(link)];
    return plan_.lanes(link) * std::max(1U, plan_.relation->classes(wire)) > 1;
  }
  /// Cycles.
  [[nodiscard]] std::uint64_t work(std::size_t f) const {
    const RegulatedFlow& flow = flows_[f];
    PacketRoute& way = *ways_[f];
    std::uint64_t turn = 2;  // an injection or consumption channel, from one worm to the next
    std::uint64_t shared = 0;
    const NodeDescription& first = plan_.nodes[plan_.injection_router(flow.source, flow.message_class)];
    const bool enters = first.injection_channels != kUnlimited;
    if (first.injection_vcs > 1) shared += 1;  // worms share an input port of the switch
    for (std::size_t n = 0; n < way.links.size(); ++n) {
      const RouteStop& stop = way.stops[n + (enters ? 1 : 0)];
      const Link& wire = plan_.topology->links()[index(way.links[n])];
      const NodeDescription& sender = plan_.nodes[wire.from];
      turn = std::max(turn, zero_load_.credit_round_trip(way.links[n]) + stop.turn + sender.pipeline.routing);
      if (!interleaved(way.links[n])) continue;
      // At the link, and where flits get a switch, there and in the router behind it.
      shared += stop.slot * (1 + (sender.switch_allocator != "none" ? 1 : 0) +
                             (plan_.nodes[wire.to].switch_allocator != "none" ? 1 : 0));
    }
    const NodeDescription& last = plan_.nodes[plan_.consumption_router(flow.destination, flow.message_class)];
    if (last.consumption_vcs > 1) shared += 1;
    return routes_.zero_load(way, flow.source, flow.length) + turn + flow.length * shared;
  }
  /// A channel that more flits come for than it takes; empty: none is.
  [[nodiscard]] std::string overloaded(const LatencyBounds::Group& one) const {
    for (const std::size_t f : one.flows) {
      const PacketRoute& way = *ways_[f];
      for (std::size_t n = 0; n < way.stops.size(); ++n) {
        const double load = flits_[way.stops[n].first];
        if (load <= 1 + 1e-9) continue;
        const std::size_t links = way.stops.size() - way.links.size();  // stops that are none
        std::string where =
            n + 1 == way.stops.size() && way.links.size() < way.stops.size() && (links == 2 || n > 0)
                ? "consumption at " + terminal(flows_[f].destination)
            : n == 0 ? "injection at " + terminal(flows_[f].source)
                     : plan_.topology->link_name(plan_.topology->links()[index(way.links[n - 1])]);
        return fmt::format("load above capacity: {} has {:.4g} flits per cycle and takes 1", where, load);
      }
    }
    return "";
  }
  void bound(LatencyBounds::Group& one) const {
    std::vector<std::uint64_t> works;
    for (const std::size_t f : one.flows) {
      works.push_back(work(f));
      one.load += static_cast<double>(works.back()) / flows_[f].period.cycles();
    }
    one.none = overloaded(one);
    if (!one.none.empty()) return;
    std::uint64_t window = 1;
    while (one.load < 1 + 1e-9 && window <= kLongest) {  // above that it grows without end
      std::uint64_t sum = 0;
      for (std::size_t n = 0; n < works.size(); ++n) {
        const RegulatedFlow& flow = flows_[one.flows[n]];
        sum += (flow.burst + flow.period.within(window)) * works[n];
      }
      if (sum == window) {
        one.cycles = window;
        return;
      }
      window = sum;
    }
    one.none = fmt::format(
        "{} flows can hold each other up, and their packets, one after the other, take {:.4g} cycles per "
        "cycle: the busy period has no end that this argument finds",
        one.flows.size(), one.load);
  }

  const FabricPlan& plan_;
  const std::vector<RegulatedFlow>& flows_;
  ZeroLoad zero_load_;
  PacketRoutes routes_;
  std::vector<PacketRoute*> ways_;  ///< by flow
  std::vector<double> flits_;       ///< per cycle, by the first channel of a stop
};

}  // namespace

LatencyBounds bound_latencies(const FabricPlan& plan, const std::vector<RegulatedFlow>& flows, bool proved,
                              bool refuses) {
  LatencyBounds bounds;
  if (!proved)
    bounds.none =
        "worms are not proved free of deadlock: flows that wait for each other in a cycle may do so for "
        "ever";
  else if (refuses)
    bounds.none = "terminals refuse flits (traffic.sink, traffic.stall), and nothing says for how long";
  else
    bounds.none = obstacle(plan);
  return bounds.none.empty() ? Bounds(plan, flows).find() : bounds;
}

}  // namespace noctule
