#include "verify/unicast/ends.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

/// Channels from the injection of some worm to header state s, and where that worm starts.
std::vector<ChannelId> path_to(const HeaderGraph& graph, std::uint32_t s, RouterId& source) {
  struct Step {
    std::uint32_t state;
    std::size_t before;
    ChannelId channel;
  };
  std::vector<Step> steps;
  std::vector<bool> seen(graph.size());
  for (const auto& start : graph.starts()) {
    if (seen[start.state]) continue;
    seen[start.state] = true;
    steps.push_back({start.state, steps.size(), kNoChannel});
  }
  for (std::size_t n = 0; n < steps.size(); ++n) {
    if (steps[n].state == s) {
      std::vector<ChannelId> path;
      std::size_t at = n;
      for (; steps[at].channel != kNoChannel; at = steps[at].before) path.push_back(steps[at].channel);
      source = graph[steps[at].state].here;
      std::ranges::reverse(path);
      return path;
    }
    for (const auto& move : graph.moves(steps[n].state)) {
      if (move.next == HeaderGraph::kDelivered || seen[move.next]) continue;
      seen[move.next] = true;
      steps.push_back({move.next, n, move.channel});
    }
  }
  throw InternalError("a header state that no worm comes to");
}

class Teller {
 public:
  Teller(const FabricPlan& plan, const ChannelIndex& channels, const std::vector<HeaderGraph>& graphs)
      : plan_(plan), channels_(channels), graphs_(graphs) {}

  [[nodiscard]] Dependency tell(ChannelId from, ChannelId to) const {
    Dependency arc{from, to, {}, {}, {from, to}};
    if (channels_.is_consumption(from)) {
      arc.source = arc.destination = channels_.router(from);
      arc.cause = at_terminal(from, to);
      return arc;
    }
    for (const HeaderGraph& graph : graphs_)
      for (std::uint32_t s = 0; s < graph.size(); ++s)
        for (const auto& move : graph.moves(s)) {
          if (move.channel != from || !leads_to(graph, move, to)) continue;
          arc.path = path_to(graph, s, arc.source);
          arc.path.insert(arc.path.end(), {from, to});
          arc.destination = graph.destination();
          arc.cause = fmt::format("a {} {} -> {}", class_name(graph.message_class()),
                                  plan_.topology->router_name(arc.source),
                                  plan_.topology->router_name(arc.destination));
          return arc;
        }
    throw InternalError("a dependency that no worm makes");
  }

 private:
  [[nodiscard]] const std::string& class_name(std::size_t c) const { return plan_.message_classes[c].name; }
  [[nodiscard]] bool leads_to(const HeaderGraph& graph, const HeaderGraph::Move& move, ChannelId to) const {
    if (move.next != HeaderGraph::kDelivered)
      return std::ranges::any_of(graph.moves(move.next),
                                 [&](const auto& then) { return then.channel == to; });
    return channels_.is_consumption(to) && channels_.router(to) == graph.destination() &&
           channels_.consumption_of(channels_.terminal(to), graph.message_class()) == to;
  }
  /// What waits at a terminal: it takes no more until it has sent, or the head of its source queue.
  [[nodiscard]] std::string at_terminal(ChannelId from, ChannelId to) const {
    const TerminalId t = channels_.terminal(from);
    const auto& classes = plan_.message_classes;
    const std::size_t terminal = index(t);
    for (unsigned c = 0; c < classes.size(); ++c)
      for (const std::uint8_t awaited : classes.awaited_by(c))
        if (channels_.consumption_of(t, c) == from && channels_.injection_of(t, awaited) == to)
          return fmt::format(
              "terminal {}, whose buffer holds {} {}{} and takes no more until a {} is injected", terminal,
              *classes[c].buffer, class_name(c), *classes[c].buffer == 1 ? "" : "s", class_name(awaited));
    for (unsigned c = 0; c < classes.size(); ++c)
      if (channels_.injection_of(t, c) == from)
        return fmt::format("the {} that terminal {} injects next", class_name(c), terminal);
    throw InternalError("a dependency of a terminal that it does not have");
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  const std::vector<HeaderGraph>& graphs_;
};

}  // namespace

std::vector<Dependency> describe_end_cycle(const FabricPlan& plan, const ChannelIndex& channels,
                                           const std::vector<HeaderGraph>& graphs,
                                           const std::vector<ChannelId>& cycle) {
  const Teller teller(plan, channels, graphs);
  std::vector<Dependency> arcs;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    arcs.push_back(teller.tell(cycle[i], cycle[(i + 1) % cycle.size()]));
  return arcs;
}

void add_ends(const FabricPlan& plan, const ChannelIndex& channels, DependencyGraph& graph) {
  const MessageClasses& classes = plan.message_classes;
  for (std::size_t r = 0; r < plan.topology->routers(); ++r)
    for (unsigned c = 0; c < classes.size(); ++c) {
      plan.each_consuming(RouterId(r), c, [&](TerminalId t) {
        for (const std::uint8_t awaited : classes.awaited_by(c))
          graph.add(channels.consumption_of(t, c), channels.injection_of(t, awaited));
      });
      plan.each_injecting(RouterId(r), c, [&](TerminalId from) {
        plan.each_consuming(RouterId(r), c, [&](TerminalId to) {
          graph.add(channels.injection_of(from, c), channels.consumption_of(to, c));
        });
      });
    }
}

}  // namespace noctule
