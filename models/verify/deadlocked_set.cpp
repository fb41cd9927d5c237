#include "verify/deadlocked_set.h"

#include <algorithm>

namespace noctule {
namespace {

/// By header state: can a worm in it be stuck, here or further on, in channels of `set` alone?
void find_stuck(HeaderGraph& graph, const std::vector<bool>& set, std::vector<bool>& stuck) {
  stuck.assign(graph.size(), false);
  const auto judge = [&](std::uint32_t s) {
    const auto moves = graph.moves(s);
    return std::all_of(moves.begin(), moves.end(), [&](const auto& m) { return set[m.channel]; }) ||
           std::any_of(moves.begin(), moves.end(), [&](const auto& m) {
             return set[m.channel] && m.next != HeaderGraph::kDelivered && stuck[m.next];
           });
  };
  const auto& order = graph.order();
  for (const auto s : order) stuck[s] = judge(s);
  for (bool grown = order.size() != graph.size(); grown;) {
    grown = false;
    for (std::uint32_t s = 0; s < graph.size(); ++s)
      if (!stuck[s] && judge(s)) stuck[s] = grown = true;
  }
}

}  // namespace

std::vector<bool> largest_deadlocked_set(std::vector<HeaderGraph>& graphs, const ChannelIndex& channels) {
  return largest_deadlocked_set(graphs, std::vector<bool>(channels.virtual_channels(), true));
}

std::vector<bool> largest_deadlocked_set(std::vector<HeaderGraph>& graphs, std::vector<bool> within) {
  auto& set = within;
  std::vector<bool> held(set.size());
  std::vector<bool> stuck;
  for (;;) {
    held.assign(set.size(), false);
    for (auto& graph : graphs) {
      find_stuck(graph, set, stuck);
      for (const auto& move : graph.all_moves())
        if (move.next != HeaderGraph::kDelivered && stuck[move.next]) held[move.channel] = set[move.channel];
    }
    // `held` never gains what `set` has lost, so this ends.
    if (held == set) return set;
    set = held;
  }
}

std::vector<bool> small_deadlocked_set(std::vector<HeaderGraph>& graphs, std::vector<bool> set,
                                       bool from_the_end) {
  constexpr std::size_t kMostMoves = 40'000'000;  ///< looked at: less than a second
  std::size_t moves = 1;
  for (const auto& graph : graphs) moves += graph.all_moves().size();
  auto left = kMostMoves / moves;
  // A channel that cannot be left out of a set cannot be left out of a smaller one: at the end one pass will
  // do. Before that many at a time.
  for (auto chunk = static_cast<std::size_t>(std::count(set.begin(), set.end(), true)) / 2; chunk > 0;
       chunk /= 2) {
    std::vector<std::size_t> members;
    for (std::size_t c = 0; c < set.size(); ++c)
      if (set[c]) members.push_back(c);
    if (from_the_end) std::reverse(members.begin(), members.end());
    for (std::size_t first = 0; first < members.size(); first += chunk) {
      if (left-- == 0) return set;
      auto without = set;
      for (auto i = first; i < std::min(first + chunk, members.size()); ++i) without[members[i]] = false;
      if (without == set) continue;
      without = largest_deadlocked_set(graphs, std::move(without));
      if (std::count(without.begin(), without.end(), true) > 0) set = std::move(without);
    }
  }
  return set;
}

}  // namespace noctule
