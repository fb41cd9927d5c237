#include <algorithm>

#include "verify/witness/channel_entries.h"
#include "verify/witness/witness.h"
#include "verify/witness/worm_paths.h"

namespace noctule {
namespace {

constexpr std::size_t kMostSeeds = 16;  ///< channels that a search begins with
constexpr unsigned kMostPerSource = 4;  ///< worms that a terminal sends, one after the other
constexpr unsigned kMostHopsOn = 4;     ///< hops that a worm may lie beyond the channel it is wanted for

/// Chooses worms, one after the other, until every channel that one of them waits for is held by another.
class WaitingWorms {
 public:
  WaitingWorms(const FabricPlan& plan, const ChannelIndex& channels, const std::vector<HeaderGraph>& graphs,
               const std::vector<bool>& set, WitnessSearch& search, unsigned most_per_source)
      : channels_(channels),
        graphs_(graphs),
        set_(set),
        search_(search),
        most_per_source_(most_per_source),
        paths_(graphs),
        lanes_(channels.groups() > 1 ? 1 : plan.most_lanes()),
        taken_(channels.virtual_channels() * lanes_),
        sent_by_(plan.topology->routers()),
        wanted_(channels.virtual_channels()),
        entries_(
            entries_of(graphs, channels.virtual_channels(), [&](const HeaderGraph& graph, const auto& move) {
              return set_[move.channel] && (blocked(graph, move.next) || leads_on(graph, move.next));
            })) {
    for (ChannelId c = 0; lanes_ > 1 && c < channels.virtual_channels(); ++c)  // no more than it has
      for (unsigned lane = channels.lanes(c); lane < lanes_; ++lane) taken_[c * lanes_ + lane] = true;
  }

  bool find(DeadlockWitness& witness) {
    const auto cycle = waits().shortest_cycle();
    for (const ChannelId c : cycle) wanted_[c] = true;
    std::vector<ChannelId> seeds(cycle.begin(), cycle.end());
    for (ChannelId c = 0; c < set_.size(); ++c)
      if (set_[c] && !wanted_[c]) seeds.push_back(c);
    for (std::size_t i = 0; i < std::min(seeds.size(), kMostSeeds); ++i) {
      // Each seed gets its share, so that one bad start does not use up the search.
      stop_at_ = search_.worms + search_.most_worms / kMostSeeds;
      owed_.assign(1, {seeds[i], 0});
      if (hold_all(0)) {
        finish(witness);
        return true;
      }
    }
    return false;
  }

 private:
  struct Owed {
    ChannelId channel;
    std::uint16_t lane;
  };
  struct Option {
    std::uint32_t graph;
    std::uint32_t state;  ///< where its header waits
    RouterId source;
    std::vector<std::uint32_t> moves;
    std::size_t cost;
  };
  struct Placed {
    WitnessWorm worm;
    std::size_t owed_before;
  };

  [[nodiscard]] bool blocked(const HeaderGraph& graph, std::uint32_t s) const {
    const auto moves = graph.moves(s);
    return std::all_of(moves.begin(), moves.end(), [&](const auto& m) { return set_[m.channel]; });
  }
  [[nodiscard]] bool leads_on(const HeaderGraph& graph, std::uint32_t s) const {
    const auto moves = graph.moves(s);
    return std::any_of(moves.begin(), moves.end(), [&](const auto& m) {
      return set_[m.channel] && m.next != HeaderGraph::kDelivered && blocked(graph, m.next);
    });
  }

  /// Channel to channel: a worm that lies in the one may wait for the other among channels of the set alone.
  [[nodiscard]] DependencyGraph waits() const {
    DependencyGraph graph(channels_.size());
    for (ChannelId c = 0; c < entries_.size(); ++c)
      for (const ChannelEntry& e : entries_[c]) {
        const auto next = graphs_[e.graph].all_moves()[e.move].next;
        if (!blocked(graphs_[e.graph], next)) continue;
        for (const auto& move : graphs_[e.graph].moves(next)) graph.add(c, move.channel);
      }
    graph.finish();
    return graph;
  }

  /// Worms that hold channel `c` and, perhaps, a few channels after it.
  [[nodiscard]] std::vector<Option> options(ChannelId c) {
    std::vector<Option> all;
    for (const ChannelEntry& e : entries_[c]) {
      std::vector<std::uint32_t> onward{e.move};
      extend(e.graph, onward, all);
      if (all.size() > kMostEntries) break;
    }
    for (Option& option : all) option.cost = cost(option);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    std::vector<Option> best;
    for (Option& option : all) {
      if (best.size() >= kMostOptions) break;
      const auto before = paths_[option.graph].state_before(option.moves.front());
      for (auto& way : paths_[option.graph].ways_to(before, kMostWays)) {
        const unsigned before_it = sent_by_[index(way.source)];
        if (before_it == most_per_source_) continue;
        Option whole = option;
        whole.cost += 64 * before_it;  // it has to wait for those
        whole.source = way.source;
        whole.moves.insert(whole.moves.begin(), way.moves.begin(), way.moves.end());
        if (fits(whole)) best.push_back(std::move(whole));
        if (best.size() >= kMostOptions) break;
      }
    }
    std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.moves.size() < b.moves.size();
    });
    return best;
  }

  void extend(std::uint32_t g, std::vector<std::uint32_t>& onward, std::vector<Option>& all) const {
    const HeaderGraph& graph = graphs_[g];
    const auto at = graph.all_moves()[onward.back()].next;
    if (blocked(graph, at)) all.push_back({g, at, {}, onward, 0});
    if (onward.size() > kMostHopsOn) return;
    for (std::uint32_t m = 0; m < graph[at].moves; ++m) {
      const auto& move = graph.moves(at)[m];
      if (!set_[move.channel] || move.next == HeaderGraph::kDelivered || lane_of(move.channel) == lanes_)
        continue;
      onward.push_back(graph[at].first_move + m);
      extend(g, onward, all);
      onward.pop_back();
    }
  }

  /// What a worm would leave to be held: channels of the wanted cycle cost little.
  [[nodiscard]] std::size_t cost(const Option& option) const {
    std::size_t sum = option.moves.size() - 1;
    for (const auto& move : graphs_[option.graph].moves(option.state))
      for (unsigned lane = 0; lane < lanes_; ++lane)
        if (!taken_[move.channel * lanes_ + lane]) sum += wanted_[move.channel] ? 2 : 16;
    return sum;
  }
  /// Lowest free lane of a channel; lanes_ if there is none.
  [[nodiscard]] unsigned lane_of(ChannelId c) const {
    unsigned lane = 0;
    while (lane < lanes_ && taken_[c * lanes_ + lane]) ++lane;
    return lane;
  }
  [[nodiscard]] bool fits(const Option& option) const {
    const auto& moves = graphs_[option.graph].all_moves();
    for (std::size_t i = 0; i < option.moves.size(); ++i) {
      const ChannelId c = moves[option.moves[i]].channel;
      if (lane_of(c) == lanes_) return false;
      for (std::size_t j = 0; j < i; ++j)
        if (moves[option.moves[j]].channel == c) return false;
    }
    return true;
  }

  bool hold_all(std::size_t first) {
    while (first < owed_.size() && taken_[owed_[first].channel * lanes_ + owed_[first].lane]) ++first;
    if (first == owed_.size()) return true;
    for (const Option& option : options(owed_[first].channel)) {
      if (++search_.worms >= stop_at_) {
        search_.cut = true;
        return false;
      }
      place(option);
      if (hold_all(first)) return true;
      remove();
      if (search_.worms >= stop_at_) return false;
    }
    return false;
  }

  void place(const Option& option) {
    const HeaderGraph& graph = graphs_[option.graph];
    Placed placed{{option.source, graph.destination(), {}, {}, {}, 0, 1}, owed_.size()};
    for (const auto m : option.moves) {
      const ChannelId c = graph.all_moves()[m].channel;
      const unsigned lane = lane_of(c);
      taken_[c * lanes_ + lane] = true;
      placed.worm.path.push_back({c, static_cast<std::uint16_t>(lane)});
    }
    for (const auto& move : graph.moves(option.state)) {
      placed.worm.waits_for.push_back(move.channel);
      for (unsigned lane = 0; lane < lanes_; ++lane)
        owed_.push_back({move.channel, static_cast<std::uint16_t>(lane)});
    }
    ++sent_by_[index(option.source)];
    placed_.push_back(std::move(placed));
  }
  void remove() {
    const Placed& last = placed_.back();
    for (const auto& hop : last.worm.path) taken_[hop.channel * lanes_ + hop.lane] = false;
    --sent_by_[index(last.worm.source)];
    owed_.resize(last.owed_before);
    placed_.pop_back();
  }

  void finish(DeadlockWitness& witness) const {
    DependencyGraph graph(channels_.size());
    for (const auto& p : placed_) {
      witness.worms.push_back(p.worm);
      const auto& path = p.worm.path;
      for (std::size_t i = 1; i < path.size(); ++i) graph.add(path[i - 1].channel, path[i].channel);
      for (const ChannelId c : p.worm.waits_for) graph.add(path.back().channel, c);
    }
    graph.finish();
    describe(graph.shortest_cycle(), witness);
  }

  static void describe(const std::vector<ChannelId>& cycle, DeadlockWitness& witness) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const ChannelId from = cycle[i];
      const ChannelId to = cycle[(i + 1) % cycle.size()];
      for (const auto& worm : witness.worms) {
        Dependency arc{from, to, worm.source, worm.destination, {}};
        std::size_t at = 0;
        while (at < worm.path.size() && worm.path[at].channel != from)
          arc.path.push_back(worm.path[at++].channel);
        if (at == worm.path.size()) continue;
        const bool follows = at + 1 < worm.path.size()
                                 ? worm.path[at + 1].channel == to
                                 : std::count(worm.waits_for.begin(), worm.waits_for.end(), to) > 0;
        if (!follows) continue;
        arc.path.insert(arc.path.end(), {from, to});
        witness.cycle.push_back(std::move(arc));
        break;
      }
    }
  }

  const ChannelIndex& channels_;
  const std::vector<HeaderGraph>& graphs_;
  const std::vector<bool>& set_;
  WitnessSearch& search_;
  unsigned most_per_source_;
  WormPathsTo paths_;
  unsigned lanes_;
  std::vector<bool> taken_;            ///< by channel and lane
  std::vector<std::uint8_t> sent_by_;  ///< by source router: worms placed
  std::vector<bool> wanted_;           ///< by channel: in the cycle aimed at
  std::vector<std::vector<ChannelEntry>> entries_;
  std::vector<Owed> owed_;
  std::vector<Placed> placed_;
  std::uint64_t stop_at_ = 0;
};

}  // namespace

bool find_waiting_worms(const FabricPlan& plan, const ChannelIndex& channels,
                        std::vector<HeaderGraph>& graphs, const std::vector<bool>& set, WitnessSearch& search,
                        DeadlockWitness& witness) {
  // In a small set worms have little choice, which makes the search short, but may not fit together.
  constexpr unsigned kSets = 8;
  std::vector<std::vector<bool>> sets;
  for (unsigned i = 0; i + 1 < kSets; ++i) sets.push_back(small_deadlocked_set(graphs, set, i));
  sets.push_back(set);
  unsigned left = 2 * kSets;
  for (const unsigned per_source : {1U, kMostPerSource})
    for (const auto& within : sets) {
      WitnessSearch share = search;
      share.most_worms = (search.most_worms - std::min(search.most_worms, search.worms)) / left--;
      const bool found = WaitingWorms(plan, channels, graphs, within, share, per_source).find(witness);
      search.worms = share.worms;
      search.cut = share.cut;
      if (found) return true;
    }
  return false;
}

}  // namespace noctule
