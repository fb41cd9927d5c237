#include <algorithm>

#include "verify/witness/channel_entries.h"
#include "verify/witness/witness.h"
#include "verify/witness/worm_paths.h"

namespace noctule {
namespace {

/// One worm per arc of a cycle, from sources that differ.
class CommittedWorms {
 public:
  CommittedWorms(const std::vector<HeaderGraph>& graphs, const std::vector<ChannelId>& cycle,
                 std::size_t channels)
      : graphs_(graphs), cycle_(cycle), paths_(graphs), next_(channels, kNoChannel) {
    for (std::size_t i = 0; i < cycle.size(); ++i) next_[cycle[i]] = cycle[(i + 1) % cycle.size()];
    entries_ = entries_of(graphs, channels, [&](const HeaderGraph& graph, const auto& move) {
      const auto moves = graph.moves(move.next);
      return next_[move.channel] != kNoChannel && std::any_of(moves.begin(), moves.end(), [&](const auto& m) {
               return m.channel == next_[move.channel];
             });
    });
  }

  /// One per arc, in the order of the cycle, sources all different if `distinct`; empty: there are none.
  std::vector<Dependency> find(bool distinct, std::uint64_t most, std::uint64_t& tried) {
    arcs_.clear();
    return choose(distinct, most, tried) ? arcs_ : std::vector<Dependency>{};
  }

 private:
  bool choose(bool distinct, std::uint64_t most, std::uint64_t& tried) {
    if (arcs_.size() == cycle_.size()) return true;
    const ChannelId from = cycle_[arcs_.size()];
    std::vector<Dependency> ways;
    for (const ChannelEntry& e : entries_[from]) {
      const HeaderGraph& graph = graphs_[e.graph];
      for (const auto& way :
           paths_[e.graph].ways_to(paths_[e.graph].state_before(e.move), distinct ? kMostWays : 1)) {
        Dependency arc{from, next_[from], way.source, graph.destination(), {}};
        for (const auto m : way.moves) arc.path.push_back(graph.all_moves()[m].channel);
        arc.path.insert(arc.path.end(), {from, next_[from]});
        ways.push_back(std::move(arc));
      }
      if (ways.size() >= kMostEntries) break;
    }
    // Ways that keep off the cycle first, then short ones.
    const auto key = [&](const Dependency& arc) {
      return std::count_if(arc.path.begin(), arc.path.end(),
                           [&](ChannelId c) { return next_[c] != kNoChannel; }) *
                 100 +
             static_cast<std::ptrdiff_t>(arc.path.size());
    };
    std::stable_sort(ways.begin(), ways.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    if (ways.size() > kMostOptions) ways.resize(kMostOptions);
    for (auto& arc : ways) {
      if (distinct && std::any_of(arcs_.begin(), arcs_.end(),
                                  [&](const auto& other) { return other.source == arc.source; }))
        continue;
      if (++tried > most) return false;
      arcs_.push_back(std::move(arc));
      if (choose(distinct, most, tried)) return true;
      arcs_.pop_back();
    }
    return false;
  }

  const std::vector<HeaderGraph>& graphs_;
  const std::vector<ChannelId>& cycle_;
  WormPathsTo paths_;
  std::vector<ChannelId> next_;  ///< by channel: its successor in the cycle
  std::vector<std::vector<ChannelEntry>> entries_;
  std::vector<Dependency> arcs_;
};

}  // namespace

std::vector<Dependency> describe_cycle(const std::vector<HeaderGraph>& graphs,
                                       const std::vector<ChannelId>& cycle) {
  std::size_t channels = 0;
  for (const auto& graph : graphs)
    for (const auto& move : graph.all_moves()) channels = std::max<std::size_t>(channels, move.channel + 1);
  std::uint64_t tried = 0;
  return CommittedWorms(graphs, cycle, channels).find(false, ~std::uint64_t{0}, tried);
}

bool find_committed_worms(const FabricPlan& plan, const ChannelIndex& channels,
                          std::vector<HeaderGraph>& graphs, const std::vector<ChannelId>& cycle,
                          WitnessSearch& search, DeadlockWitness& witness) {
  CommittedWorms worms(graphs, cycle, channels.size());
  const std::uint64_t most = search.worms + search.most_worms;
  auto arcs = worms.find(true, most, search.worms);
  if (arcs.empty()) {
    search.cut = search.cut || search.worms >= most;
    return false;
  }
  for (const auto& arc : arcs) {
    WitnessWorm worm{arc.source, arc.destination, {}, {arc.to}, {}, 0, 1};
    for (const ChannelId c : arc.path) worm.path.push_back({c, 0});
    // Fills one VC: once packed, its tail has crossed into the VC that its header waits in.
    worm.length = plan.most([](const auto& node) { return node.input_depth + node.output_depth; });
    witness.worms.push_back(std::move(worm));
  }
  witness.cycle = std::move(arcs);
  witness.committed = true;
  return true;
}

}  // namespace noctule
