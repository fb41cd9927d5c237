#include "verify/throughput_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "verify/unicast/channel_load.h"

namespace noctule {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

/// What unicasts and planned messages have in common: flits per message flit of every terminal that sends.
struct Load {
  std::vector<double> by_channel;
  double hops = 0;
  double least_hops = 0;
  double copies = 1;
  bool links_given = true;
  bool classes_given = true;
  bool sampled = false;
};

class Limits {
 public:
  Limits(const FabricPlan& plan, const ChannelIndex& channels, const OfferedMessages& messages,
         const TakenRates& taken)
      : plan_(plan),
        topology_(*plan.topology),
        channels_(channels),
        messages_(messages),
        taken_(taken),
        flits_(messages.destinations_per_message()) {
    for (std::size_t t = 0; t < topology_.terminals(); ++t)
      if (messages_.pattern->injects(terminal(t))) ++injecting_;
  }

  ThroughputLimits run(std::uint64_t most_header_states) {
    if (injecting_ == 0) return {};
    const auto load = follow(most_header_states);
    injection(load);
    consumption();
    distance(load);
    if (load) links(*load);
    auto& bounds = limits_.bounds;
    std::erase_if(bounds, [](const auto& limit) { return !std::isfinite(limit.flits_per_node_cycle); });
    std::stable_sort(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) {
      return a.flits_per_node_cycle < b.flits_per_node_cycle;
    });
    return std::move(limits_);
  }

 private:
  [[nodiscard]] std::optional<Load> follow(std::uint64_t most) const {
    if (plan_.multicast) {
      auto planned = planned_load(plan_, channels_, messages_, most);
      if (!planned) return std::nullopt;
      return Load{
          std::move(planned->by_channel), planned->hops,          planned->least_hops, planned->copies,
          planned->links_given,           planned->classes_given, planned->sampled};
    }
    auto load = channel_load(plan_, channels_, *messages_.pattern, messages_.message_class, most);
    if (!load) return std::nullopt;
    return Load{std::move(load->by_channel),
                load->mean_hops,
                load->least_hops,
                1,
                load->links_given,
                load->classes_given,
                false};
  }

  void bound(const char* what, std::string where, double message_flits) {
    limits_.bounds.push_back({what, std::move(where), flits_ * message_flits});
  }

  /// Every copy of a message goes through the injection channels; there is one at least.
  void injection(const std::optional<Load>& load) {
    const double copies = load && !load->sampled ? std::max(1.0, load->copies) : 1.0;
    double rate = kInfinite;
    for (std::size_t t = 0; t < topology_.terminals(); ++t)
      if (messages_.pattern->injects(terminal(t)))
        rate = std::min(
            rate, injection_rate(plan_.nodes[plan_.injection_router(terminal(t), messages_.message_class)]));
    bound("injection", "", rate / copies);
  }

  /// Flits that arrive at each terminal, all destinations of multicasts included.
  void consumption() {
    const std::size_t n = topology_.terminals();
    std::vector<double> arriving(n);
    std::vector<double> at_router(topology_.routers());
    double everywhere = 0;
    const auto others = static_cast<double>(n - 1);
    const double unicasts = 1 - messages_.multicast_share;
    const double copies = messages_.multicast_share * messages_.destinations_per_multicast();
    for (std::size_t s = 0; s < n; ++s) {
      if (!messages_.pattern->injects(terminal(s))) continue;
      const auto spread = messages_.pattern->spread(terminal(s));
      if (spread.uniform > 0 && n > 1) {
        everywhere += unicasts * spread.uniform / others;
        arriving[s] -= unicasts * spread.uniform / others;
      }
      for (const auto& [to, share] : spread.rest) arriving[index(to)] += unicasts * share;
      if (copies == 0) continue;
      const RouterId home = topology_.injection_router(terminal(s));
      const auto elsewhere = static_cast<double>(n - terminals_of(plan_.consuming[index(home)]));
      if (elsewhere == 0) continue;
      everywhere += copies / elsewhere;
      at_router[index(home)] -= copies / elsewhere;
    }
    std::size_t most = n;
    bool sink = false;
    double load = 0;  // of what a terminal takes at most, the largest
    for (std::size_t t = 0; t < n; ++t) {
      const RouterId router = plan_.consumption_router(terminal(t), messages_.message_class);
      arriving[t] += everywhere + at_router[index(router)];
      const double channels = consumption_rate(plan_.nodes[router], taken_.stall);
      const double here = arriving[t] / std::min(channels, taken_.sink);
      if (here <= load * (1 + 1e-12)) continue;
      most = t;
      sink = taken_.sink < channels;
      load = here;
    }
    if (most < n) bound(sink ? "sink" : "consumption", fmt::format("terminal {}", most), 1 / load);
  }

  /// No message can take fewer links than this, and the links carry no more than they do.
  void distance(const std::optional<Load>& load) {
    double capacity = 0;
    for (std::uint32_t r = 0; r < plan_.routers.size(); ++r)
      for (const auto& channel : plan_.routers[r]->outbound)
        if (plan_.carries(RouterId{r}, messages_.message_class))
          capacity += rates(*topology_.outgoing(RouterId{r}, channel.port)).link(channel.count);
    double hops = 0;
    if (load && !load->sampled)
      hops = load->least_hops;
    else
      hops = (1 - messages_.multicast_share) * mean_distance(topology_, *messages_.pattern) +
             messages_.multicast_share * least_links_of_multicasts();
    if (hops > 0) bound("distance", "", capacity / (static_cast<double>(injecting_) * hops));
  }
  /// Each router with a destination is entered once at least.
  [[nodiscard]] double least_links_of_multicasts() const {
    std::size_t most = 1;
    for (const auto& list : plan_.consuming) most = std::max(most, terminals_of(list));
    double sum = 0;
    for (std::uint32_t k = messages_.least; k <= messages_.most; ++k)
      sum += static_cast<double>((k + most - 1) / most);
    return sum / static_cast<double>(messages_.most - messages_.least + 1);
  }

  void links(const Load& load) {
    ThroughputLimit whole{"links", "", kInfinite};
    ThroughputLimit parts = whole;
    ThroughputLimits::Links facts;
    facts.mean_hops = load.hops;
    for (const Link& link : topology_.links()) {
      double total = 0;
      std::vector<double> by_class(plan_.relation->classes(link));
      for (std::size_t c = 0; c < by_class.size(); ++c) {
        for (unsigned group = 0; group < channels_.groups(); ++group)
          by_class[c] += load.by_channel[channels_.of(link.id, VcClass(c), group)];
        total += by_class[c];
      }
      if (total <= 0) continue;
      if (total > facts.max * (1 + 1e-12)) {
        facts.max = total;
        facts.busiest = link.id;
      }
      const auto name = topology_.link_name(link);
      full(link, by_class, total, name, whole, parts);
    }
    if (const std::size_t built = built_links(plan_); built > 0)
      facts.mean =
          load.hops * static_cast<double>(injecting_) * parallel_links() / static_cast<double>(built);
    limits_.links = facts;
    limits_.sampled = load.sampled;
    if (facts.max == 0) return;
    const bool parts_lower = parts.flits_per_node_cycle < whole.flits_per_node_cycle * (1 - 1e-12);
    const auto& lower = parts_lower ? parts : whole;
    if (load.links_given && !load.sampled) limits_.bounds.push_back(whole);
    if (load.classes_given && !load.sampled && parts_lower) limits_.bounds.push_back(parts);
    if (load.sampled || !load.links_given || (parts_lower && !load.classes_given)) limits_.estimate = lower;
  }

  /// When a link is full: as a whole, and the part of it that some of its classes may use.
  void full(const Link& link, const std::vector<double>& by_class, double total, const std::string& name,
            ThroughputLimit& whole, ThroughputLimit& parts) const {
    const RouterPlan& router = *plan_.routers[index(link.from)];
    const auto lower = [&](ThroughputLimit& limit, double capacity, double load, const std::string& what) {
      const double flits = flits_ * capacity / load;
      if (flits < limit.flits_per_node_cycle * (1 - 1e-12)) limit = {"links", name + what, flits};
    };
    const LinkRates rate = rates(link);
    double capacity = 0;
    std::vector<double> of_class(by_class.size());  // what its VCs let through
    std::map<std::uint16_t, std::vector<bool>> riders;
    for (const VcPlan& vc : router.outputs) {
      if (vc.crossbar < 0 || vc.port != link.out) continue;
      const auto& channel = router.outbound[vc.channel];
      of_class[index(vc.vc_class)] += rate.virtual_channel(channel.count);
      auto [rider, fresh] = riders.try_emplace(vc.channel, by_class.size());
      rider->second[index(vc.vc_class)] = true;
      if (fresh) capacity += rate.link(channel.count);
    }
    lower(whole, capacity, total, "");
    for (std::size_t c = 0; c < by_class.size(); ++c) {
      if (by_class[c] <= 0) continue;
      double links = 0;
      for (const auto& [unused, classes] : riders) links += classes[c] ? 1 : 0;
      lower(parts, std::min(links * rate.wires(), of_class[c]), by_class[c],
            "." + plan_.relation->class_name(link, VcClass(c)));
    }
    if (plan_.nodes[link.from].link_assignment != LinkAssignment::kByClass || riders.size() < 2) return;
    for (const auto& [channel, classes] : riders) {
      double load = 0;
      for (std::size_t c = 0; c < by_class.size(); ++c) load += classes[c] ? by_class[c] : 0;
      if (load > 0)
        lower(parts, rate.wires(), load, fmt::format(" link {}", router.outbound[channel].replica));
    }
  }

  [[nodiscard]] LinkRates rates(const Link& link) const {
    return {plan_.nodes[link.from], plan_.links[link.id], plan_.nodes[link.to].input_depth};
  }
  /// Of a direction; in the mean where they differ.
  [[nodiscard]] double parallel_links() const {
    if (plan_.nodes.alike() && plan_.links.all([](const auto& link) { return !link.shape.parallel_links; }))
      return plan_.common_node().parallel_links;
    double directions = 0;
    for (const auto& router : plan_.routers)
      for (const auto& channel : router->outbound) directions += channel.replica == 0 ? 1 : 0;
    return static_cast<double>(built_links(plan_)) / directions;
  }

  const FabricPlan& plan_;
  const Topology& topology_;
  const ChannelIndex& channels_;
  const OfferedMessages& messages_;
  TakenRates taken_;
  double flits_;  ///< offered per message flit: one for each destination
  std::size_t injecting_ = 0;
  ThroughputLimits limits_;
};

}  // namespace

ThroughputLimits throughput_limits(const FabricPlan& plan, const ChannelIndex& channels,
                                   const OfferedMessages& messages, const TakenRates& taken,
                                   std::uint64_t most_header_states) {
  return Limits(plan, channels, messages, taken).run(most_header_states);
}

std::string text_of(const ThroughputLimit& limit) {
  if (limit.what == "injection") return "injection channels";
  if (limit.what == "consumption") return "consumption channels of " + limit.where;
  if (limit.what == "sink") return "the sink of " + limit.where;
  if (limit.what == "distance") return "all links together, by distance";
  return "link " + limit.where;
}

}  // namespace noctule
