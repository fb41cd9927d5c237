#include "verify/witness/deadlocked_set.h"

#include <algorithm>
#include <numeric>

namespace noctule {
namespace {

bool any(const std::vector<bool>& set) {
  return std::find(set.begin(), set.end(), true) != set.end();
}

/// Finds largest deadlocked sets within given ones.
class StuckHeaders {
 public:
  explicit StuckHeaders(std::vector<HeaderGraph>& graphs) {
    for (auto& graph : graphs) {
      parts_.push_back({graph, graph.order(), true, std::vector<char>(graph.size())});
      auto& part = parts_.back();
      if (part.states.size() == graph.size()) continue;
      part.ordered = false;
      part.states.resize(graph.size());
      std::iota(part.states.begin(), part.states.end(), 0U);
    }
  }
  /// From now on only sets within this one will be asked for: what cannot matter to them is dropped.
  void keep_within(const std::vector<bool>& set) {
    for (auto& part : parts_)
      std::erase_if(part.states, [&](std::uint32_t s) {
        const auto moves = part.graph.moves(s);
        if (std::any_of(moves.begin(), moves.end(), [&](const auto& m) { return set[m.channel]; }))
          return false;
        part.stuck[s] = 0;
        return true;
      });
  }
  std::vector<bool> largest(std::vector<bool> set) {
    std::vector<bool> held(set.size());
    for (;;) {
      held.assign(set.size(), false);
      for (auto& part : parts_) {
        visits_ += part.states.size();
        find_stuck(part, set);
        for (const auto s : part.states)
          for (const auto& move : part.graph.moves(s))
            if (move.next != HeaderGraph::kDelivered && part.stuck[move.next] != 0)
              held[move.channel] = set[move.channel];
      }
      // `held` never gains what `set` has lost, so this ends.
      if (held == set) return set;
      set = held;
    }
  }
  /// Header states looked at so far.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }

 private:
  struct Part {
    const HeaderGraph& graph;
    std::vector<std::uint32_t> states;
    bool ordered;             ///< each state comes after all that it can lead to
    std::vector<char> stuck;  ///< by header state: can a worm in it be stuck, here or further on?
  };

  static bool judge(const Part& part, const std::vector<bool>& set, std::uint32_t s) {
    const auto moves = part.graph.moves(s);
    return std::all_of(moves.begin(), moves.end(), [&](const auto& m) { return set[m.channel]; }) ||
           std::any_of(moves.begin(), moves.end(), [&](const auto& m) {
             return set[m.channel] && m.next != HeaderGraph::kDelivered && part.stuck[m.next] != 0;
           });
  }
  static void find_stuck(Part& part, const std::vector<bool>& set) {
    for (const auto s : part.states) part.stuck[s] = 0;
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto s : part.states)
        if (part.stuck[s] == 0 && judge(part, set, s)) {
          part.stuck[s] = 1;
          grown = true;
        }
      if (part.ordered) return;
    }
  }

  std::vector<Part> parts_;
  std::uint64_t visits_ = 0;
};

}  // namespace

std::vector<bool> largest_deadlocked_set(std::vector<HeaderGraph>& graphs, const ChannelIndex& channels) {
  return StuckHeaders(graphs).largest(std::vector<bool>(channels.virtual_channels(), true));
}

std::vector<bool> small_deadlocked_set(std::vector<HeaderGraph>& graphs, std::vector<bool> set,
                                       unsigned variant) {
  constexpr std::uint64_t kMostVisits = 20'000'000;  // less than a second
  StuckHeaders headers(graphs);
  // Half of the channels at a time, then a quarter of what is left, and so on to single ones. One that cannot
  // be left out of a set cannot be left out of a smaller one either, so that one pass over these will do.
  for (auto chunk = set.size() / 2; chunk > 0; chunk /= 2) {
    std::vector<std::size_t> members;
    for (std::size_t c = set.size(); c-- > 0;)
      if (set[c]) members.push_back(c);
    // Where to begin: 0, 1/2, 1/4, 3/4, 1/8, 5/8, ... of the way, so that channels that lie together go
    // together.
    std::size_t begin = 0;
    for (unsigned v = variant, part = 2; v > 0; v /= 2, part *= 2)
      if (v % 2 == 1) begin += members.size() / part;
    std::rotate(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(begin), members.end());
    for (std::size_t first = 0; first < members.size(); first += chunk) {
      if (headers.visits() > kMostVisits) return set;
      auto without = set;
      for (auto i = first; i < std::min(first + chunk, members.size()); ++i) without[members[i]] = false;
      if (without == set) continue;
      without = headers.largest(std::move(without));
      if (!any(without)) continue;
      set = std::move(without);
      headers.keep_within(set);
    }
  }
  return set;
}

}  // namespace noctule
