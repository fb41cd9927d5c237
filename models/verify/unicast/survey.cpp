#include "verify/unicast/survey.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/error.h"
#include "verify/graph/consumption_choice.h"
#include "verify/unicast/ends.h"

namespace noctule {
namespace {

/// Facts that come out of one destination's header graph.
class Surveyor {
 public:
  Surveyor(const FabricPlan& plan, const ChannelIndex& channels)
      : plan_(plan),
        channels_(channels),
        graph_(plan, channels),
        survey_{{}, DependencyGraph(channels.size()), true, false, true},
        distance_(plan.topology->routers()),
        asked_(plan.topology->most_ports()) {
    survey_.facts.used.assign(channels.virtual_channels(), 0);
    survey_.facts.used_as_escape.assign(channels.virtual_channels(), 0);
  }

  Survey run(std::uint64_t most_header_states, const std::vector<RouterId>& among) {
    std::vector<RouterId> all;
    for (std::size_t r = 0; r < plan_.topology->routers(); ++r)
      if (!plan_.consuming[r].empty()) all.push_back(RouterId(static_cast<std::uint32_t>(r)));
    const auto& destinations = among.empty() ? all : among;
    for (const RouterId destination : destinations)
      for (unsigned c = 0; c < plan_.message_classes.size() && survey_.complete; ++c) {
        if (!plan_.consumes(destination, c)) continue;
        graph_.limit(most_header_states - std::min(most_header_states, survey_.facts.header_states));
        if (among.empty())
          graph_.explore(destination, c);
        else
          graph_.explore(destination, among, c);
        survey_.facts.header_states += graph_.size();
        survey_.complete = graph_.complete();
        if (survey_.complete) study();
      }
    auto& facts = survey_.facts;
    survey_.direct.finish();
    facts.direct = count(survey_.direct, facts.used);
    facts.cyclic_inside = !facts.direct.acyclic();
    if (plan_.message_classes.ends_wait()) {
      add_ends(plan_, channels_, survey_.direct);
      survey_.direct.finish();
      facts.direct = count(survey_.direct, facts.used);
    }
    if (!facts.always_arrives) facts.longest_path = 0;
    return std::move(survey_);
  }

 private:
  void study() {
    const auto& topology = *plan_.topology;
    for (std::size_t r = 0; r < distance_.size(); ++r)
      distance_[r] = topology.distance(RouterId(static_cast<std::uint32_t>(r)), graph_.destination());
    for (std::uint32_t s = 0; s < graph_.size(); ++s) study_state(s);
    measure_paths();
    judge_starts();
    if (plan_.message_classes.ends_wait())
      each_entry(plan_, channels_, graph_, [&](ChannelId injection, std::uint32_t state) {
        for (const auto& move : graph_.moves(state)) survey_.direct.add(injection, move.channel);
      });
  }

  void study_state(std::uint32_t s) {
    auto& facts = survey_.facts;
    const auto& topology = *plan_.topology;
    const RouterId here = graph_[s].here;
    bool any_escape = false;
    if (graph_.moves(s).size() > 1) survey_.single = false;
    for (const auto& move : graph_.moves(s)) {
      facts.used[move.channel] = 1;
      if (move.escape) facts.used_as_escape[move.channel] = 1;
      (move.escape ? any_escape : survey_.any_adaptive) = true;
      const Link& link = topology.links()[index(channels_.link(move.channel))];
      if (distance_[index(link.to)] + 1 != distance_[index(here)]) facts.minimal = false;
      if (move.next == HeaderGraph::kDelivered) {
        plan_.each_consuming(graph_.destination(), graph_.message_class(), [&](TerminalId t) {
          if (plan_.message_classes.named())
            return survey_.direct.add(move.channel, channels_.consumption_of(t, graph_.message_class()));
          for (const unsigned channel : asked_by(link.in))
            survey_.direct.add(move.channel, channels_.consumption(t, channel));
        });
        continue;
      }
      for (const auto& then : graph_.moves(move.next)) survey_.direct.add(move.channel, then.channel);
    }
    if (!any_escape) facts.escape_always_offered = false;
    if (!offers_all_shortest(s)) facts.fully_adaptive = false;
  }

  /// Consumption channels that a worm which arrives by this port may have to wait for.
  const std::vector<unsigned>& asked_by(PortId port) {
    auto& asked = asked_[index(port)];
    if (!asked.empty()) return asked;
    if (!plan_.multicast) return asked = {0};
    const auto& rule = *plan_.multicast->consumption;
    if (rule.classes() == 1 && !plan_.multicast->planner->several_destinations()) return asked = {0};
    const Visit end{rule.unicast_group(), static_cast<std::uint16_t>(port), rule.no_port(), false};
    return asked = consumption_choice(channels_, rule, rule.class_of(end), false).asked;
  }

  [[nodiscard]] bool offers(std::uint32_t s, const Link& link) const {
    const auto moves = graph_.moves(s);
    return std::any_of(moves.begin(), moves.end(),
                       [&](const auto& move) { return channels_.link(move.channel) == link.id; });
  }
  template <class F>
  void each_shortest(RouterId here, F&& f) const {
    const auto& topology = *plan_.topology;
    for (std::size_t p = 0; p < topology.ports(here); ++p) {
      const Link* link = topology.outgoing(here, PortId(p));
      if (link != nullptr && distance_[index(link->to)] + 1 == distance_[index(here)]) f(*link);
    }
  }
  [[nodiscard]] bool offers_all_shortest(std::uint32_t s) const {
    bool all = true;
    each_shortest(graph_[s].here, [&](const Link& link) { all = all && offers(s, link); });
    return all;
  }

  /// Shortest and longest way of each header, all that it leads to first.
  void measure_paths() {
    auto& facts = survey_.facts;
    const auto& order = graph_.order();
    if (order.size() != graph_.size()) facts.always_arrives = false;
    shortest_.assign(graph_.size(), std::numeric_limits<unsigned>::max() - 1);
    longest_.assign(graph_.size(), 0);
    for (const auto s : order)
      for (const auto& move : graph_.moves(s)) {
        const bool delivered = move.next == HeaderGraph::kDelivered;
        shortest_[s] = std::min(shortest_[s], 1 + (delivered ? 0 : shortest_[move.next]));
        longest_[s] = std::max(longest_[s], 1 + (delivered ? 0 : longest_[move.next]));
      }
    for (std::size_t i = 0; i < graph_.starts().size(); ++i) {
      const auto& start = graph_.starts()[i];
      if (i > 0 && graph_.starts()[i - 1].source == start.source) survey_.single = false;
      facts.longest_path = std::max(facts.longest_path, longest_[start.state]);
      const auto hops = plan_.relation->hops(start.source, graph_.destination());
      if (hops != kHopsVary && (shortest_[start.state] != hops || longest_[start.state] != hops))
        facts.hops_exact = false;
    }
  }

  /// Where a header has committed itself to one of several initial states, each shortest path need only be
  /// open to one of them: the sets of states that a worm can be in after the hops it has made are followed.
  void judge_starts() {
    auto& facts = survey_.facts;
    if (facts.fully_adaptive || !facts.fully_adaptive_at_injection) return;
    std::map<RouterId, std::vector<std::uint32_t>> at_source;
    for (const auto& start : graph_.starts()) at_source[start.source].push_back(start.state);
    std::set<std::vector<std::uint32_t>> seen;
    std::vector<std::vector<std::uint32_t>> todo;
    const auto visit = [&](std::vector<std::uint32_t> states) {
      std::sort(states.begin(), states.end());
      states.erase(std::unique(states.begin(), states.end()), states.end());
      if (seen.insert(states).second) todo.push_back(std::move(states));
    };
    for (auto& [source, states] : at_source) visit(std::move(states));
    while (!todo.empty() && facts.fully_adaptive_at_injection) {
      const auto states = std::move(todo.back());
      todo.pop_back();
      each_shortest(graph_[states.front()].here, [&](const Link& link) {
        std::vector<std::uint32_t> next;
        bool open = false;
        for (const auto s : states)
          for (const auto& move : graph_.moves(s))
            if (channels_.link(move.channel) == link.id) {
              open = true;
              if (move.next != HeaderGraph::kDelivered) next.push_back(move.next);
            }
        if (!open) facts.fully_adaptive_at_injection = false;
        if (!next.empty()) visit(std::move(next));
      });
    }
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  HeaderGraph graph_;
  Survey survey_;
  std::vector<unsigned> distance_;
  std::vector<unsigned> shortest_;
  std::vector<unsigned> longest_;
  std::vector<std::vector<unsigned>> asked_;  ///< by port
};

/// Escape channels that a header may ask for next, having taken only other channels in between.
class EscapesAhead {
 public:
  EscapesAhead(const FabricPlan& plan, const ChannelIndex& channels, HeaderGraph& graph)
      : plan_(plan), channels_(channels), graph_(graph) {}

  void compute() {
    ahead_.assign(graph_.size(), {});
    const auto& order = graph_.order();
    for (const auto s : order) collect(s);
    if (order.size() == graph_.size()) return;
    // Headers that can come back to where they were: until nothing is added.
    for (bool grown = true; grown;) {
      grown = false;
      for (std::uint32_t s = 0; s < graph_.size(); ++s) grown = collect(s) || grown;
    }
  }
  [[nodiscard]] const std::vector<ChannelId>& of(std::uint32_t s) const { return ahead_[s]; }

 private:
  bool collect(std::uint32_t s) {
    auto own = std::move(ahead_[s]);
    const auto before = own.size();
    for (const auto& move : graph_.moves(s)) {
      if (move.escape)
        own.push_back(move.channel);
      else if (move.next != HeaderGraph::kDelivered)
        own.insert(own.end(), ahead_[move.next].begin(), ahead_[move.next].end());
      else
        add_consumption(own);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    ahead_[s] = std::move(own);
    return ahead_[s].size() != before;
  }
  /// Where ends wait, the worm waits for them as it does for an escape channel.
  void add_consumption(std::vector<ChannelId>& own) const {
    if (!plan_.message_classes.ends_wait()) return;
    plan_.each_consuming(graph_.destination(), graph_.message_class(), [&](TerminalId t) {
      own.push_back(channels_.consumption_of(t, graph_.message_class()));
    });
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  HeaderGraph& graph_;
  std::vector<std::vector<ChannelId>> ahead_;
};

}  // namespace

DependencyCount count(const DependencyGraph& graph, const std::vector<std::uint8_t>& used) {
  const auto cyclic = graph.in_cycles();
  return {static_cast<std::size_t>(std::count(used.begin(), used.end(), 1)), graph.edges(),
          static_cast<std::size_t>(std::count(cyclic.begin(), cyclic.end(), true))};
}

Survey survey(const FabricPlan& plan, const ChannelIndex& channels, std::uint64_t most_header_states,
              const std::vector<RouterId>& among) {
  return Surveyor(plan, channels).run(most_header_states, among);
}

DependencyGraph escape_dependencies(const FabricPlan& plan, const ChannelIndex& channels,
                                    const RoutingFacts& facts) {
  DependencyGraph dependencies(channels.size());
  HeaderGraph graph(plan, channels);
  EscapesAhead ahead(plan, channels, graph);
  const bool ends_wait = plan.message_classes.ends_wait();
  for (std::size_t d = 0; d < plan.topology->routers(); ++d) {
    if (plan.consuming[d].empty()) continue;
    for (unsigned c = 0; c < plan.message_classes.size(); ++c) {
      graph.explore(RouterId(static_cast<std::uint32_t>(d)), c);
      ahead.compute();
      for (const auto& move : graph.all_moves()) {
        if (facts.used_as_escape[move.channel] == 0) continue;
        if (move.next != HeaderGraph::kDelivered)
          dependencies.add_all(move.channel, ahead.of(move.next));
        else if (ends_wait)
          plan.each_consuming(RouterId(static_cast<std::uint32_t>(d)), c, [&](TerminalId t) {
            dependencies.add(move.channel, channels.consumption_of(t, c));
          });
      }
      if (ends_wait)
        each_entry(plan, channels, graph, [&](ChannelId injection, std::uint32_t state) {
          dependencies.add_all(injection, ahead.of(state));
        });
    }
  }
  if (ends_wait) add_ends(plan, channels, dependencies);
  dependencies.finish();
  return dependencies;
}

}  // namespace noctule
