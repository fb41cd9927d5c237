#include "routing/turn_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace noctule {
namespace {

RouterId router_id(std::size_t r) {
  return RouterId(static_cast<std::uint32_t>(r));
}
PortId port_id(std::size_t p) {
  return PortId(static_cast<std::uint16_t>(p));
}

}  // namespace

/// One destination: the routers by their distance to it, and the worms to it that can be at each.
struct TurnPaths::Reach {
  explicit Reach(const Topology& topology)
      : distance(topology.routers()),
        order(topology.routers()),
        arrived(topology.routers() * topology.most_ports()) {}

  void start(const Topology& topology, RouterId to) {
    destination = to;
    order.clear();
    for (std::size_t r = 0; r < distance.size(); ++r) {
      distance[r] = topology.distance(router_id(r), to);
      if (distance[r] != kUnreachable) order.push_back(router_id(r));
    }
    std::stable_sort(order.begin(), order.end(),
                     [this](RouterId a, RouterId b) { return distance[index(a)] < distance[index(b)]; });
    std::fill(arrived.begin(), arrived.end(), ClassSet{0});
  }

  /// Calls `visit(link)` for the links that lead closer.
  template <class Visit>
  void closer(const Topology& topology, RouterId here, Visit visit) const {
    for (std::size_t p = 0; p < topology.ports(here); ++p) {
      const auto* link = topology.outgoing(here, port_id(p));
      if (link != nullptr && distance[index(link->to)] + 1 == distance[index(here)]) visit(*link);
    }
  }

  RouterId destination{};
  std::vector<unsigned> distance;
  std::vector<RouterId> order;    ///< nearest first
  std::vector<ClassSet> arrived;  ///< by router and port: classes by which worms to the destination come
  std::size_t pairs_without_path = 0;
  std::optional<std::pair<RouterId, RouterId>> first_without_path;
};

TurnPaths::TurnPaths(const Topology& topology, unsigned classes, const std::vector<TurnRule>& forbid,
                     const std::vector<TurnRule>& allow)
    : topology_(topology),
      classes_(classes),
      all_classes_(static_cast<ClassSet>((1U << classes) - 1)),
      states_(1 + topology.most_ports() * classes),
      stride_(std::bit_ceil(classes)) {
  check_size(topology, classes);
  tabulate_turns(forbid, allow);
  find_state();
  onward_.assign((topology.routers() * topology.routers() * topology.most_ports() * stride_ + 63) / 64, 0);
  used_.assign(topology.links().size(), 0);
  Reach reach(topology);
  injects_ = topology.injects();
  const auto consumes = topology.consumes();
  for (std::size_t d = 0; d < topology.routers(); ++d) {
    if (!consumes[d]) continue;
    reach.start(topology, router_id(d));
    look_back(reach);
    follow_worms(reach);
  }
  if (!reach.first_without_path) return;
  const auto& [source, destination] = *reach.first_without_path;
  std::size_t pairs = 0;
  for (std::size_t s = 0; s < topology.routers(); ++s)
    for (std::size_t d = 0; d < topology.routers(); ++d)
      pairs += s != d && injects_[s] && consumes[d] ? 1 : 0;
  throw ConfigError(
      "routing.forbid",
      fmt::format("{} of all {} pairs of routers have no shortest path without a forbidden turn, the "
                  "first from {} to {}; take an entry out or narrow it with 'on' or 'at', add an "
                  "exception to routing.allow, or raise routing.classes",
                  reach.pairs_without_path, pairs, topology.router_name(source),
                  topology.router_name(destination)));
}

void TurnPaths::check_size(const Topology& topology, unsigned classes) {
  if (topology.routers() > kMostRouters)
    throw ConfigError(
        "topology.radix",
        fmt::format("{} routers are given; turn_table follows every worm and allows {}; reduce a "
                    "radix, or write the relation in C++",
                    topology.routers(), kMostRouters));
  const auto bytes =
      topology.routers() * topology.routers() * topology.most_ports() * std::bit_ceil(classes) / 8;
  if (bytes > kMostBytes)
    throw ConfigError(
        "routing.classes",
        fmt::format("{} classes on {} routers of {} directions need a table of {} MB; turn_table "
                    "allows {} MB; reduce the classes or a radix, or write the relation in C++",
                    classes, topology.routers(), topology.most_ports(), bytes >> 20, kMostBytes >> 20));
}

/// Routers at which the same rules hold, on the same links, share one table.
void TurnPaths::tabulate_turns(const std::vector<TurnRule>& forbid, const std::vector<TurnRule>& allow) {
  std::map<std::vector<std::size_t>, std::size_t> kinds;
  for (std::size_t r = 0; r < topology_.routers(); ++r) {
    const auto router = router_id(r);
    std::vector<std::size_t> traits;
    for (const auto* list : {&forbid, &allow})
      for (const auto& rule : *list) traits.push_back(rule.at[r] ? 1 : 0);
    for (std::size_t p = 0; p < topology_.ports(router); ++p) {
      traits.push_back(topology_.direction(router, port_id(p)));
      const Link* link = topology_.outgoing(router, port_id(p));
      traits.push_back(link == nullptr ? 0 : topology_.kind(link->id) == LinkKind::kWrap ? 2 : 1);
    }
    const auto [known, is_new] = kinds.emplace(std::move(traits), kinds.size());
    kind_.push_back(known->second);
    if (!is_new) continue;
    const auto start = allowed_.size();
    allowed_.resize(start + states_ * topology_.most_ports(), all_classes_);
    for (const auto& rule : forbid) apply(rule, router, &allowed_[start], false);
    for (const auto& rule : allow) apply(rule, router, &allowed_[start], true);
  }
}

void TurnPaths::apply(const TurnRule& rule, RouterId router, ClassSet* table, bool allow) const {
  for (std::size_t out = 0; out < topology_.ports(router); ++out) {
    const auto* link = topology_.outgoing(router, port_id(out));
    if (link == nullptr || !rule.leads_onto(topology_, *link)) continue;
    const ClassSet to = rule.to[topology_.direction(router, link->out)];
    const auto turn = [&](std::size_t state) {
      auto& classes = table[state * topology_.most_ports() + out];
      classes = static_cast<ClassSet>(allow ? classes | to : classes & ~to);
    };
    if (rule.from_injection) turn(0);
    for (std::size_t in = 0; in < topology_.ports(router); ++in) {
      const ClassSet from = rule.from[topology_.direction(router, port_id(in))];
      for (unsigned c = 0; c < classes_; ++c)
        if ((from >> c & 1) != 0) turn(1 + in * classes_ + c);
    }
  }
}

void TurnPaths::find_state() {
  const auto row = topology_.most_ports();
  for (std::size_t start = 0; start < allowed_.size(); start += states_ * row)
    for (std::size_t i = row; i < states_ * row; ++i)
      has_state_ = has_state_ || allowed_[start + i] != allowed_[start + i % row];
}

/// From the destination outwards: by which channels may a worm come so that it can still go on?
void TurnPaths::look_back(Reach& reach) {
  for (const auto here : reach.order)
    for (std::size_t p = 0; p < topology_.ports(here); ++p) {
      const Link* link = topology_.incoming(here, port_id(p));
      if (link == nullptr || reach.distance[index(link->from)] != reach.distance[index(here)] + 1) continue;
      set_onward(reach.destination, here, port_id(p),
                 here == reach.destination ? all_classes_ : arrivals_that_go_on(reach, here, port_id(p)));
    }
}

ClassSet TurnPaths::arrivals_that_go_on(const Reach& reach, RouterId here, PortId in) const {
  ClassSet classes = 0;
  reach.closer(topology_, here, [&](const Link& link) {
    for (unsigned c = 0; c < classes_; ++c)
      if (offered(1 + index(in) * classes_ + c, link, reach.destination) != 0)
        classes = static_cast<ClassSet>(classes | 1U << c);
  });
  return classes;
}

/// From the farthest routers inwards: which channels do worms take?
void TurnPaths::follow_worms(Reach& reach) {
  for (auto here = reach.order.rbegin(); *here != reach.destination; ++here) follow_from(reach, *here);
}

void TurnPaths::follow_from(Reach& reach, RouterId here) {
  ClassSet injected = 0;
  reach.closer(topology_, here, [&](const Link& link) {
    auto& arrived = reach.arrived[index(link.to) * topology_.most_ports() + index(link.in)];
    const auto take = [&](std::size_t state) {
      const auto classes = offered(state, link, reach.destination);
      arrived |= classes;
      used_[index(link.id)] |= classes;
      fully_adaptive_ = fully_adaptive_ && classes != 0;
      return classes;
    };
    if (injects_[index(here)]) injected |= take(0);
    for (std::size_t state = 1; state < states_; ++state) {
      const auto in = (state - 1) / classes_;
      if ((reach.arrived[index(here) * topology_.most_ports() + in] >> ((state - 1) % classes_) & 1) != 0)
        take(state);
    }
  });
  if (injected != 0 || !injects_[index(here)]) return;
  ++reach.pairs_without_path;
  const auto pair = std::pair(here, reach.destination);
  if (!reach.first_without_path || pair < *reach.first_without_path) reach.first_without_path = pair;
}

}  // namespace noctule
