#pragma once
// Ways of single worms through a header graph: back from a place to the sources, and on to where they wait.

#include <memory>
#include <vector>

#include "verify/graph/header_graph.h"

namespace noctule {

/// Backwards through one header graph. Keeps a reference to it.
class WormPaths {
 public:
  explicit WormPaths(const HeaderGraph& graph);

  struct Way {
    RouterId source;
    std::vector<std::uint32_t> moves;  ///< indices into graph.all_moves(), in the order of travel
  };
  /// Ways from sources to header state `s`, shortest first, at most `most` of them.
  [[nodiscard]] std::vector<Way> ways_to(std::uint32_t s, std::size_t most) const;
  /// The state that a move leaves.
  [[nodiscard]] std::uint32_t state_before(std::uint32_t move) const { return before_[move]; }
  [[nodiscard]] bool is_start(std::uint32_t s) const { return start_[s]; }

 private:
  const HeaderGraph& graph_;
  std::vector<std::uint32_t> before_;    ///< by move
  std::vector<std::uint32_t> first_in_;  ///< by state, into moves_in_
  std::vector<std::uint32_t> moves_in_;
  std::vector<bool> start_;
};

/// WormPaths of many destinations, made when first asked for.
class WormPathsTo {
 public:
  explicit WormPathsTo(const std::vector<HeaderGraph>& graphs) : graphs_(graphs), paths_(graphs.size()) {}
  const WormPaths& operator[](std::size_t graph) {
    if (!paths_[graph]) paths_[graph] = std::make_unique<WormPaths>(graphs_[graph]);
    return *paths_[graph];
  }

 private:
  const std::vector<HeaderGraph>& graphs_;
  std::vector<std::unique_ptr<WormPaths>> paths_;
};

}  // namespace noctule
