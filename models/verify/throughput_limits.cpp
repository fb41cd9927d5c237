#include "verify/throughput_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/link_limits.h"
#include "verify/unicast/channel_load.h"

namespace noctule {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TerminalId terminal(std::size_t t) {
  return TerminalId(static_cast<std::uint32_t>(t));
}

class Limits {
 public:
  Limits(const FabricPlan& plan, const ChannelIndex& channels, const OfferedMessages& messages,
         const TakenRates& taken)
      : plan_(plan),
        topology_(*plan.topology),
        channels_(channels),
        messages_(messages),
        taken_(taken),
        flits_(messages.destinations_per_message()),
        demand_(messages.demand) {
    if (demand_.empty()) demand_.push_back(demand_of(topology_, *messages_.pattern));
    injecting_ = static_cast<std::size_t>(std::ranges::count(senders(demand_), true));
    if (messages_.demand.empty()) return;
    double flits = 0;
    for (const ClassDemand& of_class : demand_)
      for (const auto& spread : of_class.sent) flits += flits_of(spread);
    if (flits > 0) scale(demand_, static_cast<double>(injecting_) / flits);
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
  [[nodiscard]] std::optional<PlannedLoad> follow(std::uint64_t most) const {
    if (plan_.multicast && (messages_.demand.empty() || plan_.multicast->plans_unicasts)) {
      if (!messages_.demand.empty()) return std::nullopt;
      return planned_load(plan_, channels_, messages_, most);
    }
    std::optional<PlannedLoad> all;
    for (const ClassDemand& of_class : demand_) {
      auto load = channel_load(plan_, channels_, of_class, most);
      if (!load) return std::nullopt;
      // Means over those that send this class become means over all that send.
      const double share = static_cast<double>(std::ranges::count(senders({of_class}), true)) /
                           static_cast<double>(injecting_);
      if (!all) {
        all = PlannedLoad{std::move(load->by_channel),
                          load->mean_hops * share,
                          load->least_hops * share,
                          1,
                          load->links_given,
                          load->classes_given,
                          false};
        continue;
      }
      for (std::size_t c = 0; c < load->by_channel.size(); ++c) all->by_channel[c] += load->by_channel[c];
      all->hops += load->mean_hops * share;
      all->least_hops += load->least_hops * share;
      all->links_given = all->links_given && load->links_given;
      all->classes_given = all->classes_given && load->classes_given;
    }
    return all;
  }
  [[nodiscard]] unsigned interface_of(const ClassDemand& of_class) const {
    return plan_.message_classes[of_class.message_class].interface;
  }

  void bound(const char* what, std::string where, double message_flits,
             std::uint32_t at = ThroughputLimit::kNowhere) {
    limits_.bounds.push_back({what, std::move(where), flits_ * message_flits, 0, at});
  }

  /// Every copy of a message goes through the injection channels; there is one at least.
  void injection(const std::optional<PlannedLoad>& load) {
    const double copies = load && !load->sampled ? std::max(1.0, load->copies) : 1.0;
    double rate = kInfinite;
    std::string where;
    std::uint32_t at = ThroughputLimit::kNowhere;
    for (unsigned i = 0; i < plan_.message_classes.interfaces(); ++i)
      for (std::size_t t = 0; t < topology_.terminals(); ++t) {
        double sent = 0;
        for (const ClassDemand& of_class : demand_)
          if (interface_of(of_class) == i) sent += flits_of(of_class.sent[t]);
        if (sent <= 0) continue;
        const RouterId router =
            topology_.injection_router(terminal(t), plan_.message_classes.attachment_of(i));
        const double here = injection_rate(plan_.nodes[router]) / sent;
        if (here >= rate * (1 - 1e-12)) continue;
        rate = here;
        at = static_cast<std::uint32_t>(t);
        where = fmt::format("terminal {}{}", t, for_classes(plan_, i));
      }
    bound("injection", messages_.demand.empty() ? "" : where, rate / copies,
          at);  // what is drawn is drawn by all
  }

  /// Flits of a class that arrive at each terminal, all destinations of multicasts included.
  [[nodiscard]] std::vector<double> arriving(const ClassDemand& of_class) const {
    const std::size_t n = topology_.terminals();
    std::vector<double> arriving(n);
    std::vector<double> at_router(topology_.routers());
    double everywhere = 0;
    const auto others = static_cast<double>(n - 1);
    const double unicasts = 1 - messages_.multicast_share;
    const double copies = messages_.multicast_share * messages_.destinations_per_multicast();
    for (std::size_t s = 0; s < n; ++s) {
      const auto& spread = of_class.sent[s];
      if (flits_of(spread) <= 0) continue;
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
    for (std::size_t t = 0; t < n; ++t)
      arriving[t] += everywhere + at_router[index(consumption_router(t, of_class.message_class))];
    return arriving;
  }
  [[nodiscard]] RouterId consumption_router(std::size_t t, std::size_t message_class) const {
    return plan_.consumption_router(terminal(t), message_class);
  }

  void consumption() {
    const std::size_t n = topology_.terminals();
    std::vector<std::vector<double>> by_interface(plan_.message_classes.interfaces());
    std::vector<std::vector<double>> by_class(plan_.message_classes.size());
    std::vector<double> all(n);
    for (const ClassDemand& of_class : demand_) {
      const auto flits = arriving(of_class);
      auto& mine = by_class[of_class.message_class];
      mine.resize(n);
      auto& sum = by_interface[interface_of(of_class)];
      sum.resize(n);
      for (std::size_t t = 0; t < n; ++t) {
        mine[t] += flits[t];
        sum[t] += flits[t];
        all[t] += flits[t];
      }
    }
    const char* what = "";
    std::string where;
    std::uint32_t at = ThroughputLimit::kNowhere;
    double load = 0;  // of what a terminal takes at most, the largest
    const auto compare = [&](std::size_t t, double here, const char* full, const std::string& classes) {
      if (here <= load * (1 + 1e-12)) return;
      what = full;
      at = static_cast<std::uint32_t>(t);
      where = fmt::format("terminal {}{}", t, classes);
      load = here;
    };
    for (std::size_t t = 0; t < n; ++t) {
      for (unsigned i = 0; i < by_interface.size(); ++i) {
        if (by_interface[i].empty()) continue;
        const RouterId router =
            topology_.consumption_router(terminal(t), plan_.message_classes.attachment_of(i));
        compare(t, by_interface[i][t] / consumption_rate(plan_.nodes[router], taken_.stall), "consumption",
                for_classes(plan_, i));
      }
      compare(t, all[t] / taken_.sink, "sink", "");
      for (std::size_t c = 0; by_class.size() > 1 && c < by_class.size(); ++c)
        if (!by_class[c].empty())
          compare(t, by_class[c][t] / taken_.class_sink, "sink", " for " + plan_.message_classes[c].name);
    }
    if (load > 0) bound(what, where, 1 / load, at);
  }

  /// No message can take fewer links than this, and the links carry no more than they do.
  void distance(const std::optional<PlannedLoad>& load) {
    std::vector<bool> classes(plan_.message_classes.size());
    for (const ClassDemand& of_class : demand_) classes[of_class.message_class] = true;
    const double capacity = all_links(plan_, classes);
    double hops = 0;
    if (load && !load->sampled)
      hops = load->least_hops;
    else if (!messages_.demand.empty())
      hops = distance_of_demand();
    else
      hops = (1 - messages_.multicast_share) * mean_distance(topology_, *messages_.pattern) +
             messages_.multicast_share * least_links_of_multicasts();
    if (hops > 0) bound("distance", "", capacity / (static_cast<double>(injecting_) * hops));
  }
  /// Links on the shortest ways, per flit.
  [[nodiscard]] double distance_of_demand() const {
    double sum = 0;
    for (const ClassDemand& of_class : demand_)
      for (std::uint32_t s = 0; s < topology_.terminals(); ++s) {
        const auto& spread = of_class.sent[s];
        const RouterId from = plan_.injection_router(TerminalId{s}, of_class.message_class);
        const auto to = [&](std::size_t t) {
          return topology_.distance(from, consumption_router(t, of_class.message_class));
        };
        for (const auto& [t, flits] : spread.rest) sum += flits * to(index(t));
        if (spread.uniform <= 0) continue;
        std::uint64_t others = 0;
        for (std::size_t t = 0; t < topology_.terminals(); ++t)
          if (t != s) others += to(t);
        sum += spread.uniform * static_cast<double>(others) / static_cast<double>(topology_.terminals() - 1);
      }
    return sum / static_cast<double>(injecting_);
  }
  /// Each router with a destination is entered once at least.
  [[nodiscard]] double least_links_of_multicasts() const {
    std::size_t most = 1;
    for (const auto& list : plan_.consuming) most = std::max(most, terminals_of(list));
    double sum = 0;
    for (std::uint32_t k = messages_.least; k <= messages_.most; ++k) {
      const std::size_t entered = (k + most - 1) / most;
      sum += static_cast<double>(entered);
    }
    return sum / static_cast<double>(messages_.most - messages_.least + 1);
  }

  void links(const PlannedLoad& load) {
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
      full(link, by_class, whole, parts);
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
  void full(const Link& link, const std::vector<double>& by_class, ThroughputLimit& whole,
            ThroughputLimit& parts) const {
    for (const LinkLimit& limit : link_limits(plan_, link)) {
      const double load = limit.load(by_class);
      if (load <= 0) continue;
      ThroughputLimit& lowest = limit.whole() ? whole : parts;
      const double flits = flits_ * limit.flits_per_cycle / load;
      if (flits < lowest.flits_per_node_cycle * (1 - 1e-12))
        lowest = {
            "links",       limit.name(plan_, link), flits, 0, static_cast<std::uint32_t>(index(link.id)),
            limit.vc_class};
    }
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
  double flits_;                     ///< offered per message flit: one for each destination
  std::vector<ClassDemand> demand_;  ///< a flit per cycle of every terminal that sends, in the mean
  std::size_t injecting_ = 0;
  ThroughputLimits limits_;
};

}  // namespace

ThroughputLimits throughput_limits(const FabricPlan& plan, const ChannelIndex& channels,
                                   const OfferedMessages& messages, const TakenRates& taken,
                                   std::uint64_t most_header_states) {
  return Limits(plan, channels, messages, taken).run(most_header_states);
}

std::string for_classes(const FabricPlan& plan, unsigned interface) {
  if (plan.message_classes.interfaces() == 1) return "";
  return " for " + plan.message_classes.interface_name(interface);
}

std::string text_of(const ThroughputLimit& limit) {
  const std::string others = limit.others == 0 ? "" : fmt::format(" and {} others", limit.others);
  if (limit.what == "injection")
    return (limit.where.empty() ? "injection channels" : "injection channels of " + limit.where) + others;
  if (limit.what == "consumption") return "consumption channels of " + limit.where + others;
  if (limit.what == "sink") return "the sink of " + limit.where + others;
  if (limit.what == "service") return "the service of " + limit.where + others;
  if (limit.what == "places") return "the buffer of " + limit.where + others;
  if (limit.what == "outstanding") return "the open transactions of " + limit.where + others;
  if (limit.what == "distance") return "all links together, by distance" + others;
  return "link " + limit.where + others;
}

}  // namespace noctule
