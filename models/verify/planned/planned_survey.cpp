#include "verify/planned/planned_survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "verify/planned/planned_messages.h"
#include "verify/planned/worm_follower.h"

namespace noctule {
namespace {

constexpr unsigned kLargerMessages = 2000;  ///< that must do nothing new
constexpr unsigned kMostTries = 64;         ///< messages of `onward` per dependency that only they make

/// The first destination of a worm.
auto first_served(const PlannedWorm& worm) {
  return std::find_if(worm.stops.begin(), worm.stops.end(), [](const Stop& stop) { return stop.serves(); });
}

class PlannedSurveyor {
 public:
  PlannedSurveyor(const FabricPlan& plan, const ChannelIndex& channels, std::uint64_t most_header_states)
      : plan_(plan),
        most_header_states_(most_header_states),
        planned_(*plan.multicast),
        planner_(*planned_.planner),
        messages_(plan),
        follower_(plan, channels, planned_.relation),
        survey_{{}, DependencyGraph(channels.size()), std::nullopt, {}, true, true},
        goes_on_(planner_.groups().size() * plan.topology->terminals() * plan.topology->terminals()) {
    survey_.facts.used.assign(channels.virtual_channels(), 0);
    unicasts(channels);
  }

  PlannedSurvey run() {
    survey_.complete =
        survey_.complete && survey_.facts.header_states + messages_.count() <= most_header_states_;
    if (!survey_.complete) return std::move(survey_);
    messages_.each(planner_, [&](TerminalId source, auto, const auto& worms) {
      follow(source, worms);
      for (const auto& worm : worms) note_order(worm);
      return true;
    });
    std::vector<const MulticastPlanner*> seen{&planner_};
    for (const auto* next = &planner_.onward(); std::count(seen.begin(), seen.end(), next) == 0;
         next = &next->onward()) {
      seen.push_back(next);
      go_on_as(*next);
    }
    finish();
    expect_nothing_new();
    return std::move(survey_);
  }

 private:
  /// Also checks the relation of planned worms, and says what their ways between two stops are like.
  void unicasts(const ChannelIndex& channels);
  void follow(TerminalId source, const std::vector<PlannedWorm>& worms) {
    for (const auto& worm : worms)
      follower_.follow(plan_.topology->injection_router(source), worm, [&](WormFollower::Part& part) {
        if (part.added) return;
        part.added = true;
        for (const auto& [from, to] : part.edges) survey_.graph.add(from, to);
      });
  }
  void go_on_as(const MulticastPlanner& planner);
  void go_on_from(TerminalId here, const PlannedWorm& worm);
  bool find_message(TerminalId here, const PlannedWorm& rest);
  void finish();
  void expect_nothing_new();

  /// May a worm of this group go on from one destination to the other?
  std::vector<bool>::reference goes_on(unsigned group, TerminalId from, TerminalId to) {
    const std::size_t n = plan_.topology->terminals();
    return goes_on_[(group * n + index(from)) * n + index(to)];
  }
  /// True: something new.
  bool note_order(const PlannedWorm& worm) {
    bool grown = false;
    const Stop* last = nullptr;
    for (const Stop& stop : worm.stops) {
      if (!stop.serves()) continue;
      if (last != nullptr && !goes_on(worm.group, last->terminal, stop.terminal))
        grown = goes_on(worm.group, last->terminal, stop.terminal) = true;
      last = &stop;
    }
    return grown;
  }

  const FabricPlan& plan_;
  std::uint64_t most_header_states_;
  const MulticastPlan& planned_;
  const MulticastPlanner& planner_;
  PlannedMessages messages_;
  WormFollower follower_;
  PlannedSurvey survey_;
  std::vector<bool> goes_on_;
  std::vector<std::pair<ChannelId, ChannelId>> assumed_;  ///< for want of a message that shows otherwise
};

void PlannedSurveyor::unicasts(const ChannelIndex& channels) {
  const auto read = [&](const FabricPlan& plan) {
    Survey s = survey(plan, channels, most_header_states_);
    survey_.complete = survey_.complete && s.complete;
    survey_.single = survey_.single && s.single;
    return s;
  };
  Survey s = read(with_relation(plan_, planned_.relation));
  if (!planned_.plans_unicasts) {
    const auto states = s.facts.header_states;
    s = read(plan_);
    s.facts.header_states += states;
    for (ChannelId c = 0; c < channels.size(); ++c) survey_.graph.add_all(c, s.direct.successors(c));
  }
  survey_.facts = std::move(s.facts);
}

/// Worms that have left their first destination behind, as another planner would send them from there.
void PlannedSurveyor::go_on_as(const MulticastPlanner& planner) {
  const auto groups = planner_.groups();
  PlannedWorm mine;
  for (bool grown = true; grown;) {
    grown = false;
    messages_.each(planner, [&](TerminalId here, auto, const auto& worms) {
      for (const auto& worm : worms) {
        const auto group = std::find(groups.begin(), groups.end(), planner.groups()[worm.group]);
        if (destinations(worm.stops) < 2 || group == groups.end()) continue;
        mine = worm;
        mine.group = static_cast<std::uint8_t>(group - groups.begin());
        if (!goes_on(mine.group, here, first_served(mine)->terminal)) continue;
        grown = note_order(mine) || grown;
        go_on_from(here, mine);
      }
      return true;
    });
  }
}

void PlannedSurveyor::go_on_from(TerminalId here, const PlannedWorm& worm) {
  const RouterId router = plan_.topology->consumption_router(here);
  bool known = true;
  bool tried = true;
  follower_.follow(
      router, worm,
      [&](const WormFollower::Part& part) {
        known = known && part.added;
        tried = tried && (part.added || part.tries >= kMostTries);
      },
      true);
  if (known || tried || find_message(here, worm)) return;
  follower_.follow(
      router, worm,
      [&](WormFollower::Part& part) {
        if (part.added || part.tries++ > 0) return;
        assumed_.insert(assumed_.end(), part.edges.begin(), part.edges.end());
      },
      true);
}

/// A message with a worm that comes to `here` first and then goes the rest of its way.
bool PlannedSurveyor::find_message(TerminalId here, const PlannedWorm& rest) {
  PlannedMessage message{{}, {here}};
  for (const Stop& stop : rest.stops)
    if (stop.serves()) message.destinations.push_back(stop.terminal);
  std::vector<PlannedWorm> worms;
  for (std::size_t s = 0; s < plan_.topology->terminals(); ++s) {
    message.source = TerminalId(s);
    const auto& others = messages_.of(message.source);
    if (!std::all_of(message.destinations.begin(), message.destinations.end(),
                     [&](TerminalId t) { return std::binary_search(others.begin(), others.end(), t); }))
      continue;
    plan_worms(planner_, *plan_.topology, message.source, message.destinations, worms);
    for (const auto& worm : worms) {
      const auto first = first_served(worm);
      if (worm.group != rest.group || first == worm.stops.end() || first->terminal != here ||
          !std::equal(first + 1, worm.stops.end(), rest.stops.begin(), rest.stops.end()))
        continue;
      follow(message.source, worms);
      survey_.larger.push_back(std::move(message));
      return true;
    }
  }
  return false;
}

void PlannedSurveyor::finish() {
  RoutingFacts& facts = survey_.facts;
  DependencyGraph& graph = survey_.graph;
  auto& certain = survey_.certain;
  graph.finish();
  std::erase_if(assumed_, [&](const auto& edge) { return graph.has(edge.first, edge.second); });
  if (!assumed_.empty()) {
    certain = graph;
    for (const auto& [from, to] : assumed_) graph.add(from, to);
    graph.finish();
  }
  for (ChannelId c = 0; c < facts.used.size(); ++c) facts.used[c] = graph.successors(c).empty() ? 0 : 1;
  facts.used_as_escape = facts.used;
  facts.direct = count(graph, facts.used);
  facts.header_states += follower_.states() + messages_.count();
  survey_.single = survey_.single && follower_.single();
  if (follower_.crossed_stops() && !certain) certain = DependencyGraph(graph.vertices());
}

void PlannedSurveyor::expect_nothing_new() {
  Rng rng(hash_name("larger messages"));
  std::vector<PlannedWorm> worms;
  for (unsigned i = 0; i < kLargerMessages; ++i) {
    const auto source = TerminalId(rng.below(plan_.topology->terminals()));
    auto list = messages_.of(source);
    if (list.size() < 3) return;
    const std::size_t size = 3 + rng.below(list.size() - 2);
    for (std::size_t n = 0; n < size; ++n) std::swap(list[n], list[n + rng.below(list.size() - n)]);
    list.resize(size);
    plan_worms(planner_, *plan_.topology, source, list, worms);
    for (const auto& worm : worms)
      follower_.follow(plan_.topology->injection_router(source), worm, [&](const WormFollower::Part& part) {
        if (part.added) return;
        for (const auto& [from, to] : part.edges)
          if (!survey_.graph.has(from, to))
            throw ConfigError(
                kPlannerKey,
                fmt::format("the planner breaks its contract: a worm of the message {} does what no message "
                            "with two destinations shows (MulticastPlanner::onward)",
                            message_text(source, list)));
      });
  }
}

/// Looks for messages that make the dependencies of a cycle: for each one that makes as many of them in a row
/// as any, and among these one with few destinations.
class ArcSearch {
 public:
  ArcSearch(const FabricPlan& plan, const std::vector<ChannelId>& cycle)
      : plan_(plan), arcs_(cycle.size()), rows_(cycle.size()), missing_(cycle.size()) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      arcs_[i].from = cycle[i];
      arcs_[i].to = cycle[(i + 1) % cycle.size()];
    }
  }
  /// False: enough was looked at.
  bool look_at(WormFollower& follower, TerminalId source, std::span<const TerminalId> destinations,
               const std::vector<PlannedWorm>& worms) {
    constexpr std::uint64_t kEnough = 1'000'000;
    for (const auto& worm : worms) {
      edges_.clear();
      follower.follow(plan_.topology->injection_router(source), worm, [&](const WormFollower::Part& part) {
        edges_.insert(edges_.end(), part.edges.begin(), part.edges.end());
      });
      made_.clear();
      for (const auto& arc : arcs_)
        made_.push_back(std::find(edges_.begin(), edges_.end(), std::pair{arc.from, arc.to}) != edges_.end());
      for (std::size_t i = 0; i < arcs_.size(); ++i)
        if (const auto row = in_a_row(i); row > rows_[i]) {
          if (rows_[i] == 0) --missing_;
          rows_[i] = row;
          keep(arcs_[i], follower, source, destinations, worm);
        }
    }
    return missing_ > 0 || ++looked_at_ < kEnough;
  }
  [[nodiscard]] std::vector<Dependency> arcs() && { return std::move(arcs_); }

 private:
  /// Dependencies next to one another that the worm makes, this one among them.
  [[nodiscard]] std::size_t in_a_row(std::size_t arc) const {
    if (!made_[arc]) return 0;
    const std::size_t n = made_.size();
    std::size_t row = 1;
    for (std::size_t i = arc; row < n && made_[i = (i + 1) % n]; ++row) continue;
    for (std::size_t i = arc; row < n && made_[i = (i + n - 1) % n]; ++row) continue;
    return row;
  }
  void keep(Dependency& arc, WormFollower& follower, TerminalId source,
            std::span<const TerminalId> destinations, const PlannedWorm& worm) const {
    arc.source = plan_.topology->injection_router(source);
    arc.destination = worm.stops.back().router;
    arc.sender = source;
    arc.destinations.assign(destinations.begin(), destinations.end());
    arc.path = way(edges_, follower.first_channel(arc.source, worm), arc.from);
    arc.path.push_back(arc.to);
  }
  /// What a worm acquires from one channel to the other, as short as its choices allow.
  static std::vector<ChannelId> way(const std::vector<std::pair<ChannelId, ChannelId>>& edges, ChannelId from,
                                    ChannelId to) {
    std::vector<std::pair<ChannelId, std::size_t>> reached{{from, 0}};
    const auto is = [](ChannelId c) { return [c](const auto& r) { return r.first == c; }; };
    for (std::size_t i = 0; i < reached.size() && reached[i].first != to; ++i)
      for (const auto& [a, b] : edges)
        if (a == reached[i].first && std::none_of(reached.begin(), reached.end(), is(b)))
          reached.emplace_back(b, i);
    const auto end = std::find_if(reached.begin(), reached.end(), is(to));
    std::vector<ChannelId> path;
    if (end == reached.end()) return {to};
    for (auto i = static_cast<std::size_t>(end - reached.begin()); i > 0; i = reached[i].second)
      path.push_back(reached[i].first);
    path.push_back(from);
    std::reverse(path.begin(), path.end());
    return path;
  }

  const FabricPlan& plan_;
  std::vector<Dependency> arcs_;
  std::vector<std::size_t> rows_;  ///< by dependency, of the message that was kept; 0: none was
  std::size_t missing_;
  std::uint64_t looked_at_ = 0;
  std::vector<std::pair<ChannelId, ChannelId>> edges_;  ///< of the worm that is looked at
  std::vector<bool> made_;
};

}  // namespace

PlannedSurvey survey_planned(const FabricPlan& plan, const ChannelIndex& channels,
                             std::uint64_t most_header_states) {
  return PlannedSurveyor(plan, channels, most_header_states).run();
}

std::vector<Dependency> describe_planned_cycle(const FabricPlan& plan, const ChannelIndex& channels,
                                               const PlannedSurvey& survey,
                                               const std::vector<ChannelId>& cycle) {
  const auto& planned = *plan.multicast;
  const auto& topology = *plan.topology;
  const PlannedMessages messages(plan);
  ArcSearch search(plan, cycle);
  if (!planned.plans_unicasts) {
    WormFollower follower(plan, channels, plan.relation);
    for (std::size_t s = 0; s < topology.terminals(); ++s)
      for (const TerminalId d : messages.of(TerminalId(s)))
        if (!search.look_at(follower, TerminalId(s), std::span(&d, 1),
                            {{{{topology.consumption_router(d), d}}, planned.consumption->unicast_group()}}))
          break;
  }
  WormFollower follower(plan, channels, planned.relation);
  messages.each(*planned.planner, [&](TerminalId source, auto destinations, const auto& worms) {
    return search.look_at(follower, source, destinations, worms);
  });
  std::vector<PlannedWorm> worms;
  for (const auto& [source, destinations] : survey.larger) {
    worms.clear();
    planned.planner->plan(source, destinations, worms);
    search.look_at(follower, source, destinations, worms);
  }
  return std::move(search).arcs();
}

std::string message_text(TerminalId source, std::span<const TerminalId> destinations) {
  std::string list;
  for (const TerminalId d : destinations) list += (list.empty() ? "" : ", ") + std::to_string(index(d));
  return fmt::format("{} -> {{{}}}", index(source), list);
}

}  // namespace noctule
