#include "verify/closed_loop_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/linear_bound.h"
#include "patterns/loop_ends.h"
#include "verify/link_limits.h"
#include "verify/unicast/legs.h"
#include "verify/unicast/pair_flows.h"

namespace noctule {
namespace {

constexpr double kMostPairs = 1e6;               ///< of a requester and a terminal
constexpr double kMostSteps = 2e8;               ///< to follow the chains of all requesters
constexpr std::size_t kMostNumbers = 8'000'000;  ///< of links by requesters
constexpr std::size_t kMostProgram = 1'000'000;  ///< of capacities by requesters, for a linear program
constexpr double kNothing = 1e-6;                ///< of a bound
constexpr double kLeast = 1e-12;                 ///< flits per cycle

/// What a capacity is, beside its numbers in SharedCapacities.
struct Capacity {
  const char* what = "";
  std::string where;
  bool by_choice = false;  ///< headers are taken to divide evenly: no bound
  std::uint32_t at = ThroughputLimit::kNowhere;
  int vc_class = -1;

  [[nodiscard]] ThroughputLimit limit(double flits, std::size_t others = 0) const {
    return {what, where, flits, others, at, vc_class};
  }
};

/// Messages of one step of a requester's chain.
struct Sent {
  TerminalId from{};
  TerminalId to{};
  double share = 0;  ///< of its transactions
};

class Loop {
 public:
  Loop(const FabricPlan& plan, const ChannelIndex& channels, const ClosedLoop& loop,
       const TrafficPattern& pattern, const TakenRates& taken, const LeastLatency& least_latency,
       std::uint64_t most_header_states)
      : plan_(plan),
        topology_(*plan.topology),
        channels_(channels),
        loop_(loop),
        taken_(taken),
        least_latency_(least_latency),
        interfaces_(plan.message_classes.interfaces()),
        to_(topology_.terminals()),
        flows_(plan, channels, most_header_states),
        numbers_(kKinds * topology_.terminals() * kMostMessageClasses, kNew) {
    for (std::uint32_t t = 0; t < to_.size(); ++t) {
      if (!pattern.injects(TerminalId{t})) continue;
      to_[t] = pattern.distribution(TerminalId{t});
      if (loop.requesters[t]) requesters_.push_back(TerminalId{t});
    }
    for (const auto& step : loop.chain) flits_ += step.mean_length();
    injecting_ = static_cast<std::size_t>(std::ranges::count(ends_of_loop(loop, pattern).injecting, true));
    limits_.closed_loop = true;
  }

  ThroughputLimits run() {
    if (requesters_.empty()) return std::move(limits_);
    const auto n = static_cast<double>(to_.size());
    const double pairs = static_cast<double>(requesters_.size()) * n;
    if (pairs > kMostPairs || pairs * n * static_cast<double>(loop_.chain.size() - 2) > kMostSteps) {
      limits_.refused =
          fmt::format("the chains of {} requesters through {} terminals are too many to follow each",
                      requesters_.size(), to_.size());
      return std::move(limits_);
    }
    follows_links_ = !(plan_.multicast && plan_.multicast->plans_unicasts) && !too_many_but_by_legs(plan_) &&
                     topology_.links().size() * requesters_.size() <= kMostNumbers;
    of_channel_.assign(channels_.virtual_channels(), 0);
    all_channels_ = of_channel_;
    by_channel_.resize(follows_links_ ? requesters_.size() : 0);
    shared_.gain.assign(requesters_.size(), flits_ / static_cast<double>(injecting_));
    for (at_ = 0; at_ < requesters_.size(); ++at_) add(requesters_[at_]);
    if (follows_links_) links();
    conclude();
    return std::move(limits_);
  }

 private:
  enum Kind : std::size_t {
    kInjection,
    kConsumption,
    kSink,
    kSinkOfClass,
    kService,
    kPlaces,
    kOutstanding,
    kDistance,
    kKinds
  };
  static constexpr std::array<const char*, kKinds> kWhat{
      "injection", "consumption", "sink", "sink", "service", "places", "outstanding", "distance"};
  static constexpr std::size_t kNew = std::numeric_limits<std::size_t>::max();

  /// Takes some of a capacity, which is new if none of its kind has the key, a number below that of message
  /// classes of all terminals. What has no limit is not kept.
  template <class Where>
  void use(Kind kind, std::size_t key, double most, double amount, Where&& where) {
    if (!std::isfinite(most) || amount <= 0) return;
    std::size_t& number = numbers_[kind * to_.size() * kMostMessageClasses + key];
    if (number == kNew) {
      number = shared_.capacities.size();
      shared_.capacities.push_back({most, std::vector<double>(requesters_.size())});
      capacities_.push_back({kWhat[kind], where(), false, terminal_of(kind, key)});
    }
    shared_.capacities[number].used[at_] += amount;
  }

  [[nodiscard]] std::uint32_t terminal_of(Kind kind, std::size_t key) const {
    if (kind == kDistance) return ThroughputLimit::kNowhere;
    if (kind == kInjection || kind == kConsumption) key /= interfaces_;
    if (kind == kPlaces || kind == kSinkOfClass) key /= kMostMessageClasses;
    return static_cast<std::uint32_t>(key);
  }

  /// Where a transaction of the requester is, step by step.
  void add(TerminalId requester) {
    double cycles = loop_.think + loop_.service * static_cast<double>(loop_.chain.size() - 1);
    std::vector<double> at(to_.size());
    at[index(requester)] = 1;
    for (std::size_t step = 0; step < loop_.chain.size(); ++step) {
      const bool last = step + 1 == loop_.chain.size();
      std::vector<double> next(to_.size());
      for (std::uint32_t t = 0; t < to_.size(); ++t) {
        if (at[t] <= 0) continue;
        if (last)
          cycles += message(step, {TerminalId{t}, requester, at[t]});
        else
          for (const auto& [to, share] : to_[t]) {
            next[index(to)] += at[t] * share;
            cycles += message(step, {TerminalId{t}, to, at[t] * share});
          }
      }
      at = std::move(next);
    }
    count_trip(requester, cycles - loop_.think);
    use(kOutstanding, index(requester), static_cast<double>(loop_.outstanding), cycles, [&] {
      return fmt::format("terminal {}, {} of {:.4g} cycles at least", index(requester), loop_.outstanding,
                         cycles);
    });
    if (!follows_links_) return;
    for (std::size_t c = 0; c < of_channel_.size(); ++c) {
      if (of_channel_[c] <= 0) continue;
      by_channel_[at_].emplace_back(static_cast<ChannelId>(c), of_channel_[c]);
      all_channels_[c] += of_channel_[c];
      of_channel_[c] = 0;
    }
  }

  void count_trip(TerminalId requester, double cycles) {
    if (!limits_.round_trips) limits_.round_trips = ThroughputLimits::RoundTrips{};
    auto& trips = *limits_.round_trips;
    const auto n = static_cast<double>(++trips.requesters);
    trips.mean += (cycles - trips.mean) / n;
    if (trips.requesters == 1 || cycles < trips.least.cycles) trips.least = {requester, cycles};
    if (trips.requesters == 1 || cycles > trips.most.cycles) trips.most = {requester, cycles};
  }

  /// Takes its share of what it needs; returns its cycles on the way, times its share.
  double message(std::size_t number, const Sent& sent) {
    const auto& step = loop_.chain[number];
    const auto& of_class = plan_.message_classes[step.message_class];
    const RouterId from = plan_.injection_router(sent.from, step.message_class);
    const RouterId to = plan_.consumption_router(sent.to, step.message_class);
    const double flits = sent.share * step.mean_length();
    use(kInjection, index(sent.from) * interfaces_ + of_class.interface, injection_rate(plan_.nodes[from]),
        flits, [&] { return of_terminal(sent.from) + for_classes(plan_, of_class.interface); });
    use(kConsumption, index(sent.to) * interfaces_ + of_class.interface,
        consumption_rate(plan_.nodes[to], taken_.stall), flits,
        [&] { return of_terminal(sent.to) + for_classes(plan_, of_class.interface); });
    use(kSink, index(sent.to), taken_.sink, flits, [&] { return of_terminal(sent.to); });
    if (plan_.message_classes.size() > 1)
      use(kSinkOfClass, index(sent.to) * kMostMessageClasses + step.message_class, taken_.class_sink, flits,
          [&] { return of_terminal(sent.to) + " for " + of_class.name; });
    if (number + 1 < loop_.chain.size()) serve(step, sent);
    const double hops = topology_.distance(from, to);
    use(kDistance, 0, all_of_links(), flits * hops, [] { return std::string(); });
    if (follows_links_ && from != to) follow(from, to, step.message_class, flits);
    double cycles = 0;
    for (const auto& [length, share] : step.lengths) cycles += share * least_latency_(from, to, length);
    return sent.share * cycles;
  }
  static std::string of_terminal(TerminalId t) { return fmt::format("terminal {}", index(t)); }

  /// The terminal that takes the message works on it, and holds it until it has sent the next one.
  void serve(const ClosedLoop::Step& step, const Sent& sent) {
    if (loop_.servers > 0)
      use(kService, index(sent.to), static_cast<double>(loop_.servers), sent.share * loop_.service, [&] {
        return fmt::format("{}, {} at a time for {:.4g} cycles each", of_terminal(sent.to), loop_.servers,
                           loop_.service);
      });
    if (!step.places) return;
    // From the cycle of the header to that in which the next message is born.
    const double held = step.mean_length() - 1 + loop_.service;
    use(kPlaces, index(sent.to) * kMostMessageClasses + step.message_class, *step.places, sent.share * held,
        [&] {
          return fmt::format("{} for {} of {}, each held for {:.4g} cycles at least", of_terminal(sent.to),
                             *step.places, plan_.message_classes[step.message_class].name, held);
        });
  }
  double all_of_links() {
    if (all_links_ >= 0) return all_links_;
    std::vector<bool> classes(plan_.message_classes.size());
    for (const auto& step : loop_.chain) classes[step.message_class] = true;
    return all_links_ = all_links(plan_, classes);
  }
  void follow(RouterId from, RouterId to, unsigned message_class, double flits) {
    const auto* flow = flows_.from_to(from, to, message_class);
    if (flow == nullptr) {
      follows_links_ = false;
      return;
    }
    for (const auto& [channel, share] : flow->flits) of_channel_[channel] += flits * share;
  }

  /// Links as capacities, and what is said of their loads.
  void links() {
    std::vector<double> by_link(topology_.links().size());
    ThroughputLimits::Links facts;
    // A flit per cycle of every terminal that injects, in the mean, at equal rates of all requesters.
    const double all = static_cast<double>(injecting_) / (flits_ * static_cast<double>(requesters_.size()));
    double total = 0;
    for (std::size_t c = 0; c < all_channels_.size(); ++c)
      by_link[index(channels_.link(static_cast<ChannelId>(c)))] += all * all_channels_[c];
    for (std::size_t l = 0; l < by_link.size(); ++l) {
      total += by_link[l];
      if (by_link[l] <= facts.max * (1 + 1e-12)) continue;
      facts.max = by_link[l];
      facts.busiest = LinkId(static_cast<std::uint32_t>(l));
    }
    facts.mean_hops = total / static_cast<double>(injecting_);
    std::size_t in_use = 0;
    for (const double flits : by_link) in_use += flits > 0 ? 1 : 0;
    if (in_use > 0) facts.mean = total / static_cast<double>(in_use);
    limits_.links = facts;
    capacities_of_links();
  }
  void capacities_of_links() {
    // Of every link: its limits, and where they begin among the capacities.
    std::vector<std::vector<LinkLimit>> limits(topology_.links().size());
    std::vector<std::size_t> first(limits.size());
    for (const Link& link : topology_.links()) {
      double flits = 0;
      for (std::size_t c = 0; c < plan_.relation->classes(link); ++c)
        for (unsigned group = 0; group < channels_.groups(); ++group)
          flits += all_channels_[channels_.of(link.id, VcClass(static_cast<std::uint16_t>(c)), group)];
      if (flits <= 0) continue;
      auto& of_link = limits[index(link.id)];
      of_link = link_limits(plan_, link);
      first[index(link.id)] = shared_.capacities.size();
      for (const LinkLimit& limit : of_link) {
        shared_.capacities.push_back(
            {std::max(limit.flits_per_cycle, kLeast), std::vector<double>(requesters_.size())});
        capacities_.push_back({"links", limit.name(plan_, link),
                               limit.whole() ? !flows_.links_given() : !flows_.classes_given(),
                               static_cast<std::uint32_t>(index(link.id)), limit.vc_class});
      }
    }
    for (std::size_t i = 0; i < requesters_.size(); ++i)
      for (const auto& [channel, flits] : by_channel_[i]) {
        const std::size_t link = index(channels_.link(channel));
        for (std::size_t k = 0; k < limits[link].size(); ++k)
          if (limits[link][k].classes[index(channels_.vc_class(channel))])
            shared_.capacities[first[link] + k].used[i] += flits;
      }
    // Parts that nobody uses, or that are none.
    for (std::size_t k = capacities_.size(); k-- > 0;) {
      const auto& used = shared_.capacities[k].used;
      if (std::ranges::any_of(used, [](double amount) { return amount > 0; })) continue;
      shared_.capacities.erase(shared_.capacities.begin() + static_cast<std::ptrdiff_t>(k));
      capacities_.erase(capacities_.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  void conclude() {
    estimate();
    for (std::size_t k = capacities_.size(); k-- > 0;) {
      if (!capacities_[k].by_choice) continue;
      shared_.capacities.erase(shared_.capacities.begin() + static_cast<std::ptrdiff_t>(k));
      capacities_.erase(capacities_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    const auto alone = rates_alone(shared_);
    const double all_alone = shared_.gain.front() * std::accumulate(alone.begin(), alone.end(), 0.0);
    std::map<std::string, ThroughputLimit> least;  // of each kind
    for (std::size_t k = 0; k < capacities_.size(); ++k) {
      const double flits = linear_bound(shared_, k, alone);
      if (flits > all_alone * (1 - 1e-9)) continue;  // it is not full while each goes on as if it were alone
      auto [known, fresh] = least.try_emplace(capacities_[k].what);
      if (fresh || flits < known->second.flits_per_node_cycle * (1 - 1e-12))
        known->second = capacities_[k].limit(flits);
    }
    for (auto& [what, limit] : least) limits_.bounds.push_back(std::move(limit));
    std::ranges::stable_sort(limits_.bounds, {}, &ThroughputLimit::flits_per_node_cycle);
    if (capacities_.size() * requesters_.size() <= kMostProgram)
      together();
    else if (limits_.bounds.empty())
      limits_.bounds.push_back(limit_of_first(alone.front(), all_alone));
  }

  /// What keeps the first requester from more than it does alone, for all.
  [[nodiscard]] ThroughputLimit limit_of_first(double alone, double all_alone) const {
    for (std::size_t k = 0; k < capacities_.size(); ++k)
      if (shared_.capacities[k].used.front() * alone >= shared_.capacities[k].most * (1 - 1e-9))
        return capacities_[k].limit(all_alone, requesters_.size() - 1);
    return {};
  }

  /// What all capacities allow together; first, if it is less than what each allows by itself.
  void together() {
    const LinearBound bound = linear_bound(shared_);
    std::map<std::string, double> kinds;
    for (std::size_t k = 0; k < bound.cost.size(); ++k) kinds[capacities_[k].what] += bound.cost[k];
    const auto kind = std::ranges::max_element(kinds, {}, [](const auto& entry) { return entry.second; });
    std::size_t full = capacities_.size();
    std::size_t others = 0;
    for (std::size_t k = 0; k < bound.cost.size(); ++k) {
      if (bound.cost[k] <= kNothing * bound.value) continue;
      ++others;
      if (capacities_[k].what != kind->first) continue;
      if (full == capacities_.size() || bound.cost[k] > bound.cost[full] * (1 + kNothing)) full = k;
    }
    if (full == capacities_.size()) return;
    auto& bounds = limits_.bounds;
    if (!bounds.empty() && bound.value > bounds.front().flits_per_node_cycle * (1 - 1e-9)) return;
    bounds.insert(bounds.begin(), capacities_[full].limit(bound.value, others - 1));
  }

  /// What is full first at equal rates of all requesters.
  void estimate() {
    ThroughputLimit first{"", "", std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < capacities_.size(); ++k) {
      const auto& [most, used] = shared_.capacities[k];
      const double sum = std::accumulate(used.begin(), used.end(), 0.0);
      const double flits = most / sum * shared_.gain.front() * static_cast<double>(requesters_.size());
      if (flits < first.flits_per_node_cycle * (1 - 1e-12)) first = capacities_[k].limit(flits);
    }
    if (std::isfinite(first.flits_per_node_cycle)) limits_.estimate = first;
  }

  const FabricPlan& plan_;
  const Topology& topology_;
  const ChannelIndex& channels_;
  const ClosedLoop& loop_;
  TakenRates taken_;
  const LeastLatency& least_latency_;
  unsigned interfaces_;
  std::vector<std::vector<std::pair<TerminalId, double>>> to_;  ///< by terminal, where the pattern says
  PairFlows flows_;
  std::vector<TerminalId> requesters_;
  std::size_t injecting_ = 0;
  std::size_t at_ = 0;  ///< of the requester that is followed, among `requesters_`
  double flits_ = 0;    ///< of a transaction
  bool follows_links_ = true;
  double all_links_ = -1;
  std::vector<double> of_channel_;    ///< of the requester that is followed, per transaction
  std::vector<double> all_channels_;  ///< of all of them
  std::vector<std::vector<std::pair<ChannelId, double>>> by_channel_;  ///< by requester
  SharedCapacities shared_;
  std::vector<Capacity> capacities_;
  std::vector<std::size_t> numbers_;  ///< by kind and key: of a capacity; kNew: none
  ThroughputLimits limits_;
};

}  // namespace

ThroughputLimits closed_loop_limits(const FabricPlan& plan, const ChannelIndex& channels,
                                    const ClosedLoop& loop, const TrafficPattern& pattern,
                                    const TakenRates& taken, const LeastLatency& least_latency,
                                    std::uint64_t most_header_states) {
  return Loop(plan, channels, loop, pattern, taken, least_latency, most_header_states).run();
}

}  // namespace noctule
