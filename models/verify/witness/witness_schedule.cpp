#include "verify/witness/witness_schedule.h"

#include <algorithm>
#include <map>

#include "core/rng.h"

namespace noctule {
namespace {

constexpr unsigned kRestarts = 64;
constexpr unsigned kRepairs = 4000;
/// A worm has left its source, whatever its buffers hold, after so many cycles per flit, and some.
constexpr std::int64_t kCyclesPerFlit = 2;
constexpr std::int64_t kMargin = 8;

class Schedule {
 public:
  Schedule(const DeadlockWitness& witness, const FabricPlan& plan, const ChannelIndex& channels,
           std::int64_t per_hop, bool single)
      : single_(single),
        per_hop_(per_hop),
        connections_(plan.common_node().connections_per_cycle),
        vc_flits_(plan.most([](const auto& node) { return node.input_depth + node.output_depth; })) {
    for (const auto& worm : witness.worms) {
      auto& takes = takes_.emplace_back();
      const std::size_t held = worm.path.size() - (witness.committed ? 1 : 0);
      for (std::size_t hop = 0; hop < held; ++hop) {
        const ChannelId c = worm.path[hop].channel;
        const Link& link = plan.topology->links()[index(channels.link(c))];
        takes.push_back({index(link.from), channels.crossbar_before(c)});
        holders_[c].push_back({takes_.size() - 1, static_cast<std::int64_t>(hop)});
      }
    }
    std::map<RouterId, std::vector<std::size_t>> by_source;
    for (std::size_t w = 0; w < takes_.size(); ++w) by_source[witness.worms[w].source].push_back(w);
    for (auto& [source, worms] : by_source)
      if (worms.size() > 1) groups_.push_back(std::move(worms));
    ways_.resize(takes_.size());
    for (std::size_t w = 0; w < takes_.size(); ++w)
      for (const ChannelId c : witness.worms[w].waits_for)
        if (const auto found = holders_.find(c); found != holders_.end())
          ways_[w].insert(ways_[w].end(), found->second.begin(), found->second.end());
  }

  bool find() {
    Rng rng(hash_name("witness"));
    for (unsigned n = 0; n < kRestarts; ++n) {
      align();
      order(n == 0 ? nullptr : &rng);
      choose(n == 0 ? nullptr : &rng);
      for (unsigned r = 0; r < kRepairs; ++r)
        if (!repair_orders() && !repair_conflicts(rng)) return true;
    }
    align();
    return false;
  }
  /// What a worm asks for alone.
  [[nodiscard]] WitnessWorm::Hop choice(const DeadlockWitness& witness, std::size_t worm) const {
    const Holder& holder = ways_[worm].at(chosen_[worm]);
    return witness.worms[holder.worm].path[static_cast<std::size_t>(holder.hop)];
  }
  /// Flits that fill the buffers of a worm's path.
  [[nodiscard]] std::uint32_t filling(std::size_t worm) const {
    return static_cast<std::uint32_t>(takes_[worm].size()) * vc_flits_;
  }
  /// Does its source send another worm after it?
  [[nodiscard]] bool is_followed(std::size_t worm) const {
    return std::any_of(follows_.begin(), follows_.end(),
                       [&](const Follow& follow) { return follow.first == worm; });
  }
  [[nodiscard]] std::uint64_t start(std::size_t worm) const {
    return static_cast<std::uint64_t>(start_[worm] - *std::min_element(start_.begin(), start_.end()));
  }

 private:
  struct Take {
    std::size_t router;
    std::int32_t crossbar;
    friend auto operator<=>(const Take&,
                            const Take&) = default;  // NOLINT(modernize-use-nullptr): the 0 is the language's
  };
  struct Holder {
    std::size_t worm;
    std::int64_t hop;
  };
  /// `worm` asks for what `holder` takes at `hop`.
  struct Need {
    std::size_t worm;
    std::size_t holder;
    std::int64_t hop;
  };

  /// Two worms of one source.
  struct Follow {
    std::size_t first;
    std::size_t second;
    std::int64_t cycles;  ///< between their starts
  };

  [[nodiscard]] std::int64_t asks(std::size_t worm) const {
    return start_[worm] + per_hop_ * static_cast<std::int64_t>(takes_[worm].size());
  }
  void align() {
    start_.assign(takes_.size(), 0);
    for (std::size_t w = 0; w < takes_.size(); ++w) start_[w] = -asks(w);
  }
  /// In which order the worms of a source are sent: as given without `rng`.
  void order(Rng* rng) {
    wave_.assign(takes_.size(), 0);
    follows_.clear();
    for (auto& group : groups_) {
      for (std::size_t i = group.size(); rng != nullptr && i > 1; --i)
        std::swap(group[i - 1], group[rng->below(i)]);
      for (std::size_t i = 1; i < group.size(); ++i) {
        wave_[group[i]] = static_cast<unsigned>(i);
        const auto flits = static_cast<std::int64_t>(filling(group[i - 1]));
        follows_.push_back({group[i - 1], group[i], kCyclesPerFlit * flits + kMargin});
      }
    }
  }
  /// Who must hold something in time for whom: all alternatives, or one of each worm (the first without
  /// `rng`).
  void choose(Rng* rng) {
    needs_.clear();
    chosen_.assign(ways_.size(), 0);
    for (std::size_t w = 0; w < ways_.size(); ++w) {
      if (single_) chosen_[w] = one_of_the_earliest(ways_[w], rng);
      for (std::size_t i = 0; i < ways_[w].size(); ++i)
        if (!single_ || i == chosen_[w]) needs_.push_back({w, ways_[w][i].worm, ways_[w][i].hop});
    }
  }
  /// A way whose holder comes early among the worms of its source; any of these with `rng`.
  [[nodiscard]] std::size_t one_of_the_earliest(const std::vector<Holder>& ways, Rng* rng) const {
    std::vector<std::size_t> earliest;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!earliest.empty() && wave_[ways[i].worm] > wave_[ways[earliest.front()].worm]) continue;
      if (!earliest.empty() && wave_[ways[i].worm] < wave_[ways[earliest.front()].worm]) earliest.clear();
      earliest.push_back(i);
    }
    if (earliest.empty()) return 0;
    return earliest[rng == nullptr ? 0 : rng->below(earliest.size())];
  }
  /// Delays those who ask too early, and those who start before their source is free; true if there were any.
  bool repair_orders() {
    bool repaired = false;
    for (const Follow& follow : follows_) {
      const std::int64_t late = start_[follow.first] + follow.cycles - start_[follow.second];
      if (late <= 0) continue;
      start_[follow.second] += late;
      repaired = true;
    }
    for (const Need& need : needs_) {
      const std::int64_t taken = start_[need.holder] + per_hop_ * need.hop;
      const std::int64_t late = taken + 1 - asks(need.worm);
      if (late <= 0) continue;
      start_[need.worm] += late;
      repaired = true;
    }
    return repaired;
  }
  /// Delays one worm of each set that a crossbar cannot connect in one cycle.
  bool repair_conflicts(Rng& rng) {
    if (connections_ == 0) return false;
    std::map<std::pair<std::int64_t, Take>, std::vector<std::size_t>> at;
    for (std::size_t w = 0; w < takes_.size(); ++w)
      for (std::size_t hop = 0; hop < takes_[w].size(); ++hop)
        at[{start_[w] + per_hop_ * static_cast<std::int64_t>(hop), takes_[w][hop]}].push_back(w);
    for (const auto& [when, worms] : at)
      if (worms.size() > connections_) {
        ++start_[worms[rng.below(worms.size())]];
        return true;
      }
    return false;
  }

  bool single_;
  std::int64_t per_hop_;
  std::size_t connections_;
  std::uint32_t vc_flits_;
  std::vector<std::vector<std::size_t>> groups_;  ///< worms of a source, if several, in their order
  std::vector<std::vector<Take>> takes_;          ///< by worm and hop
  std::map<ChannelId, std::vector<Holder>> holders_;
  std::vector<std::vector<Holder>> ways_;  ///< by worm: who holds its alternatives
  std::vector<std::size_t> chosen_;        ///< by worm: one of these
  std::vector<unsigned> wave_;             ///< by worm: how many its source sends before it
  std::vector<Follow> follows_;
  std::vector<Need> needs_;
  std::vector<std::int64_t> start_;
};

}  // namespace

bool schedule(DeadlockWitness& witness, const FabricPlan& plan, const ChannelIndex& channels,
              std::uint64_t cycles_per_hop) {
  if (witness.worms.empty()) return true;
  const auto per_hop = static_cast<std::int64_t>(cycles_per_hop);
  for (const bool single : {false, true}) {
    Schedule schedule(witness, plan, channels, per_hop, single);
    const bool found = schedule.find();
    for (std::size_t w = 0; w < witness.worms.size(); ++w) {
      witness.worms[w].start = schedule.start(w);
      // So long that it does not leave its source, unless another worm is to come from there.
      if (!witness.committed)
        witness.worms[w].length = schedule.filling(w) + (schedule.is_followed(w) ? 0 : 2);
    }
    if (!found) continue;
    // A committed worm asks for one channel as it is: the last one of its path.
    for (std::size_t w = 0; single && !witness.committed && w < witness.worms.size(); ++w)
      witness.worms[w].asks_for = schedule.choice(witness, w);
    return true;
  }
  return false;
}

}  // namespace noctule
