#include "verify/witness/worm_paths.h"

#include <algorithm>

namespace noctule {

WormPaths::WormPaths(const HeaderGraph& graph)
    : graph_(graph), before_(graph.all_moves().size()), first_in_(graph.size() + 1), start_(graph.size()) {
  const auto& moves = graph.all_moves();
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    for (std::uint32_t m = 0; m < graph[s].moves; ++m) before_[graph[s].first_move + m] = s;
  for (const auto& move : moves)
    if (move.next != HeaderGraph::kDelivered) ++first_in_[move.next + 1];
  for (std::size_t s = 0; s < graph.size(); ++s) first_in_[s + 1] += first_in_[s];
  moves_in_.resize(first_in_.back());
  std::vector<std::uint32_t> fill(first_in_.begin(), first_in_.end() - 1);
  for (std::uint32_t m = 0; m < moves.size(); ++m)
    if (moves[m].next != HeaderGraph::kDelivered) moves_in_[fill[moves[m].next]++] = m;
  for (const auto& start : graph.starts()) start_[start.state] = true;
}

std::vector<WormPaths::Way> WormPaths::ways_to(std::uint32_t s, std::size_t most) const {
  struct Back {
    std::uint32_t state;
    std::uint32_t move;      ///< that led from `state` to that of `behind`
    std::uint32_t behind;    ///< index in `seen`
    std::uint32_t distance;  ///< from s
  };
  constexpr std::size_t kMostSteps = 4096;
  constexpr std::uint32_t kMostHops = 64;
  std::vector<Back> seen{{s, 0, 0, 0}};
  std::vector<Way> ways;
  for (std::size_t i = 0; i < seen.size() && ways.size() < most; ++i) {
    const Back at = seen[i];
    if (start_[at.state]) {
      Way way{graph_[at.state].here, {}};
      for (std::size_t j = i; j != 0; j = seen[j].behind) way.moves.push_back(seen[j].move);
      ways.push_back(std::move(way));
    }
    if (at.distance == kMostHops) continue;
    for (auto e = first_in_[at.state]; e < first_in_[at.state + 1] && seen.size() < kMostSteps; ++e)
      seen.push_back({before_[moves_in_[e]], moves_in_[e], static_cast<std::uint32_t>(i), at.distance + 1});
  }
  return ways;
}

}  // namespace noctule
