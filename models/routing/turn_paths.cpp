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
  /// Channels of one link.
  struct Channels {
    const Link* link;
    ClassSet classes;
  };

  Reach(const Topology& topology, unsigned detours)
      : distance(topology.routers()),
        order(topology.routers()),
        settled(topology.links().size()),
        arrived((detours + 1) * topology.routers() * topology.most_ports()) {}

  void start(const Topology& topology, RouterId to) {
    destination = to;
    order.clear();
    for (std::size_t r = 0; r < distance.size(); ++r) {
      distance[r] = topology.distance(router_id(r), to);
      if (distance[r] != kUnreachable) order.push_back(router_id(r));
    }
    std::stable_sort(order.begin(), order.end(),
                     [this](RouterId a, RouterId b) { return distance[index(a)] < distance[index(b)]; });
    std::fill(settled.begin(), settled.end(), ClassSet{0});
    std::fill(arrived.begin(), arrived.end(), ClassSet{0});
  }

  RouterId destination{};
  std::vector<unsigned> distance;
  std::vector<RouterId> order;    ///< nearest first
  std::vector<ClassSet> settled;  ///< by link: classes whose shortest way to the destination is known
  std::vector<Channels> wave;     ///< channels that are so many hops away, their own included
  std::vector<Channels> next;     ///< and one more
  /// By detours made, router and port: classes by which worms to the destination come.
  std::vector<ClassSet> arrived;
  std::size_t pairs_without_path = 0;
  std::optional<std::pair<RouterId, RouterId>> first_without_path;
};

TurnPaths::TurnPaths(const Topology& topology, unsigned classes, const std::vector<TurnRule>& forbid,
                     const std::vector<TurnRule>& allow, unsigned detours)
    : topology_(topology),
      classes_(classes),
      detours_(detours),
      all_classes_(static_cast<ClassSet>((1U << classes) - 1)),
      states_(1 + topology.most_ports() * classes),
      stride_(std::bit_ceil(classes)) {
  check_size(topology, classes, detours);
  tabulate_turns(forbid, allow);
  find_state();
  onward_.assign((bit_of(detours + 1, RouterId{0}, RouterId{0}, PortId{0}) + 63) / 64, 0);
  if (detours > 0) distance_.assign(topology.routers() * topology.routers(), 0);
  used_.assign(topology.links().size(), 0);
  Reach reach(topology, detours);
  injects_ = topology.injects();
  const auto consumes = topology.consumes();
  for (std::size_t d = 0; d < topology.routers(); ++d) {
    if (!consumes[d]) continue;
    reach.start(topology, router_id(d));
    if (detours > 0)
      std::transform(reach.distance.begin(), reach.distance.end(),
                     distance_.begin() + static_cast<std::ptrdiff_t>(d * topology.routers()),
                     [](unsigned hops) { return static_cast<std::uint16_t>(hops); });
    look_back(reach);
    follow_worms(reach);
  }
  if (!reach.first_without_path) return;
  const auto names_class = [](const TurnRule& rule) {
    const auto& text = rule.text;
    for (auto dot = text.find('.'); dot != std::string::npos; dot = text.find('.', dot + 1))
      if (dot + 1 < text.size() && text[dot + 1] >= '0' && text[dot + 1] <= '9') return true;
    return false;
  };
  refuse_pairs(reach, consumes, std::ranges::any_of(forbid, names_class));
}

unsigned TurnPaths::hops_of_any_path(RouterId source, RouterId destination) const {
  /// A worm that has come to a router in a state.
  struct Worm {
    RouterId at;
    std::size_t state;
    unsigned hops;
  };
  std::vector<bool> known(topology_.routers() * states_);
  std::vector<Worm> worms{{source, 0, 0}};
  for (std::size_t n = 0; n < worms.size(); ++n) {
    const auto [here, state, hops] = worms[n];
    for (std::size_t p = 0; p < topology_.ports(here); ++p) {
      const Link* const link = topology_.outgoing(here, port_id(p));
      if (link == nullptr || turns_back(state, *link)) continue;
      const ClassSet classes = allowed(here, state, link->out);
      if (classes != 0 && link->to == destination) return hops + 1;
      for (unsigned c = 0; c < classes_; ++c) {
        const std::size_t next = 1 + index(link->in) * classes_ + c;
        if ((classes >> c & 1) == 0 || known[index(link->to) * states_ + next]) continue;
        known[index(link->to) * states_ + next] = true;
        worms.push_back({link->to, next, hops + 1});
      }
    }
  }
  return 0;
}

void TurnPaths::refuse_pairs(const Reach& reach, const std::vector<bool>& consumes, bool named) const {
  const auto& [source, destination] = *reach.first_without_path;
  std::size_t pairs = 0;
  for (std::size_t s = 0; s < topology_.routers(); ++s)
    for (std::size_t d = 0; d < topology_.routers(); ++d)
      pairs += s != d && injects_[s] && consumes[d] ? 1 : 0;
  // More of something helps where it gives this pair a path.
  std::string more;
  const unsigned hops = hops_of_any_path(source, destination);
  if (const unsigned needed = hops == 0 ? 0 : hops - topology_.distance(source, destination);
      needed > detours_ && needed <= kMostDetours)
    more += fmt::format(", or raise routing.detour to {}, which this pair needs", needed);
  if (named && classes_ < kMostTurnClasses)
    more += ", or raise routing.classes, of which the entries name some";
  throw ConfigError(
      "routing.forbid",
      fmt::format(
          "{} of all {} pairs of routers have no {} without a forbidden turn, the "
          "first from {} to {}; take an entry out or narrow it with 'on' or 'at', or add an "
          "exception to routing.allow{}",
          reach.pairs_without_path, pairs,
          detours_ == 0 ? "shortest path" : fmt::format("path of at most distance + {} hops", detours_),
          topology_.router_name(source), topology_.router_name(destination), more));
}

void TurnPaths::check_size(const Topology& topology, unsigned classes, unsigned detours) {
  if (topology.routers() > kMostRouters)
    throw ConfigError(
        "routing.algorithm",
        fmt::format("{} routers are given; turn_table follows every worm and allows {}; take a smaller "
                    "network, or write the relation in C++",
                    topology.routers(), kMostRouters));
  const auto pairs = topology.routers() * topology.routers();
  const auto bytes = pairs * topology.most_ports() * std::bit_ceil(classes) / 8;
  if (bytes > kMostBytes)
    throw ConfigError(
        "routing.classes",
        fmt::format("{} classes on {} routers of {} directions need a table of {} MB; turn_table "
                    "allows {} MB; take fewer classes or a smaller network, or write the relation in C++",
                    classes, topology.routers(), topology.most_ports(), bytes >> 20, kMostBytes >> 20));
  const auto all_bytes = (detours + 1) * bytes + (detours > 0 ? pairs * sizeof(std::uint16_t) : 0);
  if (all_bytes > kMostBytes)
    throw ConfigError(
        "routing.detour",
        fmt::format("up to {} hops more than the distance, with {} classes on {} routers of {} directions, "
                    "need tables of {} MB; turn_table allows {} MB; reduce the detour, the classes or a "
                    "radix, or write the relation in C++",
                    detours, classes, topology.routers(), topology.most_ports(), all_bytes >> 20,
                    kMostBytes >> 20));
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
  has_state_ = detours_ > 0;
  const auto row = topology_.most_ports();
  for (std::size_t start = 0; start < allowed_.size(); start += states_ * row)
    for (std::size_t i = row; i < states_ * row; ++i)
      has_state_ = has_state_ || allowed_[start + i] != allowed_[start + i % row];
}

/// From the destination outwards, hop by hop: which channels lead there, with how many detours?
void TurnPaths::look_back(Reach& reach) {
  const auto here = reach.destination;
  reach.wave.clear();
  for (std::size_t p = 0; p < topology_.ports(here); ++p)
    if (const Link* link = topology_.incoming(here, port_id(p))) {
      reach.settled[index(link->id)] = all_classes_;
      reach.wave.push_back({link, all_classes_});
    }
  for (unsigned hops = 1; !reach.wave.empty(); ++hops) {
    reach.next.clear();
    for (const auto& [link, classes] : reach.wave) {
      for (unsigned d = hops - reach.distance[index(link->from)]; d <= detours_; ++d)
        set_onward(d, reach.destination, link->to, link->in, classes);
      reach_back_from(reach, *link, classes, hops);
    }
    std::swap(reach.wave, reach.next);
  }
}

/// Finds the channels from which a worm can go on to these, which are `hops` away. Detours never become fewer
/// on the way back: who needs too many here is on no path.
void TurnPaths::reach_back_from(Reach& reach, const Link& link, ClassSet classes, unsigned hops) const {
  const auto here = link.from;
  for (std::size_t in = 0; in < topology_.ports(here); ++in) {
    const Link* before = topology_.incoming(here, port_id(in));
    if (before == nullptr || before->from == reach.destination || before->from == link.to) continue;
    if (hops + 1 - reach.distance[index(before->from)] > detours_) continue;
    auto& settled = reach.settled[index(before->id)];
    ClassSet found = 0;
    for (unsigned c = 0; c < classes_; ++c)
      if ((settled >> c & 1) == 0 && (allowed(here, 1 + in * classes_ + c, link.out) & classes) != 0)
        found = static_cast<ClassSet>(found | 1U << c);
    if (found == 0) continue;
    settled |= found;
    reach.next.push_back({before, found});
  }
}

/// Which channels do worms take? A hop costs a detour or leads closer: those that have made fewer first, and
/// of these the farthest.
void TurnPaths::follow_worms(Reach& reach) {
  for (unsigned made = 0; made <= detours_; ++made)
    for (auto here = reach.order.rbegin(); *here != reach.destination; ++here)
      follow_from(reach, *here, made);
}

void TurnPaths::follow_from(Reach& reach, RouterId here, unsigned made) {
  const auto row = [&](unsigned detours, RouterId router) {
    return &reach.arrived[(detours * topology_.routers() + index(router)) * topology_.most_ports()];
  };
  const ClassSet* const came = row(made, here);
  const bool starts = made == 0 && injects_[index(here)];
  ClassSet injected = 0;
  for (std::size_t p = 0; p < topology_.ports(here); ++p) {
    const Link* link = topology_.outgoing(here, port_id(p));
    if (link == nullptr || reach.distance[index(link->to)] == kUnreachable) continue;
    const unsigned more = 1 + reach.distance[index(link->to)] - reach.distance[index(here)];
    if (made + more > detours_) continue;
    auto& arrived = row(made + more, link->to)[index(link->in)];
    const auto take = [&](std::size_t state) {
      const auto classes = offered(state, detours_ - made, *link, reach.destination);
      arrived |= classes;
      used_[index(link->id)] |= classes;
      fully_adaptive_ = fully_adaptive_ && (more > 0 || classes != 0);
      minimal_ = minimal_ && (more == 0 || classes == 0);
      return classes;
    };
    if (starts) injected |= take(0);
    for (std::size_t state = 1; state < states_; ++state)
      if ((came[(state - 1) / classes_] >> ((state - 1) % classes_) & 1) != 0) take(state);
  }
  if (injected != 0 || !starts) return;
  ++reach.pairs_without_path;
  const auto pair = std::pair(here, reach.destination);
  if (!reach.first_without_path || pair < *reach.first_without_path) reach.first_without_path = pair;
}

}  // namespace noctule
