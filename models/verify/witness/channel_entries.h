#pragma once
// The moves of headers into each channel: what both searches for worms of a witness begin with.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/graph/header_graph.h"

namespace noctule {

inline constexpr std::size_t kMostEntries = 4096;  ///< worms looked at per channel
inline constexpr std::size_t kMostOptions = 24;    ///< worms tried per channel
inline constexpr std::size_t kMostWays = 12;       ///< ways from sources per worm

/// A move of some header into a channel.
struct ChannelEntry {
  std::uint32_t graph;
  std::uint32_t move;
};

/// All moves into each channel that f(graph, move) accepts, at most kMostEntries per channel: a bounded
/// sample is enough for a search.
template <class F>
std::vector<std::vector<ChannelEntry>> entries_of(const std::vector<HeaderGraph>& graphs,
                                                  std::size_t channels, F&& f) {
  std::vector<std::vector<ChannelEntry>> entries(channels);
  for (std::uint32_t g = 0; g < graphs.size(); ++g) {
    const auto& moves = graphs[g].all_moves();
    for (std::uint32_t m = 0; m < moves.size(); ++m)
      if (moves[m].next != HeaderGraph::kDelivered && entries[moves[m].channel].size() < kMostEntries &&
          f(graphs[g], moves[m]))
        entries[moves[m].channel].push_back({g, m});
  }
  return entries;
}

}  // namespace noctule
