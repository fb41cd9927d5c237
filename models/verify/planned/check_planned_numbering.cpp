#include "verify/planned/check_planned_numbering.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "routing/initial_states.h"

namespace noctule {
namespace {

/// Highest number of what is held; nothing held: below all numbers.
using Height = std::int64_t;
constexpr Height kNothing = -1;

class NumberCheck {
 public:
  NumberCheck(const FabricPlan& plan, const ChannelIndex& channels, const std::vector<std::uint32_t>& number)
      : plan_(plan), topology_(*plan.topology), channels_(channels), number_(number) {}

  std::string run(std::uint64_t most_messages) {
    const auto& multicast = *plan_.multicast;
    if (!multicast.plans_unicasts) {
      relation_ = plan_.relation.get();
      send_unicasts(multicast.consumption->unicast_group());
    }
    relation_ = multicast.relation.get();
    ways_.clear();
    pairs_.resize(pair(multicast.planner->groups().size(), TerminalId{0}, TerminalId{0}));
    send_all(*multicast.planner, nullptr, most_messages);
    std::set<const MulticastPlanner*> sent{multicast.planner.get()};
    for (const auto* next = &multicast.planner->onward(); sent.insert(next).second; next = &next->onward())
      send_all(*next, multicast.planner.get(), most_messages);
    return breach_;
  }

 private:
  /// The port by which a worm may have come, and what it may hold then.
  struct Arrival {
    PortId port;
    Height height;
  };
  /// How worms come from one router to another.
  struct Way {
    std::vector<ChannelId> first;
    std::vector<ChannelId> second;
    std::vector<ChannelId> last;
    std::string breach;  ///< the channel that bears no higher number than the one before it
  };

  void expect_above(ChannelId c, Height height) { expect_above(c, height, breach_); }
  void expect_above(ChannelId c, Height height, std::string& breach) const {
    if (breach.empty() && (number_[c] == ~std::uint32_t{0} || number_[c] <= height))
      breach = channels_.name(c);
  }

  /// One of the channels is taken over all that is held: the height then.
  Height take_all(const std::vector<ChannelId>& list, Height height) {
    Height highest = height;
    for (const ChannelId c : list) {
      expect_above(c, height);
      highest = std::max<Height>(highest, number_[c]);
    }
    return highest;
  }

  void send_unicasts(std::uint8_t group) {
    for (std::size_t s = 0; s < topology_.terminals(); ++s)
      for (std::size_t d = 0; d < topology_.terminals(); ++d) {
        const auto from = topology_.injection_router(TerminalId(s));
        const auto to = topology_.consumption_router(TerminalId(d));
        if (from != to) send(from, {{{to, TerminalId(d)}}, group}, false);
      }
  }

  void send_all(const MulticastPlanner& planner, const MulticastPlanner* before, std::uint64_t most) {
    const std::size_t n = topology_.terminals();
    const bool several = planner.several_destinations();
    const std::uint64_t all = std::uint64_t{n} * n * (several ? (n + 1) / 2 : 1);
    const std::uint64_t stride = all / std::max<std::uint64_t>(1, most) + 1;
    const bool singles = plan_.multicast->plans_unicasts || !several;
    std::uint64_t turn = 0;
    for (std::size_t s = 0; s < n; ++s)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = singles ? a : a + 1; b < (several ? n : a + 1) && breach_.empty(); ++b) {
          const RouterId here = topology_.injection_router(TerminalId(s));
          const bool one = a == b;
          if (topology_.consumption_router(TerminalId(a)) == here ||
              topology_.consumption_router(TerminalId(b)) == here)
            continue;
          if (!one && ++turn % stride != 0) continue;
          const TerminalId both[] = {TerminalId(a), TerminalId(b)};
          worms_.clear();
          planner.plan(TerminalId(s), std::span(both, one ? 1 : 2), worms_);
          for (auto& worm : worms_) {
            if (before == nullptr && &planner.onward() != &planner) note_pair(worm);
            if (before == nullptr || goes_on(TerminalId(s), worm, planner, *before))
              send(here, worm, before != nullptr);
          }
        }
  }
  /// Worms of another planner, if one of `before` was seen to go on from here to their first destination.
  bool goes_on(TerminalId here, PlannedWorm& worm, const MulticastPlanner& planner,
               const MulticastPlanner& before) const {
    const auto groups = before.groups();
    const auto found = std::find(groups.begin(), groups.end(), planner.groups()[worm.group]);
    if (found == groups.end() || terminals(worm) < 2) return false;
    worm.group = static_cast<std::uint8_t>(found - groups.begin());
    const auto first = std::find_if(worm.stops.begin(), worm.stops.end(),
                                    [](const Stop& stop) { return stop.terminal != kNoTerminal; });
    return pairs_[pair(worm.group, here, first->terminal)];
  }
  [[nodiscard]] std::size_t pair(std::size_t group, TerminalId from, TerminalId to) const {
    return (group * topology_.terminals() + index(from)) * topology_.terminals() + index(to);
  }
  void note_pair(const PlannedWorm& worm) {
    TerminalId last = kNoTerminal;
    for (const Stop& stop : worm.stops) {
      if (stop.terminal == kNoTerminal) continue;
      if (last != kNoTerminal) pairs_[pair(worm.group, last, stop.terminal)] = true;
      last = stop.terminal;
    }
  }
  static std::size_t terminals(const PlannedWorm& worm) {
    return static_cast<std::size_t>(std::count_if(
        worm.stops.begin(), worm.stops.end(), [](const Stop& stop) { return stop.terminal != kNoTerminal; }));
  }

  /// `onward`: nothing is known of what is before the first destination but its last channel.
  void send(RouterId here, const PlannedWorm& worm, bool onward);
  void serve(const std::vector<TerminalId>& served, const PlannedWorm& worm, PortId incoming, PortId outgoing,
             Height& height);
  const Way& way(RouterId from, RouterId to);

  const FabricPlan& plan_;
  const Topology& topology_;
  const ChannelIndex& channels_;
  const std::vector<std::uint32_t>& number_;
  const RoutingRelation* relation_ = nullptr;
  std::vector<PlannedWorm> worms_;
  std::unordered_map<std::uint64_t, Way> ways_;
  std::vector<bool> pairs_;  ///< by group and terminals: served one behind the other
  std::string breach_;
};

/// Numbers rise on the way from one stop to the next, which is looked at once; so only the ends matter here.
void NumberCheck::send(RouterId here, const PlannedWorm& worm, bool onward) {
  const auto none = PortId(plan_.multicast->consumption->no_port());
  const bool absorbs = plan_.common_node().retransmission_buffers > 0;
  const bool output_first = plan_.common_node().acquisition == Acquisition::kOutputFirst;
  std::vector<Arrival> arrivals{{none, kNothing}};
  bool behind = !onward;
  for (std::size_t at = 0; at < worm.stops.size();) {
    std::vector<TerminalId> served;
    for (; at < worm.stops.size() && worm.stops[at].router == here && !(absorbs && !served.empty()); ++at)
      if (worm.stops[at].terminal != kNoTerminal) served.push_back(worm.stops[at].terminal);
    const bool more = at < worm.stops.size();
    const bool absorbed = absorbs && more && !served.empty();
    const Way* next = more && !absorbed ? &way(here, worm.stops[at].router) : nullptr;
    const PortId outgoing =
        next != nullptr ? topology_.links()[index(channels_.link(next->first.front()))].out : none;
    behind = behind || !served.empty();
    const bool link_first = output_first && next != nullptr && !served.empty();
    Height height = kNothing;  // of all that it may hold when it goes on
    for (auto& [port, held] : arrivals) {
      if (link_first) held = take_all(next->first, held);
      serve(served, worm, port, outgoing, held);
      height = std::max(height, held);
    }
    if (absorbed) {
      arrivals = {{none, take_all({channels_.retransmission(served.back())}, height)}};
      continue;
    }
    if (next == nullptr) return;
    if (behind) {
      take_all(link_first ? next->second : next->first, height);
      if (breach_.empty()) breach_ = next->breach;
    }
    arrivals.clear();
    for (const ChannelId c : next->last) {
      // Behind a link that was acquired before the consumption channels, these were acquired last.
      const bool one_hop = std::find(next->first.begin(), next->first.end(), c) != next->first.end();
      const bool unknown = one_hop && output_first && !behind;
      arrivals.push_back({topology_.links()[index(channels_.link(c))].in,
                          unknown                 ? kNothing
                          : one_hop && link_first ? std::max<Height>(height, number_[c])
                                                  : Height{number_[c]}});
    }
    here = worm.stops[at].router;
  }
}

void NumberCheck::serve(const std::vector<TerminalId>& served, const PlannedWorm& worm, PortId incoming,
                        PortId outgoing, Height& height) {
  if (served.empty()) return;
  const ConsumptionRule& rule = *plan_.multicast->consumption;
  const bool several = terminals(worm) > 1;
  const unsigned of_class = rule.class_of(
      {worm.group, static_cast<std::uint16_t>(incoming), static_cast<std::uint16_t>(outgoing), several});
  const std::uint64_t allowed = rule.channels(of_class, several).allowed;
  for (const TerminalId terminal : served) {
    Height held = height;
    for (unsigned j = 0; j < 64; ++j) {
      if ((allowed >> j & 1) == 0) continue;
      const ChannelId c = channels_.consumption(terminal, j);
      if (rule.waits_committed() || j == of_class) expect_above(c, height);
      held = std::max<Height>(held, number_[c]);
    }
    height = held;
  }
}

const NumberCheck::Way& NumberCheck::way(RouterId from, RouterId to) {
  const auto key = index(from) * topology_.routers() + index(to);
  if (const auto known = ways_.find(key); known != ways_.end()) return known->second;
  if (ways_.size() > 400'000) ways_.clear();
  struct Header {
    RouterId at;
    RouteState state;
    std::int32_t crossbar;
    Height before;
    bool second = false;
    auto operator<=>(const Header&) const = default;
  };
  Way way;
  std::vector<Header> todo;
  CandidateList list;
  for (const RouteState s : initial_states_of(*relation_, from, to)) todo.push_back({from, s, -1, kNothing});
  std::vector<Header> known;
  while (!todo.empty()) {
    const Header h = todo.back();
    todo.pop_back();
    if (std::find(known.begin(), known.end(), h) != known.end()) continue;
    known.push_back(h);
    list.clear();
    relation_->candidates(h.at, to, h.state, list);
    for (const Candidate candidate : list)
      for (unsigned group = 0; group < channels_.groups(); ++group) {
        const Link& link = *topology_.outgoing(h.at, candidate.port);
        const ChannelId c = channels_.of(link.id, candidate.vc_class, group);
        if (h.crossbar >= 0 && channels_.crossbar_before(c) != h.crossbar) continue;
        if (h.before == kNothing) way.first.push_back(c);
        if (h.second) way.second.push_back(c);
        expect_above(c, h.before, way.breach);
        if (link.to == to) {
          way.last.push_back(c);
        } else {
          todo.push_back({link.to, relation_->next_state(h.at, to, h.state, candidate),
                          channels_.crossbar_behind(c), number_[c], h.before == kNothing});
        }
      }
  }
  return ways_.emplace(key, std::move(way)).first->second;
}

}  // namespace

std::string check_planned_numbering(const FabricPlan& plan, const ChannelIndex& channels,
                                    const std::vector<std::uint32_t>& number, std::uint64_t most_messages) {
  return NumberCheck(plan, channels, number).run(most_messages);
}

}  // namespace noctule
