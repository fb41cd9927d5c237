#include "routing/enumerate.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::size_t kMostFaults = 10;
constexpr std::uint32_t kDelivered = ~std::uint32_t{0};

/// Directed graph with few successors per vertex, each kept once.
class Graph {
 public:
  explicit Graph(std::size_t vertices) : successors_(vertices) {}

  void add(std::uint32_t from, std::uint32_t to) { pending(successors_[from], to); }
  /// Both lists are merged; `to` is sorted and unique.
  void add_all(std::uint32_t from, const std::vector<std::uint32_t>& to) {
    for (const auto v : to) pending(successors_[from], v);
  }
  void finish() {
    for (auto& s : successors_) compact(s);
  }
  [[nodiscard]] std::size_t edges() const {
    std::size_t sum = 0;
    for (const auto& s : successors_) sum += s.list.size();
    return sum;
  }
  /// Vertices of strongly connected components that hold a cycle (Tarjan 1972, without recursion).
  [[nodiscard]] std::size_t vertices_in_cycles() const;

 private:
  struct Successors {
    std::vector<std::uint32_t> list;
    std::size_t compact_at = 64;
  };
  static void compact(Successors& s) {
    std::sort(s.list.begin(), s.list.end());
    s.list.erase(std::unique(s.list.begin(), s.list.end()), s.list.end());
    s.compact_at = std::max<std::size_t>(64, 2 * s.list.size());
  }
  static void pending(Successors& s, std::uint32_t v) {
    s.list.push_back(v);
    if (s.list.size() >= s.compact_at) compact(s);
  }
  std::vector<Successors> successors_;
};

std::size_t Graph::vertices_in_cycles() const {
  constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  struct Frame {
    std::uint32_t vertex;
    std::size_t next;
  };
  std::vector<std::uint32_t> order(successors_.size(), kUnseen);
  std::vector<std::uint32_t> low(successors_.size(), 0);
  std::vector<std::uint8_t> open(successors_.size(), 0);
  std::vector<std::uint32_t> component;
  std::vector<Frame> path;
  std::uint32_t clock = 0;
  std::size_t cyclic = 0;
  const auto enter = [&](std::uint32_t v) {
    order[v] = low[v] = clock++;
    open[v] = 1;
    component.push_back(v);
    path.push_back({v, 0});
  };
  const auto leave = [&](std::uint32_t v) {
    if (low[v] != order[v]) return;
    std::size_t size = 0;
    std::uint32_t w = 0;
    do {
      w = component.back();
      component.pop_back();
      open[w] = 0;
      ++size;
    } while (w != v);
    const auto& own = successors_[v].list;
    if (size > 1 || std::binary_search(own.begin(), own.end(), v)) cyclic += size;
  };
  for (std::uint32_t root = 0; root < successors_.size(); ++root) {
    if (order[root] != kUnseen) continue;
    enter(root);
    while (!path.empty()) {
      const auto v = path.back().vertex;
      if (path.back().next < successors_[v].list.size()) {
        const auto w = successors_[v].list[path.back().next++];
        if (order[w] == kUnseen)
          enter(w);
        else if (open[w] != 0)
          low[v] = std::min(low[v], order[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().vertex] = std::min(low[path.back().vertex], low[v]);
      leave(v);
    }
  }
  return cyclic;
}

/// One choice of a header.
struct Step {
  std::uint32_t channel;
  std::uint32_t next;  ///< configuration it leads to, or kDelivered
  bool escape;
};

/// A header that waits at a router in a state, for the destination under study.
struct Configuration {
  RouterId here;
  RouteState state;
  std::vector<Step> steps;
  std::vector<std::uint32_t> escapes_ahead;  ///< escape channels asked for before another one is taken
  unsigned shortest = 0;
  unsigned longest = 0;
  enum class Mark : std::uint8_t { kNew, kOpen, kDone } mark = Mark::kNew;
};

class Surveyor {
 public:
  Surveyor(const Topology& topology, const RoutingRelation& relation, const SurveyLimits& limits)
      : topology_(topology),
        relation_(relation),
        limits_(limits),
        direct_(index_channels()),
        escape_(result_.used.size()),
        by_state_(topology.routers()) {}

  RelationSurvey run() {
    for (std::size_t d = 0; d < topology_.routers(); ++d) study(RouterId(static_cast<std::uint32_t>(d)));
    result_.direct.channels =
        static_cast<std::size_t>(std::count(result_.used.begin(), result_.used.end(), 1));
    count(direct_, result_.direct);
    result_.escape.channels =
        static_cast<std::size_t>(std::count(result_.used_as_escape.begin(), result_.used_as_escape.end(), 1));
    result_.escape_surveyed = limits_.escape_dependencies && result_.always_arrives;
    if (result_.escape_surveyed) count(escape_, result_.escape);
    if (!result_.always_arrives) result_.longest_path = 0;
    return std::move(result_);
  }

 private:
  std::size_t index_channels() {
    std::size_t next = 0;
    for (const auto& link : topology_.links()) {
      result_.first_channel.push_back(next);
      next += relation_.classes(link.out);
    }
    result_.first_channel.push_back(next);
    result_.used.assign(next, 0);
    result_.used_as_escape.assign(next, 0);
    return next;
  }
  static void count(Graph& graph, DependencyCount& into) {
    graph.finish();
    into.dependencies = graph.edges();
    into.channels_in_cycles = graph.vertices_in_cycles();
  }
  void fault(std::string text) {
    if (result_.faults.size() < kMostFaults) result_.faults.push_back(std::move(text));
  }
  [[nodiscard]] std::string place(RouterId here) const {
    return " at " + topology_.router_name(here) + " for " + topology_.router_name(destination_);
  }

  void study(RouterId destination);
  std::uint32_t configuration(RouterId here, RouteState state);
  void expand(std::uint32_t c);
  void judge_adaptivity(std::uint32_t c, const std::vector<PortId>& offered);
  void order_from(std::uint32_t root);
  void close(std::uint32_t c);
  void collect_dependencies();
  void check_sources(const std::vector<std::pair<RouterId, std::uint32_t>>& starts);

  const Topology& topology_;
  const RoutingRelation& relation_;
  SurveyLimits limits_;
  RelationSurvey result_;
  Graph direct_;
  Graph escape_;

  RouterId destination_{};
  std::vector<std::unordered_map<RouteState, std::uint32_t>> by_state_;
  std::vector<Configuration> all_;
  std::vector<unsigned> distance_;
};

std::uint32_t Surveyor::configuration(RouterId here, RouteState state) {
  if (here == destination_) return kDelivered;
  const auto [it, fresh] = by_state_[index(here)].try_emplace(state, static_cast<std::uint32_t>(all_.size()));
  if (fresh) {
    all_.emplace_back();
    all_.back().here = here;
    all_.back().state = state;
  }
  return it->second;
}

void Surveyor::study(RouterId destination) {
  destination_ = destination;
  all_.clear();
  for (auto& m : by_state_) m.clear();
  distance_.resize(topology_.routers());
  std::vector<std::pair<RouterId, std::uint32_t>> starts;
  std::vector<RouteState> states;
  for (std::size_t s = 0; s < topology_.routers(); ++s) {
    const RouterId source{static_cast<std::uint32_t>(s)};
    distance_[s] = topology_.distance(source, destination);
    if (source == destination) continue;
    states.clear();
    relation_.initial_states(source, destination, states);
    if (states.empty()) fault("no initial state" + place(source));
    for (const auto state : states) starts.emplace_back(source, configuration(source, state));
  }
  for (std::uint32_t c = 0; c < all_.size(); ++c) expand(c);
  result_.configurations += all_.size();
  for (std::uint32_t c = 0; c < all_.size(); ++c)
    if (all_[c].mark == Configuration::Mark::kNew) order_from(c);
  collect_dependencies();
  check_sources(starts);
}

void Surveyor::expand(std::uint32_t c) {
  const auto here = all_[c].here;
  const auto state = all_[c].state;
  CandidateList list;
  relation_.candidates(here, destination_, state, list);
  if (list.empty()) fault("no candidate" + place(here));
  std::vector<PortId> offered;
  std::vector<Step> steps;
  bool any_escape = false;
  for (const auto& candidate : list) {
    const auto* link = topology_.outgoing(here, candidate.port);
    if (link == nullptr || index(candidate.vc_class) >= relation_.classes(candidate.port)) {
      fault("a candidate that is no channel, port " + topology_.port_name(candidate.port) + " class " +
            std::to_string(index(candidate.vc_class)) + "," + place(here));
      continue;
    }
    if (!relation_.exists(*link, candidate.vc_class))
      fault("offers " + relation_.class_name(candidate.port, candidate.vc_class) + " on " +
            topology_.port_name(candidate.port) + ", which it says does not exist," + place(here));
    const auto channel =
        static_cast<std::uint32_t>(result_.first_channel[index(link->id)] + index(candidate.vc_class));
    const bool escape = relation_.is_escape(here, destination_, state, candidate);
    result_.used[channel] = 1;
    if (escape) result_.used_as_escape[channel] = 1;
    any_escape = any_escape || escape;
    if (distance_[index(link->to)] + 1 != distance_[index(here)]) result_.minimal = false;
    offered.push_back(candidate.port);
    const auto after = relation_.next_state(here, destination_, state, candidate);
    if (!relation_.has_state() && after != state) fault("changes a state it says it has not" + place(here));
    steps.push_back({channel, configuration(link->to, after), escape});
  }
  if (!any_escape) result_.escape_always_offered = false;
  if (steps.empty()) result_.always_arrives = false;
  all_[c].steps = std::move(steps);
  judge_adaptivity(c, offered);
}

void Surveyor::judge_adaptivity(std::uint32_t c, const std::vector<PortId>& offered) {
  const auto here = all_[c].here;
  for (std::size_t p = 0; p < topology_.ports(); ++p) {
    const PortId port{static_cast<std::uint16_t>(p)};
    const auto* link = topology_.outgoing(here, port);
    if (link == nullptr || distance_[index(link->to)] + 1 != distance_[index(here)]) continue;
    if (std::find(offered.begin(), offered.end(), port) == offered.end()) result_.fully_adaptive = false;
  }
}

/// Depth first, so that a configuration is closed after all it leads to; meets every circle.
void Surveyor::order_from(std::uint32_t root) {
  using Mark = Configuration::Mark;
  struct Frame {
    std::uint32_t configuration;
    std::size_t next;
  };
  std::vector<Frame> path{{root, 0}};
  all_[root].mark = Mark::kOpen;
  while (!path.empty()) {
    const auto c = path.back().configuration;
    if (path.back().next == all_[c].steps.size()) {
      close(c);
      path.pop_back();
      continue;
    }
    const auto next = all_[c].steps[path.back().next++].next;
    if (next == kDelivered || all_[next].mark == Mark::kDone) continue;
    if (all_[next].mark == Mark::kOpen) {
      result_.always_arrives = false;
      continue;
    }
    all_[next].mark = Mark::kOpen;
    path.push_back({next, 0});
  }
}

void Surveyor::close(std::uint32_t c) {
  auto& own = all_[c];
  own.mark = Configuration::Mark::kDone;
  own.shortest = std::numeric_limits<unsigned>::max();
  for (const auto& step : own.steps) {
    const bool delivered = step.next == kDelivered;
    own.shortest = std::min(own.shortest, 1 + (delivered ? 0 : all_[step.next].shortest));
    own.longest = std::max(own.longest, 1 + (delivered ? 0 : all_[step.next].longest));
    if (step.escape)
      own.escapes_ahead.push_back(step.channel);
    else if (!delivered && limits_.escape_dependencies)
      own.escapes_ahead.insert(own.escapes_ahead.end(), all_[step.next].escapes_ahead.begin(),
                               all_[step.next].escapes_ahead.end());
  }
  std::sort(own.escapes_ahead.begin(), own.escapes_ahead.end());
  own.escapes_ahead.erase(std::unique(own.escapes_ahead.begin(), own.escapes_ahead.end()),
                          own.escapes_ahead.end());
}

void Surveyor::collect_dependencies() {
  for (const auto& c : all_)
    for (const auto& step : c.steps) {
      if (step.next == kDelivered) continue;
      for (const auto& then : all_[step.next].steps) direct_.add(step.channel, then.channel);
      if (step.escape && limits_.escape_dependencies)
        escape_.add_all(step.channel, all_[step.next].escapes_ahead);
    }
}

void Surveyor::check_sources(const std::vector<std::pair<RouterId, std::uint32_t>>& starts) {
  for (const auto& [source, c] : starts) {
    const auto hops = relation_.hops(source, destination_);
    if (all_[c].shortest != hops || all_[c].longest != hops) result_.hops_exact = false;
    result_.longest_path = std::max(result_.longest_path, all_[c].longest);
  }
}

}  // namespace

unsigned RelationSurvey::used_on(LinkId link) const {
  unsigned sum = 0;
  for (auto c = first_channel[index(link)]; c < first_channel[index(link) + 1]; ++c) sum += used[c];
  return sum;
}

unsigned RelationSurvey::used_on_bidirectional(const Topology& topology, const Link& link) const {
  const Link* back = nullptr;
  for (std::size_t p = 0; p < topology.ports(); ++p) {
    const auto* l = topology.outgoing(link.to, PortId(static_cast<std::uint16_t>(p)));
    // Where two links run back (a wrapped dimension of radix 2), the one of the opposite direction.
    if (l != nullptr && l->to == link.from && (back == nullptr || back->out == link.out)) back = l;
  }
  return used_on(link.id) + (back != nullptr ? used_on(back->id) : 0);
}

unsigned RelationSurvey::used_driven_by(const Topology& topology, RouterId router) const {
  unsigned sum = 0;
  for (std::size_t p = 0; p < topology.ports(); ++p)
    if (const auto* l = topology.outgoing(router, PortId(static_cast<std::uint16_t>(p))))
      sum += used_on(l->id);
  return sum;
}

unsigned RelationSurvey::used_at(const Topology& topology, RouterId router) const {
  unsigned sum = used_driven_by(topology, router);
  for (std::size_t p = 0; p < topology.ports(); ++p)
    if (const auto* l = topology.incoming(router, PortId(static_cast<std::uint16_t>(p))))
      sum += used_on(l->id);
  return sum;
}

RelationSurvey survey(const Topology& topology, const RoutingRelation& relation, const SurveyLimits& limits) {
  if (topology.routers() > limits.routers)
    throw ConfigError("topology.radix", "following every worm is limited to " +
                                            std::to_string(limits.routers) + " routers; the topology has " +
                                            std::to_string(topology.routers()) +
                                            "; use a smaller radix of the same parity");
  return Surveyor(topology, relation, limits).run();
}

}  // namespace noctule
