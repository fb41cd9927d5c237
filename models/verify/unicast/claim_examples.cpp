#include "verify/unicast/claim_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "verify/graph/header_graph.h"

namespace noctule {
namespace {

constexpr std::uint64_t kMostStates = 2'000'000;
constexpr std::uint64_t kMostPairs = 1'000'000;

RouterId router(std::size_t r) {
  return RouterId(static_cast<std::uint32_t>(r));
}

/// Looks at the worms of one destination after the other.
class Examples {
 public:
  explicit Examples(const Certificate& certificate)
      : plan_(*certificate.plan), channels_(*certificate.channels), graph_(plan_, channels_) {}

  /// The text of the first destination of which `found(start, state)` says something of a state that the
  /// start can come to.
  template <class Found>
  std::string of_states(Found&& found) {
    return of_graphs([&]() -> std::string {
      std::vector<std::string> texts(graph_.size());
      bool any = false;
      for (std::uint32_t s = 0; s < graph_.size(); ++s)
        if (texts[s] = found(s); !texts[s].empty()) any = true;
      if (!any) return {};
      for (const auto& start : graph_.starts())
        if (const auto s = graph_.first_from(start.state, [&](auto at) { return !texts[at].empty(); });
            s != HeaderGraph::kDelivered)
          return about(start.source) + ", " + texts[s];
      return {};
    });
  }
  /// The same for the ways of starts, from their shortest and longest one on; of a header that can come back
  /// to where it was, there is no longest one.
  template <class Found>
  std::string of_starts(Found&& found) {
    return of_graphs([&]() -> std::string {
      measure();
      for (const auto& start : graph_.starts())
        if (auto text = found(start.source, shortest_[start.state], longest_[start.state]); !text.empty())
          return about(start.source) + ", " + text;
      return {};
    });
  }

  [[nodiscard]] const HeaderGraph& graph() const { return graph_; }
  [[nodiscard]] const Topology& topology() const { return *plan_.topology; }
  [[nodiscard]] const FabricPlan& plan() const { return plan_; }
  [[nodiscard]] const Link& link(const HeaderGraph::Move& move) const {
    return topology().links()[index(channels_.link(move.channel))];
  }
  [[nodiscard]] unsigned distance(RouterId from) const {
    return topology().distance(from, graph_.destination());
  }
  [[nodiscard]] std::string name(RouterId at) const { return topology().router_name(at); }

 private:
  template <class Look>
  std::string of_graphs(Look&& look) {
    std::uint64_t states = 0;
    for (std::size_t d = 0; d < topology().routers() && states < kMostStates; ++d)
      for (unsigned c = 0; c < plan_.message_classes.size() && states < kMostStates; ++c) {
        if (!plan_.consumes(router(d), c)) continue;
        graph_.limit(kMostStates - states);
        graph_.explore(router(d), c);
        states += graph_.size();
        if (!graph_.complete()) return {};
        if (auto text = look(); !text.empty()) return text;
      }
    return {};
  }
  [[nodiscard]] std::string about(RouterId source) const {
    return ": from " + pair_in_words(plan_, source, graph_.destination(), graph_.message_class());
  }
  void measure() {
    constexpr unsigned kNever = kHopsVary;
    shortest_.assign(graph_.size(), kNever);
    longest_.assign(graph_.size(), kNever);
    for (const auto s : graph_.order()) {
      longest_[s] = 0;
      for (const auto& move : graph_.moves(s)) {
        const bool delivered = move.next == HeaderGraph::kDelivered;
        shortest_[s] = std::min(shortest_[s], 1 + (delivered ? 0 : shortest_[move.next]));
        longest_[s] = std::max(longest_[s], 1 + (delivered ? 0 : longest_[move.next]));
      }
    }
  }

  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  HeaderGraph graph_;
  std::vector<unsigned> shortest_;
  std::vector<unsigned> longest_;
};

std::string hops_in_words(unsigned hops) {
  return fmt::format("{} {}", hops, hops == 1 ? "hop" : "hops");
}

}  // namespace

std::string pair_in_words(const FabricPlan& plan, RouterId source, RouterId destination,
                          unsigned message_class) {
  const auto words = [&](RouterId at, bool injects) {
    const auto& topology = *plan.topology;
    for (std::uint32_t t = 0; t < topology.terminals(); ++t)
      for (std::size_t a = 0; a < topology.attachments(); ++a)
        if ((injects ? topology.injection_router(TerminalId{t}, a)
                     : topology.consumption_router(TerminalId{t}, a)) == at)
          return fmt::format("terminal {} ({})", t, topology.router_name(at));
    return topology.router_name(at);
  };
  std::string text = words(source, true) + " to " + words(destination, false);
  if (plan.message_classes.named())
    text += fmt::format(", class {}", plan.message_classes[message_class].name);
  return text;
}

std::string example_not_minimal(const Certificate& certificate) {
  Examples examples(certificate);
  return examples.of_states([&](std::uint32_t s) -> std::string {
    const RouterId here = examples.graph()[s].here;
    for (const auto& move : examples.graph().moves(s)) {
      const Link& link = examples.link(move);
      const unsigned from = examples.distance(here);
      const unsigned behind = examples.distance(link.to);
      if (behind + 1 == from) continue;
      return fmt::format("{} offers {}, from whose end it is {}; from {} it is {}", examples.name(here),
                         examples.topology().port_name(here, link.out), hops_in_words(behind),
                         examples.name(here), hops_in_words(from));
    }
    return {};
  });
}

std::string example_not_adaptive(const Certificate& certificate) {
  Examples examples(certificate);
  return examples.of_states([&](std::uint32_t s) -> std::string {
    const RouterId here = examples.graph()[s].here;
    const Topology& topology = examples.topology();
    const auto moves = examples.graph().moves(s);
    for (std::size_t p = 0; p < topology.ports(here); ++p) {
      const Link* link = topology.outgoing(here, PortId(p));
      if (link == nullptr || examples.distance(link->to) + 1 != examples.distance(here)) continue;
      if (std::ranges::none_of(moves, [&](const auto& move) { return examples.link(move).id == link->id; }))
        return fmt::format("{} does not offer {}, which leads closer", examples.name(here),
                           topology.port_name(here, link->out));
    }
    return {};
  });
}

std::string example_other_hops(const Certificate& certificate) {
  Examples examples(certificate);
  return examples.of_starts([&](RouterId source, unsigned shortest, unsigned longest) -> std::string {
    const unsigned said = examples.plan().relation->hops(source, examples.graph().destination());
    if (said == kHopsVary || (shortest == said && longest == said)) return {};
    if (longest == kHopsVary)
      return fmt::format("it says {}, and a worm can come back to where it was", hops_in_words(said));
    return fmt::format("it says {}, and they take {}{}", hops_in_words(said), shortest,
                       shortest == longest ? "" : fmt::format(" to {}", longest));
  });
}

std::string example_without_escape(const Certificate& certificate) {
  Examples examples(certificate);
  return examples.of_states([&](std::uint32_t s) -> std::string {
    const auto moves = examples.graph().moves(s);
    if (std::ranges::any_of(moves, [](const auto& move) { return move.escape; })) return {};
    return fmt::format("{} offers no escape channel", examples.name(examples.graph()[s].here));
  });
}

std::string example_not_served(const Certificate& certificate) {
  const FabricPlan& plan = *certificate.plan;
  if (!plan.relation->serves_all()) return {};
  std::uint64_t pairs = 0;
  for (unsigned c = 0; c < plan.message_classes.size(); ++c)
    for (std::size_t s = 0; s < plan.topology->routers(); ++s) {
      if (!plan.injects(router(s), c)) continue;
      for (std::size_t d = 0; d < plan.topology->routers(); ++d) {
        if (d == s || !plan.consumes(router(d), c)) continue;
        if (++pairs > kMostPairs) return {};
        if (!plan.relation->serves(router(s), router(d)))
          return ": `serves` says no from " + pair_in_words(plan, router(s), router(d), c);
      }
    }
  return {};
}

}  // namespace noctule
